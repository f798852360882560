//! The sums of a bag's vectors: rows of a table, and directions of runs of letters. Every processor gives the same bits, since each
//! number is the sum of its terms in their order; those with AVX2 add eight numbers at a time.

/// Numbers whose sums stand in the registers of SSE2 or NEON together.
const BLOCK: usize = 32;
/// The same for AVX2: a row of eight-bit numbers has so many in a line of the cache.
#[cfg(target_arch = "x86_64")]
const WIDE: usize = 64;

/// Rows of eight-bit numbers, one after another, each with its scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'t> {
    pub(crate) columns: usize,
    pub(crate) bytes: &'t [u8],
    pub(crate) scales: &'t [f32],
}

impl Rows<'_> {
    /// The sum of the rows with these numbers, each times its weight, into `out`, which has as many numbers as there are columns.
    pub(crate) fn sum(self, chosen: &[(u16, f32)], out: &mut [f32]) {
        assert_eq!(out.len(), self.columns);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.sum_by_avx2(chosen, out) };
        }
        self.sum_in_blocks::<BLOCK>(chosen, out);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn sum_by_avx2(self, chosen: &[(u16, f32)], out: &mut [f32]) {
        self.sum_in_blocks::<WIDE>(chosen, out);
    }

    #[expect(clippy::inline_always, reason = "its loops use what the caller's features allow")]
    #[inline(always)]
    fn sum_in_blocks<const N: usize>(self, chosen: &[(u16, f32)], out: &mut [f32]) {
        let mut first = 0;
        while first + N <= self.columns {
            let mut sums = [0.0f32; N];
            for &(row, weight) in chosen {
                let (scale, start) = self.scale_and_start(row, weight);
                let bytes = &self.bytes[start + first..start + first + N];
                for at in 0..N {
                    sums[at] += f32::from(bytes[at].cast_signed()) * scale;
                }
            }
            out[first..first + N].copy_from_slice(&sums);
            first += N;
        }
        let rest = &mut out[first..];
        rest.fill(0.0);
        for &(row, weight) in chosen {
            let (scale, start) = self.scale_and_start(row, weight);
            let bytes = &self.bytes[start + first..start + self.columns];
            for at in 0..rest.len() {
                rest[at] += f32::from(bytes[at].cast_signed()) * scale;
            }
        }
    }

    #[expect(clippy::inline_always, reason = "its callers have features of the processor that it has not")]
    #[inline(always)]
    fn scale_and_start(self, row: u16, weight: f32) -> (f32, usize) {
        let row = usize::from(row);
        (self.scales[row] * weight, row * self.columns)
    }
}

/// Numbers of a direction.
pub(crate) const DIRECTION: usize = 128;

/// The sum of `directions`, each a length and the bits of its signs (1 is negative), into `out`, which has [`DIRECTION`] numbers.
pub(crate) fn sum_directions(directions: &[(f32, [u64; DIRECTION / 64])], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { sum_directions_by_avx2(directions, out) };
    }
    sum_directions_in_blocks::<BLOCK>(directions, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_directions_by_avx2(directions: &[(f32, [u64; DIRECTION / 64])], out: &mut [f32]) {
    sum_directions_in_blocks::<WIDE>(directions, out);
}

#[expect(clippy::inline_always, reason = "its loops use what the caller's features allow")]
#[inline(always)]
fn sum_directions_in_blocks<const N: usize>(directions: &[(f32, [u64; DIRECTION / 64])], out: &mut [f32]) {
    for first in 0..DIRECTION / N {
        let first = first * N;
        let mut sums = [0.0f32; N];
        for &(length, signs) in directions {
            let (length, signs) = (length.to_bits(), signs[first / 64] >> (first % 64));
            for (at, sum) in sums.iter_mut().enumerate() {
                let sign = ((signs >> (at / 32 * 32)) as u32) << (31 - at % 32) & (1 << 31);
                *sum += f32::from_bits(length ^ sign);
            }
        }
        out[first..first + N].copy_from_slice(&sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of no order.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 32)
        }
    }

    fn bits(numbers: &[f32]) -> Vec<u32> {
        numbers.iter().map(|it| it.to_bits()).collect()
    }

    #[test]
    fn sums_of_rows_have_the_bits_of_sums_one_by_one() {
        let mut next = numbers();
        for columns in [1, 31, 64, 100, 128, 130] {
            let bytes: Vec<u8> = (0..50 * columns).map(|_| next() as u8).collect();
            let scales: Vec<f32> = (0..50).map(|_| f32::from(next() as u16) / 7e5 - 0.03).collect();
            let rows = Rows { columns, bytes: &bytes, scales: &scales };
            let chosen: Vec<(u16, f32)> =
                (0..40).map(|_| ((next() % 50) as u16, (next() % 9) as f32 / 3.0)).collect();
            let mut expected = vec![0.0f32; columns];
            for &(row, weight) in &chosen {
                for (column, sum) in expected.iter_mut().enumerate() {
                    let number = bytes[usize::from(row) * columns + column].cast_signed();
                    *sum += f32::from(number) * (scales[usize::from(row)] * weight);
                }
            }
            let mut ways = [vec![1.0; columns], vec![1.0; columns]];
            rows.sum(&chosen, &mut ways[0]);
            rows.sum_in_blocks::<BLOCK>(&chosen, &mut ways[1]);
            for way in ways {
                assert_eq!(bits(&way), bits(&expected));
            }
        }
    }

    #[test]
    fn sums_of_directions_have_the_bits_of_sums_one_by_one() {
        let mut next = numbers();
        let directions: Vec<(f32, [u64; 2])> =
            (0..60).map(|_| ((next() % 1000) as f32 / 77.0, [next(), next()])).collect();
        let expected: Vec<f32> = (0..DIRECTION)
            .map(|at| {
                directions.iter().fold(0.0, |sum, (length, signs)| {
                    let is_negative = signs[at / 64] >> (at % 64) & 1 == 1;
                    sum + if is_negative { -length } else { *length }
                })
            })
            .collect();
        let mut ways = [[1.0; DIRECTION]; 2];
        sum_directions(&directions, &mut ways[0]);
        sum_directions_in_blocks::<BLOCK>(&directions, &mut ways[1]);
        for way in ways {
            assert_eq!(bits(&way), bits(&expected));
        }
    }
}
