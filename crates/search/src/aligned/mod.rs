//! The default measure of Type-3 similarity: statements aligned in order.
//!
//! A fragment is cut into statements. Two statements are as similar as their weighted token bags, averaged over three
//! depths: as written; with local names and literals blind; with all names blind. So agreement in text counts most,
//! agreement in the names that point outside (calls, members, types) next, and agreement in shape alone little.
//! Statements are aligned in order (Needleman and Wunsch); a pair of statements earns the square of its similarity,
//! since unrelated code is half similar everywhere. Names that are renamed one to one along the alignment then count
//! as the same name. The score is what is earned over what the larger fragment could earn.

mod anchors;
mod bound;
mod compare;
mod links;
mod nodes;
mod prepared;
mod roles;
#[cfg(test)]
mod tests;

use std::io;

use familiar_index::Collection;
use familiar_source::Span;

use crate::Link;
use crate::equal::Equal;
use crate::similar::{Sequence, SimilarSettings, Similarity};
use compare::{Comparer, Text};
use prepared::Preparer;

/// The least similarity of a clone pair where the user names none.
///
/// Set by precision in real trees (`docs/precision.md`): below it, tests that follow one idiom and declarations of one
/// shape pass for copies. Of labelled Java pairs (BigCloneBench) 68 % of the strong Type-3 pairs lie above it and none of
/// the negatives.
pub const DEFAULT_SIMILARITY: f64 = 0.7;

/// Statements less similar than this do not correspond.
const FLOOR: f32 = 0.5;

/// Fragments with more pairs of statements than this are aligned in pieces.
const MAX_CELLS: usize = 1 << 20;

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
    ) -> io::Result<Vec<Link>> {
        links::find(collection, equal, settings)
    }
}

/// Which tokens of two fragments correspond, in order: statements that follow each other on both sides make one run.
pub fn align(left: Sequence<'_>, right: Sequence<'_>) -> Vec<Run> {
    let mut preparer = Preparer::new();
    let (a, b) = (preparer.prepare(left), preparer.prepare(right));
    let mut comparer = Comparer::default();
    let (left, right) =
        (Text { prepared: &a, symbols: left.symbols }, Text { prepared: &b, symbols: right.symbols });
    comparer.compare(left, right, 0.0);
    let follows = |x: &compare::Step, y: &compare::Step| x.left + 1 == y.left && x.right + 1 == y.right;
    let run = |steps: &[compare::Step]| {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let mass = |step: &compare::Step| {
            a.outlines[step.left as usize].mass.min(b.outlines[step.right as usize].mass)
        };
        let whole: f32 = steps.iter().map(mass).sum();
        let similar: f32 = steps.iter().map(|step| mass(step) * step.similarity).sum();
        let span = |statements: &[prepared::Statement], first: u32, last: u32| {
            Span::new(statements[first as usize].tokens.0, statements[last as usize].tokens.1)
        };
        Run {
            left: span(&a.statements, first.left, last.left),
            right: span(&b.statements, first.right, last.right),
            similarity: f64::from(similar / whole),
        }
    };
    comparer.path.chunk_by(follows).map(run).collect()
}
