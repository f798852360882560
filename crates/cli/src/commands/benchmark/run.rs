//! `familiar benchmark run`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use familiar_dataset::Project;
use familiar_dataset::run::{self, Asked, On, Results, RunOptions, Sample, Transformed};
use familiar_detectors::Format;
use familiar_engine::members::{Members, RunOptions as MemberOptions};

use crate::common::{Common, Formats};
use crate::{programs, values};

/// Say what a detector finds of the benchmark.
///
/// --detector is one of ours (aligned, token-overlap, lines, builtin, static, weights:FILE), an encoder (api:URL#MODEL, onnx:DIR), a
/// program (command:CMD), or what a detector reported (output:FORMAT:FILE, with bigcloneeval, familiar, jscpd, nicad, oreo, pmd or
/// sourcerercc as FORMAT). It is asked about each pair. With --injected or --standalone, ours search the files, and an output is compared with
/// the places of the pairs: at least 70 % of the lines of both sides have to be covered.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Who is measured. May be repeated
    #[arg(long = "detector", value_name = "DETECTOR", required = true)]
    detectors: Vec<String>,
    /// Least similarity of a clone [default: that of the detector]
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// The folder of a system with the pairs in it, as `inject` writes it
    #[arg(long, value_name = "DIR", conflicts_with = "standalone")]
    injected: Option<PathBuf>,
    /// The version of a release: the folder bigcloneeval/sources in it has each function as a file
    #[arg(long, value_name = "VERSION")]
    standalone: Option<String>,
    /// Draw N of the pairs that the detector reports in the files, for people to judge
    #[arg(long, value_name = "N", requires = "sample_to")]
    sample: Option<usize>,
    /// The file for these pairs, as `familiar clones --format ndjson` has them
    #[arg(long, value_name = "FILE", requires = "sample")]
    sample_to: Option<PathBuf>,
    /// What people said of such a sample, as `agree --export` writes it: .csv or .jsonl
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,
    /// Ask again with the second sides rewritten, 1, 2, 4 and 8 times, by members of this set: all, orig-4, orig-20, classics, new-20, names of
    /// single transformations, or a folder of `transform design`. What stands between commas is one set. May be repeated
    #[arg(long = "transformed", value_name = "SET", conflicts_with_all = ["injected", "standalone"])]
    transformed: Vec<String>,
    /// Rewrite each pair N times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::at_least_one, requires = "transformed")]
    count: usize,
    /// Rewrite at most N pairs, drawn by chance [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one, requires = "transformed")]
    pairs: Option<usize>,
    /// Run transformations of folders with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,
    /// Decides what is drawn, and what transformations may choose
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Seconds that a program may take to answer
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience: u64,
    #[command(flatten)]
    common: Common<RunFormat>,
}

/// What `run` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunFormat {
    Text,
    Json,
    Csv,
    Latex,
    Html,
}

