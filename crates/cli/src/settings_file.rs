//! Where `familiar.toml` stands.

use std::path::{Path, PathBuf};

const FILE: &str = "familiar.toml";

/// The settings file that counts where `first` is the first path that is given, if any is.
pub(crate) fn file_of(first: Option<&Path>) -> Option<PathBuf> {
    first.into_iter().filter(|path| path.exists()).chain([Path::new(".")]).find_map(above)
}

/// The settings file in `start` or above.
fn above(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().or_else(|_| std::path::absolute(start)).ok()?;
    start.ancestors().map(|folder| folder.join(FILE)).find(|file| Path::is_file(file))
}
