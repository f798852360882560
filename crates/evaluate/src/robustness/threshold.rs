//! The smallest threshold that few non-clones reach.

/// The smallest threshold that at most the share `rate` of `scores`, which are from 0 to 1, reach. Where more of them are 1, it is a
/// hair above 1, and nothing reaches it.
pub(super) fn smallest(scores: &[f64], rate: f64) -> f64 {
    let mut descending = scores.to_vec();
    descending.sort_unstable_by(|a, b| b.total_cmp(a));
    // A hair more, so that 0.01 of 100 is 1 whatever the rounding.
    let allowed = (rate * scores.len() as f64 + 1e-9).floor() as usize;
    descending.get(allowed).map_or(0.0, |refused| refused.next_up())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn no_smaller_threshold_keeps_to_the_rate() {
        let mut random = SplitMix(3);
        for _ in 0..300 {
            let count = 1 + random.below(40);
            // Few different scores, so that many are equal.
            let scores: Vec<f64> = (0..count).map(|_| random.below(6) as f64 / 5.0).collect();
            let rate = random.below(30) as f64 / 100.0;
            let found = smallest(&scores, rate);
            let keeps = |threshold: f64| {
                let reached = scores.iter().filter(|&&score| score >= threshold).count();
                reached as f64 <= rate * scores.len() as f64 + 1e-9
            };
            // Between two scores it makes no difference where the threshold is.
            let all = scores.iter().map(|score| score.next_up()).chain([0.0]);
            let expected = all.filter(|&it| keeps(it)).min_by(f64::total_cmp).expect("above all of them");
            assert_eq!(found.to_bits(), expected.to_bits(), "{scores:?} at {rate}");
        }
    }
}
