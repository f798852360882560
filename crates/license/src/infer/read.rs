//! Which files speak for others, and what they hold.

use std::collections::{BTreeMap, BTreeSet};

use super::concluded::Conclusions;
use super::dep5::Dep5;
use super::distribution::{self, Distribution, Distributions, info_of};
use super::folder::{Described, Folder};
use super::folders::{ancestors, is_in_vendored, parent};
use super::license_file::{self, Found, is_license_file};
use super::metadata::Manifests;
use super::workspace::Workspaces;
use super::{Declarations, Package};
use crate::package::{Ecosystem, Format, Manifest, normalized};
use crate::{Copyright, Detected, Detector, Layer, LayerKind, text};

/// Files that say more than this speak of nothing in particular.
const MAX_BYTES: usize = 16 << 20;

/// What a file says for others, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
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
    fn of(path: &str) -> Option<Self> {
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
fn home(path: &str) -> &str {
    let at =
        path.match_indices("META-INF/").map(|(at, _)| at).find(|&at| at == 0 || path[..at].ends_with('/'));
    match at {
        Some(at) => path[..at].trim_end_matches('/'),
        None => parent(path).unwrap_or_default(),
    }
}

/// What declaring files say, before it is put together. Files can be read one by one, in any order and at the same time.
#[derive(Debug, Default)]
pub struct Declared {
    folders: BTreeMap<String, Folder>,
    sidecars: Vec<(String, Layer)>,
    manifests: BTreeMap<String, (Format, Manifest)>,
    texts: BTreeMap<String, Found>,
    copyrights: Vec<(String, Vec<Copyright>)>,
    distributions: BTreeMap<String, Distribution>,
    unreadable: Vec<(String, String)>,
}

/// Reads one declaring file; `detect` finds the licenses in a text.
pub(super) fn read(path: &str, bytes: &[u8], detect: &dyn Fn(&str) -> Detected) -> Declared {
    let mut declared = Declared::default();
    let Some(role) = Role::of(path) else { return declared };
    if bytes.len() > MAX_BYTES {
        declared.wrong(path, format!("larger than {} MiB, so what it declares is not read", MAX_BYTES >> 20));
    } else if let Some(text) = text::decode(bytes) {
        declared.file(role, path, &text, detect);
    } else {
        declared.wrong(path, "binary, so what it declares is not read".to_owned());
    }
    declared
}

impl Declared {
    /// Reads the declaring file at `path` below the root.
    pub fn read(path: &str, bytes: &[u8], detector: &Detector) -> Self {
        read(path, bytes, &|text| detector.detect(text))
    }

    /// That the declaring file at `path` cannot be read.
    pub fn unreadable(path: &str, reason: &str) -> Self {
        let mut declared = Self::default();
        declared.wrong(path, format!("{reason}, so what it declares is not read"));
        declared
    }

    /// Takes what other files say.
    pub(super) fn add(&mut self, other: Self) {
        for (path, folder) in other.folders {
            self.folder(&path).add(folder);
        }
        self.sidecars.extend(other.sidecars);
        self.manifests.extend(other.manifests);
        self.texts.extend(other.texts);
        self.copyrights.extend(other.copyrights);
        for (path, distribution) in other.distributions {
            self.distributions.entry(path).or_default().add(distribution);
        }
        self.unreadable.extend(other.unreadable);
    }

    fn wrong(&mut self, path: &str, reason: String) {
        self.unreadable.push((path.to_owned(), reason));
    }

    fn folder(&mut self, path: &str) -> &mut Folder {
        self.folders.entry(path.to_owned()).or_default()
    }

    /// The info folder that a file lies in.
    fn distribution(&mut self, path: &str) -> Option<&mut Distribution> {
        let info = info_of(path)?;
        let distribution = self.distributions.entry(info.folder.to_owned()).or_default();
        (distribution.site, distribution.is_installed) = (info.site.to_owned(), info.is_installed);
        Some(distribution)
    }

    fn file(&mut self, role: Role, path: &str, text: &str, detect: &dyn Fn(&str) -> Detected) {
        let folder = home(path).to_owned();
        match role {
            Role::Conclusions if is_in_vendored(path) => {
                let reason = "it lies in a folder of other people's code, so its conclusions are not yours";
                self.wrong(path, reason.to_owned());
            }
            Role::Conclusions => {
                let read = Conclusions::read(text, |reason| self.unreadable.push((path.to_owned(), reason)));
                self.folder(&folder).conclusions = Some((path.to_owned(), read));
            }
            Role::Reuse => {
                let read = super::reuse::ReuseToml::read(text, |reason| {
                    self.unreadable.push((path.to_owned(), reason));
                });
                self.folder(&folder).reuse = Some((path.to_owned(), read));
            }
            Role::Dep5 => match Dep5::read(text, detect) {
                Some(read) => self.dep5(path, read),
                None => self.wrong(path, "it does not begin with the field Format of DEP-5".to_owned()),
            },
            Role::DebianCopyright => {
                if let Some(read) = Dep5::read(text, detect) {
                    return self.dep5(path, read);
                }
                // As prose it is the package's word.
                let found = license_file::read(text, &detect(text));
                let evidence = format!("{}, in prose", found.evidence);
                let layer = Layer { evidence, ..found.layer(LayerKind::PackageMetadata, path) };
                self.folder(parent(&folder).unwrap_or_default()).prose.push(layer);
            }
            Role::Sidecar => {
                let found = license_file::read(text, &detect(text));
                let layer = found.layer(LayerKind::Sidecar, path);
                self.sidecars.push((path.trim_end_matches(".license").to_owned(), layer));
            }
            Role::LicenseFile => {
                let found = license_file::read(text, &detect(text));
                let layer = found.layer(LayerKind::LicenseFile, path);
                match self.distribution(path) {
                    Some(distribution) => distribution.licenses.push(layer),
                    None => self.folder(&folder).licenses.push(layer),
                }
                self.texts.insert(path.to_owned(), found);
                self.copyrights.push((path.to_owned(), license_file::copyrights(text)));
            }
            Role::Metadata(format) => match format.read(text) {
                Ok(manifest) => {
                    self.manifests.insert(path.to_owned(), (format, manifest));
                }
                Err(reason) => {
                    // Somebody's package is there all the same.
                    self.folder(&folder).is_package |= info_of(path).is_none();
                    self.wrong(path, format!("its metadata cannot be read: {reason}"));
                }
            },
            Role::Record | Role::TopLevel => {
                if let Some(distribution) = self.distribution(path) {
                    match role {
                        Role::Record => distribution.record = Some(distribution::record(text)),
                        _ => distribution.top_level = Some(distribution::top_level(text)),
                    }
                }
            }
        }
    }

    fn dep5(&mut self, path: &str, read: Dep5) {
        let around = parent(parent(path).unwrap_or_default()).unwrap_or_default();
        self.folder(around).dep5.push((path.to_owned(), read));
    }

    /// Puts it together.
    pub(super) fn finish(mut self, detect: &dyn Fn(&str) -> Detected) -> Declarations {
        let manifests = Manifests::new(&self.manifests, &self.texts, detect);
        let unreadable = &mut self.unreadable;
        let workspaces =
            Workspaces::new(&self.manifests, |path, reason| unreadable.push((path.to_owned(), reason)));
        let mut packages: Vec<NamedPackage> = Vec::new();
        for (path, (format, manifest)) in &self.manifests {
            if !manifest.is_package {
                // What a workspace shares is said of all that it holds.
                let (name, layers) = (String::new(), manifests.shared(path));
                let described = Described { ecosystem: format.ecosystem(), name, path: path.clone(), layers };
                self.folders.entry(home(path).to_owned()).or_default().described.push(described);
                continue;
            }
            let layers = manifests.layers(path).unwrap_or_else(|reason| {
                self.unreadable.push((path.clone(), reason));
                Vec::new()
            });
            let info = info_of(path);
            let folder = info.map_or_else(|| home(path), |info| info.site).to_owned();
            let ecosystem = format.ecosystem();
            if let Some(name) = &manifest.name {
                let version = manifests.version(path).map(str::to_owned);
                let expression = layers.iter().find_map(|layer| layer.expression.clone());
                let purl = ecosystem.purl(name, version.as_deref());
                let (name, folder) = (name.clone(), folder.clone());
                let package = Package { purl, name, version, folder, expression };
                let is_built = info.is_some_and(|info| !info.is_installed);
                packages.push(NamedPackage { ecosystem, is_built, package });
            }
            if let Some(info) = info {
                let distribution = self.distributions.entry(info.folder.to_owned()).or_default();
                (distribution.site, distribution.is_installed) = (info.site.to_owned(), info.is_installed);
                distribution.name.clone_from(&manifest.name);
                distribution.metadata.extend(layers);
            } else {
                let folder = self.folders.entry(folder).or_default();
                folder.is_package = true;
                let around = || workspaces.around(path, *format).map(str::to_owned);
                folder.workspace = folder.workspace.take().or_else(around);
                let name = manifest.name.as_deref().map(normalized).unwrap_or_default();
                folder.described.push(Described { ecosystem, name, path: path.clone(), layers });
            }
        }
        for folder in self.folders.values_mut() {
            folder.settle();
        }
        self.unreadable.sort();
        self.unreadable.dedup();
        Declarations {
            folders: self.folders.into_iter().collect(),
            sidecars: self.sidecars.into_iter().collect(),
            distributions: Distributions::new(self.distributions),
            copyrights: self.copyrights.into_iter().collect(),
            packages: merged(packages),
            unreadable: self.unreadable,
        }
    }
}

/// A package as one file describes it.
struct NamedPackage {
    ecosystem: Ecosystem,
    /// Whether a source tree builds the file, which then stands beside the sources that it describes.
    is_built: bool,
    package: Package,
}

impl NamedPackage {
    fn key(&self) -> (String, Ecosystem, String) {
        (self.package.folder.clone(), self.ecosystem, normalized(&self.package.name))
    }
}

/// Files that describe one package in one folder are one package, and so is what is built of it below.
fn merged(mut packages: Vec<NamedPackage>) -> Vec<Package> {
    let known: BTreeSet<_> = packages.iter().filter(|one| !one.is_built).map(NamedPackage::key).collect();
    packages.retain(|one| {
        let (folder, ecosystem, name) = one.key();
        let is_of = |above: &str| known.contains(&(above.to_owned(), ecosystem, name.clone()));
        !(one.is_built && ancestors(&folder).any(is_of))
    });
    packages.sort_by_cached_key(NamedPackage::key);
    packages.dedup_by(|next, kept| {
        let is_same = next.key() == kept.key();
        if is_same {
            let (one, next) = (&mut kept.package, &mut next.package);
            one.version = one.version.take().or_else(|| next.version.take());
            one.expression = one.expression.take().or_else(|| next.expression.take());
            one.purl = kept.ecosystem.purl(&one.name, one.version.as_deref());
        }
        is_same
    });
    packages.into_iter().map(|one| one.package).collect()
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
