//! Products by vectors of 128 bits, which every processor of ours has: SSE2 or NEON.

use wide::{i16x8, i32x4};

use super::packed::{GROUP, Line, Rounded, Task, round_row};

/// Rows that are multiplied together, so that a weight is loaded once for all of them.
const ROWS: usize = 2;

/// Outputs in a vector of sums.
const LANES: usize = 4;

/// Rounds rows of `columns` numbers.
pub(super) fn round(rounded: &mut Rounded<i16, 2>, x: &[f32], columns: usize) {
    rounded.round(x, columns, |x, to| round_row(x, to, 0));
}

/// Writes the product of each row to `out`.
pub(super) fn apply(task: &Task<'_, i16, 2, Line<i16, 2>>, out: &mut [f32]) {
    task.run(products, out);
}

/// The exact sums of the products of each row with the weights of each output.
#[inline]
fn products(rows: [&[[i16; 2]]; ROWS], weights: &[Line<i16, 2>]) -> [[i32; GROUP]; ROWS] {
    let rows = rows.map(|row| &row[..weights.len()]);
    let mut sums = [[i32x4::ZERO; GROUP / LANES]; ROWS];
    for (at, line) in weights.iter().enumerate() {
        let (parts, _) = line.0.as_flattened().as_chunks::<{ 2 * LANES }>();
        let parts: [i16x8; GROUP / LANES] = std::array::from_fn(|part| i16x8::new(parts[part]));
        for (sums, row) in sums.iter_mut().zip(rows) {
            let [a, b] = row[at];
            let x = i16x8::new([a, b, a, b, a, b, a, b]);
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += x.dot(part);
            }
        }
    }
    sums.map(|parts| {
        let mut all = [0; GROUP];
        for (to, part) in all.chunks_exact_mut(LANES).zip(parts) {
            to.copy_from_slice(&part.to_array());
        }
        all
    })
}
