//! An example before it is read, and the form by which examples that are alike are told.

use familiar_model::Sequence;
use familiar_source::Language;
use xxhash_rust::xxh3::xxh3_64;

/// An example before it is read.
pub(crate) struct Row {
    pub(crate) group: String,
    pub(crate) language: Language,
    pub(crate) code: String,
    /// Who wrote it, where that is known.
    pub(crate) author: Option<String>,
}

/// A hash of the code without its names.
pub(crate) fn form(sequence: &Sequence) -> u64 {
    let bytes: Vec<u8> = sequence.pieces.iter().flat_map(|piece| piece.to_le_bytes()).collect();
    xxh3_64(&bytes)
}
