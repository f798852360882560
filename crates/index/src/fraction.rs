//! A fraction of a size, so that thresholds are whole numbers without rounding error.

/// A number in (0, 1], exact to nine decimals: `0.8` is 4/5, not the binary number next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    billionths: u64,
}

const ONE: u64 = 1_000_000_000;

impl Fraction {
    /// The fraction nearest to `value`; at least one billionth and at most all.
    pub fn new(value: f64) -> Self {
        Self { billionths: ((value * ONE as f64).round() as u64).clamp(1, ONE) }
    }

    /// ⌈fraction · size⌉: the least number that is at least this fraction of `size`.
    #[inline]
    pub fn of(self, size: u32) -> u32 {
        (u64::from(size) * self.billionths).div_ceil(ONE) as u32
    }

    /// The largest size that `part` is at least this fraction of.
    pub(crate) fn largest_whole(self, part: u32) -> u32 {
        u32::try_from(u64::from(part) * ONE / self.billionths).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_fractions_are_exact() {
        // As binary numbers 0.55 · 100 and 0.7 · 10 lie above 55 and below 7.
        assert_eq!(
            (Fraction::new(0.55).of(100), Fraction::new(0.7).of(10), Fraction::new(0.8).of(65)),
            (55, 7, 52)
        );
        assert_eq!(
            (Fraction::new(1.0).of(u32::MAX), Fraction::new(0.8).of(1), Fraction::new(0.8).of(0)),
            (u32::MAX, 1, 0)
        );
    }

    #[test]
    fn the_largest_whole_is_the_last_that_a_part_reaches() {
        for fraction in [0.1, 0.33, 0.5, 0.7, 0.8, 0.95, 1.0].map(Fraction::new) {
            for part in 0..500 {
                let whole = fraction.largest_whole(part);
                assert!(fraction.of(whole) <= part && fraction.of(whole + 1) > part);
            }
        }
    }
}
