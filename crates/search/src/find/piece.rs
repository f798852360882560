//! A part of the query and a part of a blob that correspond.

use familiar_source::Span;

/// A part of the query and a part of a blob that correspond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Tokens of the query, and of the blob.
    pub query: Span,
    pub blob: Span,
    /// 1 to 4.
    pub clone_type: u8,
    /// Of the functions or runs that the piece is part of, and how many tokens of the query that function or run has.
    pub similarity: f32,
    pub extent: u32,
}

/// The smallest type of two stretches that are equal in the form of the settings.
pub(super) fn type_of(left: &[u32], right: &[u32]) -> u8 {
    if left == right { 1 } else { 2 }
}
