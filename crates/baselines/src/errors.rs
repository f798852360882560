//! How far guessed numbers are from the right ones.

use std::io::{self, Write};

use serde::Serialize;

use crate::scale::log;

/// How far guesses are off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// `ms` or `kB`.
    pub unit: &'static str,
    /// Root of the mean squared error, in the unit.
    pub rmse: f64,
    /// Mean error without its sign, in the unit.
    pub mae: f64,
    /// The same of ln(1 + x).
    pub rmse_log: f64,
    pub mae_log: f64,
    /// Share of the variance of ln(1 + x) that is explained: 0 for whoever always guesses the mean, below it for whoever is worse.
    pub r2: f64,
    /// Whether what is larger is guessed to be larger: Spearman's correlation of ranks.
    pub spearman: f64,
}

impl Errors {
    /// Of the logarithms that were guessed, and the right numbers.
    pub(crate) fn of(unit: &'static str, guesses: &[(f64, u64)]) -> Self {
        let count = guesses.len().max(1) as f64;
        let mean = |of: &dyn Fn(&(f64, u64)) -> f64| guesses.iter().map(of).sum::<f64>() / count;
        let off = |&(guess, right): &(f64, u64)| guess.exp_m1().max(0.0) - right as f64;
        let off_log = |&(guess, right): &(f64, u64)| guess - log(right);
        let middle = mean(&|it| log(it.1));
        let variance = mean(&|it| (log(it.1) - middle).powi(2));
        let squared = mean(&|it| off_log(it).powi(2));
        let ranks = |of: &dyn Fn(&(f64, u64)) -> f64| ranks(&guesses.iter().map(of).collect::<Vec<_>>());
        Self {
            unit,
            rmse: mean(&|it| off(it).powi(2)).sqrt(),
            mae: mean(&|it| off(it).abs()),
            rmse_log: squared.sqrt(),
            mae_log: mean(&|it| off_log(it).abs()),
            r2: if variance > 0.0 { 1.0 - squared / variance } else { 0.0 },
            spearman: correlation(&ranks(&|it| it.0), &ranks(&|it| it.1 as f64)),
        }
    }

    pub(crate) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { unit, rmse, mae, rmse_log, mae_log, r2, spearman } = self;
        writeln!(out, "RMSE {rmse:.1} {unit}, MAE {mae:.1} {unit}")?;
        writeln!(out, "of ln(1 + x): RMSE {rmse_log:.4}, MAE {mae_log:.4}, R² {r2:.4}")?;
        writeln!(out, "Spearman {spearman:.4}")
    }
}

/// The place of each value in their order; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &two| values[one].total_cmp(&values[two]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for equal in order.chunk_by(|&one, &two| values[one].total_cmp(&values[two]).is_eq()) {
        let rank = start as f64 + (equal.len() - 1) as f64 / 2.0;
        for &at in equal {
            ranks[at] = rank;
        }
        start += equal.len();
    }
    ranks
}

/// Pearson's correlation; 0 where one side is always the same.
fn correlation(one: &[f64], two: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_one, mean_two) = (mean(one), mean(two));
    let of = |of: &dyn Fn(f64, f64) -> f64| {
        one.iter().zip(two).map(|(one, two)| of(one - mean_one, two - mean_two)).sum::<f64>()
    };
    let spread = (of(&|one, _| one * one) * of(&|_, two| two * two)).sqrt();
    if spread > 0.0 { (of(&|one, two| one * two) / spread).clamp(-1.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, two: f64) {
        assert!((one - two).abs() < 1e-6, "{one} is not {two}");
    }

    #[test]
    fn right_guesses_have_no_error() {
        let errors = Errors::of("ms", &[0, 10, 200].map(|it| (log(it), it)));
        near(errors.rmse, 0.0);
        near(errors.r2, 1.0);
        near(errors.spearman, 1.0);
    }

    #[test]
    fn errors_are_as_defined() {
        // Guesses of 1, 3 and 7 where 3, 3 and 15 are right.
        let errors = Errors::of("kB", &[(1, 3), (3, 3), (7, 15)].map(|(guess, right)| (log(guess), right)));
        near(errors.mae, 10.0 / 3.0);
        near(errors.rmse, (68.0_f64 / 3.0).sqrt());
        let two = std::f64::consts::LN_2;
        near(errors.mae_log, 2.0 * two / 3.0);
        near(errors.rmse_log, two * (2.0_f64 / 3.0).sqrt());
        // The logarithms of 4, 4 and 16 have the variance 8/9 ln² 2.
        near(errors.r2, 1.0 - (2.0 / 3.0) / (8.0 / 9.0));
        // Ranks 0, 1, 2 and ½, ½, 2.
        near(errors.spearman, 0.75_f64.sqrt());
        near(Errors::of("ms", &[(1.0, 5), (2.0, 5)]).spearman, 0.0);
    }
}
