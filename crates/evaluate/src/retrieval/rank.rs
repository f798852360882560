//! The ranking of one query's candidates, and what it is worth.

/// The numbers of nearest rows of which precision is given.
pub(super) const DEPTHS: [usize; 3] = [1, 5, 10];

/// Figures of queries, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) queries: u64,
    pub(super) map_at_r: f64,
    pub(super) reciprocal_rank: f64,
    /// For each of [`DEPTHS`].
    pub(super) precision: [f64; DEPTHS.len()],
}

impl Sums {
    pub(super) fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.map_at_r += other.map_at_r;
        self.reciprocal_rank += other.reciprocal_rank;
        for (sum, more) in self.precision.iter_mut().zip(other.precision) {
            *sum += more;
        }
    }
}

/// A candidate as a number that sorts by score, the highest first, and then by row.
pub(super) fn key(score: f32, row: u32) -> u64 {
    // A score that is none is the least; adding 0 makes -0 and 0 one.
    let bits = if score.is_nan() { f32::NEG_INFINITY } else { score + 0.0 }.to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(!ascending) << 32 | u64::from(row)
}

/// The row of a key.
fn row(key: u64) -> u32 {
    key as u32
}

/// The figures of one query, whose candidates are `keys`, in any order; `relevant` of them are, and that is not 0.
///
/// MAP@R is that of Musgrave, Belongie and Lim (A Metric Learning Reality Check, ECCV 2020), as CodeXGLUE takes it for
/// POJ-104: over the R nearest, the mean of the precision at each rank that is relevant, and of 0 at each that is not.
pub(super) fn figures(keys: &mut [u64], relevant: usize, is_relevant: impl Fn(u32) -> bool) -> Sums {
    let nearest = relevant.max(DEPTHS[DEPTHS.len() - 1]).min(keys.len());
    if nearest < keys.len() {
        keys.select_nth_unstable(nearest - 1);
    }
    let (top, rest) = keys.split_at_mut(nearest);
    top.sort_unstable();
    let (mut found, mut first, mut precisions) = (0, None, 0.0);
    let mut precision = [0.0; DEPTHS.len()];
    for (rank, &key) in (1..).zip(&*top) {
        if is_relevant(row(key)) {
            found += 1;
            first.get_or_insert(rank);
            precisions += if rank <= relevant { f64::from(found) / rank as f64 } else { 0.0 };
        }
        for (at, _) in DEPTHS.iter().enumerate().filter(|&(_, &depth)| rank <= depth) {
            precision[at] = f64::from(found) / DEPTHS[at] as f64;
        }
    }
    let rank = first.unwrap_or_else(|| nearest + rank_in(rest, is_relevant));
    Sums { queries: 1, map_at_r: precisions / relevant as f64, reciprocal_rank: 1.0 / rank as f64, precision }
}

/// The rank of the first relevant one.
fn rank_in(keys: &[u64], is_relevant: impl Fn(u32) -> bool) -> usize {
    let best = keys.iter().copied().filter(|&key| is_relevant(row(key))).min().unwrap_or(u64::MAX);
    1 + keys.iter().filter(|&&key| key < best).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(scores: &[f32]) -> Vec<u64> {
        (0..).zip(scores).map(|(row, &score)| key(score, row)).collect()
    }

    #[test]
    fn keys_sort_by_score_then_row() {
        let mut sorted = keys(&[0.0, 0.5, -0.5, f32::NAN, -0.0, 0.5, 1.0]);
        sorted.sort_unstable();
        assert_eq!(sorted.into_iter().map(row).collect::<Vec<_>>(), [6, 1, 5, 0, 4, 2, 3]);
    }

    #[test]
    fn figures_follow_their_definitions() {
        // By score: rows 1, 0, 3, 2; relevant are 0, 2 and 3.
        let figures = figures(&mut keys(&[0.8, 0.9, 0.1, 0.5]), 3, |row| row != 1);
        assert!((figures.map_at_r - (1.0 / 2.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
        assert_eq!((figures.reciprocal_rank, figures.precision), (0.5, [0.0, 0.6, 0.3]));
    }

    #[test]
    fn a_first_hit_beyond_the_nearest_still_has_a_rank() {
        let scores: Vec<f32> = (0..50_u8).map(|n| 1.0 / f32::from(n + 1)).collect();
        assert_eq!(figures(&mut keys(&scores), 1, |row| row == 39).reciprocal_rank, 1.0 / 40.0);
    }
}
