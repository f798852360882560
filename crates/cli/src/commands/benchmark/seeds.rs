//! `familiar benchmark seeds`.

use std::path::PathBuf;

use anyhow::ensure;
use familiar_dataset::Project;
use familiar_dataset::seeds::{self, SeedOptions};
use familiar_source::Language;
use familiar_source::words::counted;

use super::said;
use crate::common::Common;
use crate::corpora::existing;
use crate::formats::TextOrJson;
use crate::values;

/// Draw the functions that a model is asked about.
///
/// SOURCE is what `corpus add` takes: folders, archives, git histories, packages, JSON lines. The sources go into a corpus of the
/// benchmark, so that each seed has its origin and its license. Copies are taken once. Where more functions fit than --count, they are
/// spread over what functions do.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Where seeds come from [default: the sources that were given before]
    #[arg(value_name = "SOURCE")]
    sources: Vec<String>,
    /// Draw from this corpus: a name or a path
    #[arg(long = "in", value_name = "CORPUS", conflicts_with = "sources")]
    corpus: Option<String>,
    /// Only functions of these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Fewest lines of a function
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_lines: u32,
    /// Most lines of a function
    #[arg(long, value_name = "N", default_value_t = 60)]
    max_lines: u32,
    /// Only functions that use nothing of their own project and no field of their object
    #[arg(long)]
    self_contained: bool,
    /// Only functions under one of these licenses, such as MIT,Apache-2.0
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    license: Vec<String>,
    /// Only the first function of each file, as in SemanticCloneBench, whose files hold a pair
    #[arg(long)]
    first_of_file: bool,
    /// So many seeds at most [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    count: Option<usize>,
    /// Decides what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Keep the seeds that are there
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark seeds clones2 ~/src/project --lang java,python --count 200 --self-contained
  familiar benchmark seeds clones2 pypi:six --license MIT
  familiar benchmark seeds clones2 SemanticCloneBench/Java --first-of-file";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { min_lines, max_lines, .. } = *arguments;
    ensure!(min_lines <= max_lines, "--min-lines {min_lines} is more than --max-lines {max_lines}");
    let project = Project::open(&arguments.name)?;
    let options = SeedOptions {
        sources: arguments.sources.clone(),
        corpus: arguments.corpus.as_deref().map(existing).transpose()?,
        languages: arguments.lang.clone(),
        min_lines,
        max_lines,
        self_contained: arguments.self_contained,
        licenses: arguments.license.clone(),
        first_of_file: arguments.first_of_file,
        count: arguments.count.unwrap_or(0),
        seed: arguments.seed,
        add: arguments.add,
        threads: arguments.common.resources.threads(),
        memory: arguments.common.resources.memory(),
    };
    let bar = arguments.common.bar();
    let result = seeds::run(&project, &options, &bar)?;
    bar.finish();
    said::say(&arguments.common.writing, &result, |out| {
        writeln!(out, "{} in {}", counted(result.functions, "function"), counted(result.files, "file"))?;
        said::listed(out, "other function", result.left_out.iter().map(|(name, count)| (*name, *count)))?;
        writeln!(out, "{}", counted(result.seeds, "seed"))?;
        let of = |map: &std::collections::BTreeMap<String, u64>| {
            map.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        writeln!(out, "  languages: {}", of(&result.by_language))?;
        writeln!(out, "  licenses: {}", of(&result.by_license))
    })
}
