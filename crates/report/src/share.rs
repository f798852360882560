//! Shares as people read them. Text, pages and exports say the same of one share.

/// A share in ten thousandths. What is not whole is never rounded up to all of it.
pub(crate) fn ten_thousandths(share: f64) -> u16 {
    let rounded = (share.clamp(0.0, 1.0) * 10_000.0).round() as u16;
    if share < 1.0 { rounded.min(9_999) } else { rounded }
}

/// A share in percent, rounded down: 99 % is not all of it.
pub(crate) fn percent(share: f64) -> u16 {
    ten_thousandths(share) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_down_but_for_what_a_float_loses() {
        let shares = [0.0, 0.29, 0.749_03, f64::from(0.9f32), 0.999_96, 1.0, 1.2];
        assert_eq!(shares.map(percent), [0, 29, 74, 90, 99, 100, 100]);
        assert_eq!(ten_thousandths(0.999_96), 9_999);
    }
}
