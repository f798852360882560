//! Decisions as others write them: entries of a policy, and findings that an earlier result holds.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toml::value::Datetime;

use crate::{Decision, DecisionError, Decisions, Judgement, ReviewError};

/// Who brings in what, and when, where the source itself does not say.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    pub author: &'a str,
    /// As in [`Decision::decided`].
    pub decided: &'a str,
}

#[derive(Default, Serialize, Deserialize)]
struct Policy {
    #[serde(default)]
    audit: Audit,
}

#[derive(Default, Serialize, Deserialize)]
struct Audit {
    #[serde(default)]
    accepted: Vec<Accepted>,
}

#[derive(Serialize, Deserialize)]
struct Accepted {
    fingerprint: String,
    reason: String,
    date: Date,
    /// For which licenses and in which files alone it is accepted, if anything is said.
    #[serde(default, skip_serializing)]
    license: Option<IgnoredAny>,
    #[serde(default, skip_serializing)]
    paths: Option<IgnoredAny>,
}

/// A day, as TOML has them or as text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Date {
    Toml(Datetime),
    Text(String),
}

impl Decisions {
    /// What holds and settles a finding as entries of a policy (`[[audit.accepted]]` in `familiar.toml`).
    pub fn to_policy(&self) -> String {
        let settled = self.standing().filter(|decision| decision.decision.settles());
        let entry = |decision: &Decision| Accepted {
            fingerprint: decision.fingerprint.clone(),
            reason: decision.reason(),
            date: match decision.day().parse() {
                Ok(day) => Date::Toml(day),
                Err(_) => Date::Text(decision.decided.clone()),
            },
            license: None,
            paths: None,
        };
        let policy = Policy { audit: Audit { accepted: settled.map(entry).collect() } };
        if policy.audit.accepted.is_empty() {
            return String::new();
        }
        toml::to_string(&policy).expect("texts and days have a place in TOML")
    }

    /// The entries of a policy as decisions, and how many of them are left out: a decision cannot be for some licenses or files alone.
    pub fn of_policy(text: &str, import: Import<'_>) -> Result<(Self, usize), ReviewError> {
        let policy: Policy =
            toml::from_str(text).map_err(|error| ReviewError::Policy(error.message().to_owned()))?;
        let (mut decisions, mut narrowed) = (Self::default(), 0);
        for (number, accepted) in (1..).zip(policy.audit.accepted) {
            if accepted.license.is_some() || accepted.paths.is_some() {
                narrowed += 1;
                continue;
            }
            let added = decisions.add(Decision {
                fingerprint: accepted.fingerprint,
                decided: match accepted.date {
                    Date::Toml(date) => date.to_string(),
                    Date::Text(text) => text,
                },
                author: import.author.to_owned(),
                decision: Judgement::Accepted,
                comment: accepted.reason,
                place: String::new(),
            });
            added.map_err(|fault| ReviewError::Wrong { number, fault })?;
        }
        Ok((decisions, narrowed))
    }

    /// Everything that a `familiar.clones/1` or `familiar.audit/1` result holds, accepted: its classes, and the pairs between them.
    pub fn of_result(bytes: &[u8], import: Import<'_>) -> Result<Self, ReviewError> {
        let result: Found =
            serde_json::from_slice(bytes).map_err(|error| ReviewError::Result(error.to_string()))?;
        if !["familiar.clones/1", "familiar.audit/1"].contains(&result.schema.as_str()) {
            return Err(ReviewError::Result(format!("its schema is {:?}", result.schema)));
        }
        let mut decisions = Self::default();
        for (fingerprint, fragment) in result.findings() {
            let added = decisions.add(Decision {
                fingerprint: fingerprint.to_owned(),
                decided: import.decided.to_owned(),
                author: import.author.to_owned(),
                decision: Judgement::Accepted,
                comment: String::new(),
                place: result.fragments.get(fragment as usize).map(Place::text).unwrap_or_default(),
            });
            added.map_err(|fault: DecisionError| ReviewError::Wrong { number: fragment as usize, fault })?;
        }
        Ok(decisions)
    }
}

