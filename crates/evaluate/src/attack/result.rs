//! The result of an attack, and how it is written.

use std::io::{self, Write};

use familiar_engine::verify::Verified;
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
    /// What it makes of these, as far as it was run.
    pub tested: u64,
    /// How many of the tested ones are right.
    pub correct: u64,
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
    /// Of the vectors, for an encoder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// Names of the transformations in their order.
    pub steps: Vec<&'static str>,
    pub verified: Verified,
    pub original: String,
    pub variant: String,
}

/// What an attack found; the schema `familiar.attack/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackResult {
    pub schema: &'static str,
    pub detector: String,
    pub set: String,
    pub beam: usize,
    pub steps: usize,
    pub seed: u64,
    pub programs: u64,
    pub worst_case_distance: Distance,
    /// 1 − the cosine of the vectors, for the same programs: only of an encoder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_case_cosine_distance: Option<Distance>,
    pub threshold: f64,
    /// Share of the programs of which a variant is below the threshold, from 0 to 1.
    pub below_threshold: f64,
    /// Mean of the largest distance after each round.
    pub by_step: Vec<f64>,
    pub by_transformation: Vec<TransformationStrength>,
    /// Candidates that the detector judged.
    pub tried: u64,
    /// Worst programs that were run beside their originals, and how many of them are right.
    pub tested: u64,
    pub correct: u64,
    /// Why the attack ended before the last program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The worst pairs, the worst first.
    pub pairs: Vec<AttackedPair>,
    pub skipped: Vec<SkippedRow>,
}

impl AttackResult {
    pub const SCHEMA: &'static str = "familiar.attack/1";

    pub(super) fn of(
        options: &AttackOptions,
        attacked: &[Attacked],
        skipped: Vec<SkippedRow>,
        failure: Option<String>,
    ) -> Self {
        let count = attacked.len() as f64;
        let distances: Vec<f64> = attacked.iter().map(|it| 1.0 - it.attack.similarity).collect();
        let cosines: Vec<f64> = attacked.iter().filter_map(|it| Some(1.0 - it.cosine?)).collect();
        let tested = attacked.iter().map(|it| it.worst).filter(|it| was_run(*it));
        let below = attacked.iter().filter(|it| it.attack.similarity < options.threshold).count();
        let mut worst: Vec<&Attacked> = attacked.iter().collect();
        worst.sort_by(|a, b| a.attack.similarity.total_cmp(&b.attack.similarity).then(a.row.cmp(&b.row)));
        Self {
            schema: Self::SCHEMA,
            detector: options.detector.name().to_owned(),
            set: options.set.name().to_owned(),
            beam: options.search.beam,
            steps: options.search.steps,
            seed: options.search.seed,
            programs: attacked.len() as u64,
            worst_case_distance: Distance::of(&distances),
            worst_case_cosine_distance: (!cosines.is_empty()).then(|| Distance::of(&cosines)),
            threshold: options.threshold,
            below_threshold: below as f64 / count,
            by_step: by_step(attacked, options.search.steps),
            by_transformation: strengths(options, attacked),
            tried: attacked.iter().map(|it| it.attack.tried as u64).sum(),
            tested: tested.clone().count() as u64,
            correct: tested.filter(|it| it.holds()).count() as u64,
            failure,
            pairs: worst.into_iter().take(MOST_PAIRS).map(pair).collect(),
            skipped,
        }
    }

    /// Writes it as JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    fn write_strengths(&self, out: &mut dyn Write) -> io::Result<()> {
        let (run, name) = (self.by_transformation.iter().any(|it| it.tested > 0), "transformation alone");
        let columns = if run { format!(" {:>8} {:>8}", "tested", "right") } else { String::new() };
        writeln!(out, "\n{name:40} {:>10}{columns} {:>9}", "applicable", "distance")?;
        for one in &self.by_transformation {
            let columns = if run { format!(" {:>8} {:>8}", one.tested, one.correct) } else { String::new() };
            writeln!(out, "{:40} {:>10}{columns} {:>9.3}", one.name, one.applicable, one.distance)?;
        }
        Ok(())
    }

    /// Writes it for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Distance { mean, sd } = self.worst_case_distance;
        writeln!(out, "detector              {}", self.detector)?;
        writeln!(out, "set                   {} (beam {}, {} steps)", self.set, self.beam, self.steps)?;
        writeln!(out, "programs              {}", self.programs)?;
        writeln!(out, "worst-case distance   {mean:.3} ± {sd:.3}")?;
        if let Some(Distance { mean, sd }) = self.worst_case_cosine_distance {
            writeln!(out, "1 − cosine of these   {mean:.3} ± {sd:.3}")?;
        }
        let share = self.below_threshold * 100.0;
        writeln!(out, "no longer recognized  {share:.1} % (similarity below {:.3})", self.threshold)?;
        let rounds: Vec<String> = self.by_step.iter().map(|it| format!("{it:.3}")).collect();
        writeln!(out, "distance by step      {}", rounds.join(" "))?;
        writeln!(out, "candidates            {}", self.tried)?;
        if self.tested > 0 {
            writeln!(out, "worst ones that are right  {} of {} tested", self.correct, self.tested)?;
        }
        if let Some(failure) = &self.failure {
            writeln!(out, "it ended early        {failure}")?;
        }
        self.write_strengths(out)?;
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

impl Distance {
    /// Mean and standard deviation of some distances; both 0 of none.
    pub(crate) fn of(distances: &[f64]) -> Self {
        let count = distances.len().max(1) as f64;
        let mean = distances.iter().sum::<f64>() / count;
        let variance = distances.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count;
        Self { mean, sd: variance.sqrt() }
    }
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
    let members = options.set.all().into_iter();
    let strength = |name: &'static str| {
        let all = attacked.iter().flat_map(|it| it.attack.alone.iter().zip(&it.alone));
        let of_name: Vec<_> = all.filter(|(alone, _)| alone.name == name).collect();
        let sum: f64 = of_name.iter().map(|(alone, _)| 1.0 - alone.similarity).sum();
        let tested = of_name.iter().filter(|(_, verified)| was_run(**verified));
        TransformationStrength {
            name,
            applicable: of_name.len() as u64,
            tested: tested.clone().count() as u64,
            correct: tested.filter(|(_, verified)| verified.holds()).count() as u64,
            distance: if of_name.is_empty() { 0.0 } else { sum / of_name.len() as f64 },
        }
    };
    members.map(|it| strength(it.name())).collect()
}

fn was_run(verified: Verified) -> bool {
    !matches!(verified, Verified::NotRun | Verified::NoTests)
}

fn pair(attacked: &Attacked) -> AttackedPair {
    AttackedPair {
        row: attacked.row,
        lang: attacked.language.name(),
        similarity: attacked.attack.similarity,
        cosine: attacked.cosine,
        verified: attacked.worst,
        steps: attacked.attack.steps.iter().map(|it| it.name).collect(),
        original: String::from_utf8_lossy(&attacked.code).into_owned(),
        variant: String::from_utf8_lossy(&attacked.attack.code).into_owned(),
    }
}
