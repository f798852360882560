//! What counts as a match.

use familiar_source::FragmentKind;

use super::fingerprint::{FUNCTION, RUN_TOKENS};
use crate::runs::text::Form;

/// What counts as a match.
#[derive(Clone, Copy, Debug)]
pub struct FindSettings {
    /// Which clone types are asked for.
    pub exact: bool,
    pub renamed: bool,
    pub edited: bool,
    /// Which kinds of fragments are asked for, by number, and whether runs are. Similar ones are found of functions alone.
    pub kinds: [bool; FragmentKind::ALL.len()],
    pub runs: bool,
    /// A run has at least this many tokens, and never less than [`RUN_TOKENS`].
    pub min_tokens: u32,
    /// How similar functions are told.
    pub measure: FindMeasure,
    /// Least similarity of functions that are not equal.
    pub similarity: f64,
}

impl FindSettings {
    pub(super) fn asks_for(&self, clone_type: u8) -> bool {
        match clone_type {
            1 => self.exact,
            2 => self.renamed,
            _ => self.edited,
        }
    }
    /// The form in which runs are compared.
    pub(super) fn form(&self) -> Form {
        Form { blind: self.renamed || self.edited, barriers: false }
    }

    /// Whether a fragment that is equal up to names alone is a result. Everybody has the smallest functions: they are where
    /// most of what is asked for, which has `of` tokens, is one.
    pub(super) fn counts_renamed(&self, kind: u8, tokens: u32, of: u32) -> bool {
        let says_something = kind != FUNCTION || tokens >= RUN_TOKENS || tokens >= of / 2;
        says_something && (self.renamed || self.edited)
    }
}

/// How similar functions are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindMeasure {
    /// `crate::aligned`.
    Aligned,
    /// `crate::overlap`; complete for similarities of at least `familiar_index::segment::LEAST_OVERLAP`.
    TokenOverlap,
}
