//! `familiar codenet duplicates`.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use familiar_codenet::duplicates::{
    self, ClusterRule, Duplicates, DuplicatesOptions, KeptError, Only, Thresholds,
};
use familiar_source::words::counted;

use familiar_engine::Progress;

use super::left_out::say_left_out;
use crate::common::Common;
use crate::formats::DuplicatesFormat;
use crate::notes::Notes;
use crate::output;

/// Find samples whose tokens are nearly the same.
///
/// DATA is a data set of `codenet import`, a folder in the layout of Project CodeNet, or a table with code, lang and id: JSON lines
/// (plain or compressed), CSV or Parquet. Two samples are near-duplicates if the Jaccard index of their token sets and that of their
/// multisets both reach a threshold. Comments and the preprocessor's directives do not count. Every such pair is found.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Data sets or tables, which are compared together
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// Lowest Jaccard index of the sets of tokens, above 0 and at most 1
    #[arg(long, value_name = "X", default_value_t = Thresholds::default().set)]
    set_jaccard: f64,
    /// Lowest Jaccard index of the multisets of tokens, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = Thresholds::default().multiset)]
    multiset_jaccard: f64,
    /// Leave out the literals of strings and characters
    #[arg(long)]
    without_strings: bool,
    /// Make clusters as CodeNet's own program does: of samples of 20 tokens or more, whose lengths differ by at most 5 %
    #[arg(long)]
    like_codenet: bool,
    #[command(flatten)]
    common: Common<DuplicatesFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet duplicates poj104.jsonl.zst --format csv --output pairs.csv
  familiar codenet duplicates set --format clusters
  familiar codenet duplicates corpus.jsonl --format kept --output clean.jsonl
  familiar codenet duplicates corpus.parquet --format parquet --output clean.parquet";

const NEEDS_FILE: &str = "a table needs a file; give --output FILE.parquet";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let writing = &arguments.common.writing;
    let target = writing.target();
    target.check()?;
    if arguments.like_codenet {
        let makes_clusters = matches!(writing.format(), DuplicatesFormat::Text | DuplicatesFormat::Clusters);
        ensure!(makes_clusters, "--like-codenet makes clusters: take it with --format text or clusters");
    }
    let table = match writing.format() {
        DuplicatesFormat::Parquet => Some(writing.output.clone().context(NEEDS_FILE)?),
        _ => None,
    };
    let progress = arguments.common.bar();
    // Where rows are written, it does not matter which ids they have.
    let by_rows = matches!(writing.format(), DuplicatesFormat::Kept | DuplicatesFormat::Parquet);
    let found = arguments.found(by_rows, &progress)?;
    progress.finish();
    say_left_out(&found.skipped, Notes { quiet: writing.quiet() });
    let rule = arguments.rule();
    let write = |write: &dyn Fn(&mut dyn Write) -> anyhow::Result<()>| target.try_write(write);
    match writing.format() {
        DuplicatesFormat::Text => write(&|out| Ok(write_text(&found, rule, out)?)),
        DuplicatesFormat::Csv => write(&|out| Ok(found.write_pairs(out)?)),
        DuplicatesFormat::Clusters => write(&|out| Ok(found.write_clusters(rule, out)?)),
        DuplicatesFormat::Kept => write(&|out| match found.write_kept(out) {
            Err(KeptError::Write(error)) => Err(error.into()),
            other => Ok(other.map(drop)?),
        }),
        DuplicatesFormat::Parquet => output::write_files(table.as_slice(), |files| {
            let file = files.into_iter().next().context(NEEDS_FILE)?;
            Ok(found.write_kept_table(file).map(drop)?)
        }),
    }
}

impl Arguments {
    /// Which pairs make clusters.
    pub(crate) fn rule(&self) -> ClusterRule {
        if self.like_codenet { ClusterRule::CodeNet } else { ClusterRule::Every }
    }

    /// The near-duplicates. `repeated` says that rows with an id that came before take part, too.
    pub(crate) fn found(&self, repeated: bool, progress: &dyn Progress) -> anyhow::Result<Duplicates> {
        let (set, multiset) = (self.set_jaccard, self.multiset_jaccard);
        ensure!(set > 0.0 && set <= 1.0, "--set-jaccard {set}: give a number above 0 and at most 1");
        ensure!((0.0..=1.0).contains(&multiset), "--multiset-jaccard {multiset}: give a number from 0 to 1");
        let resources = self.common.resources;
        let options = DuplicatesOptions {
            data: self.data.clone(),
            thresholds: Thresholds { set, multiset },
            only: Only { repeated, ..Only::default() },
            strings: !self.without_strings,
            memory: resources.memory(),
            threads: resources.threads(),
        };
        Ok(duplicates::run(&options, progress)?)
    }
}

fn write_text(found: &Duplicates, rule: ClusterRule, out: &mut dyn Write) -> io::Result<()> {
    let clusters = found.clusters(rule);
    let samples: usize = clusters.iter().map(|cluster| 1 + cluster.members.len()).sum();
    let all = found.ids.len();
    let share = if all == 0 { 0.0 } else { 100.0 * samples as f64 / all as f64 };
    writeln!(
        out,
        "{} in {}: {share:.1} % of {}",
        counted(samples as u64, "sample"),
        counted(clusters.len() as u64, "cluster"),
        counted(all as u64, "sample"),
    )?;
    let dropped: usize = clusters.iter().map(|cluster| cluster.members.len()).sum();
    writeln!(out, "{} would go if one of each cluster stayed", counted(dropped as u64, "sample"))
}