#[derive(Deserialize)]
struct Found {
    schema: String,
    fragments: Vec<Place>,
    classes: Vec<Class>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Place {
    path: String,
    start_line: u32,
}

impl Place {
    fn text(&self) -> String {
        let path: String = self.path.chars().filter(|letter| !letter.is_control()).take(900).collect();
        format!("{path}:{}", self.start_line)
    }
}

#[derive(Deserialize)]
struct Class {
    representative: u32,
    members: Vec<u32>,
    fingerprint: String,
    #[serde(default)]
    nested: Vec<Class>,
}

#[derive(Deserialize)]
struct Pair {
    left: u32,
    right: u32,
    fingerprint: String,
}

impl Found {
    /// The fingerprints of classes and of pairs that no class holds, with a fragment of each. What an audit decides on is pairs.
    fn findings(&self) -> Vec<(&str, u32)> {
        let is_audit = self.schema == "familiar.audit/1";
        let nested = self.classes.iter().flat_map(|class| &class.nested);
        let classes = self.classes.iter().chain(nested).filter(|_| !is_audit);
        let class_of: BTreeMap<u32, u32> = (0..)
            .zip(classes.clone())
            .flat_map(|(number, class)| class.members.iter().map(move |&member| (member, number)))
            .collect();
        let class = |fragment: u32| class_of.get(&fragment);
        let links = self
            .pairs
            .iter()
            .filter(|pair| class(pair.left).is_none() || class(pair.left) != class(pair.right));
        let classes = classes.map(|class| (class.fingerprint.as_str(), class.representative));
        classes.chain(links.map(|pair| (pair.fingerprint.as_str(), pair.left))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMPORT: Import<'_> = Import { author: "ada", decided: "2026-01-31" };

    #[test]
    fn a_policy_comes_back_as_it_went() {
        let mut decisions = Decisions::default();
        for (print, judgement, comment) in [
            (1, Judgement::Accepted, "ours \"\"\"\n[audit]\ndenied = []"),
            (2, Judgement::FalsePositive, ""),
            (3, Judgement::NeedsAction, "ask them"),
        ] {
            let decision = Decision {
                fingerprint: format!("{print:032x}"),
                decided: "2026-01-31T10:00:00Z".to_owned(),
                author: "bob".to_owned(),
                decision: judgement,
                comment: comment.to_owned(),
                place: String::new(),
            };
            decisions.add(decision).expect("it is right");
        }
        let policy = decisions.to_policy();
        assert!(policy.contains("[[audit.accepted]]") && policy.contains("date = 2026-01-31"), "{policy}");
        let (read, narrowed) = Decisions::of_policy(&policy, IMPORT).expect("it was written so");
        assert_eq!(narrowed, 0);
        let comments: Vec<_> = read.all().map(|decision| decision.comment.as_str()).collect();
        assert_eq!(comments, ["ours \"\"\"\n[audit]\ndenied = [] (bob)", "no copy (bob)"]);
    }

    #[test]
    fn a_policy_may_say_much_else() {
        let text = "threads = 2\n[audit]\ndenied = ['GPL-*']\n[[audit.accepted]]\nfingerprint = '0123456789abcdef0123456789abcdef'\nreason = 'x'\ndate = '2026-01-31'\n";
        let read = |text: &str| Decisions::of_policy(text, IMPORT).expect("it is right");
        assert_eq!((read(text).0.all().count(), read(text).1), (1, 0));
        assert!(read("").0.is_empty());
        for only in ["license = 'MIT'", "paths = ['vendor/']"] {
            let (decisions, narrowed) = read(&format!("{text}{only}\n"));
            assert!(decisions.is_empty() && narrowed == 1, "it is accepted there alone: {only}");
        }
        assert!(Decisions::of_policy("[[audit.accepted]]\nfingerprint = '9f'", IMPORT).is_err());
    }

    #[test]
    fn of_a_result_classes_and_links_are_taken() {
        let (a, b, c, d) = ("a".repeat(32), "b".repeat(32), "c".repeat(32), "d".repeat(32));
        let fragments: Vec<String> =
            (1..=4).map(|line| format!(r#"{{"path":"x.py","start_line":{line}}}"#)).collect();
        let result = |schema: &str| {
            format!(
                r#"{{"schema":"{schema}","fragments":[{}],"classes":[{{"representative":0,"members":[0,1],"fingerprint":"{a}"}}],
                "pairs":[{{"left":0,"right":1,"fingerprint":"{b}"}},{{"left":1,"right":2,"fingerprint":"{c}"}},{{"left":2,"right":3,"fingerprint":"{d}"}}]}}"#,
                fragments.join(",")
            )
        };
        let of = |schema| Decisions::of_result(result(schema).as_bytes(), IMPORT);
        let places = |decisions: Decisions| decisions.all().map(|one| one.place.clone()).collect::<Vec<_>>();
        assert_eq!(places(of("familiar.clones/1").expect("it is right")), ["x.py:1", "x.py:2", "x.py:3"]);
        assert_eq!(places(of("familiar.audit/1").expect("it is right")).len(), 3);
        assert!(of("familiar.find/1").is_err());
    }
}
