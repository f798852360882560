//! How good a model is on programs that it was not trained on.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use candle_core::Tensor;
use familiar_train::device;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::BaselineError;
use crate::benchmark::{self, Reading};
use crate::errors::Errors;
use crate::input::Program;
use crate::pool;
use crate::saved::Saved;
use crate::settings::{Label, Settings, Task};
use crate::step::Baseline;
use crate::task;

/// Programs whose answers are computed together.
const TOGETHER: usize = 256;
/// Pairs that are drawn to measure similarity.
const PAIRS: usize = 20_000;
/// Pairs of classes that are told at most.
const MOST_CONFUSED: usize = 10;
/// Seed of what is drawn for measuring.
const SEED: u64 = 0xE7A1;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// `familiar.codenet-evaluate/1`.
    pub schema: &'static str,
    /// Answers that were looked at: programs, pairs or masked words.
    pub answers: usize,
    pub programs: usize,
    pub problems: usize,
    /// Rows that could not be read, or are of problems that the model does not know.
    pub left_out: usize,
    /// Share of right answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Share of answers whose first five have the right one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_5: Option<f64>,
    /// Mean average precision at R (Musgrave et al. 2020, Section 3.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_at_r: Option<f64>,
    /// How far guessed numbers are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// The classes that are most often taken for each other, at most [`MOST_CONFUSED`] pairs. Two problems that are one stand first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confused: Vec<Confused>,
    /// The right class of each wrong answer, and the one that was told.
    #[serde(skip)]
    pub(crate) wrong: Vec<[u32; 2]>,
}

/// Two classes, and how many programs of either were taken for one of the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confused {
    pub classes: [String; 2],
    pub programs: usize,
}

impl Default for Measured {
    fn default() -> Self {
        Self {
            schema: "familiar.codenet-evaluate/1",
            answers: 0,
            programs: 0,
            problems: 0,
            left_out: 0,
            accuracy: None,
            top_5: None,
            map_at_r: None,
            errors: None,
            confused: Vec::new(),
            wrong: Vec::new(),
        }
    }
}

impl Measured {
    /// The task's main measure.
    pub fn main(&self) -> f64 {
        let of_numbers = self.errors.as_ref().map(|errors| errors.r2);
        self.map_at_r.or(self.accuracy).or(of_numbers).unwrap_or_default()
    }

    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} programs of {} problems", self.programs, self.problems)?;
        if self.left_out > 0 {
            writeln!(out, "{} rows were left out", self.left_out)?;
        }
        if let Some(accuracy) = self.accuracy {
            // Wilson would hardly differ: there are thousands of answers.
            let half = 1.96 * (accuracy * (1.0 - accuracy) / self.answers.max(1) as f64).sqrt();
            writeln!(
                out,
                "accuracy {:.2} % ± {:.2} of {} answers",
                100.0 * accuracy,
                100.0 * half,
                self.answers
            )?;
        }
        if let Some(top_5) = self.top_5 {
            writeln!(out, "the right answer is among the first five {:.2} % of the time", 100.0 * top_5)?;
        }
        if let Some(map_at_r) = self.map_at_r {
            writeln!(out, "MAP@R {map_at_r:.4}")?;
        }
        for Confused { classes: [one, other], programs } in &self.confused {
            writeln!(out, "{programs:5} wrong between {one} and {other}")?;
        }
        self.errors.as_ref().map_or(Ok(()), |errors| errors.write_text(out))
    }
}

/// Which model is measured on what.
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// The folder of the model.
    pub model: PathBuf,
    /// A table of programs with their problems.
    pub data: PathBuf,
    /// Bytes that programs may take.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// Measures a model on programs.
pub fn run(options: &MeasureOptions) -> Result<Measured, BaselineError> {
    pool(options.threads)?.install(|| measured(options))
}

fn measured(options: &MeasureOptions) -> Result<Measured, BaselineError> {
    let MeasureOptions { model: folder, data, memory, .. } = options;
    let saved = Saved::read(folder)?;
    let baseline = saved.trained(folder, &device::best()?)?;
    let problems = saved.problems();
    let known = (saved.settings.task == Task::Classification).then_some(&problems);
    let Settings { label, length, .. } = saved.settings;
    let reading = Reading { label, length, memory: *memory };
    let programs = benchmark::read(data, &saved.vocabulary(), reading, known)?;
    let measured = of(&baseline, &saved.settings, &programs.list)?;
    let confused = confused(&measured.wrong, saved.problems().names());
    Ok(Measured { left_out: programs.left_out, confused, ..measured })
}

/// Which classes are taken for each other, the most often first.
fn confused(wrong: &[[u32; 2]], names: &[String]) -> Vec<Confused> {
    let mut wrong: Vec<[u32; 2]> = wrong.to_vec();
    for classes in &mut wrong {
        classes.sort_unstable();
    }
    wrong.sort_unstable();
    let mut pairs: Vec<(usize, [u32; 2])> =
        wrong.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
    pairs.sort_by_key(|&(programs, _)| Reverse(programs));
    pairs.truncate(MOST_CONFUSED);
    let named = |(programs, classes): (usize, [u32; 2])| Confused {
        classes: classes.map(|class| names[class as usize].clone()),
        programs,
    };
    pairs.into_iter().map(named).collect()
}

