//! From the first step to the last.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use familiar_codenet::benchmark::Split;
use familiar_train::device;
use familiar_train::optimizer::AdamW;
use familiar_train::recipe::Rewriting;
use familiar_train::rewriting::Rewriter;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::BaselineError;
use crate::benchmark::{self, Copies, Made, Programs, Reading};
use crate::few;
use crate::input::Program;
use crate::measure;
use crate::pool;
use crate::saved::{self, Epoch, Saved};
use crate::scale::Scale;
use crate::settings::{Settings, Task};
use crate::start::Start;
use crate::step::Baseline;
use crate::task;

/// Share of all steps in which the rate rises.
const WARM_UP: f64 = 0.05;
const DECAY: f64 = 0.01;
/// Gradients that are longer are made so long.
const CLIP: f64 = 1.0;
/// Steps after which the state is kept, besides the end of each epoch.
const CHECKPOINT: usize = 500;
/// Most transformations that make a copy.
const STEPS: usize = 3;
/// Most programs that are validated on at the end of an epoch.
const VALIDATED: usize = 4000;

/// What is trained on what.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// The folder of a benchmark, with `train.jsonl` and `valid.jsonl`.
    pub data: PathBuf,
    /// Data on which each epoch is measured besides: a table, a set, or the folder of a benchmark, of which the test is taken.
    pub watch: Option<PathBuf>,
    pub settings: Settings,
    /// The folder of a model whose weights are the first ones, as far as both have them.
    pub from: Option<PathBuf>,
    /// The folder of the model.
    pub output: PathBuf,
    /// Bytes that programs may take.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Start {
        programs: usize,
        problems: usize,
        symbols: usize,
        weights: usize,
        /// So many of the weights are those of the model that training starts from.
        taken: usize,
        step: usize,
        /// The processor or a GPU.
        on: &'static str,
    },
    /// The mean loss of the epoch so far.
    Loss {
        step: usize,
        steps: usize,
        loss: f64,
    },
    Epoch(Epoch),
}

/// Trains, and goes on where training was stopped.
pub fn run(options: &TrainingOptions, tell: &mut (dyn FnMut(&Event) + Send)) -> Result<Saved, BaselineError> {
    pool(options.threads)?.install(|| Training::begin(options, tell)?.train(tell))
}

struct Training<'o> {
    options: &'o TrainingOptions,
    settings: Settings,
    training: Programs,
    validation: Programs,
    watched: Option<Programs>,
    baseline: Baseline,
    optimizer: AdamW,
    saved: Saved,
}

impl<'o> Training<'o> {
    fn begin(options: &'o TrainingOptions, tell: &mut dyn FnMut(&Event)) -> Result<Self, BaselineError> {
        let device = device::best()?;
        let mut settings = options.settings.clone();
        let start = options.from.as_deref().map(|folder| Start::open(folder, &device)).transpose()?;
        if let Some(start) = &start {
            start.fit(&mut settings)?;
        }
        let settings = settings;
        let reading = Reading { label: settings.label, length: settings.length, memory: options.memory };
        let (train, valid) = (part(&options.data, Split::Train)?, part(&options.data, Split::Valid)?);
        let only = settings
            .most_per_problem
            .map(|most| few::rows(&train, most, settings.seed, options.memory))
            .transpose()?;
        let known = start.as_ref().map(Start::vocabulary);
        let rewriting = settings.rewritten.map(rewriting);
        let rewriter = rewriting.as_ref().map(Rewriter::new).transpose()?;
        let copies = rewriter.as_ref().map(|rewriter| Copies { rewriter, seed: settings.seed << 32 });
        let made = Made { only: only.as_ref(), copies };
        let (training, vocabulary, problems) =
            benchmark::read_first(&train, settings.view, known, reading, made)?;
        let scale = enough(&settings, &training.list, problems.len(), &train)?;
        let known = (settings.task == Task::Classification).then_some(&problems);
        let read = |path: &Path| benchmark::read(path, &vocabulary, reading, known);
        let mut validation = read(&valid)?;
        if validation.list.is_empty() {
            return Err(BaselineError::TooFew { what: "validation", programs: 0, problems: 0 });
        }
        validation.list = spread(validation.list);
        let watched = options.watch.as_deref().map(|data| read(&benchmark::file_of(data, Split::Test)));
        let watched = watched.transpose()?;
        let baseline = saved::untrained(&settings, vocabulary.len(), problems.len(), scale, &device)?;
        let taken = start.map_or(Ok(0), |start| start.give(&baseline))?;
        let weights = baseline.weights.count();
        let (trained_on, validated_on) = (training.list.len(), validation.list.len());
        let mut saved = Saved::new(&settings, &vocabulary, &problems, trained_on, validated_on, weights);
        saved.scale = scale;
        let output = &options.output;
        fs::create_dir_all(output).map_err(|source| BaselineError::Write { path: output.clone(), source })?;
        let mut optimizer = AdamW::default();
        if saved.resume(output)? {
            optimizer.load(
                &saved::checkpoint(output),
                &baseline.weights.by_name,
                &baseline.weights.device,
            )?;
        }
        saved.write(output)?;
        tell(&Event::Start {
            programs: trained_on,
            problems: problems.len(),
            symbols: vocabulary.len(),
            weights,
            taken,
            step: optimizer.step,
            on: device::name(&device),
        });
        Ok(Self { options, settings, training, validation, watched, baseline, optimizer, saved })
    }

