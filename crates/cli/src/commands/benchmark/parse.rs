//! `familiar benchmark parse`.

use std::path::PathBuf;

use familiar_dataset::{Project, parse};
use familiar_source::words::counted;

use super::said;
use crate::common::{Threads, Writing};
use crate::formats::TextOrJson;

/// Find the implementations in the replies.
///
/// Takes code in fences and in numbered lists, several implementations in one block, and helpers with those who use them. What
/// cannot be taken goes to dropped.jsonl with its cause. Nothing of a reply is run.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark parse clones2")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
    #[command(flatten)]
    threads: Threads,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let result = parse::run(&project, arguments.threads.number())?;
    said::say(&arguments.writing, &result, |out| {
        writeln!(
            out,
            "{} of {} expected ones, in {}",
            counted(result.candidates, "implementation"),
            result.expected,
            counted(result.replies, "reply")
        )?;
        said::listed(out, "dropped text", result.dropped.iter().map(|(cause, count)| (cause.name(), *count)))
    })
}
