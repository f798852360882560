//! What judges sit at: the next pair, what they say of it, and how far they are.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use familiar_judging::{Judgement, Ledger, Verdict, Work};
use familiar_syntax::Parser;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::item::Item;
use super::log::Log;
use super::view::{View, colored};
use super::{load, log};
use crate::error::DatasetError;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};
use crate::seed::Seed;
use crate::tested;

/// All that the judges of a benchmark need.
pub struct Desk {
    items: Vec<Item>,
    /// The name and the specification of each seed.
    seeds: BTreeMap<String, (String, Option<String>)>,
    tests: BTreeMap<String, Value>,
    hide_tests: bool,
    books: Mutex<Books>,
}

/// What changes. A judgement is in the log before it is in the ledger.
struct Books {
    log: Log,
    ledger: Ledger,
    parser: Parser,
}

/// What a judge says of a pair.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    pub pair_id: String,
    pub verdict: Verdict,
    #[serde(default)]
    pub comment: String,
    #[serde(default)]
    pub label: Option<String>,
    #[serde(default)]
    pub seconds: f64,
}

/// What a judge is told afterwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    pub pair_id: String,
    pub verdict: Verdict,
    /// What the tests say.
    pub tests: Option<Value>,
}

/// How far a judge is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    pub judge: String,
    pub judged: u64,
    /// Pairs that wait for this judge now.
    pub waiting: u64,
    pub seconds: f64,
    /// Pairs in an hour of looking at pairs.
    pub per_hour: f64,
    pub labels: Vec<String>,
}

/// A row of `tests.jsonl`.
#[derive(Deserialize)]
struct Tested {
    id: String,
    #[serde(default)]
    key: String,
    #[serde(default)]
    seed: u64,
    report: Value,
}

/// Most bytes of a comment.
const COMMENT: usize = 4000;