impl Formats for RunFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("text", "For people", Self::Text),
            (
                "json",
                "The whole result as one JSON document, or a list of them of several detectors",
                Self::Json,
            ),
            ("csv", "Every share as one row, and time and memory", Self::Csv),
            ("latex", "Tables for a paper", Self::Latex),
            ("html", "One page for a browser, with plots", Self::Html),
        ]
    }
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark run clones2 --detector token-overlap
  familiar benchmark run clones2 --detector command:./my-detector --format csv
  familiar benchmark run clones2 --detector aligned --detector builtin --format html --output found.html
  familiar benchmark run clones2 --detector static --transformed orig-4 --transformed new-20 --format html --output curves.html
  familiar benchmark run clones2 --detector aligned --injected django-clones2
  familiar benchmark run clones2 --detector output:jscpd:report/jscpd-report.json --injected django-clones2
  familiar benchmark run clones2 --detector output:nicad:clones2_functions.xml --standalone 1.0
  familiar benchmark run clones2 --detector aligned --injected django-clones2 --sample 100 --sample-to sample.ndjson";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let similarity = arguments.similarity;
    ensure!(
        similarity.is_none_or(|it| it > 0.0 && it <= 1.0),
        "--similarity {}: give a number above 0 and at most 1",
        similarity.unwrap_or_default()
    );
    let has_files = arguments.injected.is_some() || arguments.standalone.is_some();
    ensure!(
        arguments.sample.is_none() || has_files,
        "--sample: pairs are reported in files; name them with --injected or --standalone"
    );
    let of_one = arguments.sample.is_some() || arguments.judged.is_some();
    ensure!(
        !of_one || arguments.detectors.len() == 1,
        "--sample and --judged are about one detector; name one alone"
    );
    let target = arguments.common.writing.target();
    target.check()?;
    let project = Project::open(&arguments.name)?;
    let threads = arguments.common.resources.threads();
    let open = |name: &String| asked(name, arguments.patience, threads);
    if arguments.detectors.len() > 1 {
        // A wrong name is told before anything is measured. Programs are started when it is their turn.
        let names = arguments.detectors.iter().filter(|name| !name.starts_with("command:"));
        names.map(open).try_for_each(|it| it.map(drop))?;
    }
    let transformed = arguments.transformed()?;
    let (mut results, mut failure) = (Results::default(), None);
    for name in &arguments.detectors {
        let bar = arguments.common.bar();
        bar.begin(&format!("asking {name}"));
        let found =
            open(name).and_then(|it| Ok(run::run(&project, &arguments.options(it, transformed.as_ref()))?));
        bar.finish();
        match found {
            Ok(found) => results.0.push(found),
            // What those before it found is written.
            Err(error) if !results.0.is_empty() => {
                failure = Some(error.context(format!("{name}; the result has the detectors before it")));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    target.write(|out| match arguments.common.writing.format() {
        RunFormat::Text => results.write_text(out),
        RunFormat::Json => results.write_json(out),
        RunFormat::Csv => results.write_csv(out),
        RunFormat::Latex => results.write_latex(out),
        RunFormat::Html => results.write_html(out),
    })?;
    failure.map_or(Ok(()), Err)
}

impl Arguments {
    fn transformed(&self) -> anyhow::Result<Option<Transformed>> {
        let run = MemberOptions { unsandboxed: self.unsandboxed, threads: self.common.resources.threads() };
        let set = |name: &String| {
            let parts: Vec<String> = name.split(',').map(str::to_owned).collect();
            let members = Members::of_sets(&parts, run)?;
            ensure!(
                !members.is_composed(),
                "--transformed {name}: its members belong together; give a set of which chance may choose"
            );
            Ok(members)
        };
        let sets = self.transformed.iter().map(set).collect::<anyhow::Result<Vec<_>>>()?;
        let transformed =
            Transformed { sets, count: self.count, pairs: self.pairs.unwrap_or(0), seed: self.seed };
        Ok((!transformed.sets.is_empty()).then_some(transformed))
    }

    fn options(&self, detector: Asked, transformed: Option<&Transformed>) -> RunOptions {
        let resources = &self.common.resources;
        RunOptions {
            detector,
            similarity: self.similarity,
            on: match (&self.injected, &self.standalone) {
                (Some(folder), _) => On::System(folder.clone()),
                (None, Some(version)) => On::Release(version.clone()),
                (None, None) => On::Pairs,
            },
            sample: self.sample.zip(self.sample_to.clone()).map(|(count, path)| Sample {
                count,
                seed: self.seed,
                path,
            }),
            judged: self.judged.clone(),
            transformed: transformed.cloned(),
            threads: resources.threads(),
            memory: resources.memory(),
        }
    }
}

fn asked(name: &str, patience: u64, threads: usize) -> anyhow::Result<Asked> {
    let Some(output) = name.strip_prefix("output:") else {
        return Ok(Asked::Detector(programs::detector(name, patience, threads)?));
    };
    let names: Vec<&str> = Format::ALL.iter().map(|(name, _)| *name).collect();
    let wrong = || format!("--detector {name}: give output:FORMAT:FILE, with one of {}", names.join(", "));
    let (format, file) = output.split_once(':').with_context(wrong)?;
    Ok(Asked::Output(Format::from_name(format).with_context(wrong)?, PathBuf::from(file)))
}
