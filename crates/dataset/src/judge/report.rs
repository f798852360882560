//! How far the judges are, and how much they agree.

use std::collections::{BTreeMap, BTreeSet};

use familiar_judging::agreement::{Agreement, Unit, cohen, fleiss, krippendorff};
use familiar_judging::proportions::{Difference, Rate, two_proportions};
use familiar_judging::{Judgement, Ledger, MODEL, State, Verdict};
use familiar_source::time::parse;
use serde::Serialize;

use super::item::Item;
use super::load;
use crate::error::DatasetError;
use crate::project::Project;
use crate::sample::By;

/// How far the judges are, and how much they agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub schema: &'static str,
    /// Pairs to judge.
    pub pairs: u64,
    /// How many pairs are in each state.
    pub states: BTreeMap<&'static str, u64>,
    /// Pairs that count for agreement: several people judged them by themselves.
    pub independent: u64,
    pub hours: f64,
    pub judges: Vec<JudgeLine>,
    /// How often each label was given, of all judgements.
    pub labels: BTreeMap<String, Rate>,
    pub strata: Vec<Stratum>,
    /// Judgements of pairs that are not there any more.
    pub strangers: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// What one judge did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgeLine {
    pub judge: String,
    pub is_model: bool,
    pub judged: u64,
    pub waiting: u64,
    pub hours: f64,
    /// The time of the newest judgement.
    pub last: Option<String>,
}

/// Some of the pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stratum {
    /// Such as `all`, `language=java`, `group=1`, `month=2026-11`, `kind=type4` or `lines=1-10`.
    pub name: String,
    /// How many pairs it has.
    pub pairs: u64,
    /// How many of the pairs whose judging has ended are true.
    pub rate: Rate,
    /// Of these pairs those to which more than half of their judges gave the label.
    pub labels: BTreeMap<String, Rate>,
    /// Of what the members of the first group say by themselves.
    pub cohen: Option<Agreement>,
    pub fleiss: Option<Agreement>,
    pub krippendorff: Option<Agreement>,
}

/// What is known of a stratum while it is counted.
#[derive(Default)]
struct Counted {
    pairs: u64,
    ended: u64,
    is_true: u64,
    labels: BTreeMap<String, u64>,
    units: Vec<Unit>,
}

/// Says how far the judges are.
pub fn report(project: &Project) -> Result<Report, DatasetError> {
    let (items, ledger) = load::both(project)?;
    Ok(of(&items, &ledger))
}

pub(super) fn of(items: &[Item], ledger: &Ledger) -> Report {
    let mut states: BTreeMap<&'static str, u64> = State::ALL.iter().map(|state| (state.name(), 0)).collect();
    let mut strata: BTreeMap<(u8, (u32, String)), Counted> = BTreeMap::new();
    let (mut judgements, mut labels) = (0, BTreeMap::<String, u64>::new());
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let state = ledger.state(at);
        *states.entry(state.name()).or_default() += 1;
        for said in ledger.said(at) {
            judgements += 1;
            if let Some(label) = &said.label {
                *labels.entry(label.clone()).or_default() += 1;
            }
            let newest = last.entry(&said.judge).or_default();
            if parse(newest) <= parse(&said.at) {
                *newest = &said.at;
            }
        }
        let first = ledger.first_round(at);
        let unit = unit(&first);
        let ended = matches!(state, State::True | State::False | State::Conflict | State::Undecided);
        let shared = if ended { majority(ledger.said(at)) } else { Vec::new() };
        for (rank, name) in names(item, ledger, at) {
            let counted = strata.entry((rank, By::order(&name))).or_default();
            counted.pairs += 1;
            counted.ended += u64::from(ended);
            for &label in &shared {
                *counted.labels.entry(label.to_owned()).or_default() += 1;
            }
            counted.is_true += u64::from(state == State::True);
            counted.units.extend(unit.clone());
        }
    }
    let independent = strata.values().next().map_or(0, |all| all.units.len() as u64);
    let known = &ledger.rules().labels;
    let judges = judges(ledger, &last);
    Report {
        schema: "familiar.judging/1",
        pairs: items.len() as u64,
        states,
        independent,
        hours: ledger.seconds().values().fold(0.0, |sum, it| sum + it) / 3600.0,
        judges,
        labels: labels.into_iter().map(|(label, count)| (label, Rate::new(count, judgements))).collect(),
        strata: strata.into_iter().map(|((_, (_, name)), counted)| counted.stratum(name, known)).collect(),
        strangers: ledger.strangers(),
        difference: None,
    }
}

