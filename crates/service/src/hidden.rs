//! Where things lie on the server, which is nobody's business.

use std::path::{Path, PathBuf};

use crate::libraries::Libraries;

/// Folders that no message may name.
pub(crate) struct Hidden {
    /// The longest first: one may lie in another.
    folders: Vec<String>,
}

impl Hidden {
    /// The server's own folder, and those of corpora.
    pub(crate) fn new(data: &Path, libraries: &Libraries) -> Self {
        Self::of([data].into_iter().chain(libraries.folders()))
    }

    fn of<'f>(folders: impl Iterator<Item = &'f Path>) -> Self {
        let resolved = |folder: &Path| folder.canonicalize().ok();
        let both = folders.flat_map(|folder| [Some(folder.to_owned()), resolved(folder)]).flatten();
        let is_any = |folder: &PathBuf| folder.parent().is_some() && folder.is_absolute();
        let mut folders: Vec<String> =
            both.filter(is_any).map(|folder| folder.to_string_lossy().into_owned()).collect();
        folders.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        folders.dedup();
        Self { folders }
    }

    /// A text without them.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, folder| text.replace(folder.as_str(), "…"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_not_named() {
        let folders = ["/srv", "/srv/corpora/world", "/", "relative"].map(Path::new);
        let hidden = Hidden::of(folders.into_iter());
        let said = "cannot read /srv/corpora/world/manifest.json and /srv/data/a.py, relative or /tmp";
        assert_eq!(hidden.hide(said), "cannot read …/manifest.json and …/data/a.py, relative or /tmp");
    }
}
