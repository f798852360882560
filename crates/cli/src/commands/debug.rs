//! `familiar debug`: figures for developers; not part of the promised interface.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// `lex` reads and lexes; `parse` finds fragments too.
    what: String,
    paths: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let floor = familiar_engine::floor::lex(&arguments.paths, arguments.what == "parse")?;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(std::io::stdout(), "{floor:?} in {seconds:.3} s")?;
    Ok(ExitCode::SUCCESS)
}
