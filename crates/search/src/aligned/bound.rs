//! A cheap upper bound on the similarity of two fragments: the alignment of their outlines.
//!
//! An outline holds the token bag of a statement with all names blind, hashed into a few buckets. Buckets can only
//! make bags look more alike, and blind bags share at least what the measure's other depths share, with or without a
//! renaming; so no similarity exceeds that of the outlines.

use super::anchors::MAX_CELLS;
use super::prepared::Prepared;
use super::statement::{Outline, larger, smaller};

/// The single precision sums of bound and score add up in different orders.
///
/// The largest fragments that are aligned whole have a thousand statements, whose masses add up to about 5,000. Numbers of
/// that size are 5e-4 apart. A pair that is lost where more is rounded stands within a millionth of the threshold.
pub(super) const ROUNDING: f32 = 1e-3;

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

impl<'o> Outlined<'o> {
    pub(super) fn of(fragment: &'o Prepared) -> Self {
        Self { outlines: &fragment.outlines, mass: fragment.mass }
    }
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
