//! Products by vectors of 256 bits, of processors with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
};

use super::packed::{GROUP, Line, Rounded, Row, Task, round_row};

/// Rows that are multiplied together: as many as have their sums in registers.
const ROWS: usize = 4;

/// Rounds rows of `columns` numbers.
///
/// # Safety
/// The processor has AVX2.
pub(super) unsafe fn round(rounded: &mut Rounded<i16, 2>, x: &[f32], columns: usize) {
    // SAFETY: the caller says that the processor has AVX2.
    rounded.round(x, columns, |x, to| unsafe { row(x, to) });
}

#[target_feature(enable = "avx2")]
fn row(x: &[f32], to: &mut [i16]) -> Row {
    round_row(x, to, 0)
}

/// Writes the product of each row to `out`.
///
/// # Safety
/// The processor has AVX2.
pub(super) unsafe fn apply(task: &Task<'_, i16, 2, Line<i16, 2>>, out: &mut [f32]) {
    // SAFETY: the caller says that the processor has AVX2.
    task.run(|rows, weights| unsafe { products(rows, weights) }, out);
}

/// The exact sums of the products of each row with the weights of each output.
#[target_feature(enable = "avx2")]
fn products(rows: [&[[i16; 2]]; ROWS], weights: &[Line<i16, 2>]) -> [[i32; GROUP]; ROWS] {
    for row in rows {
        assert_eq!(row.len(), weights.len());
    }
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for (at, line) in weights.iter().enumerate() {
        // SAFETY: both are 64 bytes of plain numbers, and a line is aligned to more than a vector needs.
        let halves: [__m256i; 2] = unsafe { std::mem::transmute_copy(line) };
        for (sums, row) in sums.iter_mut().zip(rows) {
            let [low, high] = row[at];
            let pair = (i32::from(high) << 16) | i32::from(low.cast_unsigned());
            let x = _mm256_set1_epi32(pair);
            for (sum, half) in sums.iter_mut().zip(halves) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(x, half));
            }
        }
    }
    // SAFETY: two vectors of 256 bits are 16 numbers of 32 bits.
    unsafe { std::mem::transmute(sums) }
}