    fn train(mut self, tell: &mut dyn FnMut(&Event)) -> Result<Saved, BaselineError> {
        let (settings, output) = (&self.settings, &self.options.output);
        let programs = &self.training.list;
        let mut first = 0;
        for epoch in 0..settings.epochs {
            let batches = task::epoch(settings, programs, epoch);
            let steps = settings.epochs * batches.len();
            let next = first + batches.len();
            let started = Instant::now();
            let (mut sum, mut seen) = (0.0, 0);
            let reached = self.optimizer.step;
            for (step, batch) in (first..).zip(&batches).skip_while(|(step, _)| *step < reached) {
                // Each step draws from a stream of its own, so that training goes on as if it had not stopped.
                let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
                random.set_stream(u64::MAX - step as u64);
                let batch = task::shown(settings, programs, batch, &mut random);
                let seed = settings.seed.wrapping_mul(0x9E37_79B9).wrapping_add(step as u64);
                let (loss, gradients) = self.baseline.gradients(&batch, seed)?;
                if !loss.is_finite() {
                    return Err(BaselineError::NotANumber { step, loss });
                }
                let rate = settings.rate * schedule(step, steps);
                self.optimizer.step(&self.baseline.weights.by_name, &gradients, rate, DECAY, CLIP)?;
                (sum, seen) = (sum + loss, seen + 1);
                if self.optimizer.step.is_multiple_of(CHECKPOINT) {
                    self.optimizer.save(&saved::checkpoint(output), &self.baseline.weights.by_name)?;
                    tell(&Event::Loss { step: self.optimizer.step, steps, loss: sum / f64::from(seen) });
                }
            }
            first = next;
            if self.saved.epochs.len() > epoch {
                continue;
            }
            let valid = measure::of(&self.baseline, settings, &self.validation.list)?.main();
            let watched = self
                .watched
                .as_ref()
                .map(|programs| measure::of(&self.baseline, settings, &programs.list))
                .transpose()?
                .map(|measured| measured.main());
            let loss = sum / f64::from(seen.max(1));
            let seconds = started.elapsed().as_secs_f64();
            let is_best = self.saved.best().is_none_or(|best| valid > best.valid);
            let done = Epoch { epoch: epoch + 1, loss, valid, watched, seconds };
            if is_best {
                saved::write_weights(&self.baseline, output)?;
            }
            self.optimizer.save(&saved::checkpoint(output), &self.baseline.weights.by_name)?;
            self.saved.epochs.push(done.clone());
            self.saved.write(output)?;
            tell(&Event::Epoch(done));
        }
        Ok(self.saved)
    }
}

/// How copies of programs are made: of all transformations, a few one after the other.
fn rewriting(copies: usize) -> Rewriting {
    Rewriting { with: vec!["orig-20".to_owned(), "new-20".to_owned()], share: 1.0, steps: STEPS, copies }
}

/// How the numbers of the programs are learnt, where the task is that; an error where there are too few programs to learn from.
fn enough(
    settings: &Settings,
    programs: &[Program],
    problems: usize,
    path: &Path,
) -> Result<Option<Scale>, BaselineError> {
    if settings.task == Task::Regression {
        let scale = Scale::of(programs.iter().map(|program| program.number));
        let missing = || BaselineError::NoNumbers {
            path: path.to_owned(),
            programs: programs.len(),
            what: settings.label.column(),
        };
        return scale.ok_or_else(missing).map(Some);
    }
    // Pairs are of two programs of one problem.
    let of_each = if matches!(settings.task, Task::Similarity | Task::Retrieval) { 2 } else { 1 };
    if problems < 2 || programs.len() < of_each * problems {
        return Err(BaselineError::TooFew { what: "training", programs: programs.len(), problems });
    }
    Ok(None)
}

/// The file of a split. A table alone will not do: it would be validated on what it is trained on.
fn part(folder: &Path, split: Split) -> Result<PathBuf, BaselineError> {
    let path = folder.join(split.file());
    let missing = || BaselineError::NoBenchmark { folder: folder.to_owned(), file: split.file() };
    if path.is_file() { Ok(path) } else { Err(missing()) }
}

/// At most [`VALIDATED`] programs, from all over the list.
fn spread(programs: Vec<Program>) -> Vec<Program> {
    let each = programs.len().div_ceil(VALIDATED).max(1);
    programs.into_iter().step_by(each).collect()
}

/// The share of the highest rate: it rises at first, and falls along a cosine.
fn schedule(step: usize, steps: usize) -> f64 {
    let (step, steps) = (step as f64, steps as f64);
    let warm_up = (WARM_UP * steps).max(1.0);
    if step < warm_up {
        return (step + 1.0) / (warm_up + 1.0);
    }
    let done = (step - warm_up) / (steps - warm_up).max(1.0);
    0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()).max(0.02)
}
