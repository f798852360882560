//! A statement: its token bag, and its outline, which is the bag with all names blind, hashed into a few buckets.

/// Statements less similar than this do not correspond. Unrelated statements share their brackets and keywords, and so are
/// half similar. Chosen when the measure was made, and not tuned since.
pub(super) const FLOOR: f32 = 0.5;

/// As many as fill two registers of 16 bytes; with more, bounds are closer and take longer to compute.
const BUCKETS: usize = 32;

/// Names and literals have buckets of their own.
const NAMES: usize = 0;
const LITERALS: usize = 1;
const OTHERS: u32 = 2;

/// A statement that says something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    /// Positions in the fragment.
    pub(super) tokens: (u32, u32),
    /// First item, first item that may be renamed, and end.
    pub(super) items: (u32, u32, u32),
    /// Weights of all names, of the local ones, and of literals.
    pub(super) names: u32,
    pub(super) locals: u32,
    pub(super) literals: u32,
    /// Hashes as written and in the blind form.
    pub(super) written: u64,
    pub(super) blind: u64,
}

/// A symbol of a statement with the weight of its occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) key: u32,
    /// Weight of the occurrences whose text counts with local names blind, and of the others.
    pub(super) kept: u16,
    pub(super) local: u16,
}

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

/// Sorts `items[first..]` and makes those with the same key one.
pub(super) fn merge(items: &mut Vec<Item>, first: usize) {
    items[first..].sort_unstable_by_key(|item| item.key);
    let mut last = first;
    for at in first + 1..items.len() {
        let item = items[at];
        if items[last].key == item.key {
            items[last].kept = items[last].kept.saturating_add(item.kept);
            items[last].local = items[last].local.saturating_add(item.local);
        } else {
            last += 1;
            items[last] = item;
        }
    }
    items.truncate(last + 1);
}

/// The larger of two numbers; one instruction, as `f32::max` is not.
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers.
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
