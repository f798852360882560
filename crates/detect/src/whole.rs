//! What a search of a part of a tree knows of the whole.

use std::sync::Arc;

use familiar_search::evidence::Commonness;

use crate::parses::Parses;

/// What is known of a tree of which a search has a part: the files around one document.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    /// How often tokens and statements stand in the tree, where that matters.
    pub(crate) commonness: Option<Arc<Commonness>>,
    /// Tokens of the tree.
    pub(crate) tokens: u64,
    /// What its files gave that were parsed lately.
    pub(crate) parses: Arc<Parses>,
    /// The file of the collection of which the pairs are asked for; those of all files where none is.
    pub(crate) about: Option<u32>,
}
