//! `familiar benchmark status`.

use std::path::PathBuf;

use familiar_dataset::Project;
use familiar_dataset::status;
use familiar_report::printable;
use familiar_source::words::counted;

use super::said;
use crate::common::Writing;
use crate::formats::TextOrJson;

/// Say what is done, and what is next.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark status clones2 --format json")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let status = status::status(&project)?;
    said::write(&arguments.writing, &status, |out| {
        let parts = match status.sampled {
            None => format!("{}, {}", counted(status.seeds, "seed"), counted(status.replies, "reply")),
            Some(drawn) => format!("{} to judge", counted(drawn, "pair")),
        };
        writeln!(out, "{}: {parts}", printable(&status.name))?;
        if status.requests > 0 {
            let requests = counted(status.requests, "answered request");
            let tokens = [status.input_tokens, status.output_tokens].map(|it| counted(it, "token"));
            writeln!(out, "{requests}: {} in, {} out", tokens[0], tokens[1])?;
        }
        if status.candidates > 0 {
            writeln!(
                out,
                "{} of {} expected ones",
                counted(status.candidates, "implementation"),
                status.expected
            )?;
        }
        said::listed(out, "dropped text", status.dropped.iter().map(|(cause, count)| (*cause, *count)))?;
        let bands = [
            ("false", status.false_semantic),
            ("type3", status.type3),
            ("type4", status.type4),
            ("cross-language", status.cross_language),
        ];
        said::listed(out, "pair", bands)?;
        let by = |map: &std::collections::BTreeMap<String, u64>| {
            map.iter()
                .map(|(name, count)| format!("{} {count}", printable(name)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        said::listed(out, "tested pair", status.tested.iter().map(|(name, count)| (name.as_str(), *count)))?;
        said::listed(out, "judged pair", status.judged.iter().map(|(name, count)| (*name, *count)))?;
        if status.pairs > 0 {
            writeln!(out, "  languages: {}", by(&status.by_language))?;
            writeln!(out, "  prompts: {}", by(&status.by_prompt))?;
            for row in &status.validated {
                let confirmed = row.confirmed.map(|count| format!("{count} confirmed by the encoder"));
                let said: Vec<String> = row
                    .alike
                    .map(|count| format!("{count} look alike"))
                    .into_iter()
                    .chain(confirmed)
                    .collect();
                if !said.is_empty() {
                    let names = [&row.language, &row.prompt].map(|it| printable(it));
                    let pairs = counted(row.pairs, "pair");
                    writeln!(out, "  {}, {}: of {pairs} {}", names[0], names[1], said.join(", "))?;
                }
            }
            writeln!(out, "  short {}, in the corpus {}", status.short, status.contaminated)?;
        }
        for folder in &status.unfinished {
            writeln!(out, "{} is left of a release that was cut off, and can be removed", printable(folder))?;
        }
        writeln!(out, "next: {}", status.next)
    })
}
