//! `familiar benchmark sample`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use familiar_dataset::sample::{self, By, Per, SampleOptions};
use familiar_judging::proportions::sample_size;
use familiar_source::words::counted;

use super::said;
use crate::common::{Writing, choice};
use crate::corpora;
use crate::formats::TextOrJson;
use crate::notes::Notes;

/// Draw pairs of a result of clones, find or audit, to be judged as the pairs of a benchmark are.
///
/// RESULT is what these commands wrote with --format json or ndjson. One pair of each class is drawn, unless --per says otherwise, so
/// that large classes do not count more. The pairs and their code go into NAME, a new folder: `judge` shows them to people, and `agree`
/// says how many are true in each stratum. The code is read from the files as seen from the current folder, and only from files
/// below it and below what --tree names. Where a file is missing or
/// has changed, the next pair is drawn instead, and the file is named.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the sample; it must not exist
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// What clones, find or audit wrote with --format json or ndjson
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// Draw from parts of the result: lines (of the smaller side: 1–10, 11–20, and more), lines:1-5,6-30,31-, type, measure, language, or
    /// verdict (of an audit)
    #[arg(long, value_name = "BY", value_parser = By::read)]
    strata: Option<By>,
    /// Pairs of each stratum. 63 are enough to find a difference of a medium size between two strata
    #[arg(long, value_name = "N", default_value_t = 63)]
    count: u64,
    /// As many pairs as are needed to find a difference of this effect size (Cohen's h: 0.2 is small, 0.5 medium, 0.8 large), at a
    /// significance of 0.05 with a power of 80 %
    #[arg(long, value_name = "H", conflicts_with = "count")]
    effect: Option<f64>,
    /// Draw one pair of each class, or any pair
    #[arg(long, value_name = "WHAT", value_parser = choice(PER), default_value = "class")]
    per: Per,
    /// Those who judge each pair. Repeat it for a further group, which gets a part of the pairs [default: write them into
    /// benchmark.toml]
    #[arg(long, value_name = "LIST")]
    judges: Vec<String>,
    /// What judges may call a pair, beside the verdict, such as copied,edited
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    labels: Vec<String>,
    /// Decides what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Read files of corpora from this one: a name or a path. May be repeated. Those that an audit names are read, too
    #[arg(long = "in", value_name = "CORPUS")]
    corpora: Vec<String>,
    /// Read files below this folder, too: without it, only those below the current folder are read. May be repeated
    #[arg(long = "tree", value_name = "DIR")]
    trees: Vec<PathBuf>,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

/// Files without code that are named on standard error.
const SHOWN: usize = 5;

const PER: [(&str, Per); 2] = [("class", Per::Class), ("pair", Per::Pair)];

const EXAMPLES: &str = "\
Examples:
  familiar clones src --format json --output clones.json
  familiar benchmark sample study clones.json --strata lines --judges ada,bob --labels copied,edited
  familiar benchmark judge study
  familiar benchmark agree study --compare lines=1-10,lines=21- --label copied";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let count = match arguments.effect {
        Some(effect) => sample_size(effect, 0.05, 0.8).context("--effect")?,
        None => arguments.count,
    };
    ensure!(count > 0, "--count 0: give a number of at least 1");
    let names = |list: &String| list.split(',').map(|name| name.trim().to_owned()).collect();
    let options = SampleOptions {
        result: arguments.result.clone(),
        by: arguments.strata.clone(),
        per: arguments.per,
        count,
        seed: arguments.seed,
        corpora: arguments.corpora.iter().map(|name| corpora::existing(name)).collect::<Result<_, _>>()?,
        trees: arguments.trees.clone(),
        groups: arguments.judges.iter().map(names).collect(),
        labels: arguments.labels.clone(),
    };
    let drawn = sample::run(&arguments.name, &options, &|name| corpora::existing(name).ok())?;
    said::say(&arguments.writing, &drawn, |out| {
        for it in &drawn.strata {
            let units = match drawn.per {
                Per::Class if it.units == 1 => "1 class".to_owned(),
                Per::Class => format!("{} classes", it.units),
                Per::Pair => counted(it.units, "pair"),
            };
            writeln!(out, "{}: {} of {units}", it.name, counted(it.drawn, "pair"))?;
        }
        Ok(())
    })?;
    let notes = Notes { quiet: arguments.writing.quiet() };
    if drawn.outside > 0 {
        notes.warn(&format!("{} in no stratum", counted(drawn.outside, "pair")));
    }
    let name = arguments.name.display();
    for it in drawn.skipped.iter().take(SHOWN) {
        notes.warn(&format!("not drawn: {}: {}", it.file, it.reason));
    }
    if let Some(more) = drawn.skipped.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        notes.warn(&format!("{} more; {name}/drawn.json names them", counted(more as u64, "file")));
    }
    notes.say(&if arguments.judges.is_empty() {
        format!("next: write the judges into {name}/benchmark.toml, then familiar benchmark judge {name}")
    } else {
        format!("next: familiar benchmark judge {name}")
    });
    Ok(())
}