impl Desk {
    /// Opens the judgements for this process alone.
    pub fn open(project: &Project) -> Result<Self, DatasetError> {
        if project.settings.judge.judges().is_empty() {
            return Err(DatasetError::NoJudges(project.path("benchmark.toml")));
        }
        let pairs = load::pairs(project)?;
        let items = load::items_among(project, &pairs)?;
        let (log, rows) = log::Log::open(project)?;
        let ledger = load::ledger(project, &items, rows);
        let mut seeds = BTreeMap::new();
        lines::read(&project.path(file::SEEDS), "seeds", &mut |seed: Seed| {
            seeds.insert(seed.seed_id, (seed.name, seed.specification));
            Ok(())
        })?;
        let pairs: BTreeMap<&str, &Pair> = pairs.iter().map(|pair| (pair.id.as_str(), pair)).collect();
        let samples = tested::samples(project)?;
        let mut tests = BTreeMap::new();
        lines::read(&project.path(file::TESTS), "test", &mut |row: Tested| {
            let is_of = |pair: &&Pair| tested::key(pair, samples.get(&pair.seed_id), row.seed) == row.key;
            // Rows of pairs that have changed since say nothing of what is judged.
            if pairs.get(row.id.as_str()).is_some_and(is_of) {
                tests.insert(row.id, row.report);
            }
            Ok(())
        })?;
        let hide_tests = project.settings.judge.hide_tests;
        let books = Mutex::new(Books { log, ledger, parser: Parser::default() });
        Ok(Self { items, seeds, tests, hide_tests, books })
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        // The ledger changes after the log, by a step that does not fail, so it is whole whatever happened.
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All who may judge.
    pub fn judges(&self) -> Vec<String> {
        self.books().ledger.rules().judges().into_iter().map(str::to_owned).collect()
    }

    /// The next pair of a judge that is none of `skipped`.
    pub fn next(&self, judge: &str, skipped: &[String]) -> Option<View> {
        let mut books = self.books();
        let work = books.ledger.next(judge, skipped)?;
        Some(self.view(&mut books, judge, &work))
    }

    /// Keeps what a judge says. It is on the disk when this returns.
    pub fn judge(&self, judge: &str, said: Said) -> Result<Outcome, DatasetError> {
        let mut books = self.books();
        let Said { pair_id, verdict, mut comment, label, seconds } = said;
        let end = (0..=COMMENT.min(comment.len())).rev().find(|&at| comment.is_char_boundary(at));
        comment.truncate(end.unwrap_or(0));
        let mut row = Judgement {
            pair_id: pair_id.clone(),
            judge: judge.to_owned(),
            verdict: Some(verdict),
            comment,
            label,
            seconds: if seconds.is_finite() {
                (seconds.clamp(0.0, 86400.0) * 10.0).round() / 10.0
            } else {
                0.0
            },
            at: books.ledger.time_of_next(judge, &pair_id, &now()).to_owned(),
            blind: false,
            codes: books.ledger.index(&pair_id).map(|at| self.items[at].digest()),
        };
        let work = books.ledger.may(judge, &row)?;
        row.blind = work.blind;
        books.log.append(std::slice::from_ref(&row))?;
        books.ledger.take(row);
        Ok(Outcome { tests: self.tests.get(&pair_id).cloned(), pair_id, verdict })
    }

    /// Takes the last judgement of a judge back, and gives its pair.
    pub fn undo(&self, judge: &str) -> Result<View, DatasetError> {
        let mut books = self.books();
        let pair = books.ledger.last(judge)?;
        let before = books.ledger.said(pair).iter().find(|it| it.judge == judge).cloned();
        let row = Judgement {
            pair_id: self.items[pair].id.clone(),
            judge: judge.to_owned(),
            verdict: None,
            comment: String::new(),
            label: None,
            seconds: 0.0,
            at: books.ledger.time_of_next(judge, &self.items[pair].id, &now()).to_owned(),
            blind: false,
            codes: Some(self.items[pair].digest()),
        };
        books.log.append(std::slice::from_ref(&row))?;
        books.ledger.take(row);
        let round = books.ledger.round(pair);
        let blind = books.ledger.is_blind(pair, round);
        let mut view = self.view(&mut books, judge, &Work { pair, round, blind });
        view.own = before;
        Ok(view)
    }

    pub fn progress(&self, judge: &str) -> Progress {
        let books = self.books();
        let (judged, waiting) = books.ledger.progress(judge);
        let seconds = books.ledger.seconds().get(judge).copied().unwrap_or(0.0);
        let per_hour = if seconds > 0.0 { judged as f64 * 3600.0 / seconds } else { 0.0 };
        let labels = books.ledger.rules().labels.clone();
        Progress { judge: judge.to_owned(), judged, waiting, seconds, per_hour, labels }
    }

    fn view(&self, books: &mut Books, judge: &str, work: &Work) -> View {
        let item = &self.items[work.pair];
        let said = books.ledger.said(work.pair);
        let others = said.iter().filter(|it| !work.blind && it.judge != judge).cloned().collect();
        let own = said.iter().find(|it| it.judge == judge).cloned();
        let sides = [0, 1].map(|side| colored(&mut books.parser, &item.languages[side], &item.codes[side]));
        let seed = item.seed_id.as_ref().and_then(|id| self.seeds.get(id));
        let tests = self.tests.get(&item.id).filter(|_| !self.hide_tests).cloned();
        View {
            pair_id: item.id.clone(),
            headings: headings(item, seed.map_or("", |(name, _)| name)),
            sides,
            specification: seed.and_then(|(_, specification)| specification.clone()),
            round: work.round,
            blind: work.blind,
            others,
            own,
            tests,
        }
    }
}

/// What stands above both sides. What the result says of the pair is no part of it.
fn headings(item: &Item, seed: &str) -> [String; 2] {
    let of = |name: &str, language: &str| {
        if name.is_empty() { language.to_owned() } else { format!("{language}, {name}") }
    };
    let [one, other] = &item.languages;
    match &item.places {
        None => [format!("Seed ({})", of(seed, one)), format!("Implementation ({other})")],
        Some(places) => places.each_ref().map(|it| {
            let (file, name) = (it.file(), of(&it.name, &it.language));
            format!("{file}, lines {}–{} ({name})", it.start_line, it.end_line)
        }),
    }
}

fn now() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    familiar_source::time::utc(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
