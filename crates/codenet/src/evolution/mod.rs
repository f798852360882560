//! How programs change from one submission to the next (Puri et al. 2021, Section 3).
//!
//! `chain` says which submissions follow each other, and `edit` how far two are apart.

mod chain;
mod edit;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use familiar_source::{Progress, language_called, memory};
use familiar_syntax::Limits;
use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::select::Condition;
use crate::set::{OfProblem, Set, SetError};
use crate::skipped::Skipped;
use crate::submission::Submission;
use crate::tokens::Tokenizer;

pub use chain::Pairs;
pub use edit::Edit;

/// Which pairs are given.
#[derive(Clone, Debug)]
pub struct EvolutionOptions {
    pub set: PathBuf,
    pub pairs: Pairs,
    /// Only submissions that this takes.
    pub only: Option<Condition>,
    /// A limit for the memory in bytes.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// Why there are no pairs.
#[derive(Debug, thiserror::Error)]
pub enum EvolutionError {
    #[error(transparent)]
    Set(#[from] SetError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Two submissions of one user for one problem that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Both ids, with `-` between them.
    pub id: String,
    pub user_id: String,
    pub problem_id: String,
    pub language: String,
    pub from_submission: String,
    pub to_submission: String,
    pub from_status: String,
    pub to_status: String,
    /// From one to the other.
    pub seconds: i64,
    /// `None` where the language is not known here, or the texts are too far apart.
    pub tokens: Option<Edit>,
    pub lines: Option<Edit>,
    pub from_code: String,
    pub to_code: String,
}

/// How many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvolutionSummary {
    pub steps: u64,
    pub skipped: Vec<Skipped>,
}

/// Gives each pair to `out`, in the order of problems, users, languages and dates.
pub fn run(
    options: &EvolutionOptions,
    progress: &dyn Progress,
    out: &mut dyn FnMut(&Step) -> io::Result<()>,
) -> Result<EvolutionSummary, EvolutionError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| EvolutionError::Threads { threads, source })?;
    let set = Set::open(&options.set)?;
    let limits = Limits::of_memory(options.memory);
    progress.stage("comparing", 0);
    let mut summary = EvolutionSummary::default();
    for problem in &set.problems {
        let OfProblem { mut submissions, skipped } = set.submissions(problem)?;
        summary.skipped.extend(skipped);
        submissions.retain(|it| options.only.as_ref().is_none_or(|only| only.takes(it)));
        let mut pairs = chain::pairs(submissions, options.pairs).into_iter().peekable();
        while pairs.peek().is_some() {
            let batch = batch(&set, &mut pairs, memory::batch_budget(options.memory));
            progress.advance(batch.len() as u64);
            let steps: Vec<_> = pool.install(|| {
                let steps = batch.into_par_iter();
                steps
                    .map_init(|| Tokenizer::new(limits), |tokenizer, pair| step(&set, tokenizer, pair))
                    .collect()
            });
            for step in steps {
                match step {
                    Ok(step) => {
                        out(&step)?;
                        summary.steps += 1;
                    }
                    Err(skipped) => summary.skipped.push(skipped),
                }
            }
        }
    }
    Ok(summary)
}

/// The next pairs, whose texts are about `bytes` bytes.
fn batch(set: &Set, pairs: &mut impl Iterator<Item = [Submission; 2]>, bytes: usize) -> Vec<[Submission; 2]> {
    let mut taken = 0;
    let mut batch = Vec::new();
    while taken < bytes {
        let Some(pair) = pairs.next() else { break };
        let size = |it: &Submission| fs::metadata(set.layout.text(it)).map_or(0, |it| it.len() as usize);
        taken += 512 + size(&pair[0]) + size(&pair[1]);
        batch.push(pair);
    }
    batch
}

fn step(set: &Set, tokenizer: &mut Tokenizer, [from, to]: [Submission; 2]) -> Result<Step, Skipped> {
    let text = |it: &Submission| {
        let text = set
            .text(it)
            .map_err(|error| Skipped { path: it.submission_id.clone(), reason: error.to_string() });
        text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let (from_code, to_code) = (text(&from)?, text(&to)?);
    let mut tokens = |code: &str| tokens(tokenizer, &from.language, code);
    let tokens = tokens(&from_code).zip(tokens(&to_code));
    let lines = |code: &str| code.lines().map(|line| xxh3_64(line.as_bytes())).collect::<Vec<_>>();
    Ok(Step {
        id: format!("{}-{}", from.submission_id, to.submission_id),
        seconds: to.date.unwrap_or_default().saturating_sub(from.date.unwrap_or_default()),
        tokens: tokens.and_then(|(from, to)| edit::shortest(&from, &to)),
        lines: edit::shortest(&lines(&from_code), &lines(&to_code)),
        user_id: from.user_id,
        problem_id: from.problem_id,
        language: from.language,
        from_submission: from.submission_id,
        to_submission: to.submission_id,
        from_status: from.status,
        to_status: to.status,
        from_code,
        to_code,
    })
}

/// Hashes of the tokens of a program, without comments.
fn tokens(tokenizer: &mut Tokenizer, language: &str, code: &str) -> Option<Vec<u64>> {
    let (text, places) = tokenizer.tokens(language_called(language)?, code.as_bytes(), true).ok()?;
    Some(places.into_iter().map(|place| xxh3_64(&text[place])).collect())
}

impl Step {
    const COLUMNS: [&str; 13] = [
        "id",
        "user_id",
        "problem_id",
        "language",
        "from_submission",
        "to_submission",
        "from_status",
        "to_status",
        "seconds",
        "tokens_added",
        "tokens_removed",
        "lines_added",
        "lines_removed",
    ];

    /// Writes it as a line of JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// Writes the names of the columns of [`Self::write_csv`].
    pub fn write_csv_header(out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", Self::COLUMNS.join(","))
    }

    /// Writes all but the codes as a row of CSV.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let counts = |edit: Option<Edit>| match edit {
            Some(edit) => [edit.added.to_string(), edit.removed.to_string()],
            None => [String::new(), String::new()],
        };
        let texts = [
            &self.id,
            &self.user_id,
            &self.problem_id,
            &self.language,
            &self.from_submission,
            &self.to_submission,
            &self.from_status,
            &self.to_status,
        ];
        let seconds = self.seconds.to_string();
        let numbers = [counts(self.tokens), counts(self.lines)];
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(texts.into_iter().chain([&seconds]).chain(numbers.as_flattened()))?;
        csv.flush()
    }
}
