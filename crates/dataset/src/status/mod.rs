//! What is done, and what is next. `made` tells files that were made of others than those that are there now.

mod made;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::candidate::{Candidate, Dropped};
use crate::error::DatasetError;
use crate::filter::Merged;
use crate::judge;
use crate::lines;
use crate::pair::{Band, Pair};
use crate::project::{Project, file};
use crate::release;
use crate::reply::Reply;
use crate::tested::Verdicts;
use crate::validators::{Validated, Validators};
use made::Made;

/// The state of a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    pub name: String,
    /// Pairs that were drawn from a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<u64>,
    pub seeds: u64,
    pub replies: u64,
    /// Requests to a model that were answered, with the tokens that they took where the model says so.
    pub requests: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// How many implementations the prompts asked for.
    pub expected: u64,
    pub candidates: u64,
    /// What of the replies was not taken, by cause.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Implementations that are copies of another one of the same seed.
    pub merged: u64,
    pub pairs: u64,
    pub false_semantic: u64,
    pub type3: u64,
    pub type4: u64,
    pub cross_language: u64,
    pub short: u64,
    pub contaminated: u64,
    /// Pairs that were run, by verdict.
    pub tested: BTreeMap<String, u64>,
    /// Pairs by what became of them with their judges, where somebody has judged.
    pub judged: BTreeMap<&'static str, u64>,
    /// Pairs by the languages of both sides.
    pub by_language: BTreeMap<String, u64>,
    /// Pairs by prompt.
    pub by_prompt: BTreeMap<String, u64>,
    /// What the validators say, by language and prompt.
    pub validated: Vec<Validated>,
    /// Folders of releases that were ended before they were whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
    /// The command that comes next.
    pub next: String,
}

/// Which steps have to be made again.
#[derive(Clone, Copy)]
struct Due {
    parse: bool,
    filter: bool,
}

/// Counts what the files of the project hold.
pub fn status(project: &Project) -> Result<Status, DatasetError> {
    let mut status = Status { name: project.settings.name.clone(), ..Status::default() };
    let count = |name: &str, step: &'static str, number: &mut u64| {
        lines::read(&project.path(name), step, &mut |_: Value| {
            *number += 1;
            Ok(())
        })
    };
    let mut sampled = 0;
    count(file::SAMPLE, "sample", &mut sampled)?;
    status.sampled = (sampled > 0).then_some(sampled);
    count(file::SEEDS, "seeds", &mut status.seeds)?;
    let mut made = Made::default();
    lines::read(&project.path(file::CANDIDATES), "parse", &mut |row: Candidate| {
        status.candidates += 1;
        made.candidate(&row);
        Ok(())
    })?;
    lines::read(&project.path(file::DROPPED), "parse", &mut |row: Dropped| {
        *status.dropped.entry(row.cause.name()).or_default() += 1;
        made.dropped(&row);
        Ok(())
    })?;
    let mut due = Due { parse: false, filter: false };
    for (name, step) in [(file::GENERATED, "generate"), (file::IMPORTED, "import")] {
        lines::read(&project.path(name), step, &mut |reply: Reply| {
            status.replies += 1;
            due.parse |= !made.is_of(&reply);
            let prompt = project.prompt(&reply.prompt);
            status.expected += prompt.map_or(1, |it| it.expected(reply.targets.len().max(1)) as u64);
            Ok(())
        })?;
    }
    lines::read(&project.path(file::MERGED), "filter", &mut |_: Merged| {
        status.merged += 1;
        Ok(())
    })?;
    let verdicts = Verdicts::of(project)?;
    let mut validators = Validators::default();
    lines::read(&project.path(file::PAIRS), "filter", &mut |pair: Pair| {
        status.count(&pair);
        due.filter |= !made.has(&pair);
        validators.count(&pair);
        if let Some(verdict) = verdicts.verdict(&pair) {
            *status.tested.entry(verdict.to_owned()).or_default() += 1;
        }
        Ok(())
    })?;
    status.validated = validators.rows();
    status.asked(&project.path(file::REQUESTS))?;
    if project.path(file::JUDGEMENTS).exists() && (status.pairs > 0 || sampled > 0) {
        status.judged = judge::report(project)?.states.into_iter().filter(|(_, count)| *count > 0).collect();
    }
    status.unfinished = release::unfinished(project)?.iter().map(|path| path.display().to_string()).collect();
    due.filter |= status.pairs + status.merged < status.candidates;
    status.next = status.next(project, due)?;
    Ok(status)
}

impl Status {
    /// Counts what was asked. The last row may be cut: it is being written, or its writer was killed.
    fn asked(&mut self, path: &Path) -> Result<(), DatasetError> {
        let read = |source| DatasetError::Read { path: path.to_owned(), source };
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file.map_err(read)?,
        };
        for line in BufReader::new(file).split(b'\n') {
            let Ok(row) = serde_json::from_slice::<Value>(&line.map_err(read)?) else { continue };
            let usage = &row["reply"]["usage"];
            self.requests += u64::from(row.get("reply").is_some());
            self.input_tokens += usage["prompt_tokens"].as_u64().unwrap_or(0);
            self.output_tokens += usage["completion_tokens"].as_u64().unwrap_or(0);
        }
        Ok(())
    }

    fn count(&mut self, pair: &Pair) {
        self.pairs += 1;
        let number = match pair.band {
            Band::False => &mut self.false_semantic,
            Band::Type3 => &mut self.type3,
            Band::Type4 => &mut self.type4,
            Band::CrossLanguage => &mut self.cross_language,
        };
        *number += 1;
        self.short += u64::from(pair.short);
        self.contaminated += u64::from(pair.contamination.is_some());
        let languages = if pair.lang1 == pair.lang2 {
            pair.lang1.clone()
        } else {
            format!("{}-{}", pair.lang1, pair.lang2)
        };
        *self.by_language.entry(languages).or_default() += 1;
        *self.by_prompt.entry(pair.prompt.clone()).or_default() += 1;
    }

    fn next(&self, project: &Project, due: Due) -> Result<String, DatasetError> {
        let groups = &project.settings.judge.groups;
        let decided: u64 =
            ["true", "false", "conflict", "undecided"].iter().filter_map(|it| self.judged.get(it)).sum();
        let to_judge = self.pairs.saturating_sub(self.false_semantic);
        let (step, flags) = match () {
            () if self.sampled.is_some() => ("judge", ""),
            () if self.seeds == 0 => ("seeds", " SOURCE"),
            () if self.replies == 0 => ("generate", " --llm URL#MODEL"),
            () if !due.parse && self.candidates == 0 => ("generate", " --llm URL#MODEL"),
            () if due.parse || !project.path(file::CANDIDATES).exists() => ("parse", ""),
            () if due.filter => ("filter", ""),
            () if self.tested.is_empty() => ("test", ""),
            () if !groups.is_empty() && decided < to_judge => ("judge", ""),
            () if !release::is_any(project)? => ("release", " --version 1.0"),
            () => ("run", " --detector aligned"),
        };
        Ok(format!("familiar benchmark {step} {}{flags}", project.folder().display()))
    }

    /// How many implementations were dropped.
    pub fn all_dropped(&self) -> u64 {
        self.dropped.values().sum()
    }
}
