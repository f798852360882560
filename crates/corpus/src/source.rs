//! What the user names as a source of code, and what each source yields.

use std::ops::ControlFlow;
use std::path::PathBuf;

use familiar_source::{Language, Occurrence};

use crate::Remote;

/// One piece of content, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub bytes: Vec<u8>,
    /// The language, where the source knows it; otherwise path and content tell.
    pub language: Option<Language>,
    pub occurrence: Occurrence,
}

/// What a source yields, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are items")]
pub enum Found {
    Item(Item),
    /// Something that was not read: its path in the source, and why, in words for the user.
    Skip {
        path: String,
        reason: String,
    },
}

/// Takes what a source yields; [`ControlFlow::Break`] ends the reading.
pub type Sink<'s> = dyn FnMut(Found) -> ControlFlow<()> + 's;

/// Bounds on what a source may make of its input. Beyond them lies a skip.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes of one piece of content.
    pub item_bytes: u64,
    /// Most bytes that one archive may unpack to, those inside it included, and most entries.
    pub archive_bytes: u64,
    pub archive_entries: u64,
    /// How deep archives may stand in archives.
    pub archive_depth: u32,
    /// Most bytes of one file that is fetched from elsewhere.
    pub download_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            item_bytes: 64 << 20,
            archive_bytes: 64 << 30,
            archive_entries: 10_000_000,
            archive_depth: 4,
            download_bytes: 2 << 30,
        }
    }
}

/// Where code comes from: a tree, an archive, a dump.
pub trait Source: Send + Sync {
    /// What the source holds, in an order that depends on its content alone. One bad item is a [`Found::Skip`]; an error
    /// means that the source as a whole cannot be read.
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError>;

    /// The source as one that is to be fetched first, where it is such.
    fn remote(&self) -> Option<&dyn Remote> {
        None
    }
}

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read {}: {source}; check that it exists and that you may read it", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    #[error("{name}: {reason}")]
    Remote { name: String, reason: String },
    #[error(transparent)]
    Walk(#[from] crate::dir::WalkError),
}
