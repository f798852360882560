//! `familiar codenet problems`.

use std::path::{Path, PathBuf};

use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds};
use familiar_codenet::problems::{self, ProblemDecisions, ProblemsOptions};

use super::left_out::say_left_out;
use crate::common::Common;
use crate::formats::ProblemsFormat;
use crate::notes::Notes;

/// Find problems that are one and the same.
///
/// Two problems are identical if their statements say the same, or if they have many pairs of near-duplicates. DATA is what
/// `codenet duplicates` takes; statements stand in data sets only.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Data sets or tables with problem_id, which are compared together
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// So many pairs of near-duplicates make two problems identical
    #[arg(long, value_name = "N", default_value_t = ProblemsOptions::PAIRS)]
    pairs: u64,
    /// What people decided about pairs of problems: one joins two problems, different keeps them apart. The format html shows the
    /// line of each pair
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    #[command(flatten)]
    common: Common<ProblemsFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet problems set
  familiar codenet problems set --format html --output problems.html
  familiar codenet problems set --decisions decisions.jsonl
  familiar codenet problems poj104.jsonl.zst --format clusters";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let writing = &arguments.common.writing;
    let target = writing.target();
    target.check()?;
    let resources = arguments.common.resources;
    let options = ProblemsOptions {
        duplicates: DuplicatesOptions {
            data: arguments.data.clone(),
            thresholds: Thresholds::default(),
            only: Only::default(),
            strings: true,
            memory: resources.memory(),
            threads: resources.threads(),
        },
        pairs: arguments.pairs,
        decisions: decisions(arguments.decisions.as_deref())?,
        evidence: writing.format() == ProblemsFormat::Html,
    };
    let progress = arguments.common.bar();
    let found = problems::run(&options, &progress)?;
    progress.finish();
    let notes = Notes { quiet: writing.quiet() };
    say_left_out(&found.skipped, notes);
    target.write(|out| match writing.format() {
        ProblemsFormat::Text => found.write_text(out),
        ProblemsFormat::Json => found.write_json(out),
        ProblemsFormat::Csv => found.write_csv(out),
        ProblemsFormat::Clusters => found.write_clusters(out),
        ProblemsFormat::Svg => found.write_svg(out),
        ProblemsFormat::Html => found.write_html(out),
    })
}

/// What a file says that people decided; nothing where there is none.
pub(super) fn decisions(file: Option<&Path>) -> anyhow::Result<ProblemDecisions> {
    Ok(file.map(ProblemDecisions::read).transpose()?.unwrap_or_default())
}
