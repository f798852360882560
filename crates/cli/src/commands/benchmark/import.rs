//! `familiar benchmark import`.

use std::path::PathBuf;

use familiar_dataset::{Project, import};
use familiar_source::words::counted;

use super::said;
use crate::common::Writing;
use crate::formats::TextOrJson;

/// Take replies that exist already, or pairs of seeds and implementations.
///
/// REPLIES is a file of JSON lines, plain or compressed. A row is a reply, with seed_id, seed, lang, target_lang, prompt and reply, or a
/// pair, with code1, code2, lang1 and lang2, of which the first side is the seed. Seeds that are not known are added.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark import clones2 replies.jsonl.zst")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// JSON lines
    #[arg(value_name = "REPLIES")]
    replies: PathBuf,
    /// Keep what was imported before
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let result = import::run(&project, &arguments.replies, arguments.add)?;
    said::say(&arguments.writing, &result, |out| {
        writeln!(out, "{}, {}", counted(result.replies, "reply"), counted(result.new_seeds, "new seed"))?;
        for (reason, count) in &result.skipped {
            writeln!(out, "{} skipped: {reason}", counted(*count, "row"))?;
        }
        Ok(())
    })
}
