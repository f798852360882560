//! `familiar corpus remove`: a source or a project out of a corpus.

use std::process::ExitCode;

use familiar_library::{self as corpus, Removed};
use familiar_report::{counted, printable};
use serde_json::json;

use super::change;
use crate::common::{Memory, Writing};
use crate::corpora::existing;
use crate::formats::TextOrJson;

/// Remove a source or a project from a corpus.
///
/// SOURCE and NAME are written as `corpus info` shows them. A source is also found by its path alone. A project is removed from all
/// sources. A source that has no other project is removed with it. In a source with other projects (such as submissions of many
/// authors), the project stays out when the corpus is updated, until the source is added again. Code that stood only there is
/// deleted from the disk by the next `corpus merge`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// The source to remove
    #[arg(value_name = "SOURCE", required_unless_present = "project", conflicts_with = "project")]
    source: Option<String>,
    /// Remove this project. May be repeated
    #[arg(long, value_name = "NAME")]
    project: Vec<String>,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
    #[command(flatten)]
    memory: Memory,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus remove world dir:/home/me/src/project
  familiar corpus remove world ~/src/project
  familiar corpus remove world --project github.com/owner/name && familiar corpus merge world";

pub(super) fn run(given: &Arguments) -> anyhow::Result<ExitCode> {
    given.writing.target().check()?;
    let folder = existing(&given.corpus)?;
    if let Some(source) = &given.source {
        let source = &corpus::remove(&folder, source)?;
        let follows = corpus::follows(&folder, source)?;
        change::say(&given.writing, &[("removed", json!([{"source": source, "whole": true}]))], |out| {
            writeln!(out, "{}: removed", printable(source))?;
            follows.as_ref().map_or(Ok(()), |package| {
                writeln!(
                    out,
                    "{package} still follows the newest release; `familiar corpus remove` of it ends that"
                )
            })
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let projects = given.project.iter().cloned().collect();
    let removed = corpus::remove_projects(&folder, &projects, given.memory.bytes())?;
    let row = |Removed { source, occurrences, whole }: &Removed| json!({"source": source, "occurrences": occurrences, "whole": whole});
    let rows: Vec<_> = removed.iter().map(row).collect();
    change::say(&given.writing, &[("removed", rows.into())], |out| {
        removed.iter().try_for_each(|Removed { source, occurrences, whole }| {
            let rest = if *whole { "; it had no other project, so the source is removed, too" } else { "" };
            writeln!(out, "{}: {} removed{rest}", printable(source), counted(*occurrences, "place"))
        })
    })?;
    Ok(ExitCode::SUCCESS)
}
