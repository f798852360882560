//! Giant fragments in pieces: between statements that stand once in both (Cohen's patience diff), so that the work
//! stays bounded.

use rustc_hash::FxHashMap;

use super::prepared::Prepared;

/// Fragments with more pairs of statements than this are aligned in pieces.
pub(super) const MAX_CELLS: usize = 1 << 20;

/// Pairs of statements that are compared for each statement of a stretch without anchors.
const PAIRS_PER_STATEMENT: usize = 512;

/// How many pairs of statements an alignment of so many looks at, at most.
pub(super) fn pairs(left: usize, right: usize) -> usize {
    let all = left * right;
    if all <= MAX_CELLS { all } else { all.min(PAIRS_PER_STATEMENT * (left + right)) }
}

/// Calls `align` with pieces of both fragments, as (first, end) statements, in order. All pieces together have no more
/// pairs of statements than is linear in the fragments' sizes.
pub(super) fn split(a: &Prepared, b: &Prepared, mut align: impl FnMut((usize, usize), (usize, usize))) {
    let mut last = (0, 0);
    let end = (a.statements.len(), b.statements.len());
    for (i, j) in anchors(a, b) {
        stretch((last.0, i), (last.1, j), &mut align);
        align((i, i + 1), (j, j + 1));
        last = (i + 1, j + 1);
    }
    stretch((last.0, end.0), (last.1, end.1), &mut align);
}

/// A stretch without anchors, cut in proportion where it is too large.
fn stretch(
    rows: (usize, usize),
    columns: (usize, usize),
    align: &mut impl FnMut((usize, usize), (usize, usize)),
) {
    let (n, m) = (rows.1 - rows.0, columns.1 - columns.0);
    if n == 0 || m == 0 {
        return;
    }
    let pieces = (n * m).div_ceil(PAIRS_PER_STATEMENT * (n + m));
    let cut = |piece: usize, count: usize| count * piece / pieces;
    for piece in 0..pieces {
        align(
            (rows.0 + cut(piece, n), rows.0 + cut(piece + 1, n)),
            (columns.0 + cut(piece, m), columns.0 + cut(piece + 1, m)),
        );
    }
}

/// The longest ascending sequence of statements that stand once in both fragments.
fn anchors(a: &Prepared, b: &Prepared) -> Vec<(usize, usize)> {
    let (left, right) = (single(a), single(b));
    let mut both: Vec<(usize, usize)> =
        a.statements.iter().filter_map(|s| left[&s.written].zip(*right.get(&s.written)?)).collect();
    both.sort_unstable();
    both.dedup();
    longest_ascending(&both)
}

/// The position of each statement that stands once, by its hash.
fn single(fragment: &Prepared) -> FxHashMap<u64, Option<usize>> {
    let mut positions = FxHashMap::default();
    for (at, statement) in fragment.statements.iter().enumerate() {
        positions.entry(statement.written).and_modify(|position| *position = None).or_insert(Some(at));
    }
    positions
}

/// The longest subsequence of `pairs` (ascending on the left) that ascends on the right, by patience sorting.
fn longest_ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < pair.1);
        before.push(pile.checked_sub(1).map(|previous| piles[previous]));
        if pile == piles.len() {
            piles.push(at);
        } else {
            piles[pile] = at;
        }
    }
    let mut out = Vec::new();
    let mut next = piles.last().copied();
    while let Some(at) = next {
        out.push(pairs[at]);
        next = before[at];
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ascent_wins() {
        assert_eq!(longest_ascending(&[(0, 5), (1, 1), (2, 6), (3, 2), (4, 3)]), [(1, 1), (3, 2), (4, 3)]);
        assert!(longest_ascending(&[]).is_empty());
    }
}
