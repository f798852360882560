//! `familiar codenet stats`.

use std::path::PathBuf;

use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds};
use familiar_codenet::stats;

use super::left_out::say_left_out;
use crate::common::Common;
use crate::formats::StatsFormat;
use crate::notes::Notes;

/// Say what a data set holds: languages, statuses, problems, users, sizes.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "Examples:\n  familiar codenet stats set\n  familiar codenet stats set --duplicates --format html --output set.html"
)]
pub(super) struct Arguments {
    /// A data set of `codenet import`, or a folder in the layout of Project CodeNet
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// Count near-duplicates too, which reads all texts
    #[arg(long)]
    duplicates: bool,
    #[command(flatten)]
    common: Common<StatsFormat>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let writing = &arguments.common.writing;
    let target = writing.target();
    target.check()?;
    let resources = arguments.common.resources;
    let duplicates = arguments.duplicates.then(|| DuplicatesOptions {
        data: vec![arguments.set.clone()],
        thresholds: Thresholds::default(),
        only: Only::default(),
        strings: true,
        memory: resources.memory(),
        threads: resources.threads(),
    });
    let progress = arguments.common.bar();
    let stats = stats::run(&arguments.set, duplicates.as_ref(), &progress)?;
    progress.finish();
    say_left_out(&stats.skipped, Notes { quiet: writing.quiet() });
    target.write(|out| match writing.format() {
        StatsFormat::Text => stats.write_text(out),
        StatsFormat::Json => stats.write_json(out),
        StatsFormat::Html => stats.write_html(out),
    })
}
