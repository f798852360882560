//! The arithmetic of the encoder: eight-bit products that are exact, and sums in one fixed order, so that the same
//! input gives the same bits on every machine and whatever stands beside it.

use wide::{i16x8, i32x4};

/// Numbers of 16 bits that are multiplied at once; rows are filled up to a multiple with zeros.
const WIDTH: usize = 8;

/// Rows of `x` that are multiplied together, so that a weight is loaded once for all of them.
const TOGETHER: usize = 4;

/// A matrix of eight-bit numbers with one scale for each row, and what is added to the product.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    inputs: usize,
    /// Row after row, widened: products of pairs of 16 bits are what processors add fastest.
    rows: Box<[i16x8]>,
    scales: Box<[f32]>,
    bias: Box<[f32]>,
}

impl Linear {
    pub(crate) fn new(inputs: usize, rows: &[i8], scales: Box<[f32]>, bias: Box<[f32]>) -> Self {
        debug_assert_eq!(rows.len(), inputs * scales.len());
        debug_assert_eq!(bias.len(), scales.len());
        let mut wide = Vec::with_capacity(scales.len() * inputs.div_ceil(WIDTH));
        for row in rows.chunks_exact(inputs) {
            extend(&mut wide, row.iter().map(|&value| i16::from(value)));
        }
        Self { inputs, rows: wide.into(), scales, bias }
    }

    /// Numbers in a product.
    pub(crate) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// The product for each row of `x`, in `out`, which is replaced.
    pub(crate) fn apply(&self, x: &[f32], scratch: &mut Quantized, out: &mut Vec<f32>) {
        scratch.quantize(x, self.inputs);
        let outputs = self.scales.len();
        out.clear();
        out.resize(scratch.scales.len() * outputs, 0.0);
        let width = self.inputs.div_ceil(WIDTH);
        let blocks = scratch.values.chunks(TOGETHER * width).zip(scratch.scales.chunks(TOGETHER));
        for ((values, scales), out) in blocks.zip(out.chunks_mut(TOGETHER * outputs)) {
            for (at, weights) in self.rows.chunks_exact(width).enumerate() {
                let mut put = |row: usize, product: i32| {
                    out[row * outputs + at] =
                        product as f32 * (scales[row] * self.scales[at]) + self.bias[at];
                };
                if scales.len() == TOGETHER {
                    let rows: [&[i16x8]; TOGETHER] =
                        std::array::from_fn(|row| &values[row * width..][..width]);
                    products(rows, weights)
                        .into_iter()
                        .enumerate()
                        .for_each(|(row, product)| put(row, product));
                } else {
                    for (row, values) in values.chunks_exact(width).enumerate() {
                        put(row, products([values], weights)[0]);
                    }
                }
            }
        }
    }
}

/// The exact sums of the products of each row with the weights; for numbers of eight bits they stay in range up to
/// 133,000 of them.
#[inline]
fn products<const ROWS: usize>(rows: [&[i16x8]; ROWS], weights: &[i16x8]) -> [i32; ROWS] {
    let mut sums = [i32x4::ZERO; ROWS];
    for (at, weight) in weights.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum += row[at].dot(*weight);
        }
    }
    sums.map(i32x4::reduce_add)
}

/// Adds a row, filled up with zeros.
fn extend(to: &mut Vec<i16x8>, mut row: impl ExactSizeIterator<Item = i16>) {
    while row.len() > 0 {
        to.push(i16x8::new(std::array::from_fn(|_| row.next().unwrap_or(0))));
    }
}

/// Rows rounded to eight bits, each with its own scale.
#[derive(Debug, Default)]
pub(crate) struct Quantized {
    values: Vec<i16x8>,
    scales: Vec<f32>,
}

impl Quantized {
    fn quantize(&mut self, x: &[f32], columns: usize) {
        self.values.clear();
        self.scales.clear();
        for row in x.chunks_exact(columns) {
            let greatest = row.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs()));
            let scale = if greatest > 0.0 { 127.0 / greatest } else { 0.0 };
            // Half away from zero; the cast cuts off the rest.
            extend(&mut self.values, row.iter().map(|x| (x * scale + 0.5f32.copysign(*x)) as i16));
            self.scales.push(greatest / 127.0);
        }
    }
}

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

    #[test]
    fn a_product_of_rounded_numbers_is_near_the_exact_one() {
        let linear = Linear::new(3, &[127, 0, -127, 64, 64, 64], [1.0 / 127.0; 2].into(), [0.5, 0.0].into());
        let (mut scratch, mut out) = (Quantized::default(), Vec::new());
        linear.apply(&[1.0, 2.0, -3.0, 0.0, 0.0, 0.0], &mut scratch, &mut out);
        let expected = [4.5, 0.0, 0.5, 0.0];
        assert!(out.iter().zip(expected).all(|(out, expected)| (out - expected).abs() < 0.03), "{out:?}");
    }
}
