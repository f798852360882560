//! The arithmetic of the encoder beside its products: sums in one fixed order, so that the same input gives the same
//! bits on every machine and whatever stands beside it.

const LANES: usize = 8;

/// The sum of the products, in [`LANES`] sums that are added at the end.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Adds `scale` times `x`.
pub(super) fn add_scaled(to: &mut [f32], x: &[f32], scale: f32) {
    for (to, x) in to.iter_mut().zip(x) {
        *to += x * scale;
    }
}

/// Root mean square normalization of each row (Zhang and Sennrich 2019), times `gain`, into `out`, which is replaced.
pub(super) fn normalize(x: &[f32], gain: &[f32], out: &mut Vec<f32>) {
    out.clear();
    for row in x.chunks_exact(gain.len()) {
        let scale = 1.0 / (dot(row, row) / row.len() as f32 + 1e-5).sqrt();
        out.extend(row.iter().zip(gain).map(|(x, gain)| x * scale * gain));
    }
}

pub(super) fn relu(x: &mut [f32]) {
    for x in x {
        *x = x.max(0.0);
    }
}

/// Powers of e of the differences to the greatest, scaled to the sum 1.
pub(super) fn softmax(x: &mut [f32]) {
    let greatest = x.iter().fold(f32::NEG_INFINITY, |greatest, x| greatest.max(*x));
    let mut sum = 0.0;
    for x in x.iter_mut() {
        *x = exp(*x - greatest);
        sum += *x;
    }
    for x in x {
        *x /= sum;
    }
}

/// e to the power `x` for `x` ≤ 0, to 6 digits: powers of two by their bits, the rest by Taylor's series. The standard
/// library's differs from machine to machine.
fn exp(x: f32) -> f32 {
    let twos = (x * std::f32::consts::LOG2_E).max(-126.0);
    let whole = (twos + 0.5).floor();
    let y = (twos - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0))))));
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e_are_near_the_standard_librarys() {
        for step in 0..2000 {
            let x = -(step as f32) * 0.02;
            assert!((exp(x) - x.exp()).abs() <= 2e-6 * x.exp() + 1e-37, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }
}
