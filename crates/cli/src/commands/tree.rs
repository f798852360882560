//! `familiar tree`: the simplified parse trees of programs.

use std::process::ExitCode;

use familiar_engine::represent::one;
use familiar_engine::represent::tree::{self, TreeOptions, TreeTable, TreeText};
use familiar_source::Language;

use crate::common::Common;
use crate::formats::TreeFormat;
use crate::represented::{self, Sources};

/// Write the simplified parse trees of programs, as Project CodeNet does.
///
/// A simplified parse tree is the parse tree without comments and without the nodes that have one child. Each inner node is called
/// after its children: keywords and signs by their text, and everything else by #. Programs that cannot be read, and those in
/// languages without a grammar, are left out and named on standard error.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Leave out programs that the grammar of their language does not allow
    #[arg(long)]
    without_errors: bool,

    #[command(flatten)]
    common: Common<TreeFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar tree Main.java
  familiar tree main.c --format dot | dot -Tsvg > main.svg
  familiar tree solutions.jsonl.zst --without-errors --output trees.parquet
  familiar tree solutions.jsonl.zst --format gnn --output trees/

Without --format the name of the output file decides: .dot, .jsonl or .ndjson (one program a line) or .parquet; otherwise it is json.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let common = &arguments.common;
    let programs = arguments.sources.options(common);
    let endings = [
        ("dot", TreeFormat::Dot),
        ("gv", TreeFormat::Dot),
        ("jsonl", TreeFormat::Ndjson),
        ("ndjson", TreeFormat::Ndjson),
        ("parquet", TreeFormat::Parquet),
    ];
    let options = TreeOptions { without_errors: arguments.without_errors, memory: programs.memory };
    let format = match represented::format(common, &endings, TreeFormat::Json) {
        TreeFormat::Json if programs.is_one_program() => tree::TreeFormat::JsonLines,
        TreeFormat::Json | TreeFormat::Ndjson => tree::TreeFormat::Json,
        TreeFormat::Dot => tree::TreeFormat::Dot,
        TreeFormat::Parquet => {
            represented::table(common, &programs, &TreeTable { options }, tree::table, None)?;
            return Ok(ExitCode::SUCCESS);
        }
        TreeFormat::Gnn => {
            represented::folder(common, &programs, options)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    represented::text(common, &programs, &TreeText { format, options }, b"", b"", None)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The tree of a text that stands in no file, as JSON.
    pub(crate) fn of_text(&self, language: Language, code: Vec<u8>) -> Result<Vec<u8>, String> {
        let memory = self.common.resources.memory();
        let options = TreeOptions { without_errors: self.without_errors, memory };
        one(&TreeText { format: tree::TreeFormat::Json, options }, language, code)
    }
}
