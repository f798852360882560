//! `familiar codenet evaluate`.

use std::path::PathBuf;

use familiar_baselines::measure::{self, MeasureOptions};
use familiar_baselines::{aroma, benchmark};
use familiar_codenet::benchmark::Split;

use crate::commands::train::share_the_processor;
use crate::common::{Resources, Writing, choice};
use crate::formats::MeasuredFormat;

/// Measure a trained baseline on programs that it did not see.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the model, or aroma, which is not trained (./aroma is a folder)
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The folder of a benchmark, or a table of programs with problem_id
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Which part of a benchmark: train, valid or test
    #[arg(long, value_name = "SPLIT", value_parser = choice(SPLITS), default_value = "test", hide_possible_values = true)]
    split: Split,
    #[command(flatten)]
    writing: Writing<MeasuredFormat>,
    #[command(flatten)]
    resources: Resources,
}

const SPLITS: [(&str, Split); 3] = [("train", Split::Train), ("valid", Split::Valid), ("test", Split::Test)];

const EXAMPLES: &str = "\
Examples:
  familiar codenet evaluate poj-cnn poj
  familiar codenet evaluate aroma poj
  familiar codenet evaluate poj-gin other.jsonl --format json";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    share_the_processor()?;
    let writing = &arguments.writing;
    let target = writing.target();
    target.check()?;
    let data = benchmark::file_of(&arguments.data, arguments.split);
    let options = MeasureOptions {
        model: arguments.model.clone(),
        data,
        memory: arguments.resources.memory(),
        threads: arguments.resources.threads(),
    };
    let measured =
        if arguments.model.as_os_str() == "aroma" { aroma::run(&options)? } else { measure::run(&options)? };
    target.write(|out| match writing.format() {
        MeasuredFormat::Text => measured.write_text(out),
        MeasuredFormat::Json => measured.write_json(out),
    })
}
