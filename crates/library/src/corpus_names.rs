//! Where corpora live.

use std::io;
use std::path::{Path, PathBuf};

/// There is no folder for corpora: neither `FAMILIAR_HOME` nor a home folder.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the folder for corpora is not known; set FAMILIAR_HOME, or name the corpus by a path")]
pub struct NoHome;

/// What every corpus has.
const MANIFEST: &str = "manifest.json";

/// The folder of the corpus that `name` stands for: a path where it looks like one, or where such a corpus is here;
/// otherwise a folder in `home`.
pub fn folder(name: &str, home: Option<&Path>) -> Result<PathBuf, NoHome> {
    let path = Path::new(name);
    // A folder of code may have the name of a corpus at home.
    let is_corpus = is_corpus(path);
    if path.components().count() != 1 || name.starts_with('.') || path.is_absolute() || is_corpus {
        return Ok(path.to_owned());
    }
    home.map(|home| home.join(name)).ok_or(NoHome)
}

/// Whether a folder holds a corpus, be it damaged. Other programs have manifests too.
fn is_corpus(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file() && (folder.join("tables").is_dir() || crate::check(folder).is_ok())
}

/// The names of the corpora in `home`, in order, also of those that cannot be read.
pub fn list(home: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(home) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if is_corpus(&entry.path()) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_that_cannot_be_read_has_its_name_all_the_same() {
        let home = tempfile::tempdir().expect("the temporary folder can be written");
        for (name, inner) in [("broken", "tables"), ("other", "pages")] {
            std::fs::create_dir_all(home.path().join(name).join(inner)).expect("just made");
            std::fs::write(home.path().join(name).join(MANIFEST), "{").expect("just made");
        }
        assert_eq!(list(home.path()).expect("a folder"), ["broken"]);
        assert!(is_corpus(&home.path().join("broken")) && !is_corpus(&home.path().join("other")));
        assert!(crate::check(&home.path().join("broken")).is_err());
    }

    #[test]
    fn a_path_is_a_path_and_a_name_lies_at_home() {
        let home = Path::new("/home/me/familiar");
        for path in ["/data/world", "./world", "../world", "a/b"] {
            assert_eq!(folder(path, Some(home)).expect("a path"), Path::new(path));
        }
        assert_eq!(folder("world", Some(home)).expect("there is a home"), home.join("world"));
        assert!(folder("world", None).is_err());
    }
}
