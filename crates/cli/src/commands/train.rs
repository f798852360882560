//! `familiar train`: makes the weights of the built-in encoder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use familiar_train::recipe::Recipe;
use familiar_train::run::{self, Event, Folders};

/// Train the weights of an encoder, by a recipe.
///
/// Reads labeled data and packages, and writes weights.bin, which `--encoder weights:FILE` takes. The command can be stopped at any time.
/// When it is started again, it continues from its last checkpoint.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The recipe (crates/train/recipes has the recipes of the program's own weights)
    #[arg(value_name = "RECIPE")]
    recipe: PathBuf,
    /// Folder with the labeled data that the recipe names
    #[arg(long, value_name = "DIR", required_unless_present = "examples")]
    data: Option<PathBuf>,
    /// Folder with the packages that the recipe names (benches/trees.py fetches them)
    #[arg(long, value_name = "DIR", required_unless_present = "examples")]
    packages: Option<PathBuf>,
    /// File with the examples of --data and --packages (JSON lines, zstd). If it does not exist, it is written. If it exists, the
    /// examples are read from it, and --data and --packages are not needed. Recipes with the same sources, the same files apart and
    /// the same context can share it
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Folder for checkpoints and weights
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  familiar train crates/train/recipes/builtin.toml --data clones --packages trees --output run1
  familiar train my-recipe.toml --data clones --packages trees --examples examples.jsonl.zst --output run2
  familiar evaluate retrieval clones/poj104.jsonl.zst --where split=valid --encoder weights:run1/weights.bin";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    crate::allocator::keep_all();
    share_the_processor()?;
    let recipe = Recipe::read(&arguments.recipe)?;
    let folders = Folders {
        data: arguments.data.clone(),
        packages: arguments.packages.clone(),
        examples: arguments.examples.clone(),
        out: arguments.output.clone(),
    };
    let started = Instant::now();
    run::run(&recipe, &folders, &mut |event| {
        say(&format!("{:6.0} s  {}", started.elapsed().as_secs_f64(), said(&event)));
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Parts of a batch are computed side by side, each on one thread: threads of the arithmetic's own would wait for one another half of
/// the time.
pub(super) fn share_the_processor() -> anyhow::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    // SAFETY: no other thread of this command reads or writes the environment; the arithmetic reads it at its first product.
    unsafe { std::env::set_var("RAYON_NUM_THREADS", "1") };
    Ok(())
}

/// A line of progress.
#[expect(clippy::print_stderr, reason = "progress goes to stderr")]
pub(super) fn say(line: &str) {
    eprintln!("{line}");
}

fn said(event: &Event) -> String {
    match event {
        Event::Source { name, training, held_out } => {
            format!("{name}: {training} groups to train on, {held_out} kept apart")
        }
        Event::Data { examples, overlaps, tokens } => format!(
            "{examples} examples of {tokens:.0} tokens; {overlaps} left out, as they are also among those kept apart"
        ),
        Event::Start { step, weights, on } => {
            format!("{:.2} million weights, from step {step}, on {on}", *weights as f64 / 1e6)
        }
        Event::BagLoss { kind, step, loss } => format!("{kind:?}, step {step}: loss {loss:.4}"),
        Event::BagMapAtR { kind, name, across, map_at_r } => {
            let across = if *across { " across languages" } else { "" };
            format!("{kind:?}: MAP@R {map_at_r:.4} of {name}{across}")
        }
        Event::Loss { step, loss } => format!("step {step}: loss {loss:.4}"),
        Event::MapAtR { step, name, blind, across, map_at_r } => {
            let names = if *blind { "without names" } else { "with names" };
            let across = if *across { ", across languages" } else { "" };
            format!("step {step}: MAP@R {map_at_r:.4} of {name} {names}{across}")
        }
    }
}
