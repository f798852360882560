//! `familiar graph`: the code graphs of programs.

use std::process::ExitCode;

use anyhow::bail;
use familiar_engine::represent::graph::{self, GraphOptions, GraphTable, GraphText, View};
use familiar_engine::represent::one;
use familiar_source::Language;

use crate::common::Common;
use crate::formats::GraphFormat;
use crate::represented::{self, Sources};

/// Write the code graphs of programs: control flow, data flow, and what depends on what.
///
/// A node is one instruction: a statement, a condition, or a part of a short circuit. Python, Java, C, C++, JavaScript, TypeScript
/// and Go have graphs. Programs that cannot be read, and those in other languages, are left out and named on standard error.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Which edges: cfg (control flow), ipcfg (with calls and returns), dfg (definitions to uses), cdg (control dependence), pdg (both
    /// dependences), sdg (with calls and parameters between functions), all
    #[arg(long, value_name = "KIND", default_value = "sdg", value_parser = crate::common::choice(KINDS), hide_possible_values = true)]
    kind: View,
    /// Only functions of this name, with or without the name of the class: area or Circle.area
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Leave out programs that the grammar of their language does not allow
    #[arg(long)]
    without_errors: bool,

    #[command(flatten)]
    common: Common<GraphFormat>,
}

const KINDS: [(&str, View); 7] = [
    ("cfg", View::Cfg),
    ("ipcfg", View::Ipcfg),
    ("dfg", View::Dfg),
    ("cdg", View::Cdg),
    ("pdg", View::Pdg),
    ("sdg", View::Sdg),
    ("all", View::All),
];

const EXAMPLES: &str = "\
Examples:
  familiar graph Main.java
  familiar graph main.py --kind cfg --function solve --output solve.svg
  familiar graph main.c --kind pdg --format dot | dot -Tsvg > main.svg
  familiar graph solutions.jsonl.zst --without-errors --output graphs.parquet

Without --format the name of the output file decides: .dot, .graphml, .svg, .jsonl or .ndjson (one program a line) or .parquet;
otherwise it is json.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let common = &arguments.common;
    let programs = arguments.sources.options(common);
    let endings = [
        ("dot", GraphFormat::Dot),
        ("gv", GraphFormat::Dot),
        ("graphml", GraphFormat::Graphml),
        ("svg", GraphFormat::Svg),
        ("jsonl", GraphFormat::Ndjson),
        ("ndjson", GraphFormat::Ndjson),
        ("parquet", GraphFormat::Parquet),
    ];
    let options = arguments.graphs();
    let missing = arguments.function.as_ref().map(|name| format!("no program has a function {name}"));
    let missing = missing.as_deref();
    let format = match represented::format(common, &endings, GraphFormat::Json) {
        GraphFormat::Json if programs.is_one_program() => graph::GraphFormat::JsonLines,
        GraphFormat::Json | GraphFormat::Ndjson => graph::GraphFormat::Json,
        GraphFormat::Graphml => graph::GraphFormat::GraphMl,
        GraphFormat::Dot => graph::GraphFormat::Dot,
        GraphFormat::Svg if !programs.is_one_program() => {
            bail!("svg draws one program; give one file, or use --format dot");
        }
        GraphFormat::Svg => graph::GraphFormat::Svg,
        GraphFormat::Parquet => {
            represented::table(common, &programs, &GraphTable { options }, graph::table, missing)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let (head, foot) = (format.head(), format.foot());
    represented::text(common, &programs, &GraphText { format, options }, head, foot, missing)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The graph of a text that stands in no file, as JSON.
    pub(crate) fn of_text(&self, language: Language, code: Vec<u8>) -> Result<Vec<u8>, String> {
        one(&GraphText { format: graph::GraphFormat::Json, options: self.graphs() }, language, code)
    }

    fn graphs(&self) -> GraphOptions {
        GraphOptions {
            view: self.kind,
            function: self.function.clone(),
            without_errors: self.without_errors,
            memory: self.common.resources.memory(),
        }
    }
}
