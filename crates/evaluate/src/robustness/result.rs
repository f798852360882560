//! The result of a measurement of robustness, the schema `familiar.robustness/1`.

use familiar_engine::members::Members;
use familiar_transform::Attack;
use serde::Serialize;

use super::options::RobustnessOptions;
use super::threshold;
use crate::SkippedRow;
use crate::attack::{Detector, Distance};

/// How robust each detector is against each set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobustnessResult {
    pub schema: &'static str,
    pub beam: usize,
    pub steps: usize,
    pub seed: u64,
    /// The largest share of non-clones that reach the threshold.
    pub false_positives: f64,
    pub programs: u64,
    /// Pairs of different problems.
    pub pairs: u64,
    /// A row for each detector and set.
    pub results: Vec<Robustness>,
    /// Why not all were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    pub skipped: Vec<SkippedRow>,
}

/// How robust one detector is against one set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Robustness {
    /// As it was asked for.
    pub detector: String,
    /// What it calls itself, such as the name of the weights.
    pub name: String,
    pub set: String,
    /// Share of the programs whose worst rewriting reaches the threshold: 1 − the share of `escaped`.
    pub robustness: f64,
    /// Of 95 %, by Wilson; for the threshold as it is.
    pub robustness_interval: [f64; 2],
    /// Programs whose worst rewriting is below the threshold.
    pub escaped: Share,
    /// Programs to which something of the set applies.
    pub rewritten: u64,
    pub worst_case_distance: Distance,
    /// The larger one of the next two.
    pub threshold: f64,
    /// By pairs as they are.
    pub threshold_not_attacked: f64,
    /// By pairs of which one side is the worst rewriting.
    pub threshold_attacked: f64,
    /// Pairs as they are that reach `threshold`.
    pub false_positives_not_attacked: Share,
    /// Pairs with a rewritten side that reach it.
    pub false_positives_attacked: Share,
    /// Candidates that the detector judged.
    pub tried: u64,
}

/// So many of so many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    pub count: u64,
    pub of: u64,
    pub share: f64,
    /// The interval of 95 % for the share (Wilson 1927).
    pub interval: [f64; 2],
}

impl RobustnessResult {
    pub const SCHEMA: &'static str = "familiar.robustness/1";

    pub(super) fn of(
        options: &RobustnessOptions,
        programs: usize,
        pairs: usize,
        skipped: Vec<SkippedRow>,
    ) -> Self {
        Self {
            schema: Self::SCHEMA,
            beam: options.search.beam,
            steps: options.search.steps,
            seed: options.search.seed,
            false_positives: options.false_positives,
            programs: programs as u64,
            pairs: pairs as u64,
            results: Vec::new(),
            failure: None,
            skipped,
        }
    }
}

impl Robustness {
    /// What the attack on each program, the scores of non-clones, and those of attacked non-clones say.
    pub(super) fn of(
        options: &RobustnessOptions,
        (asked, detector): &(String, Detector),
        set: &Members,
        attacks: &[Attack],
        plain: &[f64],
        attacked: &[f64],
    ) -> Self {
        let [not_attacked, of_attacked] =
            [plain, attacked].map(|scores| threshold::smallest(scores, options.false_positives));
        let threshold = not_attacked.max(of_attacked);
        let reach = |scores: &[f64]| {
            Share::of(scores.iter().filter(|&&score| score >= threshold).count(), scores.len())
        };
        let distances: Vec<f64> = attacks.iter().map(|it| 1.0 - it.similarity).collect();
        let escaped = Share::of(attacks.iter().filter(|it| it.similarity < threshold).count(), attacks.len());
        let [low, high] = escaped.interval;
        Self {
            detector: asked.clone(),
            name: detector.name().to_owned(),
            set: set.name().to_owned(),
            robustness: 1.0 - escaped.share,
            robustness_interval: [1.0 - high, 1.0 - low],
            escaped,
            rewritten: attacks.iter().filter(|it| !it.alone.is_empty()).count() as u64,
            worst_case_distance: Distance::of(&distances),
            threshold,
            threshold_not_attacked: not_attacked,
            threshold_attacked: of_attacked,
            false_positives_not_attacked: reach(plain),
            false_positives_attacked: reach(attacked),
            tried: attacks.iter().map(|it| it.tried as u64).sum(),
        }
    }
}

impl Share {
    /// The quantile of the normal distribution for 95 % on both sides.
    const Z: f64 = 1.959_963_984_540_054;

    fn of(count: usize, of: usize) -> Self {
        let (n, share) = (of as f64, count as f64 / of.max(1) as f64);
        let z2 = Self::Z * Self::Z;
        let middle = share + z2 / (2.0 * n);
        let half = Self::Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
        let [low, high] = [middle - half, middle + half].map(|end| (end / (1.0 + z2 / n)).clamp(0.0, 1.0));
        // These ends are 0 and 1, but for rounding.
        let interval = [if count == 0 { 0.0 } else { low }, if count == of { 1.0 } else { high }];
        Self { count: count as u64, of: of as u64, share, interval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        let near = |[low, high]: [f64; 2], expected: [f64; 2]| {
            (low - expected[0]).abs() < 5e-4 && (high - expected[1]).abs() < 5e-4
        };
        // Newcombe 1998, Statistics in Medicine 17, Table I, method 3.
        assert!(near(Share::of(81, 263).interval, [0.2553, 0.3662]));
        assert!(near(Share::of(15, 148).interval, [0.0624, 0.1605]));
        assert!(near(Share::of(0, 20).interval, [0.0, 0.1611]));
        assert!(near(Share::of(1, 29).interval, [0.0061, 0.1718]));
        assert_eq!(Share::of(0, 0).interval, [0.0, 1.0]);
    }
}
