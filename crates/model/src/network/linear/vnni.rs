//! Products by vectors of 512 bits, of processors that multiply four bytes with four bytes at once: AVX-512 VNNI.

use std::arch::x86_64::{__m512i, _mm512_dpbusd_epi32, _mm512_set1_epi32, _mm512_setzero_si512};

use super::packed::{GROUP, Line, Rounded, Row, Task, round_row};

/// Rows that are multiplied together: each waits for its last sum, so that fewer would leave the processor idle.
const ROWS: usize = 8;

/// What is added to each weight, since the processor multiplies bytes without a sign with bytes that have one.
pub(super) const OFFSET: u8 = 128;

/// Rounds rows of `columns` numbers.
///
/// # Safety
/// The processor has AVX-512.
pub(super) unsafe fn round(rounded: &mut Rounded<i8, 4>, x: &[f32], columns: usize) {
    // SAFETY: the caller says that the processor has AVX-512.
    rounded.round(x, columns, |x, to| unsafe { row(x, to) });
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn row(x: &[f32], to: &mut [i8]) -> Row {
    round_row(x, to, -i32::from(OFFSET))
}

/// Writes the product of each row to `out`. The weights of `task` have [`OFFSET`] in them.
///
/// # Safety
/// The processor has AVX-512 with VNNI.
pub(super) unsafe fn apply(task: &Task<'_, i8, 4, Line<u8, 4>>, out: &mut [f32]) {
    // SAFETY: the caller says that the processor has AVX-512 with VNNI.
    task.run(|rows, weights| unsafe { products(rows, weights) }, out);
}

/// The exact sums of the products of each row with the weights of each output, with the offset. They stay in range for 66,000 numbers.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn products(rows: [&[[i8; 4]]; ROWS], weights: &[Line<u8, 4>]) -> [[i32; GROUP]; ROWS] {
    let mut sums = [_mm512_setzero_si512(); ROWS];
    for row in rows {
        assert_eq!(row.len(), weights.len());
    }
    for (at, line) in weights.iter().enumerate() {
        // SAFETY: both are 64 bytes of plain numbers, and a line is aligned as a vector is.
        let line: __m512i = unsafe { std::mem::transmute_copy(line) };
        for row in 0..ROWS {
            let [a, b, c, d] = rows[row][at];
            let four = [a.cast_unsigned(), b.cast_unsigned(), c.cast_unsigned(), d.cast_unsigned()];
            let x = _mm512_set1_epi32(i32::from_le_bytes(four));
            sums[row] = _mm512_dpbusd_epi32(sums[row], line, x);
        }
    }
    // SAFETY: vectors of 512 bits are 16 numbers of 32 bits each.
    unsafe { std::mem::transmute(sums) }
}
