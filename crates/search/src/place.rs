//! A stretch of a file's tokens.

use familiar_source::Span;

/// Tokens of one file; ordered by file, then by start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: u32,
    pub tokens: Span,
}
