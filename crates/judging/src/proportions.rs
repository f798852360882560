//! Shares with intervals, how many pairs a sample needs, and whether two shares differ.

use serde::Serialize;

use crate::normal::{Z95, below, quantile};

/// A share with its interval of 95 % (Wilson 1927).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    pub count: u64,
    pub of: u64,
    /// None where nothing was counted.
    pub share: Option<f64>,
    pub low: f64,
    pub high: f64,
}

impl Rate {
    pub fn new(count: u64, of: u64) -> Self {
        if of == 0 {
            return Self { count, of, share: None, low: 0.0, high: 1.0 };
        }
        let (n, z) = (of as f64, Z95);
        let share = count as f64 / n;
        let scale = 1.0 + z * z / n;
        let middle = (share + z * z / (2.0 * n)) / scale;
        let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        Self { count, of, share: Some(share), low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

/// Why the size of a sample cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SizeError {
    #[error("effect {0}: give a number above 0 and at most 3.1")]
    Effect(f64),
    #[error("{0} is no probability for this: give a number above 0 and below 1")]
    Probability(f64),
}

/// How many pairs each of two groups needs so that a difference of this effect size is found with this power (Cohen 1988, Chapter 6: h
/// = 2 asin √p₁ − 2 asin √p₂; 0.2 is small, 0.5 medium and 0.8 large).
pub fn sample_size(effect: f64, significance: f64, power: f64) -> Result<u64, SizeError> {
    // Effects are at most pi.
    if !(effect > 0.0 && effect <= 3.1) {
        return Err(SizeError::Effect(effect));
    }
    for probability in [significance, power] {
        if !(probability > 0.0 && probability < 1.0) {
            return Err(SizeError::Probability(probability));
        }
    }
    let sum = quantile(1.0 - significance / 2.0) + quantile(power);
    Ok((2.0 * (sum / effect).powi(2)).ceil() as u64)
}

/// Whether two shares differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub one: Rate,
    pub other: Rate,
    /// Pearson's statistic with the correction for continuity (Yates 1934).
    pub chi_square: f64,
    /// How probable so large a difference is where both shares are the same.
    pub p: f64,
}

/// The test of two proportions with the correction for continuity, as R's `prop.test` has it.
pub fn two_proportions(one: (u64, u64), other: (u64, u64)) -> Difference {
    let (rate1, rate2) = (Rate::new(one.0, one.1), Rate::new(other.0, other.1));
    let same = Difference { one: rate1, other: rate2, chi_square: 0.0, p: 1.0 };
    let (Some(share1), Some(share2)) = (rate1.share, rate2.share) else { return same };
    let (n1, n2) = (one.1 as f64, other.1 as f64);
    let pooled = (one.0 + other.0) as f64 / (n1 + n2);
    let spread = pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2);
    if spread <= 0.0 {
        return same;
    }
    let difference = (share1 - share2).abs();
    let corrected = difference - difference.min(0.5 * (1.0 / n1 + 1.0 / n2));
    let chi_square = corrected * corrected / spread;
    Difference { chi_square, p: (2.0 * below(-chi_square.sqrt())).min(1.0), ..same }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_medium_effect_needs_63_pairs_a_group() {
        assert_eq!(sample_size(0.5, 0.05, 0.8), Ok(63));
        assert_eq!(sample_size(0.2, 0.05, 0.8), Ok(393));
        assert_eq!(sample_size(0.8, 0.05, 0.8), Ok(25));
        assert!(sample_size(0.0, 0.05, 0.8).is_err() && sample_size(0.5, 0.05, 1.0).is_err());
    }

    #[test]
    fn two_shares_differ_or_not() {
        // By hand: |15/63 - 4/63| - 1/63 = 10/63, pooled share 19/126, so chi square = (10/63)² / (19/126 · 107/126 · 2/63).
        let found = two_proportions((15, 63), (4, 63));
        assert!((found.chi_square - 6.197_737).abs() < 1e-5, "{found:?}");
        assert!((found.p - 0.012_794).abs() < 1e-5, "{found:?}");
        assert_eq!(two_proportions((5, 10), (5, 10)).p, 1.0);
        assert_eq!(two_proportions((0, 0), (5, 10)).p, 1.0);
        assert_eq!(two_proportions((10, 10), (10, 10)).p, 1.0);
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        // Newcombe 1998, Table I: 81 of 263 gives 0.2553 to 0.3662; 15 of 148 gives 0.0624 to 0.1605; 0 of 20 gives 0 to 0.1611.
        for (count, of, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let rate = Rate::new(count, of);
            assert!((rate.low - low).abs() < 5e-5 && (rate.high - high).abs() < 5e-5, "{rate:?}");
        }
        assert_eq!(Rate::new(0, 0).share, None);
    }
}
