//! The license of a file that may carry no notice itself: every layer that speaks for it, and what follows from them.

use crate::{Detector, Layer};

/// Whether a file of this path speaks for other files: a license text, a package's metadata, REUSE.toml, …
pub fn declares(path: &str) -> bool {
    let _ = path;
    false
}

/// What the declaring files of one tree, package or project say.
#[derive(Debug, Default)]
pub struct Declarations;

impl Declarations {
    /// Reads declaring files, given with their paths below the root.
    pub fn read(files: impl IntoIterator<Item = (String, Vec<u8>)>, detector: &Detector) -> Self {
        let _ = (files.into_iter().count(), detector);
        Self
    }

    /// What they say of the file at `path`, the word that counts most first.
    pub fn layers(&self, path: &str) -> Vec<Layer> {
        let _ = path;
        Vec::new()
    }
}
