//! Why vectors cannot be kept, written or read.

use std::path::PathBuf;

use super::codes::MOST_DIMENSIONS;
use crate::blocks::SegmentError;

/// Version of the sections of a file.
pub(super) const VERSION: u32 = 2;

/// Why vectors cannot be kept, written or read.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    #[error(transparent)]
    File(#[from] SegmentError),
    #[error("{} is not a file of vectors; name one that Familiar wrote", path.display())]
    Foreign { path: PathBuf },
    #[error("{} has format {found}, and this version of Familiar reads {VERSION}; make the file again with this version", path.display())]
    Version { path: PathBuf, found: u32 },
    #[error("{} contains vectors of the encoder {found:?}, not of {expected:?}; use that encoder, or make the file again", path.display())]
    Encoder { path: PathBuf, expected: String, found: String },
    #[error(
        "a vector has {found} dimensions instead of {expected} (1 to {MOST_DIMENSIONS} are possible); use the vectors of one encoder only"
    )]
    Dimensions { expected: usize, found: usize },
    #[error("there are more vectors than an index can contain ({}); make several indexes", u32::MAX)]
    TooMany,
}
