//! Numbers as they are learnt: the logarithm, standardized.
//!
//! Run times and memory reach over several orders of magnitude, and may be 0, so what is learnt is ln(1 + x).

use serde::{Deserialize, Serialize};

/// Mean and standard deviation of ln(1 + x) in the training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    pub mean: f64,
    pub deviation: f64,
}

impl Scale {
    /// That of some numbers; `None` where there are not two different ones.
    pub(crate) fn of(numbers: impl Iterator<Item = u64> + Clone) -> Option<Self> {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().map(log).sum::<f64>() / count;
        let deviation = (numbers.map(|it| (log(it) - mean).powi(2)).sum::<f64>() / count).sqrt();
        (deviation > 0.0).then_some(Self { mean, deviation })
    }

    /// A number as it is learnt.
    pub(crate) fn standardized(self, number: u64) -> f32 {
        ((log(number) - self.mean) / self.deviation) as f32
    }

    /// The logarithm of what was guessed.
    pub(crate) fn log_of(self, standardized: f32) -> f64 {
        f64::from(standardized) * self.deviation + self.mean
    }
}

/// ln(1 + x)
pub(crate) fn log(number: u64) -> f64 {
    (number as f64).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let scale = Scale::of([0, 10, 1000].into_iter()).expect("they differ");
        for number in [0, 7, 123_456] {
            assert!((scale.log_of(scale.standardized(number)) - log(number)).abs() < 1e-5);
        }
        assert_eq!(Scale::of([5, 5].into_iter()), None);
        assert_eq!(Scale::of(std::iter::empty()), None);
    }
}
