//! What people decided about pairs of problems: a line of JSON for each decision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_source::time;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::skipped::Skipped;

/// Most bytes of a file of decisions.
const MOST_BYTES: u64 = 64 << 20;

/// Whether two problems are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    One,
    Different,
    /// Nobody knows; takes back what was said before.
    Open,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Different => "different",
            Self::Open => "open",
        }
    }
}

/// What somebody said of two problems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemDecision {
    /// Their ids, in any order.
    pub problems: [String; 2],
    pub decision: Verdict,
    pub author: String,
    /// As `2026-01-31T12:00:00Z`, or with another offset from UTC.
    pub decided: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// The decisions that count: the newest on each pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemDecisions {
    by_pair: BTreeMap<[String; 2], ProblemDecision>,
}

/// Why decisions cannot be read, or cannot hold.
#[derive(Debug, Error)]
pub enum DecisionsError {
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{line}: {reason}", path.display())]
    Wrong { path: PathBuf, line: usize, reason: String },
    #[error(
        "the decisions contradict each other: {0} and {1} are different, but others make them one; take one of these back"
    )]
    Contradiction(String, String),
}

impl ProblemDecisions {
    /// Reads a file. Fails where a line is no decision.
    pub fn read(path: &Path) -> Result<Self, DecisionsError> {
        let text = named::read_text(path, MOST_BYTES);
        let text = text.map_err(|source| DecisionsError::Read { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|(line, reason)| DecisionsError::Wrong {
            path: path.to_owned(),
            line,
            reason,
        })
    }

    /// Reads lines; or says which one is no decision, and why. Of decisions at the same time the last one counts.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut by_pair: BTreeMap<[String; 2], ProblemDecision> = BTreeMap::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let decision: ProblemDecision =
                serde_json::from_str(text).map_err(|error| (line, error.to_string()))?;
            let Some(at) = time::instant(&decision.decided) else {
                let reason = format!("{:?} is no time such as 2026-01-31T12:00:00Z", decision.decided);
                return Err((line, reason));
            };
            let mut pair = decision.problems.clone();
            pair.sort();
            if pair[0] == pair[1] {
                return Err((line, format!("it names {} twice", pair[0])));
            }
            // Samples that say no problem are of none, and none joins them.
            if pair[0].is_empty() {
                return Err((line, "it names a problem without an id".to_owned()));
            }
            let before = by_pair.get(&pair).and_then(|before| time::instant(&before.decided));
            if before.is_none_or(|before| before <= at) {
                by_pair.insert(pair, decision);
            }
        }
        by_pair.retain(|_, decision| decision.decision != Verdict::Open);
        Ok(Self { by_pair })
    }

    /// The decisions that count, by their pairs.
    pub fn list(&self) -> Vec<ProblemDecision> {
        self.by_pair.values().cloned().collect()
    }

    /// The decisions on problems that are not among `problems`, and why they say nothing of them.
    pub(super) fn on_others(&self, problems: &[String]) -> Vec<Skipped> {
        let known: BTreeSet<&String> = problems.iter().collect();
        let missing = |pair: &[String; 2]| {
            let missing = pair.iter().find(|problem| !known.contains(problem))?;
            let path = format!("decision on {} and {}", pair[0], pair[1]);
            Some(Skipped { path, reason: format!("the data have no problem {missing}") })
        };
        self.by_pair.keys().filter_map(missing).collect()
    }

    /// The pairs with what holds of them, sorted; the smaller id first.
    pub fn pairs(&self) -> impl Iterator<Item = (&[String; 2], Verdict)> {
        self.by_pair.iter().map(|(pair, decision)| (pair, decision.decision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_decision_on_a_pair_counts() {
        let line = |one: &str, two: &str, decision: &str, day: u32| {
            format!(
                "{{\"problems\":[\"{one}\",\"{two}\"],\"decision\":\"{decision}\",\"author\":\"ada\",\"decided\":\"2026-01-0{day}T12:00:00Z\"}}\n"
            )
        };
        let text = [
            line("b", "a", "different", 2),
            line("a", "b", "one", 1),
            line("c", "d", "one", 1),
            line("c", "d", "open", 3),
            // Later, though its text is smaller: clocks differ, and a day alone is its beginning.
            line("e", "f", "one", 2).replace("02T12:00:00Z", "02T20:00:00+09:00"),
            line("e", "f", "different", 2).replace("T12:00:00Z", ""),
            line("e", "f", "different", 2).replace("T12:00:00Z", " 11:30:00"),
        ];
        let decisions = ProblemDecisions::parse(&text.concat()).expect("decisions");
        let found: Vec<_> = decisions.pairs().collect();
        let pairs = [["a", "b"], ["e", "f"]].map(|pair| pair.map(str::to_owned));
        assert_eq!(found, pairs.each_ref().map(|pair| (pair, Verdict::Different)));
        for (wrong, expected) in [
            ("{}", "missing field"),
            (&line("a", "a", "one", 1), "names a twice"),
            (&line("a", "", "one", 1), "without an id"),
        ] {
            let (at, reason) = ProblemDecisions::parse(&format!("\n{wrong}")).expect_err("it is wrong");
            assert!(at == 2 && reason.contains(expected), "{at} {reason}");
        }
    }
}
