//! How much judges agree beyond chance.
//!
//! Intervals are of 95 %, by the jackknife over units (Fleiss and Davies 1982, "Jackknifing functions of multinomial frequencies"): what
//! the coefficient is without each unit says how much it varies. Units that were judged alike are one computation, so this is exact, takes
//! no random numbers, and costs as many computations as there are patterns.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::normal::Z95;

/// A coefficient of agreement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Pairs that count.
    pub units: u64,
    /// 1 where all agree, and 0 where they agree by chance alone.
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// What each judge says of a unit, by a number from 0. Judges who say nothing are left out.
pub type Unit = Vec<u8>;

/// Categories that a verdict may have; numbers beyond these count as the last one.
const CATEGORIES: usize = 8;

/// How often each pattern occurs.
type Patterns = BTreeMap<Unit, u64>;

/// Cohen's kappa (1960) of the first two judges of each unit. `None` where there are no two units, or all say the same.
pub fn cohen(units: &[Unit]) -> Option<Agreement> {
    jackknife(&patterns(units.iter().filter(|it| it.len() > 1).map(|it| it[..2].to_vec())), cohen_of)
}

/// Fleiss' kappa (1971). It needs the same number of judges for each unit: units with the most frequent number of judges count.
pub fn fleiss(units: &[Unit]) -> Option<Agreement> {
    let mut sizes: BTreeMap<usize, u64> = BTreeMap::new();
    for unit in units.iter().filter(|it| it.len() > 1) {
        *sizes.entry(unit.len()).or_default() += 1;
    }
    let size = sizes.iter().max_by_key(|(_, count)| **count).map(|(size, _)| *size)?;
    jackknife(&patterns(units.iter().filter(|it| it.len() == size).map(sorted)), fleiss_of)
}

/// Krippendorff's alpha (2011) for names without an order. Units with at least two judges count.
pub fn krippendorff(units: &[Unit]) -> Option<Agreement> {
    jackknife(&patterns(units.iter().filter(|it| it.len() > 1).map(sorted)), krippendorff_of)
}

fn sorted(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    unit.sort_unstable();
    unit
}

fn patterns(units: impl Iterator<Item = Unit>) -> Patterns {
    let mut patterns = Patterns::new();
    for mut unit in units {
        for it in &mut unit {
            *it = (*it).min(CATEGORIES as u8 - 1);
        }
        *patterns.entry(unit).or_default() += 1;
    }
    patterns
}

fn jackknife(patterns: &Patterns, of: fn(&Patterns) -> Option<f64>) -> Option<Agreement> {
    let units: u64 = patterns.values().sum();
    let n = units as f64;
    let value = of(patterns)?;
    if units < 2 {
        return None;
    }
    let mut left = patterns.clone();
    let mut pseudo: Vec<(f64, f64)> = Vec::new();
    for (unit, &count) in patterns {
        left.insert(unit.clone(), count - 1);
        // Without the only unit of its kind, all may say the same: then it agrees fully.
        let without = of(&left).unwrap_or(1.0);
        pseudo.push((n * value - (n - 1.0) * without, count as f64));
        left.insert(unit.clone(), count);
    }
    let mean = pseudo.iter().map(|(it, count)| it * count).sum::<f64>() / n;
    let variance =
        pseudo.iter().map(|(it, count)| count * (it - mean).powi(2)).sum::<f64>() / (n * (n - 1.0));
    let half = Z95 * variance.sqrt();
    Some(Agreement { units, value, low: (value - half).max(-1.0), high: (value + half).min(1.0) })
}

/// Agreement beyond chance; none where chance alone agrees always.
fn beyond(observed: f64, expected: f64) -> Option<f64> {
    (expected < 1.0 - 1e-12).then(|| (observed - expected) / (1.0 - expected))
}

fn cohen_of(patterns: &Patterns) -> Option<f64> {
    let n = patterns.values().sum::<u64>() as f64;
    let (mut one, mut other, mut same) = ([0.0; CATEGORIES], [0.0; CATEGORIES], 0.0);
    for (unit, &count) in patterns {
        let (a, b) = (usize::from(unit[0]), usize::from(unit[1]));
        one[a] += count as f64 / n;
        other[b] += count as f64 / n;
        same += if a == b { count as f64 / n } else { 0.0 };
    }
    beyond(same, one.iter().zip(&other).map(|(a, b)| a * b).sum()).filter(|_| n > 0.0)
}

/// How many judges put a unit into each category.
fn counts(unit: &Unit) -> [f64; CATEGORIES] {
    let mut counts = [0.0; CATEGORIES];
    for &category in unit {
        counts[usize::from(category)] += 1.0;
    }
    counts
}

