//! Do both sides of the pairs behave alike when they run?
//!
//! Both run in the sandbox on inputs that are made for them (`familiar_functional`). Rows are added to `tests.jsonl` as they come. A step that
//! was ended goes on behind the last whole row, and rows of pairs that have changed since are left out.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use familiar_functional::{Options, Policy, Report, Side, Tester, Verdict};
use familiar_source::{Language, Progress};
use serde::{Deserialize, Serialize};

use crate::error::DatasetError;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};
use crate::tested::{key, samples};

/// Pairs whose reports are written together.
const BATCH: usize = 32;

/// What is run.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// So many pairs at most, the first; all where 0.
    pub pairs: usize,
    /// Only pairs of which both sides are in one of these languages; all where there are none.
    pub languages: Vec<Language>,
    /// Decides which inputs are made.
    pub seed: u64,
    /// Whether programs may run with the user's own rights.
    pub unsandboxed: bool,
}

/// A row of `tests.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// The name of the pair.
    pub id: String,
    /// A digest of what was run.
    pub key: String,
    /// By which inputs were made.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    pub report: Report,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

/// What came of the tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TestResult {
    pub pairs: u64,
    pub verdicts: BTreeMap<String, u64>,
    /// Why pairs cannot be run.
    pub causes: BTreeMap<String, u64>,
    /// Those that were there before.
    pub known: u64,
}

/// Runs the pairs that were not run before.
pub fn run(
    project: &Project,
    options: &TestOptions,
    progress: &dyn Progress,
) -> Result<TestResult, DatasetError> {
    let _lock = project.lock()?;
    let path = project.path(file::TESTS);
    let mut pairs: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
    if pairs.is_empty() {
        return Err(DatasetError::Missing { what: "pairs", step: "filter" });
    }
    let is_wanted = |lang: &str| Language::from_name(lang).is_some_and(|it| options.languages.contains(&it));
    pairs.retain(|pair| options.languages.is_empty() || (is_wanted(&pair.lang1) && is_wanted(&pair.lang2)));
    if options.pairs > 0 {
        pairs.truncate(options.pairs);
    }
    let samples = samples(project)?;
    let keys: Vec<String> =
        pairs.iter().map(|pair| key(pair, samples.get(&pair.seed_id), options.seed)).collect();
    let mut known: BTreeMap<String, Tested> = BTreeMap::new();
    let wanted: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
    for row in kept(&path)? {
        // Earlier versions did not write the seed, without which nobody can tell what was run.
        if wanted.contains(row.key.as_str()) && row.seed == options.seed {
            known.insert(row.key.clone(), row);
        }
    }
    let mut result = TestResult { known: known.len() as u64, ..TestResult::default() };
    let policy = if options.unsandboxed { Policy::Unsandboxed } else { Policy::Confined };
    let tester = Tester::new(Options { seed: options.seed, policy, ..Options::default() })?;
    let mut out = append(&path)?;
    progress.stage("running pairs", pairs.len() as u64);
    let all: Vec<(&Pair, &String)> = pairs.iter().zip(&keys).collect();
    for (done, batch) in all.chunks(BATCH).enumerate() {
        let new: Vec<&(&Pair, &String)> = batch.iter().filter(|(_, key)| !known.contains_key(*key)).collect();
        let asked: Vec<familiar_functional::Pair> =
            new.iter().map(|(pair, _)| asked(pair, samples.get(&pair.seed_id))).collect();
        let mut rows = Vec::new();
        for ((pair, key), report) in new.into_iter().zip(tester.test_all(&asked)) {
            let (id, key, seed) = (pair.id.clone(), (*key).clone(), options.seed);
            let row = Tested { id, key, seed, report: report? };
            serde_json::to_writer(&mut rows, &row)
                .map_err(io::Error::from)
                .map_err(|source| failed(&path, source))?;
            rows.push(b'\n');
            known.insert(row.key.clone(), row);
        }
        out.write_all(&rows).map_err(|source| failed(&path, source))?;
        progress.advance(((done + 1) * BATCH).min(pairs.len()) as u64);
    }
    for key in &keys {
        if let Some(row) = known.get(key) {
            result.count(&row.report);
        }
    }
    Ok(result)
}

impl TestResult {
    pub(crate) fn count(&mut self, report: &Report) {
        self.pairs += 1;
        *self.verdicts.entry(name(&report.verdict)).or_default() += 1;
        if let (Verdict::CannotRun, Some(cause)) = (report.verdict, &report.cause) {
            *self.causes.entry(name(cause)).or_default() += 1;
        }
    }
}

/// The name that a value has in JSON.
fn name<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
}

fn asked(pair: &Pair, samples: Option<&String>) -> familiar_functional::Pair {
    let side = |lang: &str, code: &str| Side {
        language: Language::from_name(lang).unwrap_or(Language::Other),
        code: code.to_owned(),
    };
    familiar_functional::Pair {
        first: side(&pair.lang1, &pair.code1),
        second: side(&pair.lang2, &pair.code2),
        samples: samples.cloned().unwrap_or_default(),
    }
}

/// The rows of a file that may end in the middle of one, which is cut off.
fn kept(path: &Path) -> Result<Vec<Tested>, DatasetError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(DatasetError::Read { path: path.to_owned(), source }),
    };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if whole < bytes.len() {
        let file = OpenOptions::new().write(true).open(path).map_err(|source| failed(path, source))?;
        file.set_len(whole as u64).map_err(|source| failed(path, source))?;
    }
    lines::all(path, "test")
}

fn append(path: &Path) -> Result<File, DatasetError> {
    OpenOptions::new().create(true).append(true).open(path).map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> DatasetError {
    DatasetError::Write { path: path.to_owned(), source }
}
