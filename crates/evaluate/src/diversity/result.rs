//! The result of a measurement of diversity, the schema `familiar.diversity/1`, and how it is written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use familiar_source::words::counted;
use familiar_transform::catalog::Set;
use serde::Serialize;

use super::options::DiversityOptions;
use crate::attack::Distance;
use crate::{SkippedRow, skipped};

/// Distances are rounded somewhere on the way.
const ROUNDING: f64 = 1e-9;

/// How diverse some sets are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiversityResult {
    pub schema: &'static str,
    pub detector: String,
    /// Members of a composition.
    pub steps: usize,
    pub beam: usize,
    pub order: &'static str,
    pub seed: u64,
    pub programs: u64,
    pub sets: Vec<Diversity>,
    pub skipped: Vec<SkippedRow>,
}

/// How diverse one set is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diversity {
    pub set: &'static str,
    /// By the number of members; sizes that the set has not are missing.
    pub sizes: Vec<OfSize>,
    /// The largest distance of a program from what compositions make of it.
    pub strength: Distance,
    pub bound: BoundCheck,
    /// Rewritten programs that were made and compared.
    pub rewritten: u64,
}

/// A part of a set, over all programs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OfSize {
    pub size: usize,
    /// Of the programs that have one.
    pub diversity: Distance,
    pub diameter: Distance,
    /// The mean diameter without one member.
    pub diameter_without_one: Distance,
    /// Programs for which the part without a member makes different programs, so that they have a diversity.
    pub programs: u64,
}

/// How often Lemma 3.3 held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoundCheck {
    /// Programs for which it could be asked: those whose first parts all have a diversity.
    pub programs: u64,
    /// Those where the strength is at most the product of the diversities.
    pub held: u64,
    /// The product of the diversities of the first parts, as many as a composition has members.
    pub product: Distance,
}

/// What was found for one program.
pub(super) struct OfProgram {
    /// By size: the diameter, and the mean one without a member.
    pub(super) by_size: BTreeMap<usize, [f64; 2]>,
    /// How many first parts the bound asks for.
    pub(super) bound: usize,
    pub(super) strength: f64,
    pub(super) programs: usize,
}

impl OfProgram {
    fn diversity(&self, size: usize) -> Option<f64> {
        let [diameter, without] = *self.by_size.get(&size)?;
        (without > 0.0).then(|| diameter / without)
    }

    /// The product of the diversities of the first parts.
    fn product(&self) -> Option<f64> {
        (1..=self.bound).map(|size| self.diversity(size)).product()
    }
}

impl Diversity {
    pub(super) fn of(set: &Set, sizes: &[usize], programs: &[OfProgram]) -> Self {
        let products: Vec<(f64, f64)> =
            programs.iter().filter_map(|it| Some((it.product()?, it.strength))).collect();
        let held = products.iter().filter(|(product, strength)| *strength <= product + ROUNDING).count();
        let products: Vec<f64> = products.into_iter().map(|(product, _)| product).collect();
        let strengths: Vec<f64> = programs.iter().map(|it| it.strength).collect();
        Self {
            set: set.name,
            sizes: sizes.iter().filter_map(|&size| OfSize::of(size, programs)).collect(),
            strength: Distance::of(&strengths),
            bound: BoundCheck {
                programs: products.len() as u64,
                held: held as u64,
                product: Distance::of(&products),
            },
            rewritten: programs.iter().map(|it| it.programs as u64 - 1).sum(),
        }
    }
}

impl OfSize {
    /// `None` where no program has so many members.
    fn of(size: usize, programs: &[OfProgram]) -> Option<Self> {
        let found: Vec<[f64; 2]> = programs.iter().filter_map(|it| it.by_size.get(&size).copied()).collect();
        if found.is_empty() {
            return None;
        }
        let diversities: Vec<f64> = programs.iter().filter_map(|it| it.diversity(size)).collect();
        let [diameter, diameter_without_one] =
            [0, 1].map(|which| Distance::of(&found.iter().map(|it| it[which]).collect::<Vec<f64>>()));
        let (programs, diversity) = (diversities.len() as u64, Distance::of(&diversities));
        Some(Self { size, diversity, diameter, diameter_without_one, programs })
    }
}

impl DiversityResult {
    pub const SCHEMA: &'static str = "familiar.diversity/1";

    pub(super) fn of(
        options: &DiversityOptions,
        programs: usize,
        sets: Vec<Diversity>,
        skipped: Vec<SkippedRow>,
    ) -> Self {
        Self {
            schema: Self::SCHEMA,
            detector: options.detector.name().to_owned(),
            steps: options.steps,
            beam: options.beam,
            order: options.order.name(),
            seed: options.seed,
            programs: programs as u64,
            sets,
            skipped,
        }
    }

    /// Writes it as JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}, {}, {}, beam {}, order {}, seed {}",
            self.detector,
            counted(self.programs, "program"),
            counted(self.steps as u64, "step"),
            self.beam,
            self.order,
            self.seed
        )?;
        for set in &self.sets {
            writeln!(
                out,
                "\n{:<12} {:>15} {:>15} {:>15} {:>9}",
                set.set, "diversity", "diameter", "without one", "programs"
            )?;
            for part in &set.sizes {
                let [diversity, diameter, without] =
                    [part.diversity, part.diameter, part.diameter_without_one].map(written);
                writeln!(
                    out,
                    "{:<12} {diversity:>15} {diameter:>15} {without:>15} {:>9}",
                    part.size, part.programs
                )?;
            }
            let BoundCheck { programs, held, product } = set.bound;
            writeln!(
                out,
                "strength {}, bound {}: held for {held} of {}; {}",
                written(set.strength),
                written(product),
                counted(programs, "program"),
                counted(set.rewritten, "rewritten program")
            )?;
        }
        skipped::write(&self.skipped, out)
    }
}

fn written(Distance { mean, sd }: Distance) -> String {
    format!("{mean:.3} ± {sd:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(by_size: &[(usize, [f64; 2])], strength: f64) -> OfProgram {
        OfProgram { by_size: by_size.iter().copied().collect(), bound: 2, strength, programs: 9 }
    }

    #[test]
    fn diversity_is_the_diameter_over_the_mean_one_without_a_member() {
        let set = Set::named("orig-4").expect("it is in the catalogue");
        let programs = [
            // 0.5 · 1.5 is above the strength.
            program(&[(1, [0.5, 1.0]), (2, [0.6, 0.4])], 0.6),
            // 0.2 · 1 is not.
            program(&[(1, [0.2, 1.0]), (2, [0.3, 0.3])], 0.25),
            // Without a member nothing applies.
            program(&[(1, [0.0, 1.0]), (2, [0.0, 0.0])], 0.0),
        ];
        let result = Diversity::of(set, &[2, 4], &programs);
        let [two] = result.sizes[..] else { panic!("only size 2 was measured: {:?}", result.sizes) };
        assert_eq!((two.size, two.programs), (2, 2));
        assert!((two.diversity.mean - 1.25).abs() < 1e-12 && (two.diversity.sd - 0.25).abs() < 1e-12);
        assert!((two.diameter.mean - 0.3).abs() < 1e-12);
        assert_eq!((result.bound.programs, result.bound.held), (2, 1));
        assert!((result.bound.product.mean - 0.475).abs() < 1e-12);
        assert_eq!(result.rewritten, 24);
    }
}
