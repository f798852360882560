//! The same search in shares: what machines that see some rows at a time do of it.
//!
//! Together they find what [`links`](super::links) finds on one machine that holds all fragments, where no evidence is
//! asked for. Rows meet by what they have in common: shapes by a gram that they keep, candidates by the shape that they
//! are for, and nodes by their blind form. Each bound of the search is one of such a meeting.

use familiar_index::grams::{self, GramCounts};

use super::bound::{Outlined, may_reach};
use super::compare::{Comparer, Text};
use super::links::{Budget, COMPARED, Candidate, LINKS, heaviest_partner, least_shared, limit, looked_at};
use super::nodes::{distinct_grams, keep_grams};
use super::prepared::{Prepared, Preparer};
use crate::similar::Sequence;

/// Most nodes of one shape that any node is compared with.
pub const MOST_OF_SHAPE: usize = COMPARED;

/// What is the same for fragments that differ in names and literals alone. Keys are in the order in which the search takes
/// shapes, and so are their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeKey([u8; ShapeKey::BYTES]);

impl ShapeKey {
    pub const BYTES: usize = 20;

    fn of(fragment: &Prepared) -> Self {
        let mut bytes = [0; Self::BYTES];
        // Masses are not negative: their bits are in their order.
        bytes[..4].copy_from_slice(&fragment.mass.to_bits().to_be_bytes());
        bytes[4..12].copy_from_slice(&fragment.blind.to_be_bytes());
        bytes[12..].copy_from_slice(&fragment.shape.to_be_bytes());
        Self(bytes)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Reads shapes, keeping its memory.
pub struct Shaper {
    preparer: Preparer,
    blind: Vec<u32>,
    keys: Vec<u64>,
}

/// What of a shape decides which others may be like it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub key: ShapeKey,
    pub mass: f32,
    /// Hash of the blind form: nodes with the same are linked by [`same_form`].
    pub blind: u64,
}

impl Default for Shaper {
    fn default() -> Self {
        Self { preparer: Preparer::new(), blind: Vec::new(), keys: Vec::new() }
    }
}

impl Shaper {
    pub fn shape(&mut self, fragment: Sequence<'_>) -> Shape {
        let prepared = self.preparer.prepare(fragment);
        Shape { key: ShapeKey::of(&prepared), mass: prepared.mass, blind: prepared.blind }
    }

    /// Replaces `out` by the counters of the grams of a shape: one for each distinct gram. `tokens` are those of all nodes.
    pub fn counters(&mut self, symbols: &[u32], tokens: usize, out: &mut Vec<u32>) {
        distinct_grams(symbols, &mut self.blind, out);
        for gram in out {
            *gram = grams::counter_of(*gram, tokens);
        }
    }

    /// Replaces `out` by the grams of a shape that are kept.
    pub fn kept(&mut self, symbols: &[u32], counts: &GramCounts, out: &mut Vec<u32>) {
        distinct_grams(symbols, &mut self.blind, out);
        keep_grams(counts, out, &mut self.keys);
    }
}

/// A shape that keeps a gram.
#[derive(Clone, Copy, Debug)]
pub struct Keeper {
    /// Shapes in the order of their keys have ascending numbers.
    pub shape: i64,
    pub mass: f32,
    /// How many grams it keeps.
    pub kept: usize,
}

/// Calls `each` with a shape that is looked at for `keepers[at]`, and with how many grams both need in common. `keepers` are
/// all that keep one gram, in order.
pub fn meet(keepers: &[Keeper], at: usize, similarity: f64, mut each: impl FnMut(i64, usize)) {
    let one = keepers[at];
    let heaviest = heaviest_partner(one.mass, similarity);
    let later = &keepers[at + 1..];
    let later = &later[..later.partition_point(|other| other.mass <= heaviest)];
    for other in looked_at(later).into_iter().flatten() {
        each(other.shape, least_shared(one.kept).max(least_shared(other.kept)));
    }
}

/// Brings the candidates for one shape, each with how many grams are shared, into the order in which they are compared, and
/// leaves out what is too much.
pub fn in_order(candidates: &mut Vec<(i64, u8)>) {
    candidates.sort_unstable();
    let numbered = (0u32..).zip(&*candidates);
    let mut chosen: Vec<Candidate> =
        numbered.map(|(shape, &(_, shared))| Candidate { shared, shape, least: 0.0 }).collect();
    limit(&mut chosen);
    *candidates = chosen.iter().map(|candidate| candidates[candidate.shape as usize]).collect();
}

/// Compares nodes of one shape with those of its candidates. `others` has the nodes of each of these in order, of which there
/// need to be no more than [`MOST_OF_SHAPE`]. Calls `each` with the number of a node, the numbers of another shape and of its
/// node, and their similarity.
pub fn compare(
    nodes: &[Sequence<'_>],
    others: &[Vec<Sequence<'_>>],
    similarity: f64,
    mut each: impl FnMut(usize, (usize, usize), f64),
) {
    let (mut preparer, mut comparer) = (Preparer::new(), Comparer::default());
    let Some(&first) = nodes.first() else { return };
    let own = preparer.prepare(first);
    let reached = reached(&own, others, similarity, &mut preparer);
    let of_shape = |&shape: &usize| others[shape].iter().map(move |node| (shape, node));
    let all = reached.iter().flat_map(of_shape).take(COMPARED);
    let prepared: Vec<(usize, Sequence<'_>, Prepared)> =
        all.map(|(shape, &node)| (shape, node, preparer.prepare(node))).collect();
    for (at, &node) in nodes.iter().enumerate() {
        let own = preparer.prepare(node);
        let a = Text { prepared: &own, symbols: node.symbols };
        let mut most = LINKS;
        let mut of_shape = (usize::MAX, 0);
        for (shape, other, prepared) in &prepared {
            of_shape = if of_shape.0 == *shape { (*shape, of_shape.1 + 1) } else { (*shape, 0) };
            let b = Text { prepared, symbols: other.symbols };
            let score = f64::from(comparer.compare(a, b, similarity as f32));
            if score >= similarity {
                each(at, of_shape, score);
                most -= 1;
                if most == 0 {
                    break;
                }
            }
        }
    }
}

/// The numbers of the shapes whose outlines are similar enough to those of `own`.
fn reached(
    own: &Prepared,
    others: &[Vec<Sequence<'_>>],
    similarity: f64,
    preparer: &mut Preparer,
) -> Vec<usize> {
    let a = Outlined::of(own);
    let (mut budget, mut row) = (Budget::new(a), Vec::new());
    let mut reached = Vec::new();
    for (number, other) in others.iter().enumerate() {
        if budget.is_spent() {
            break;
        }
        let Some(&first) = other.first() else { continue };
        let other = preparer.prepare(first);
        // Equal forms are linked already.
        let reaches =
            |b: Outlined<'_>| own.blind != other.blind && may_reach(a, b, similarity as f32, &mut row);
        if budget.takes(Outlined::of(&other), reaches) {
            reached.push(number);
        }
    }
    reached
}

/// Calls `each` with the numbers of two nodes of one blind form that are linked, for the twins of all of them, in order.
pub fn same_form<T: PartialEq>(twins: &[T], mut each: impl FnMut(usize, usize)) {
    for at in 0..twins.len() {
        let next = (at + 1..twins.len()).take(LINKS);
        for other in next.chain(0..at.min(1)).filter(|&other| twins[at] != twins[other]) {
            each(at, other);
        }
    }
}
