//! What the user can ask of `familiar evaluate retrieval`.

use std::path::PathBuf;

use crate::{Judge, Selection};

/// The settings of `familiar evaluate retrieval`.
#[derive(Clone, Debug)]
pub struct RetrievalOptions {
    /// JSON lines of solutions, plain or `.zst`: `problem_id lang code`.
    pub solutions: PathBuf,
    pub selection: Selection,
    pub judge: Judge,
    /// Whether only rows of other languages than the query's are looked at, and count as relevant.
    pub cross_language: bool,
    /// Whether names are made alike first; for a measure, literals too.
    pub blind: bool,
    /// 0: as many as the machine has.
    pub threads: usize,
}

impl RetrievalOptions {
    /// The default settings for a file of solutions.
    pub fn new(solutions: impl Into<PathBuf>) -> Self {
        Self {
            solutions: solutions.into(),
            selection: Selection::default(),
            judge: Judge::default(),
            cross_language: false,
            blind: false,
            threads: 0,
        }
    }
}
