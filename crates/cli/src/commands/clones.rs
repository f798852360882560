//! `familiar clones`: the clones inside and among trees.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::{CloneOptions, Measure, clones, progress::Silent};
use familiar_report::formats::{self, Format};
use familiar_source::FragmentKind;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    paths: Vec<PathBuf>,
    #[arg(long, value_delimiter = ',')]
    granularity: Vec<String>,
    #[arg(long, value_delimiter = ',')]
    types: Vec<u8>,
    #[arg(long)]
    measure: Option<String>,
    #[arg(long)]
    similarity: Option<f64>,
    #[arg(long, default_value_t = 50)]
    min_tokens: u32,
    #[arg(long, default_value_t = 5)]
    min_lines: u32,
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut options = CloneOptions {
        paths: arguments.paths.clone(),
        similarity: arguments.similarity,
        min_tokens: arguments.min_tokens,
        min_lines: arguments.min_lines,
        threads: arguments.threads,
        ..CloneOptions::default()
    };
    if !arguments.granularity.is_empty() {
        options.granularity =
            arguments.granularity.iter().filter_map(|name| FragmentKind::from_name(name)).collect();
    }
    if !arguments.types.is_empty() {
        options.types = arguments.types.clone();
    }
    if let Some(measure) = arguments.measure.as_deref().and_then(Measure::from_name) {
        options.measure = measure;
    }
    let report = clones::run(&options, None, &Silent)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    formats::write(&report, Format::Json, &mut out)?;
    Ok(ExitCode::SUCCESS)
}
