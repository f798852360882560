//! How many files have which license.

use std::collections::BTreeMap;

/// How many files have which license.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) files: u64,
    pub(super) disagreeing: u64,
    /// By expression; none where nothing is known.
    pub(super) expressions: BTreeMap<Option<String>, u64>,
}

impl Counts {
    /// The expressions, those of most files first.
    pub(super) fn ordered(&self) -> Vec<(Option<&str>, u64)> {
        let mut all: Vec<(Option<&str>, u64)> =
            self.expressions.iter().map(|(expression, &files)| (expression.as_deref(), files)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        all
    }
}