/// The labels that more than half of the judges gave.
fn majority(said: &[Judgement]) -> Vec<&str> {
    let labels: BTreeSet<&str> = said.iter().filter_map(|it| it.label.as_deref()).collect();
    let count = |label: &str| said.iter().filter(|it| it.label.as_deref() == Some(label)).count();
    labels.into_iter().filter(|label| 2 * count(label) > said.len()).collect()
}

/// What several people say by themselves.
fn unit(said: &[&Judgement]) -> Option<Unit> {
    let number = |verdict: Verdict| match verdict {
        Verdict::True => 0,
        Verdict::False => 1,
        Verdict::Undecided => 2,
    };
    let is_unit = said.len() > 1 && said.iter().all(|it| it.blind);
    is_unit.then(|| said.iter().filter_map(|it| it.verdict).map(number).collect())
}

/// The strata of a pair, in the order of the report.
fn names(item: &Item, ledger: &Ledger, at: usize) -> Vec<(u8, String)> {
    let mut names = vec![(0, "all".to_owned()), (2, format!("group={}", ledger.group(at) + 1))];
    names.extend_from_slice(&item.strata);
    let newest = ledger.said(at).iter().map(|it| it.at.as_str()).max_by_key(|at| parse(at));
    names.extend(newest.and_then(|at| at.get(..7)).map(|month| (3, format!("month={month}"))));
    names
}

fn judges(ledger: &Ledger, last: &BTreeMap<&str, &str>) -> Vec<JudgeLine> {
    let known = ledger.rules().judges();
    let all: BTreeSet<&str> = known.into_iter().chain(ledger.seconds().keys().map(String::as_str)).collect();
    let line = |judge: &str| {
        let (judged, waiting) = ledger.progress(judge);
        JudgeLine {
            judge: judge.to_owned(),
            is_model: judge.starts_with(MODEL),
            judged,
            waiting,
            hours: ledger.seconds().get(judge).copied().unwrap_or(0.0) / 3600.0,
            last: last.get(judge).map(|&at| at.to_owned()),
        }
    };
    all.into_iter().map(line).collect()
}

impl Counted {
    fn stratum(self, name: String, known: &[String]) -> Stratum {
        let share =
            |label: &String| Rate::new(self.labels.get(label).copied().unwrap_or_default(), self.ended);
        Stratum {
            name,
            pairs: self.pairs,
            rate: Rate::new(self.is_true, self.ended),
            labels: known.iter().map(|label| (label.clone(), share(label))).collect(),
            cohen: cohen(&self.units),
            fleiss: fleiss(&self.units),
            krippendorff: krippendorff(&self.units),
        }
    }
}

/// Says whether the shares of true pairs, or of those with a label, differ in two strata.
pub fn compare(
    report: &Report,
    one: &str,
    other: &str,
    label: Option<&str>,
) -> Result<Difference, DatasetError> {
    let judged = |it: &&Stratum| it.rate.of > 0;
    if !report.strata.iter().any(|it| judged(&it)) {
        return Err(DatasetError::NothingJudged);
    }
    let of = |name: &str| -> Result<(u64, u64), DatasetError> {
        let found = report.strata.iter().filter(judged).find(|it| it.name == name);
        let found = found.ok_or_else(|| DatasetError::NoStratum {
            name: name.to_owned(),
            known: report
                .strata
                .iter()
                .filter(judged)
                .map(|it| it.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })?;
        let rate = label.map_or(Some(&found.rate), |label| found.labels.get(label));
        let rate = rate.ok_or_else(|| DatasetError::NoLabel(label.unwrap_or_default().to_owned()))?;
        Ok((rate.count, rate.of))
    };
    let rates = (of(one)?, of(other)?);
    // Only strata of one kind have no pair in common.
    let kind = |name: &str| name.split_once('=').map(|(kind, _)| kind.to_owned());
    if one == other || kind(one).is_none() || kind(one) != kind(other) {
        return Err(DatasetError::Overlap { one: one.to_owned(), other: other.to_owned() });
    }
    Ok(two_proportions(rates.0, rates.1))
}
