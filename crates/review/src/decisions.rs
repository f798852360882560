//! All that was decided: of each finding the newest counts, and nothing is forgotten.

use std::collections::BTreeSet;
use std::io::{self, Write};

use familiar_source::time;
use serde::{Deserialize, Serialize};

use crate::{Decision, DecisionError, Judgement};

/// The format that decisions are kept in.
pub const SCHEMA: &str = "familiar.decisions/1";

/// Why decisions could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error("not a document of schema {SCHEMA}: {0}")]
    Parse(String),
    #[error("the findings that a policy accepts cannot be read: {0}")]
    Policy(String),
    #[error("neither decisions ({SCHEMA}) nor a result (familiar.clones/1 or familiar.audit/1): {0}")]
    Result(String),
    #[error("decision {number}: {fault}")]
    Wrong { number: usize, fault: DecisionError },
}

/// What was decided, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    all: BTreeSet<Decision>,
}

#[derive(Serialize)]
struct Written<'d> {
    schema: &'static str,
    decisions: &'d BTreeSet<Decision>,
}

#[derive(Deserialize)]
struct Document {
    schema: String,
    decisions: Vec<Decision>,
}

impl Decisions {
    /// Reads a `familiar.decisions/1` document.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReviewError> {
        let document: Document =
            serde_json::from_slice(bytes).map_err(|error| ReviewError::Parse(error.to_string()))?;
        if document.schema != SCHEMA {
            return Err(ReviewError::Parse(format!("its schema is {:?}", document.schema)));
        }
        let mut decisions = Self::default();
        for (number, decision) in (1..).zip(document.decisions) {
            let added = decisions.add(decision);
            added.map_err(|fault| ReviewError::Wrong { number, fault })?;
        }
        Ok(decisions)
    }

    /// Whether bytes claim to be such a document.
    pub fn is_one(bytes: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Schema {
            schema: String,
        }
        serde_json::from_slice(bytes).is_ok_and(|Schema { schema }| schema.starts_with("familiar.decisions/"))
    }

    /// Writes the document; the same decisions give the same bytes.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let document = Written { schema: SCHEMA, decisions: &self.all };
        serde_json::to_writer_pretty(&mut *out, &document).map_err(io::Error::from)?;
        writeln!(out)
    }

    /// Adds a decision; whether it is new.
    pub fn add(&mut self, decision: Decision) -> Result<bool, DecisionError> {
        Ok(self.all.insert(decision.checked()?))
    }

    /// The time of a decision that is made `now` (seconds since 1970) and is to count: right after all that was said of the finding.
    pub fn time_after(&self, fingerprint: &str, now: i64) -> String {
        let before = self.all.iter().filter(|decision| decision.fingerprint == fingerprint);
        let newest = before.filter_map(|decision| time::parse(&decision.decided)).max();
        time::utc(newest.map_or(now, |newest| now.max(newest + 1)))
    }

    /// Adds what others decided; how many are new.
    pub fn merge(&mut self, others: Self) -> usize {
        let before = self.all.len();
        self.all.extend(others.all);
        self.all.len() - before
    }

    /// Everything, by fingerprint and time.
    pub fn all(&self) -> impl Iterator<Item = &Decision> {
        self.all.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What holds, without what came before it.
    #[must_use]
    pub fn current(&self) -> Self {
        Self { all: self.standing().cloned().collect() }
    }

    /// What holds: the newest of each finding, unless it takes back what was said.
    pub fn standing(&self) -> impl Iterator<Item = &Decision> {
        let mut all = self.all.iter().peekable();
        let newest = std::iter::from_fn(move || {
            let mut newest = all.next()?;
            while let Some(next) = all.next_if(|next| next.fingerprint == newest.fingerprint) {
                newest = next;
            }
            Some(newest)
        });
        newest.filter(|decision| decision.decision != Judgement::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(print: u8, day: u8, decision: Judgement) -> Decision {
        Decision {
            fingerprint: format!("{print:032x}"),
            decided: format!("2026-01-{day:02}"),
            author: "ada".to_owned(),
            decision,
            comment: String::new(),
            place: String::new(),
        }
    }

    fn of(list: &[(u8, u8, Judgement)]) -> Decisions {
        let mut decisions = Decisions::default();
        for &(print, day, judgement) in list {
            decisions.add(decision(print, day, judgement)).expect("it is right");
        }
        decisions
    }

    #[test]
    fn the_newest_counts_whatever_the_order() {
        use Judgement::{Accepted, FalsePositive, NeedsAction, Open};
        let decisions = of(&[
            (2, 9, Open),
            (1, 3, FalsePositive),
            (1, 1, Accepted),
            (2, 4, Accepted),
            (3, 1, NeedsAction),
        ]);
        let standing: Vec<_> = decisions.standing().map(|decision| decision.decision).collect();
        assert_eq!(standing, [FalsePositive, NeedsAction]);
        assert_eq!(decisions.all().count(), 5);
    }

    #[test]
    fn what_is_said_now_counts() {
        let mut decisions = of(&[(1, 2, Judgement::NeedsAction)]);
        let print = decision(1, 1, Judgement::Open).fingerprint;
        assert_eq!(decisions.time_after(&print, 0), "2026-01-02T00:00:01Z");
        assert_eq!(decisions.time_after("", 0), "1970-01-01T00:00:00Z");
        let decided = decisions.time_after(&print, 0);
        let added = decisions.add(Decision { decided, ..decision(1, 1, Judgement::Accepted) });
        assert!(added.expect("it is right"));
        assert_eq!(decisions.standing().next().map(|one| one.decision), Some(Judgement::Accepted));
    }

    #[test]
    fn what_is_written_is_read_and_merged_once() {
        let decisions = of(&[(1, 1, Judgement::Accepted), (2, 1, Judgement::Open)]);
        let mut bytes = Vec::new();
        decisions.write(&mut bytes).expect("memory takes it");
        assert!(Decisions::is_one(&bytes));
        let mut read = Decisions::parse(&bytes).expect("it was written so");
        assert_eq!(read, decisions);
        assert_eq!(read.merge(of(&[(1, 1, Judgement::Accepted), (1, 2, Judgement::Open)])), 1);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (text, part) in [
            ("", "EOF"),
            (r#"{"schema":"familiar.clones/1","decisions":[]}"#, "familiar.clones/1"),
            (
                r#"{"schema":"familiar.decisions/1","decisions":[{"fingerprint":"9f","decided":"2026-01-01","author":"a","decision":"open"}]}"#,
                "decision 1",
            ),
            (
                r#"{"schema":"familiar.decisions/1","decisions":[{"fingerprint":"9f","decided":"2026-01-01","author":"a","decision":"maybe"}]}"#,
                "maybe",
            ),
        ] {
            let error = Decisions::parse(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
