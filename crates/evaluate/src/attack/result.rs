//! The result of an attack, and how it is written.

use std::io::{self, Write};

use serde::Serialize;

use super::options::{AttackOptions, Attacked};
use crate::SkippedRow;

/// Pairs that a result shows, the worst ones.
const MOST_PAIRS: usize = 20;

/// How far programs are from their originals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distance {
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
}

/// How strong one transformation is alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransformationStrength {
    pub name: &'static str,
    /// Programs to which it applies.
    pub applicable: u64,
    /// Mean distance of what it makes of these.
    pub distance: f64,
}

/// An original and the program that the detector finds least like it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackedPair {
    /// Line of the file, from 1.
    pub row: u64,
    pub lang: &'static str,
    pub similarity: f64,
    /// Names of the transformations in their order.
    pub steps: Vec<&'static str>,
    pub original: String,
    pub variant: String,
}

/// What an attack found; the schema `familiar.attack/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackResult {
    pub schema: &'static str,
    pub detector: String,
    pub set: &'static str,
    pub beam: usize,
    pub steps: usize,
    pub seed: u64,
    pub programs: u64,
    pub worst_case_distance: Distance,
    pub threshold: f64,
    /// Share of the programs of which a variant is below the threshold, from 0 to 1.
    pub below_threshold: f64,
    /// Mean of the largest distance after each round.
    pub by_step: Vec<f64>,
    pub by_transformation: Vec<TransformationStrength>,
    /// Candidates that the detector judged.
    pub tried: u64,
    /// The worst pairs, the worst first.
    pub pairs: Vec<AttackedPair>,
    pub skipped: Vec<SkippedRow>,
}

impl AttackResult {
    pub const SCHEMA: &'static str = "familiar.attack/1";

    pub(super) fn of(options: &AttackOptions, attacked: &[Attacked], skipped: Vec<SkippedRow>) -> Self {
        let count = attacked.len() as f64;
        let distances: Vec<f64> = attacked.iter().map(|it| 1.0 - it.attack.similarity).collect();
        let below = attacked.iter().filter(|it| it.attack.similarity < options.threshold).count();
        let mut worst: Vec<&Attacked> = attacked.iter().collect();
        worst.sort_by(|a, b| a.attack.similarity.total_cmp(&b.attack.similarity).then(a.row.cmp(&b.row)));
        Self {
            schema: Self::SCHEMA,
            detector: options.judge.name().to_owned(),
            set: options.set.name,
            beam: options.search.beam,
            steps: options.search.steps,
            seed: options.search.seed,
            programs: attacked.len() as u64,
            worst_case_distance: distance(&distances),
            threshold: options.threshold,
            below_threshold: below as f64 / count,
            by_step: by_step(attacked, options.search.steps),
            by_transformation: strengths(options, attacked),
            tried: attacked.iter().map(|it| it.attack.tried as u64).sum(),
            pairs: worst.into_iter().take(MOST_PAIRS).map(pair).collect(),
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
        let Distance { mean, sd } = self.worst_case_distance;
        writeln!(out, "detector              {}", self.detector)?;
        writeln!(out, "set                   {} (beam {}, {} steps)", self.set, self.beam, self.steps)?;
        writeln!(out, "programs              {}", self.programs)?;
        writeln!(out, "worst-case distance   {mean:.3} ± {sd:.3}")?;
        let share = self.below_threshold * 100.0;
        writeln!(out, "no longer recognized  {share:.1} % (similarity below {:.3})", self.threshold)?;
        let rounds: Vec<String> = self.by_step.iter().map(|it| format!("{it:.3}")).collect();
        writeln!(out, "distance by step      {}", rounds.join(" "))?;
        writeln!(out, "candidates            {}", self.tried)?;
        writeln!(out, "\n{:40} {:>10} {:>9}", "transformation alone", "applicable", "distance")?;
        for one in &self.by_transformation {
            writeln!(out, "{:40} {:>10} {:>9.3}", one.name, one.applicable, one.distance)?;
        }
        if let Some(worst) = self.pairs.first() {
            let steps =
                if worst.steps.is_empty() { "nothing applies".to_owned() } else { worst.steps.join(", ") };
            writeln!(out, "\nworst pair: row {}, similarity {:.3} ({steps})", worst.row, worst.similarity)?;
            writeln!(out, "\n{}\n--- becomes ---\n{}", worst.original.trim_end(), worst.variant.trim_end())?;
        }
        if !self.skipped.is_empty() {
            writeln!(
                out,
                "\n{} rows left out; the first: row {}: {}",
                self.skipped.len(),
                self.skipped[0].row,
                self.skipped[0].reason
            )?;
        }
        Ok(())
    }
}

fn distance(distances: &[f64]) -> Distance {
    let count = distances.len() as f64;
    let mean = distances.iter().sum::<f64>() / count;
    let variance = distances.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count;
    Distance { mean, sd: variance.sqrt() }
}

/// A search that ended early keeps its last distance.
fn by_step(attacked: &[Attacked], steps: usize) -> Vec<f64> {
    let after = |step: usize| {
        let of = |it: &Attacked| {
            1.0 - it.attack.by_step.get(step).or(it.attack.by_step.last()).copied().unwrap_or(1.0)
        };
        attacked.iter().map(of).sum::<f64>() / attacked.len() as f64
    };
    (0..steps).map(after).collect()
}

fn strengths(options: &AttackOptions, attacked: &[Attacked]) -> Vec<TransformationStrength> {
    let members = options.set.all_members().into_iter();
    let strength = |name: &'static str| {
        let alone = attacked.iter().flat_map(|it| &it.attack.alone).filter(|it| it.0 == name);
        let distances: Vec<f64> = alone.map(|it| 1.0 - it.1).collect();
        let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
        TransformationStrength { name, applicable: distances.len() as u64, distance: mean }
    };
    members.map(|it| strength(it.name())).collect()
}

fn pair(attacked: &Attacked) -> AttackedPair {
    AttackedPair {
        row: attacked.row,
        lang: attacked.language.name(),
        similarity: attacked.attack.similarity,
        steps: attacked.attack.steps.iter().map(|it| it.name).collect(),
        original: String::from_utf8_lossy(&attacked.code).into_owned(),
        variant: String::from_utf8_lossy(&attacked.attack.code).into_owned(),
    }
}
