//! Writes the files of a release.

use std::fs;
use std::path::Path;

use crate::error::DatasetError;

/// Writes a file, and makes its folder.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), DatasetError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|source| DatasetError::Write { path: path.to_owned(), source })
}