/// Measures on these programs.
pub(crate) fn of(
    baseline: &Baseline,
    settings: &Settings,
    programs: &[Program],
) -> Result<Measured, BaselineError> {
    let task = settings.task;
    let mut problems: Vec<u32> = programs.iter().map(|program| program.problem).collect();
    problems.sort_unstable();
    problems.dedup();
    let measured = Measured { programs: programs.len(), problems: problems.len(), ..Measured::default() };
    let mut sorted: Vec<&Program> = programs.iter().collect();
    sorted.sort_by_key(|program| program.symbols.len());
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let is_scored = matches!(task, Task::Classification | Task::Masked);
    let too_few =
        || BaselineError::TooFew { what: "measuring", programs: programs.len(), problems: problems.len() };
    if programs.is_empty() {
        return Err(too_few());
    }
    if task == Task::Regression {
        let errors = Some(guessed(baseline, settings.label, &sorted)?);
        return Ok(Measured { answers: programs.len(), errors, ..measured });
    }
    if is_scored {
        let (mut first, mut five, mut all) = (0, 0, 0);
        let mut wrong = Vec::new();
        for programs in sorted.chunks(TOGETHER) {
            let batch = match task {
                Task::Masked => task::masked(programs.iter().copied(), |_| 1, &mut random),
                _ => task::whole(task, programs.to_vec()),
            };
            let scores = baseline.answers(&batch)?.to_vec2::<f32>()?;
            let (task::Targets::Problems(right) | task::Targets::Words { words: right, .. }) = batch.targets
            else {
                continue;
            };
            for (scores, right) in scores.iter().zip(right) {
                // How many are worse than the right one; where that is not a number, none is.
                let own = scores[right as usize];
                let worse = scores.iter().filter(|&&score| score < own).count();
                first += usize::from(worse + 1 == scores.len());
                if task == Task::Classification && worse + 1 < scores.len() {
                    let told = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
                    // Where scores are equal, or no numbers, nothing else is told.
                    wrong.extend(told.map(|told| [right, told as u32]).filter(|[right, told]| right != told));
                }
                five += usize::from(worse + 5 >= scores.len());
                all += 1;
            }
        }
        let share = |count: usize| Some(count as f64 / all as f64);
        let (accuracy, top_5) = (share(first), share(five));
        return Ok(Measured { answers: all, accuracy, top_5, wrong, ..measured });
    }
    if problems.len() < 2 || problems.len() == programs.len() {
        return Err(too_few());
    }
    if task == Task::Similarity {
        let pairs = task::pairs(programs, PAIRS, &mut random);
        let vectors = vectors(baseline, task, programs)?;
        let (mut right, mut all) = (0, 0);
        for pairs in pairs.chunks(TOGETHER) {
            let numbers = Tensor::from_slice(pairs.as_flattened(), 2 * pairs.len(), vectors.device())?;
            let scores = baseline.head.answers(&vectors.index_select(&numbers, 0)?)?.to_vec1::<f32>()?;
            let problem = |number: u32| programs[number as usize].problem;
            let is_right =
                |(pair, &score): (&[u32; 2], &f32)| (score > 0.0) == (problem(pair[0]) == problem(pair[1]));
            right += pairs.iter().zip(&scores).filter(|&it| is_right(it)).count();
            all += scores.len();
        }
        return Ok(Measured { answers: all, accuracy: Some(right as f64 / all as f64), ..measured });
    }
    let vectors: Vec<Tensor> = sorted
        .chunks(TOGETHER)
        .map(|programs| baseline.answers(&task::whole(task, programs.to_vec())))
        .collect::<candle_core::Result<_>>()?;
    let vectors = Tensor::cat(&vectors, 0)?;
    let dimensions = vectors.dims()[1];
    let groups: Vec<u32> = sorted.iter().map(|program| program.problem).collect();
    let values = vectors.flatten_all()?.to_vec1::<f32>()?;
    let map_at_r = familiar_train::measure::map_at_r(&values, dimensions, &groups, |_, _| true);
    Ok(Measured { answers: groups.len(), map_at_r: Some(map_at_r), ..measured })
}

/// The vectors of programs, in their order.
fn vectors(baseline: &Baseline, task: Task, programs: &[Program]) -> candle_core::Result<Tensor> {
    let mut sorted: Vec<(u32, &Program)> = (0..).zip(programs).collect();
    sorted.sort_by_key(|(_, program)| program.symbols.len());
    let of = |chunk: &[(u32, &Program)]| {
        baseline.vectors(&task::whole(task, chunk.iter().map(|(_, program)| *program).collect()))
    };
    let vectors = sorted.chunks(TOGETHER).map(of).collect::<candle_core::Result<Vec<_>>>()?;
    let mut places = vec![0_u32; sorted.len()];
    for (place, (number, _)) in (0..).zip(&sorted) {
        places[*number as usize] = place;
    }
    let places = Tensor::from_vec(places, sorted.len(), vectors[0].device())?;
    Tensor::cat(&vectors, 0)?.index_select(&places, 0)
}

/// How far the guessed numbers of programs are off.
fn guessed(baseline: &Baseline, label: Label, programs: &[&Program]) -> Result<Errors, BaselineError> {
    let mut guesses = Vec::with_capacity(programs.len());
    for programs in programs.chunks(TOGETHER) {
        let answers =
            baseline.answers(&task::whole(Task::Regression, programs.to_vec()))?.to_vec1::<f32>()?;
        let log = |answer: f32| baseline.head.scale().map_or(0.0, |scale| scale.log_of(answer));
        guesses.extend(answers.into_iter().map(log).zip(programs.iter().map(|program| program.number)));
    }
    Ok(Errors::of(label.unit(), &guesses))
}
