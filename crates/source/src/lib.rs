//! What is a piece of code? Languages, spans, lines, tokens and fragments: the words that all other crates share.
//!
//! Nothing here reads, parses or compares; the crate holds plain values.

mod fragment;
mod language;
mod span;
mod token;

pub use fragment::{Fragment, FragmentKind};
pub use language::{Family, Language};
pub use span::{LineIndex, Lines, Span};
pub use token::{Token, TokenClass};
