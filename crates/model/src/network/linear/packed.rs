//! How weights and rows of numbers stand in memory, so that a processor multiplies many at once.

/// Outputs that are computed together.
pub(super) const GROUP: usize = 16;

/// What the weights of a group multiply at once: `N` inputs in a row, for each output of the group. It fills a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Line<T, const N: usize>(pub(super) [[T; N]; GROUP]);

/// A matrix of `inputs` columns, in lines: group after group of its rows, and in each the inputs from first to last. What fills up the
/// last group and the last line is `of(0)`.
pub(super) fn pack<T: Copy, const N: usize>(
    inputs: usize,
    rows: &[i8],
    of: impl Fn(i8) -> T,
) -> Box<[Line<T, N>]> {
    let mut lines = Vec::with_capacity(rows.len().div_ceil(inputs * GROUP) * inputs.div_ceil(N));
    for group in rows.chunks(inputs * GROUP) {
        for first in (0..inputs).step_by(N) {
            let mut line = Line([[of(0); N]; GROUP]);
            for (to, row) in line.0.iter_mut().zip(group.chunks_exact(inputs)) {
                for (to, &value) in to.iter_mut().zip(&row[first..]) {
                    *to = of(value);
                }
            }
            lines.push(line);
        }
    }
    lines.into()
}

/// Rows rounded to eight bits, each with its own scale, `N` numbers together.
#[derive(Debug)]
pub(super) struct Rounded<T, const N: usize> {
    values: Vec<[T; N]>,
    rows: Vec<Row>,
}

/// What belongs to a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// What a number of the row is multiplied with.
    pub(super) scale: f32,
    /// What is added to each sum of products.
    pub(super) correction: i32,
}

impl<T, const N: usize> Default for Rounded<T, N> {
    fn default() -> Self {
        Self { values: Vec::new(), rows: Vec::new() }
    }
}

impl<T: Copy + Default, const N: usize> Rounded<T, N> {
    /// Rounds each row of `x`, which has `columns` numbers. `row` writes one of them. Zeros fill up the last numbers.
    pub(super) fn round(&mut self, x: &[f32], columns: usize, row: impl Fn(&[f32], &mut [T]) -> Row) {
        let width = columns.div_ceil(N);
        self.values.clear();
        self.values.resize(x.len() / columns * width, [T::default(); N]);
        self.rows.clear();
        for (x, to) in x.chunks_exact(columns).zip(self.values.chunks_exact_mut(width)) {
            self.rows.push(row(x, &mut to.as_flattened_mut()[..columns]));
        }
    }
}

/// Numbers whose greatest is looked for side by side.
const LANES: usize = 16;

/// Rounds a row to eight bits: half away from zero. The correction is the sum of its numbers, `times` so many.
///
/// This is compiled into its callers, with the instructions that they may use. So it has loops where other functions have iterators: a
/// function that takes a closure is compiled without these instructions, and would be called for each number.
#[expect(clippy::inline_always, reason = "otherwise it would have the instructions of every processor")]
#[inline(always)]
pub(super) fn round_row<T: From<i8>>(row: &[f32], to: &mut [T], times: i32) -> Row {
    assert_eq!(row.len(), to.len());
    let mut lanes = [0.0f32; LANES];
    let (blocks, rest) = row.as_chunks::<LANES>();
    for block in blocks {
        for lane in 0..LANES {
            lanes[lane] = greater(block[lane].abs(), lanes[lane]);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = greater(lanes[lane + half], lanes[lane]);
        }
        half /= 2;
    }
    let mut greatest = lanes[0];
    for x in rest {
        greatest = greater(x.abs(), greatest);
    }
    let scale = if greatest > 0.0 { 127.0 / greatest } else { 0.0 };
    let mut sum = 0;
    for at in 0..row.len() {
        let x = row[at] * scale + 0.5f32.copysign(row[at]);
        // What is no number becomes zero.
        let x = if x.abs() < 128.0 { x } else { 0.0 };
        // SAFETY: it lies between -128 and 128. This cuts off the rest, many at a time.
        let rounded: i32 = unsafe { x.to_int_unchecked() };
        sum += rounded;
        to[at] = T::from(rounded as i8);
    }
    Row { scale: greatest / 127.0, correction: times * sum }
}

/// The greater number; `b` if `a` is none.
#[inline]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// What a product is of: everything but how it is computed.
pub(super) struct Task<'t, T, const N: usize, W> {
    pub(super) rows: &'t Rounded<T, N>,
    pub(super) weights: &'t [W],
    /// For each output a scale, and what is added to it, filled up to whole groups.
    pub(super) scales: &'t [[f32; GROUP]],
    pub(super) bias: &'t [[f32; GROUP]],
    pub(super) outputs: usize,
}

impl<T, const N: usize, W> Task<'_, T, N, W> {
    /// Writes the product of each row to `out`. `products` multiplies some rows with a group of weights; what it gives is exact.
    pub(super) fn run<const ROWS: usize>(
        &self,
        products: impl Fn([&[[T; N]]; ROWS], &[W]) -> [[i32; GROUP]; ROWS],
        out: &mut [f32],
    ) {
        let width = self.weights.len() / self.scales.len();
        let blocks = self.rows.values.chunks(ROWS * width).zip(self.rows.rows.chunks(ROWS));
        for ((values, of_rows), out) in blocks.zip(out.chunks_mut(ROWS * self.outputs)) {
            // The last block may have fewer rows. What is computed for its last row again is not written.
            let last = of_rows.len() - 1;
            let rows = std::array::from_fn(|row| &values[row.min(last) * width..][..width]);
            let groups = self.weights.chunks_exact(width).zip(self.scales).zip(self.bias);
            for (group, ((weights, scales), bias)) in groups.enumerate() {
                let sums = products(rows, weights);
                for ((sums, row), out) in sums.iter().zip(of_rows).zip(out.chunks_exact_mut(self.outputs)) {
                    let mut done = [0.0; GROUP];
                    for at in 0..GROUP {
                        done[at] = (sums[at] + row.correction) as f32 * (row.scale * scales[at]) + bias[at];
                    }
                    let out = &mut out[group * GROUP..];
                    if let Some(all) = out.first_chunk_mut() {
                        *all = done;
                    } else {
                        out.copy_from_slice(&done[..out.len()]);
                    }
                }
            }
        }
    }
}

/// `values` in groups, the last one filled up with zeros.
pub(super) fn grouped(values: &[f32]) -> Box<[[f32; GROUP]]> {
    let group = |values: &[f32]| {
        let mut group = [0.0; GROUP];
        group[..values.len()].copy_from_slice(values);
        group
    };
    values.chunks(GROUP).map(group).collect()
}
