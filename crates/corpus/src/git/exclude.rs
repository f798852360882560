//! Paths of a history that are left out.

use std::path::Path;

use ignore::overrides::Override;

use super::paths::{PathId, Paths, ROOT};
use crate::SourceError;

/// Which paths are left out, as globs of a `.gitignore` at the root of the repository would.
#[derive(Clone, Debug)]
pub(super) struct Exclude {
    pub(super) globs: Vec<String>,
    overrides: Override,
}

impl Exclude {
    pub(super) fn new(globs: &[String]) -> Result<Self, SourceError> {
        let overrides = familiar_files::dir::overrides(Path::new("."), globs)?;
        Ok(Self { globs: globs.to_vec(), overrides })
    }

    /// Whether a name in a folder that is not left out is.
    pub(super) fn leaves_out(&self, paths: &Paths, folder: PathId, name: &[u8], is_folder: bool) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let mut path = paths.bytes(folder);
        if folder != ROOT {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        self.overrides.matched(&*String::from_utf8_lossy(&path), is_folder).is_ignore()
    }
}
