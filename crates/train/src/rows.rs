//! Rows by their numbers: chosen, and summed.
//!
//! On a processor both are the library's. Its sums on a GPU add one row after another, so there they are trees: rows with one number are
//! added eight at a time until one is left of each. That is many rows at once, and always in the same order.

use std::sync::{Arc, OnceLock};

use candle_core::backend::BackendStorage as _;
use candle_core::{CpuStorage, CudaStorage, CustomOp2, DType, Device, Layout, Result, Shape, Tensor};

/// Rows that are added at once.
const AT_ONCE: usize = 8;

/// A number for each of some rows.
#[derive(Clone, Debug)]
pub struct Numbers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    list: Vec<u32>,
    ids: Tensor,
    /// All numbers are below it.
    count: usize,
    levels: OnceLock<Vec<Level>>,
}

impl Numbers {
    /// `list` has numbers below `count`.
    pub fn new(list: Vec<u32>, count: usize, device: &Device) -> Result<Self> {
        let ids = Tensor::from_slice(&list, list.len(), device)?;
        Ok(Self(Arc::new(Inner { list, ids, count, levels: OnceLock::new() })))
    }

    /// For each number the row that it is the number of: `count` rows become as many as there are numbers.
    pub fn choose(&self, rows: &Tensor) -> Result<Tensor> {
        if rows.device().is_cpu() { rows.index_select(&self.0.ids, 0) } else { self.tree_choose(rows) }
    }

    /// For each number below `count` the sum of the rows that have it.
    pub fn sum(&self, rows: &Tensor) -> Result<Tensor> {
        if rows.device().is_cpu() {
            let columns = rows.dims2()?.1;
            Tensor::zeros((self.0.count, columns), DType::F32, rows.device())?.index_add(&self.0.ids, rows, 0)
        } else {
            self.tree_sum(rows)
        }
    }

    /// Adds each row to the one of `to` that it has the number of.
    pub fn add(&self, to: &Tensor, rows: &Tensor) -> Result<Tensor> {
        if rows.device().is_cpu() { to.index_add(&self.0.ids, rows, 0) } else { to + self.tree_sum(rows)? }
    }

    fn tree_choose(&self, rows: &Tensor) -> Result<Tensor> {
        let chosen = rows.detach().contiguous()?.index_select(&self.0.ids, 0)?;
        rows.apply_op2(&chosen, Computed { numbers: self.clone(), is_sum: false })
    }

    fn tree_sum(&self, rows: &Tensor) -> Result<Tensor> {
        let sums = self.sums(&rows.detach())?;
        rows.apply_op2(&sums, Computed { numbers: self.clone(), is_sum: true })
    }

    /// The sums, without a gradient.
    fn sums(&self, rows: &Tensor) -> Result<Tensor> {
        let levels = if let Some(levels) = self.0.levels.get() {
            levels
        } else {
            let levels = levels(&self.0.list, self.0.count, rows.device())?;
            self.0.levels.get_or_init(|| levels)
        };
        levels.iter().try_fold(rows.contiguous()?, |rows, level| level.of(&rows))
    }
}

/// Rows that are added to one another, in as many rows as are left.
#[derive(Debug)]
struct Level {
    /// The first row of each sum, then the second of each, and so on; where there is none, the number behind the last row.
    ids: Tensor,
    of_each: usize,
}

impl Level {
    fn of(&self, rows: &Tensor) -> Result<Tensor> {
        let none = Tensor::zeros((1, rows.dims2()?.1), DType::F32, rows.device())?;
        let all = Tensor::cat(&[rows, &none], 0)?.index_select(&self.ids, 0)?;
        let left = self.ids.dims1()? / self.of_each;
        let part = |at: usize| all.narrow(0, at * left, left);
        (1..self.of_each).try_fold(part(0)?, |sum, at| sum + part(at)?)
    }
}