fn fleiss_of(patterns: &Patterns) -> Option<f64> {
    let n = patterns.values().sum::<u64>() as f64;
    let (mut shares, mut observed) = ([0.0; CATEGORIES], 0.0);
    for (unit, &count) in patterns {
        let (counts, m) = (counts(unit), unit.len() as f64);
        for (share, count_of) in shares.iter_mut().zip(&counts) {
            *share += count_of * count as f64 / (n * m);
        }
        let agree: f64 = counts.iter().map(|it| it * (it - 1.0)).sum();
        observed += count as f64 * agree / (m * (m - 1.0)) / n;
    }
    beyond(observed, shares.iter().map(|it| it * it).sum()).filter(|_| n > 0.0)
}

fn krippendorff_of(patterns: &Patterns) -> Option<f64> {
    let (mut totals, mut agreeing) = ([0.0; CATEGORIES], 0.0);
    for (unit, &count) in patterns {
        let (counts, m) = (counts(unit), unit.len() as f64);
        for (total, count_of) in totals.iter_mut().zip(&counts) {
            *total += count_of * count as f64;
        }
        agreeing += count as f64 * counts.iter().map(|it| it * (it - 1.0)).sum::<f64>() / (m - 1.0);
    }
    let n: f64 = totals.iter().sum();
    let by_chance = totals.iter().map(|it| it * (it - 1.0)).sum::<f64>() / (n * (n - 1.0));
    beyond(agreeing / n, by_chance).filter(|_| n > 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: Option<Agreement>, value: f64) {
        let found = found.expect("there is a value");
        assert!((found.value - value).abs() < 6e-4, "{found:?}");
        assert!(found.low < found.value && found.value < found.high, "{found:?}");
    }

    /// Units of a table: how often the first judge says the row and the second one the column.
    fn table(rows: &[&[usize]]) -> Vec<Unit> {
        let mut units = Vec::new();
        for (one, row) in rows.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                units.extend(std::iter::repeat_n(vec![one as u8, other as u8], count));
            }
        }
        units
    }

    #[test]
    fn cohens_table() {
        // Cohen 1960: of 100, 70 agree, and 41 would by chance, so kappa = 0.29 / 0.59.
        near(cohen(&table(&[&[44, 7, 9], &[5, 20, 5], &[1, 3, 6]])), 0.4915);
        // 35 of 50 agree, and 25 would by chance.
        near(cohen(&table(&[&[20, 5], &[10, 15]])), 0.4);
    }

    #[test]
    fn fleiss_fourteen_judges() {
        // Ten subjects, fourteen judges and five categories: the agreement is 0.378, that by chance 0.213.
        let rows: [[usize; 5]; 10] = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let unit = |row: &[usize; 5]| -> Unit {
            row.iter().enumerate().flat_map(|(at, &count)| std::iter::repeat_n(at as u8, count)).collect()
        };
        near(fleiss(&rows.iter().map(unit).collect::<Vec<_>>()), 0.2099);
    }

    #[test]
    fn krippendorffs_examples() {
        // Krippendorff 2011, example B: two judges, five names.
        let units: Vec<Unit> = "abaabbbbdbcccccceeddddad"
            .as_bytes()
            .chunks(2)
            .map(|it| vec![it[0] - b'a', it[1] - b'a'])
            .collect();
        near(krippendorff(&units), 0.692);
        // Example C: four judges, twelve units, and some who say nothing.
        let judges = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        let rows: Vec<Vec<u8>> = judges.iter().map(|it| it.bytes().collect()).collect();
        let said =
            |at: usize| rows.iter().map(|row| row[at]).filter(|it| *it != b'.').map(|it| it - b'0').collect();
        near(krippendorff(&(0..12).map(said).collect::<Vec<Unit>>()), 0.743);
    }

    #[test]
    fn where_all_say_the_same_nothing_is_known() {
        assert_eq!(cohen(&vec![vec![0, 0]; 9]), None);
        assert_eq!(fleiss(&[]), None);
        assert_eq!(krippendorff(&[vec![1]]), None);
    }

    proptest! {
        #[test]
        fn agreement_is_in_range_and_full_where_all_agree(
            units in prop::collection::vec(prop::collection::vec(0u8..3, 2..5), 2..60)
        ) {
            for found in [cohen(&units), fleiss(&units), krippendorff(&units)].into_iter().flatten() {
                prop_assert!((-1.0..=1.0 + 1e-9).contains(&found.value), "{:?}", found);
                prop_assert!(found.low <= found.value && found.value <= found.high + 1e-9);
            }
            let agreed: Vec<Unit> = units.iter().map(|it| vec![it[0]; it.len()]).collect();
            for found in [cohen(&agreed), fleiss(&agreed), krippendorff(&agreed)].into_iter().flatten() {
                prop_assert!((found.value - 1.0).abs() < 1e-9);
            }
        }
    }
}
