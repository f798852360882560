//! The normal distribution.

/// The share of a standard normal distribution below `x` (the series of Marsaglia 2004, "Evaluating the Normal Distribution").
pub(crate) fn below(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut before, mut term, square, mut i) = (x, 0.0, x, x * x, 1.0);
    while sum != before {
        before = sum;
        i += 2.0;
        term *= square / i;
        sum += term;
    }
    // The constant is half the logarithm of 2 pi.
    0.5 + sum * (-0.5 * square - 0.918_938_533_204_672_8).exp()
}

/// The value below which a share of the distribution lies, by bisection.
pub(crate) fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if below(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The quantile of a two-sided interval of 95 %.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_distribution() {
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-3.0, 0.001_349_898_031_630_094_5)] {
            assert!((below(x) - share).abs() < 1e-14, "{x}");
        }
        assert!((quantile(0.975) - Z95).abs() < 1e-12);
        assert!((quantile(0.8) - 0.841_621_233_572_914_3).abs() < 1e-12);
    }
}
