//! A cheap upper bound on the similarity of two fragments: the alignment of their outlines.
//!
//! An outline holds the token bag of a statement with all names blind, hashed into a few buckets. Buckets can only
//! make bags look more alike, and blind bags share at least what the measure's other depths share, with or without a
//! renaming; so no similarity exceeds that of the outlines.

use super::prepared::{Item, Prepared, Statement};
use super::{FLOOR, MAX_CELLS};

const BUCKETS: usize = 32;

/// Names and literals have buckets of their own.
const NAMES: usize = 0;
const LITERALS: usize = 1;
const OTHERS: u32 = 2;

/// The single precision sums of bound and score add up in different orders.
const ROUNDING: f32 = 1e-3;

/// What a statement looks like with all names blind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    buckets: [u8; BUCKETS],
    /// Sum of the tokens' weights.
    pub(super) weight: f32,
    /// What the statement counts for in the whole: the root of its weight, so that one long statement does not
    /// outweigh many.
    pub(super) mass: f32,
}

impl Outline {
    pub(super) fn new(fixed: &[Item], statement: &Statement, weight: u32) -> Self {
        let mut buckets = [0u8; BUCKETS];
        let mut add = |bucket: usize, weight: u32| {
            buckets[bucket] = buckets[bucket].saturating_add(weight.min(255) as u8);
        };
        add(NAMES, statement.names);
        add(LITERALS, statement.literals);
        for item in fixed {
            let hash = item.key.wrapping_mul(0x9E37_79B1) >> 16;
            add((OTHERS + ((hash * (BUCKETS as u32 - OTHERS)) >> 16)) as usize, u32::from(item.kept));
        }
        let weight = weight as f32;
        Self { buckets, weight, mass: weight.sqrt() }
    }

    /// At least the similarity of the two statements; 0 where it is below the floor.
    pub(super) fn similarity(&self, other: &Self) -> f32 {
        let half = (self.weight + other.weight) * 0.5;
        let least = smaller(self.weight, other.weight);
        // A bucket is full only in heavy statements; where both are, the buckets tell nothing.
        let shared =
            if least > 255.0 { least } else { smaller(shared(&self.buckets, &other.buckets), least) };
        if shared < FLOOR * half { 0.0 } else { shared / half }
    }
}

fn shared(left: &[u8; BUCKETS], right: &[u8; BUCKETS]) -> f32 {
    let sum: u32 = left.iter().zip(right).map(|(&l, &r)| u32::from(l.min(r))).sum();
    sum as f32
}

/// The outlines of many fragments in one piece of memory: most pairs are settled without a look at anything else.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    /// For each fragment the end of its outlines, and its mass.
    ends: Vec<(u32, f32)>,
    outlines: Vec<Outline>,
}

impl Outlines {
    pub(super) fn push(&mut self, fragment: &Prepared) {
        self.outlines.extend_from_slice(&fragment.outlines);
        self.ends.push((self.outlines.len() as u32, fragment.mass));
    }

    pub(super) fn get(&self, fragment: u32) -> Outlined<'_> {
        let at = fragment as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, mass) = self.ends[at];
        Outlined { outlines: &self.outlines[start as usize..end as usize], mass }
    }
}

/// The outlines of one fragment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlined<'o> {
    pub(super) outlines: &'o [Outline],
    mass: f32,
}

/// Whether the similarity of two fragments may be `least` or more; where not, it is less, unless their blind forms are
/// equal.
pub(super) fn may_reach(a: Outlined<'_>, b: Outlined<'_>, least: f32, row: &mut Vec<f32>) -> bool {
    let (a, b) = if a.outlines.len() <= b.outlines.len() { (a, b) } else { (b, a) };
    let needed = least * a.mass.max(b.mass) - ROUNDING;
    if a.mass.min(b.mass) < needed {
        return false;
    }
    if a.outlines.len() * b.outlines.len() > MAX_CELLS {
        return true;
    }
    row.clear();
    row.resize(b.outlines.len(), 0.0);
    let mut rest = a.mass;
    for x in a.outlines {
        rest -= x.mass;
        let (mut diagonal, mut last) = (0.0f32, 0.0f32);
        for (y, best) in b.outlines.iter().zip(row.iter_mut()) {
            let d = x.similarity(y);
            let matched = diagonal + d * d * smaller(x.mass, y.mass);
            diagonal = *best;
            last = larger(larger(matched, diagonal), last);
            *best = last;
        }
        if last + rest < needed {
            return false;
        }
    }
    true
}

/// The larger of two numbers; one instruction, as `f32::max` is not.
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers.
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
