//! `familiar benchmark inject`.

use std::path::PathBuf;

use familiar_dataset::Project;
use familiar_dataset::inject::{self, InjectOptions};
use familiar_source::words::counted;

use crate::common::{Quiet, Resources, Watching};
use crate::notes::Notes;
use crate::values;

/// Put both sides of the pairs into the files of a system, to run detectors on something real.
///
/// A side stands in the body of a class, or between the functions of a file. Every file still parses afterwards, and no file has both
/// sides of a pair. injected.jsonl in the folder says where everything is, and to which part (train, valid, test) each pair belongs.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// The system: a folder, which stays as it is
    #[arg(value_name = "SYSTEM")]
    system: PathBuf,
    /// The folder of the system with the pairs; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// So many pairs [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    pairs: Option<usize>,
    /// So many functions are put in twice as they are: a detector has to find all of them
    #[arg(long, value_name = "N", default_value_t = 0)]
    controls: usize,
    /// A command that compiles the system, run by the shell in the folder with the pairs; it should only compile. Pairs in which it finds an error are taken
    /// out, until it succeeds
    #[arg(long, value_name = "CMD")]
    compile: Option<String>,
    /// Decides what is put where
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark inject clones2 django --pairs 500 --controls 50 --output django-clones2
  familiar benchmark inject clones2 lang --output lang-clones2 \\
    --compile 'javac -proc:none -d /tmp/classes $(find src/main -name \"*.java\")'
  familiar clones django-clones2";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let options = InjectOptions {
        host: arguments.system.clone(),
        output: arguments.output.clone(),
        pairs: arguments.pairs.unwrap_or(0),
        controls: arguments.controls,
        compile: arguments.compile.clone(),
        seed: arguments.seed,
        threads: arguments.resources.threads(),
    };
    let bar = arguments.watching.bar(arguments.quiet.quiet);
    let result = inject::run(&project, &options, &bar)?;
    bar.finish();
    let notes = Notes { quiet: arguments.quiet.quiet };
    notes.say(&format!(
        "{} and {} in {} of {}",
        counted(result.pairs, "pair"),
        counted(result.controls, "control"),
        result.changed,
        counted(result.files, "file")
    ));
    for (kind, count) in &result.left_out {
        notes.warn(&format!(
            "{} left out ({}): a side fits into no file that was tried",
            counted(*count, "pair"),
            kind.name()
        ));
    }
    for (put, asked, what) in [
        (result.pairs, options.pairs as u64, "pairs"),
        (result.controls, options.controls as u64, "controls"),
    ] {
        if put < asked {
            notes.warn(&format!("{asked} {what} were asked for, and {put} are there"));
        }
    }
    for (reason, count) in &result.unfit {
        notes.say(&format!("{} left out: {reason}", counted(*count, "pair")));
    }
    if let Some((id, said)) = result.not_compiling.iter().next() {
        notes.warn(&format!(
            "{} taken out: they do not compile in this system ({id}: {said})",
            counted(result.not_compiling.len() as u64, "pair")
        ));
    }
    for skip in &result.skipped {
        notes.warn(&format!("not copied: {skip}"));
    }
    Ok(())
}
