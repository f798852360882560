//! `familiar codenet select`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use familiar_codenet::layout::Layout;
use familiar_codenet::select::Condition;
use familiar_codenet::set::{Set, SetError};
use familiar_codenet::submission::Submission;
use serde_json::{Map, Value, json};

use crate::common::{Watching, Writing};
use crate::formats::SelectFormat;
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
    if format == SelectFormat::Files {
        let path = arguments.writing.output.as_deref().context("the format files needs --output DIR")?;
        let set = Set::open(&arguments.set)?;
        progress.begin("selecting");
        output::write_folder(path, |_| false, |folder| arguments.copy(&set, folder))?;
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
        arguments.each(&set, |submission| match format {
            SelectFormat::Csv => Ok(submission.write_csv(out)?),
            SelectFormat::Ndjson => Ok(writeln!(out, "{}", row(&set, submission)?)?),
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
    fn each(&self, set: &Set, mut take: impl FnMut(&Submission) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let takes = |it: &Submission| self.condition.as_ref().is_none_or(|condition| condition.takes(it));
        for problem in &set.problems {
            for submission in set.submissions(problem)?.iter().filter(|it| takes(it)) {
                take(submission)?;
            }
        }
        Ok(())
    }

    /// Writes the texts into a folder.
    fn copy(&self, set: &Set, folder: &Path) -> anyhow::Result<()> {
        let copies = Layout::new(folder);
        self.each(set, |submission| {
            let path = copies.text(submission);
            let text = set.text(submission)?;
            let into = path.parent().unwrap_or(folder);
            fs::create_dir_all(into)
                .and_then(|()| fs::write(&path, text))
                .with_context(|| format!("cannot write {}", path.display()))
        })
    }
}

/// A submission with its text, in the names that other commands read.
fn row(set: &Set, submission: &Submission) -> Result<Value, SetError> {
    let code = set.text(submission)?;
    let mut row = Map::new();
    row.insert("id".to_owned(), json!(submission.submission_id));
    row.insert("lang".to_owned(), json!(submission.language));
    for (name, value) in Submission::COLUMNS.iter().zip(submission.record()).skip(1) {
        if !value.is_empty() {
            let number = matches!(*name, "date" | "cpu_time" | "memory" | "code_size");
            let value =
                value.parse::<i64>().ok().filter(|_| number).map_or_else(|| json!(value), |it| json!(it));
            row.insert((*name).to_owned(), value);
        }
    }
    row.insert("code".to_owned(), json!(String::from_utf8_lossy(&code)));
    Ok(Value::Object(row))
}
