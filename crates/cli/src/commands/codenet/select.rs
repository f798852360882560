//! `familiar codenet select`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use familiar_codenet::layout::Layout;
use familiar_codenet::select::Condition;
use familiar_codenet::set::Set;
use familiar_codenet::submission::Submission;

use super::left_out::say_left_out;
use crate::common::{Watching, Writing};
use crate::formats::SelectFormat;
use crate::notes::Notes;
use crate::output;

/// Take the submissions of a data set that fulfil a condition.
///
/// The condition is written as in SQL, over the columns of a submission. For more than conditions, read metadata/submissions.parquet
/// with an SQL program, such as DuckDB.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A data set of `codenet import`, or a folder in the layout of Project CodeNet
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// Which submissions, such as "language = 'Java' and status = 'Accepted'" [default: all]
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<Condition>,
    #[command(flatten)]
    writing: Writing<SelectFormat>,
    #[command(flatten)]
    watching: Watching,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet select set --where \"language = 'Java' and status = 'Accepted'\" --output java.csv
  familiar codenet select set --where \"code_size < 4096\" --format ndjson --output small.jsonl
  familiar codenet select set --where \"language = 'C'\" --format files --output c
  familiar codenet select set --where \"user_id = 'u000000007'\" --format paths | tar -czf theirs.tgz -T -";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let format = arguments.writing.format();
    let progress = arguments.watching.bar(arguments.writing.quiet());
    let notes = Notes { quiet: arguments.writing.quiet() };
    if format == SelectFormat::Files {
        let path = arguments.writing.output.as_deref().context("the format files needs --output DIR")?;
        let set = Set::open(&arguments.set)?;
        progress.begin("selecting");
        output::write_folder(path, |_| false, |folder| arguments.copy(&set, folder, notes))?;
        progress.finish();
        return Ok(());
    }
    let target = arguments.writing.target();
    target.check()?;
    let set = Set::open(&arguments.set)?;
    progress.begin("selecting");
    target.try_write(|out| {
        if format == SelectFormat::Csv {
            writeln!(out, "{}", Submission::COLUMNS.join(","))?;
        }
        arguments.each(&set, notes, |submission| match format {
            SelectFormat::Csv => Ok(submission.write_csv(out)?),
            SelectFormat::Ndjson => match set.row(submission) {
                Ok(row) => Ok(writeln!(out, "{row}")?),
                Err(error) => {
                    notes.left_out(&submission.submission_id, &error);
                    Ok(())
                }
            },
            SelectFormat::Paths | SelectFormat::Files => {
                Ok(writeln!(out, "{}", set.layout.text(submission).display())?)
            }
        })
    })?;
    progress.finish();
    Ok(())
}

impl Arguments {
    /// Gives every submission that fulfils the condition to `take`.
    fn each(
        &self,
        set: &Set,
        notes: Notes,
        mut take: impl FnMut(&Submission) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let takes = |it: &Submission| self.condition.as_ref().is_none_or(|condition| condition.takes(it));
        for problem in &set.problems {
            let of_problem = set.submissions(problem)?;
            say_left_out(&of_problem.skipped, notes);
            for submission in of_problem.submissions.iter().filter(|it| takes(it)) {
                take(submission)?;
            }
        }
        Ok(())
    }

    /// Writes the texts into a folder. Those that cannot be read are left out and named.
    fn copy(&self, set: &Set, folder: &Path, notes: Notes) -> anyhow::Result<()> {
        let copies = Layout::new(folder);
        self.each(set, notes, |submission| {
            let path = copies.text(submission);
            let text = match set.text(submission) {
                Ok(text) => text,
                Err(error) => {
                    notes.left_out(&submission.submission_id, &error);
                    return Ok(());
                }
            };
            let into = path.parent().unwrap_or(folder);
            fs::create_dir_all(into)
                .and_then(|()| fs::write(&path, text))
                .with_context(|| format!("cannot write {}", path.display()))
        })
    }
}
