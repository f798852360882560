//! Whole files of a project: its name, the time of a file, and the item that a file becomes.

use std::path::Path;

use familiar_source::{Evidence, Occurrence};

use crate::{Found, Item, LanguageHint};

/// Times that tools write so that their archives are reproducible; they say nothing about the code, not even where the
/// archive was unpacked: 1970 and 1980 (zip's first day, Gradle's 1 February), npm's 1985, Cargo's 2006.
const NO_TIMES: [i64; 6] = [0, 1, 315_532_800, 318_211_200, 499_162_500, 1_153_704_088];

/// The name of a file or folder, without what leads to it; bytes that are not UTF-8 are percent-encoded.
pub(crate) fn name_of(path: &Path) -> String {
    let named = path.file_name().map(ToOwned::to_owned);
    let named = named.or_else(|| path.canonicalize().ok()?.file_name().map(ToOwned::to_owned));
    let named = named.unwrap_or_else(|| path.as_os_str().to_owned());
    familiar_files::percent_encoded(named.as_encoded_bytes())
}

/// When a file was last changed, and what that rests on.
pub(crate) fn file_time(time: Option<i64>) -> (Option<i64>, Evidence) {
    match time.filter(|time| !NO_TIMES.contains(time)) {
        Some(time) => (Some(time), Evidence::FileTime),
        None => (None, Evidence::None),
    }
}

/// A whole file of a project, with the time that its file system or archive says.
pub(crate) fn file(project: &str, path: String, bytes: Vec<u8>, time: Option<i64>) -> Found {
    let (time, evidence) = file_time(time);
    let (first_seen, last_seen) = (time, time);
    let project = project.to_owned();
    let occurrence =
        Occurrence { project, path, first_line: 1, first_seen, last_seen, evidence, ..Occurrence::default() };
    Found::Item(Item::new(bytes, LanguageHint::Unspecified, occurrence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_has_the_name_of_its_folder() {
        assert_eq!(name_of(Path::new("a/b")), "b");
        assert_eq!(name_of(Path::new("a/b/")), "b");
        assert!(!name_of(Path::new(".")).contains('.') || name_of(Path::new(".")).len() > 1);
    }
}
