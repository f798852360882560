//! Scores and labels to recall, precision, areas and curves.

use std::collections::BTreeMap;

use super::{CurvePoint, Figures};

/// The rates of false positives at which recall is given, as they are written and as numbers.
pub(super) const RATES: [(&str, f64); 3] = [("0.001", 0.001), ("0.01", 0.01), ("0.05", 0.05)];

/// The similarities of positives and negatives, ascending.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    positives: Vec<f64>,
    negatives: Vec<f64>,
}

impl Scores {
    pub(crate) fn new(mut positives: Vec<f64>, mut negatives: Vec<f64>) -> Self {
        positives.sort_unstable_by(f64::total_cmp);
        negatives.sort_unstable_by(f64::total_cmp);
        Self { positives, negatives }
    }

    pub(super) fn positives(&self) -> u64 {
        self.positives.len() as u64
    }

    pub(super) fn figures(&self, threshold: f64) -> Figures {
        let (positives, negatives) = (self.positives.len(), self.negatives.len());
        let found = at_least(&self.positives, threshold);
        let wrong = at_least(&self.negatives, threshold);
        // Without negatives nothing can be found wrongly: precision would say nothing.
        let judged = positives > 0 && negatives > 0;
        let best = self.best();
        Figures {
            pairs: (positives + negatives) as u64,
            positives: positives as u64,
            negatives: negatives as u64,
            recall: ratio(found, positives),
            false_positive_rate: ratio(wrong, negatives),
            precision: ratio(found, found + wrong).filter(|_| judged),
            f1: ratio(2 * found, positives + found + wrong).filter(|_| judged),
            auc: self.auc(),
            accuracy: self.accuracy(threshold),
            best_accuracy: best.map(|(accuracy, _)| accuracy),
            best_threshold: best.map(|(_, threshold)| threshold),
            recall_at_fpr: self.recall_at_rates(),
        }
    }

    /// The mean of recall and of the share of negatives that are refused; none without both.
    fn accuracy(&self, threshold: f64) -> Option<f64> {
        let wrong = ratio(at_least(&self.negatives, threshold), self.negatives.len())?;
        Some(f64::midpoint(self.recall(threshold)?, 1.0 - wrong))
    }

    /// The greatest accuracy, and the least similarity that has it as a threshold.
    fn best(&self) -> Option<(f64, f64)> {
        let mut thresholds: Vec<f64> = self.positives.iter().chain(&self.negatives).copied().collect();
        thresholds.sort_unstable_by(f64::total_cmp);
        thresholds.dedup();
        let accuracies =
            thresholds.iter().filter_map(|&threshold| Some((self.accuracy(threshold)?, threshold)));
        accuracies.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    pub(super) fn recall(&self, threshold: f64) -> Option<f64> {
        ratio(at_least(&self.positives, threshold), self.positives.len())
    }

    /// For each of [`RATES`] the recall at the least threshold that keeps to it; empty without positives or negatives.
    pub(super) fn recall_at_rates(&self) -> BTreeMap<String, f64> {
        let recall = |&(name, rate): &(&str, f64)| {
            let score = self.last_refused(rate)?;
            let found = self.positives.len() - self.positives.partition_point(|&s| s <= score);
            Some((name.to_owned(), ratio(found, self.positives.len())?))
        };
        RATES.iter().filter_map(recall).collect()
    }

    /// The score that a threshold must exceed to let through no more than the share `rate` of the negatives; none
    /// without negatives.
    fn last_refused(&self, rate: f64) -> Option<f64> {
        if self.negatives.is_empty() {
            return None;
        }
        // A hair more, so that 0.001 of 1,000 is 1 whatever the rounding.
        let allowed = (rate * self.negatives.len() as f64 + 1e-9).floor() as usize;
        Some(self.negatives.iter().rev().nth(allowed).copied().unwrap_or(f64::NEG_INFINITY))
    }

    /// The probability that a positive scores higher than a negative, ties counting half (Mann and Whitney's U).
    pub(crate) fn auc(&self) -> Option<f64> {
        if self.positives.is_empty() || self.negatives.is_empty() {
            return None;
        }
        let (mut below, mut up_to, mut halves) = (0, 0, 0u64);
        for &score in &self.positives {
            while below < self.negatives.len() && self.negatives[below] < score {
                below += 1;
            }
            up_to = up_to.max(below);
            while up_to < self.negatives.len() && self.negatives[up_to] <= score {
                up_to += 1;
            }
            halves += (below + up_to) as u64;
        }
        let pairs = self.positives.len() as f64 * self.negatives.len() as f64;
        Some(halves as f64 / 2.0 / pairs)
    }

    /// Recall and rate of false positives at the thresholds 0.00, 0.01, …, 1.00.
    pub(super) fn curve(&self) -> Vec<CurvePoint> {
        let point = |percent: u32| {
            let threshold = f64::from(percent) / 100.0;
            let fpr = ratio(at_least(&self.negatives, threshold), self.negatives.len());
            CurvePoint { threshold, recall: self.recall(threshold), fpr }
        };
        (0..=100).map(point).collect()
    }
}

fn at_least(ascending: &[f64], threshold: f64) -> usize {
    ascending.len() - ascending.partition_point(|&score| score < threshold)
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value - expected).abs() < 1e-12)
    }

    #[test]
    fn figures_follow_their_definitions() {
        let scores = Scores::new(vec![0.9, 0.8, 0.4, 0.8], vec![0.8, 0.3]);
        let figures = scores.figures(0.8);
        assert!(near(figures.recall, 0.75) && near(figures.false_positive_rate, 0.5));
        assert!(near(figures.precision, 0.75) && near(figures.f1, 0.75));
        // Wins: 0.9 two; each 0.8 one and a half; 0.4 one.
        assert!(near(figures.auc, 6.0 / 8.0));
        // Above 0.3 one negative of two is refused and every positive found.
        assert!(near(figures.accuracy, 0.625) && near(figures.best_accuracy, 0.75));
        assert!(near(figures.best_threshold, 0.4));
    }

    #[test]
    fn recall_at_a_rate_counts_ties_against_the_detector() {
        let negatives: Vec<f64> = (0..1000).map(|n| f64::from(n) / 1000.0).collect();
        let scores = Scores::new(vec![0.9985, 0.998, 0.99, 0.5], negatives);
        let recall = scores.recall_at_rates();
        // One negative may pass: the threshold lies above 0.998.
        assert!(near(recall.get("0.001").copied(), 0.25) && near(recall.get("0.01").copied(), 0.75));
        assert!(Scores::new(vec![0.5], vec![]).recall_at_rates().is_empty());
    }
}
