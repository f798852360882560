//! Where `familiar.toml` stands, and its text.

use std::path::{Path, PathBuf};

use familiar_files::named;

pub(crate) const FILE: &str = "familiar.toml";

/// Most bytes of a settings file. It comes with the code, and the code may be a stranger's.
const MOST_BYTES: u64 = 1 << 26;

/// The settings file that counts where `first` is the first path that is given, if any is.
pub(crate) fn file_of(first: Option<&Path>) -> Option<PathBuf> {
    first.into_iter().filter(|path| path.exists()).chain([Path::new(".")]).find_map(above)
}

/// The text of a settings file.
pub(crate) fn text_of(file: &Path) -> anyhow::Result<String> {
    named::read_text(file, MOST_BYTES).map_err(|error| anyhow::Error::msg(named::cannot_read(file, &error)))
}

/// The settings file in `start` or above.
pub(crate) fn above(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().or_else(|_| std::path::absolute(start)).ok()?;
    start.ancestors().map(|folder| folder.join(FILE)).find(|file| Path::is_file(file))
}
