//! Which files speak for others, by their paths.

use super::distribution::{self, info_of};
use super::folders::parent;
use super::license_file::is_license_file;
use crate::package::Format;

/// What a file says for others, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Conclusions,
    Reuse,
    /// `.reuse/dep5`.
    Dep5,
    DebianCopyright,
    Sidecar,
    LicenseFile,
    Metadata(Format),
    Record,
    TopLevel,
}

impl Role {
    pub(super) fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let lies_in =
            |wanted: &str| folder == wanted || folder.strip_suffix(wanted).is_some_and(|f| f.ends_with('/'));
        match name {
            "familiar.toml" => return Some(Self::Conclusions),
            "REUSE.toml" => return Some(Self::Reuse),
            "dep5" if lies_in(".reuse") => return Some(Self::Dep5),
            "copyright" if lies_in("debian") => return Some(Self::DebianCopyright),
            _ => {}
        }
        if let Some(info) = info_of(path) {
            match name {
                "RECORD" => return Some(Self::Record),
                "top_level.txt" => return Some(Self::TopLevel),
                _ if distribution::is_license_of(&info, path) => return Some(Self::LicenseFile),
                _ => {}
            }
        }
        // `name.license` speaks for `name`; `.license` by itself for nothing.
        if name.len() > ".license".len() && name.ends_with(".license") {
            return Some(Self::Sidecar);
        }
        Format::of(path).map(Self::Metadata).or_else(|| is_license_file(path).then_some(Self::LicenseFile))
    }
}

/// Whether a file of this path speaks for other files: a license text, a package's metadata, REUSE.toml, …
pub fn declares(path: &str) -> bool {
    Role::of(path).is_some()
}

/// Whether it is itself a license for others, which those around it say nothing of.
pub(super) fn is_license(path: &str) -> bool {
    path.split('/').any(|part| part == "LICENSES") || Role::of(path) == Some(Role::LicenseFile)
}

/// The folder that a file speaks for: that in which it lies, or of `META-INF/…`, `.reuse/` and `debian/` the one around.
pub(super) fn home(path: &str) -> &str {
    let at =
        path.match_indices("META-INF/").map(|(at, _)| at).find(|&at| at == 0 || path[..at].ends_with('/'));
    match at {
        Some(at) => path[..at].trim_end_matches('/'),
        None => parent(path).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declaring_files_are_known_by_their_paths() {
        for path in [
            "LICENSE",
            "a/COPYING",
            "REUSE.toml",
            ".reuse/dep5",
            "a/debian/copyright",
            "img/a.png.license",
            "package.json",
            "familiar.toml",
            "a-1.dist-info/RECORD",
            "a-1.dist-info/licenses/AUTHORS",
            "a.egg-info/top_level.txt",
            "META-INF/LICENSE.txt",
            "META-INF/maven/g/a/pom.xml",
        ] {
            assert!(declares(path), "{path}");
        }
        for path in [
            "src/main.rs",
            "LICENSES/MIT.txt",
            "dep5",
            "RECORD",
            "copyright.py",
            ".license",
            "debian/control",
        ] {
            assert!(!declares(path), "{path}");
        }
    }

    #[test]
    fn files_speak_for_the_folder_that_they_describe() {
        for (path, folder) in [
            ("a/LICENSE", "a"),
            ("LICENSE", ""),
            ("META-INF/LICENSE", ""),
            ("lib/x.jar/META-INF/maven/g/a/pom.xml", "lib/x.jar"),
            ("NOT-META-INF/LICENSE", "NOT-META-INF"),
        ] {
            assert_eq!(home(path), folder, "{path}");
        }
    }
}