/// How the rows become sums by their numbers.
fn levels(list: &[u32], count: usize, device: &Device) -> Result<Vec<Level>> {
    let mut of_number = vec![Vec::new(); count];
    for (row, &number) in (0..).zip(list) {
        of_number[number as usize].push(row);
    }
    let mut rows = list.len() as u32;
    let mut levels = Vec::new();
    let mut push = |ids: Vec<u32>, of_each: usize| -> Result<()> {
        let count = ids.len();
        levels.push(Level { ids: Tensor::from_vec(ids, count, device)?, of_each });
        Ok(())
    };
    while of_number.iter().any(|rows: &Vec<u32>| rows.len() > 1) {
        let left: usize = of_number.iter().map(|rows| rows.len().div_ceil(AT_ONCE)).sum();
        let mut ids = vec![rows; left * AT_ONCE];
        let mut at = 0;
        for rows in &mut of_number {
            let first = at;
            for some in rows.chunks(AT_ONCE) {
                for (part, &row) in some.iter().enumerate() {
                    ids[part * left + at] = row;
                }
                at += 1;
            }
            *rows = (first as u32..at as u32).collect();
        }
        rows = left as u32;
        push(ids, AT_ONCE)?;
    }
    push(of_number.iter().map(|of| of.first().copied().unwrap_or(rows)).collect(), 1)?;
    Ok(levels)
}

/// What was made of rows, which come first. It is there already; this knows its gradient.
struct Computed {
    numbers: Numbers,
    is_sum: bool,
}

impl CustomOp2 for Computed {
    fn name(&self) -> &'static str {
        if self.is_sum { "sums of rows" } else { "chosen rows" }
    }

    fn cpu_fwd(
        &self,
        _rows: &CpuStorage,
        _rows_layout: &Layout,
        made: &CpuStorage,
        layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        Ok((made.try_clone(layout)?, layout.shape().clone()))
    }

    fn cuda_fwd(
        &self,
        _rows: &CudaStorage,
        _rows_layout: &Layout,
        made: &CudaStorage,
        layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        Ok((made.try_clone(layout)?, layout.shape().clone()))
    }

    fn bwd(
        &self,
        _rows: &Tensor,
        _made: &Tensor,
        _result: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let gradient = gradient.detach().contiguous()?;
        let of_rows = if self.is_sum {
            gradient.index_select(&self.numbers.0.ids, 0)?
        } else {
            self.numbers.sums(&gradient)?
        };
        Ok((Some(of_rows), None))
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Var;
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const COUNT: usize = 7;

    fn random_rows(count: usize, random: &mut ChaCha8Rng) -> Tensor {
        // Small whole numbers have exact sums in any order.
        let values: Vec<f32> = (0..count * 3).map(|_| f32::from(random.random_range(-9_i8..10))).collect();
        Tensor::from_vec(values, (count, 3), &Device::Cpu).expect("as many as there are places")
    }

    /// What `made` makes of rows, and the gradient by the rows of what it makes, times `factors`.
    fn with_gradient(
        rows: &Tensor,
        factors: &Tensor,
        made: impl Fn(&Tensor) -> Result<Tensor>,
    ) -> [Tensor; 2] {
        let rows = Var::from_tensor(rows).expect("a tensor");
        let made = made(rows.as_tensor()).expect("numbers that are there");
        let loss = made.mul(factors).and_then(|it| it.sum_all()).expect("one shape");
        let gradients = loss.backward().expect("it has a gradient");
        [made.detach(), gradients.get(rows.as_tensor()).expect("it depends on the rows").clone()]
    }

    #[test]
    fn trees_give_what_the_library_gives() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for length in [1, 2, 8, 9, 100, 700] {
            // Some numbers have many rows, some none.
            let list: Vec<u32> = (0..length).map(|_| random.random_range(0..3_u32).pow(2)).collect();
            let numbers = Numbers::new(list, COUNT, &Device::Cpu).expect("there is a processor");
            let (few, many) = (random_rows(COUNT, &mut random), random_rows(length, &mut random));
            let cases = [
                (
                    with_gradient(&few, &many, |it| numbers.choose(it)),
                    with_gradient(&few, &many, |it| numbers.tree_choose(it)),
                ),
                (
                    with_gradient(&many, &few, |it| numbers.sum(it)),
                    with_gradient(&many, &few, |it| numbers.tree_sum(it)),
                ),
            ];
            for (library, tree) in cases {
                for (library, tree) in library.iter().zip(&tree) {
                    let values = |it: &Tensor| it.to_vec2::<f32>().expect("rows");
                    assert_eq!(values(library), values(tree), "{length} numbers");
                }
            }
        }
    }
}
