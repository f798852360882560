//! The default measure of Type-3 similarity: statements aligned in order.
//!
//! A fragment is cut into statements. Two statements are as similar as their weighted token bags, averaged over three
//! depths: as written; with local names and literals blind; with all names blind. So agreement in text counts most,
//! agreement in the names that point outside (calls, members, types) next, and agreement in shape alone little.
//! Statements are aligned in order (Needleman and Wunsch); a pair of statements earns the square of its similarity,
//! since unrelated code is half similar everywhere. Names that are renamed one to one along the alignment then count
//! as the same name. The score is what is earned over what the larger fragment could earn.
//!
//! # Files
//!
//! `roles` says what a token stands for and how much it counts, `statement` holds one statement, and
//! `prepared` makes a fragment ready. `compare` aligns two of them and scores them. `links` finds all
//! pairs that are similar: `nodes` reads fragments, `bound` gives a cheap upper bound, and `anchors`
//! cuts giant fragments into pieces. `shares` is the same search in shares that many machines do.

mod anchors;
mod bound;
mod compare;
mod links;
mod nodes;
mod prepared;
mod roles;
pub mod shares;
mod statement;
#[cfg(test)]
mod tests;

use familiar_index::Collection;
use familiar_source::Span;

use crate::equal::Equal;
use crate::similar::{Sequence, SimilarSettings, Similarity};
use crate::{Link, SearchError};
use bound::{Outlines, may_reach};
use compare::{Comparer, Text};
use prepared::{Prepared, Preparer};
use statement::Statement;

/// The least similarity of a clone pair where the user names none.
///
/// Set by precision in real trees (`docs/precision.md`): below it, tests that follow one idiom and declarations of one
/// shape pass for copies. Of labelled Java pairs (BigCloneBench) 68 % of the strong Type-3 pairs lie above it and none of
/// the negatives.
pub const DEFAULT_SIMILARITY: f64 = 0.7;

/// The measure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aligned;

/// Tokens of two fragments that correspond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Positions in the fragments' symbols.
    pub left: Span,
    pub right: Span,
    /// The statements' similarity, by their mass.
    pub similarity: f64,
}

impl Similarity for Aligned {
    fn reads_lines(&self) -> bool {
        true
    }

    fn of(&self, left: Sequence<'_>, right: Sequence<'_>) -> f64 {
        let mut preparer = Preparer::new();
        let (a, b) = (preparer.prepare(left), preparer.prepare(right));
        let left = Text { prepared: &a, symbols: left.symbols };
        let right = Text { prepared: &b, symbols: right.symbols };
        f64::from(Comparer::default().compare(left, right, 0.0))
    }

    fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        settings: &SimilarSettings<'_>,
    ) -> Result<Vec<Link>, SearchError> {
        links::find(collection, equal, settings)
    }
}

/// Which tokens of two fragments correspond, in order: statements that follow each other on both sides make one run.
pub fn align(left: Sequence<'_>, right: Sequence<'_>) -> Vec<Run> {
    let mut query = QueryFragment::new(left.symbols, left.line_starts);
    query.compare(right, 0.0);
    query.runs()
}

/// One fragment that is compared with others, one after another.
pub(crate) struct QueryFragment<'s> {
    symbols: &'s [u32],
    prepared: Prepared,
    outlines: Outlines,
    preparer: Preparer,
    comparer: Comparer,
    /// What the last comparison was with.
    other: Prepared,
    row: Vec<f32>,
}

impl<'s> QueryFragment<'s> {
    pub(crate) fn new(symbols: &'s [u32], line_starts: &[u32]) -> Self {
        let mut preparer = Preparer::new();
        let prepared = preparer.prepare(Sequence { symbols, line_starts });
        let mut outlines = Outlines::default();
        outlines.push(&prepared);
        let (comparer, other) = (Comparer::default(), Prepared::default());
        Self { symbols, prepared, outlines, preparer, comparer, other, row: Vec::new() }
    }

    /// The similarity with another fragment where it is at least `least`, and some smaller number else.
    pub(crate) fn compare(&mut self, other: Sequence<'_>, least: f64) -> f64 {
        self.other = self.preparer.prepare(other);
        let mut outlines = Outlines::default();
        outlines.push(&self.other);
        let equal = self.prepared.blind == self.other.blind;
        if !equal && !may_reach(self.outlines.get(0), outlines.get(0), least as f32, &mut self.row) {
            self.comparer.path.clear();
            return 0.0;
        }
        let left = Text { prepared: &self.prepared, symbols: self.symbols };
        let right = Text { prepared: &self.other, symbols: other.symbols };
        f64::from(self.comparer.compare(left, right, least as f32))
    }

    /// Which tokens correspond in the last comparison.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let (a, b) = (&self.prepared, &self.other);
        let follows = |x: &compare::Step, y: &compare::Step| x.left + 1 == y.left && x.right + 1 == y.right;
        let run = |steps: &[compare::Step]| {
            let (first, last) = (steps[0], steps[steps.len() - 1]);
            let mass = |step: &compare::Step| {
                a.outlines[step.left as usize].mass.min(b.outlines[step.right as usize].mass)
            };
            let whole: f32 = steps.iter().map(mass).sum();
            let similar: f32 = steps.iter().map(|step| mass(step) * step.similarity).sum();
            let span = |statements: &[Statement], first: u32, last: u32| {
                Span::new(statements[first as usize].tokens.0, statements[last as usize].tokens.1)
            };
            Run {
                left: span(&a.statements, first.left, last.left),
                right: span(&b.statements, first.right, last.right),
                similarity: f64::from(similar / whole),
            }
        };
        self.comparer.path.chunk_by(follows).map(run).collect()
    }
}
