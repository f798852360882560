//! `familiar codenet train`.

use std::path::PathBuf;

use anyhow::ensure;
use familiar_baselines::settings::{Label, Model, Settings, Size, Task};
use familiar_baselines::training::{self, Event, TrainingOptions};

use crate::commands::train::{say, share_the_processor};
use crate::common::{Quiet, Resources, choice};

/// Train a baseline on a benchmark: a model that is often used, to compare others with.
///
/// Reads train.jsonl and valid.jsonl in DATA, as `codenet benchmark` writes them, and writes the model into the folder --output. The
/// weights are those of the epoch that was best on the validation. The command can be stopped at any time. When it is started again,
/// it continues from its last checkpoint. `codenet evaluate` measures the model.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of a benchmark
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// bag, cnn, cnn-all, gcn, gcn-v, gin, gin-v, misim or transformer
    #[arg(long, value_name = "MODEL", value_parser = choice(Model::ALL), hide_possible_values = true)]
    model: Model,
    /// classification (which problem), similarity (whether two programs solve the same), retrieval (ranks), masked (which word is masked), regression (a number)
    #[arg(long, value_name = "TASK", value_parser = choice(Task::ALL), default_value = "classification", hide_possible_values = true)]
    task: Task,
    /// What is learnt of a program: problem, status (what the judge said), acceptance (whether it was accepted), next (whether the next
    /// one of the user was), cpu-time and memory (numbers for --task regression) [default: problem, or cpu-time]
    #[arg(long, value_name = "LABEL", value_parser = choice(Label::ALL), hide_possible_values = true)]
    label: Option<Label>,
    /// Train on at most N programs of each problem, drawn by --seed; those of a smaller N are among them
    #[arg(long, value_name = "N")]
    most_per_problem: Option<usize>,
    /// Train on N copies of each program, too: rewritten by `familiar transform`, so that they look different and do the same
    #[arg(long, value_name = "N")]
    rewritten: Option<usize>,
    /// small (minutes on two cores) or paper (layers of the published sizes)
    #[arg(long, value_name = "SIZE", value_parser = choice(Size::ALL), default_value = "small", hide_possible_values = true)]
    size: Size,
    /// Start with the weights of this model, which was trained on another task or on other data
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// The folder of the model
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// How often all programs are seen [default: by model, task and size]
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Programs or pairs of a step [default: by model and task]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// The highest learning rate [default: by model]
    #[arg(long, value_name = "X")]
    rate: Option<f64>,
    /// Decides the first weights, and the order of the programs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Measure on these data, too, after each epoch
    #[arg(long, value_name = "DATA")]
    watch: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet benchmark poj104.jsonl.zst --output poj
  familiar codenet train poj --model cnn --output poj-cnn
  familiar codenet evaluate poj-cnn poj
  familiar codenet train poj --model cnn --task similarity --from poj-cnn --output poj-siamese
  familiar codenet train java --model cnn-all --task regression --label memory --output java-memory
  familiar codenet train poj --model gin --task retrieval --watch other.jsonl --output poj-gin";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut settings = Settings::new(arguments.model, arguments.task, arguments.size)?;
    if let Some(label) = arguments.label {
        settings = settings.labelled(label)?;
    }
    settings.most_per_problem = arguments.most_per_problem;
    settings.rewritten = arguments.rewritten;
    settings.seed = arguments.seed;
    settings.epochs = arguments.epochs.unwrap_or(settings.epochs);
    settings.batch = arguments.batch.unwrap_or(settings.batch);
    settings.rate = arguments.rate.unwrap_or(settings.rate);
    ensure!(settings.epochs > 0, "--epochs 0: give one or more");
    ensure!(settings.most_per_problem != Some(0), "--most-per-problem 0: give one or more");
    ensure!(settings.rewritten != Some(0), "--rewritten 0: give one or more");
    ensure!(
        settings.rewritten.is_none() || settings.task != Task::Regression,
        "--rewritten: a copy takes other time and memory than its program; leave it out with --task regression"
    );
    ensure!(settings.batch > 1, "--batch {}: give two or more", settings.batch);
    ensure!(settings.rate > 0.0, "--rate {}: give a number above 0", settings.rate);
    crate::allocator::keep_all();
    share_the_processor()?;
    let options = TrainingOptions {
        data: arguments.data.clone(),
        watch: arguments.watch.clone(),
        settings,
        from: arguments.from.clone(),
        output: arguments.output.clone(),
        memory: arguments.resources.memory(),
        threads: arguments.resources.threads(),
    };
    let quiet = arguments.quiet.quiet;
    training::run(&options, &mut |event| {
        if !quiet {
            say(&said(event));
        }
    })?;
    Ok(())
}

fn said(event: &Event) -> String {
    match event {
        Event::Start { programs, problems, symbols, weights, taken, step, on } => {
            let taken = if *taken > 0 { format!(" ({taken} of them trained before)") } else { String::new() };
            format!(
                "{programs} programs of {problems} problems, {symbols} symbols, {weights} weights{taken}, from step {step}, on {on}"
            )
        }
        Event::Loss { step, steps, loss } => format!("step {step} of {steps}: loss {loss:.4}"),
        Event::Epoch(done) => {
            let watched = done.watched.map(|it| format!(", watched {it:.4}")).unwrap_or_default();
            let (epoch, loss, valid, seconds) = (done.epoch, done.loss, done.valid, done.seconds);
            format!("epoch {epoch}: loss {loss:.4}, validation {valid:.4}{watched}, {seconds:.0} s")
        }
    }
}
