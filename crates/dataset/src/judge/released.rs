//! What a release has of judgements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use familiar_judging::agreement::Agreement;
use familiar_judging::{Judgement, Round, State, Verdict};

use super::report::{self, Report};
use super::{load, log};
use crate::error::DatasetError;
use crate::inject::Kind;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};

/// What people say of the pairs.
#[derive(Default)]
pub(crate) struct Judged {
    states: BTreeMap<String, State>,
    /// Pairs of which not all judges have said true, and that are not decided.
    doubtful: BTreeSet<String>,
    report: Option<Report>,
    by_panel: u64,
    /// Judges who said something.
    people: u64,
    models: Vec<String>,
}

impl Judged {
    /// What people say of the pairs of a project.
    pub(crate) fn of(project: &Project) -> Result<Self, DatasetError> {
        if log::read(project)?.is_empty() {
            return Ok(Self::default());
        }
        Self::load(project, &lines::all(&project.path(file::PAIRS), "filter")?)
    }

    /// Reads it; nothing where nobody has judged.
    pub(crate) fn load(project: &Project, pairs: &[Pair]) -> Result<Self, DatasetError> {
        let rows: Vec<Judgement> = log::read(project)?;
        if rows.is_empty() {
            return Ok(Self::default());
        }
        let items = load::of_pairs(pairs);
        let ledger = load::ledger(project, &items, rows);
        let report = report::of(&items, &ledger);
        let said =
            |is_model: bool| report.judges.iter().filter(move |it| it.judged > 0 && it.is_model == is_model);
        let decided = |at: &usize| ledger.round(*at) == Round::Panel && ledger.state(*at) != State::ForPanel;
        let doubtful = |at: &usize| match ledger.state(*at) {
            State::Conflict | State::Redealt | State::ForPanel | State::Undecided => true,
            State::Open => ledger
                .first_round(*at)
                .iter()
                .any(|it| it.verdict.is_some_and(|verdict| verdict != Verdict::True)),
            State::True | State::False => false,
        };
        Ok(Self {
            doubtful: (0..items.len()).filter(doubtful).map(|at| items[at].id.clone()).collect(),
            states: (0..items.len()).map(|at| (items[at].id.clone(), ledger.state(at))).collect(),
            by_panel: (0..items.len()).filter(decided).count() as u64,
            people: said(false).count() as u64,
            models: said(true).map(|it| it.judge.clone()).collect(),
            report: Some(report),
        })
    }

    /// Whether the pair is true, where its judges have decided.
    pub(crate) fn verdict(&self, id: &str) -> Option<bool> {
        match self.states.get(id) {
            Some(State::True) => Some(true),
            Some(State::False) => Some(false),
            _ => None,
        }
    }

    /// What a pair is by its band and its judges; none where these have not decided.
    pub(crate) fn kind(&self, pair: &Pair) -> Option<Kind> {
        match (self.is_doubtful(&pair.id), self.verdict(&pair.id)) {
            (true, _) => None,
            (false, Some(false)) => Some(Kind::False),
            _ => Some(Kind::of(pair.band)),
        }
    }

    /// Whether a judge has said something else than true, and nothing is decided: such a pair is not released.
    pub(crate) fn is_doubtful(&self, id: &str) -> bool {
        self.doubtful.contains(id)
    }

    /// What the datasheet says of it.
    pub(crate) fn text(&self) -> String {
        let Some(report) = &self.report else {
            return "No person has judged these pairs: that a pair is true follows from how it was made, and the kind from how alike \
                 both sides look. A model may answer with code that does something else."
                .to_owned();
        };
        let of = |state: State| report.states.get(state.name()).copied().unwrap_or(0);
        let (is_true, is_false) = (of(State::True), of(State::False));
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{} of {} pairs are judged, by {} people in {:.1} hours: {is_true} true, {is_false} false, {} in conflict, and {} undecided. \
             A panel decided {}. All judges of a group have to say true. {} pairs are left out: in conflict, undecided, or doubted by a \
             judge and not decided yet. The column `judged` has the verdict; the other pairs are true by how they were made alone.",
            is_true + is_false + of(State::Conflict) + of(State::Undecided),
            report.pairs,
            self.people,
            report.hours,
            of(State::Conflict),
            of(State::Undecided),
            self.by_panel,
            self.doubtful.len()
        );
        if report.strangers > 0 {
            let _ = writeln!(
                out,
                "\n{} judgements are of pairs that are not there any more, or of other code, and do not count.",
                report.strangers
            );
        }
        let all = report.strata.iter().find(|it| it.name == "all");
        for (name, agreement) in [
            ("Cohen's kappa", all.and_then(|it| it.cohen)),
            ("Fleiss' kappa", all.and_then(|it| it.fleiss)),
            ("Krippendorff's alpha", all.and_then(|it| it.krippendorff)),
        ] {
            if let Some(Agreement { units, value, low, high }) = agreement {
                let _ = writeln!(
                    out,
                    "\n{name} is {value:.3} (95 % interval {low:.3} to {high:.3}), of {units} pairs that people judged by themselves."
                );
            }
        }
        let _ = match &self.models[..] {
            [] => writeln!(out, "\nNo model judged."),
            models => writeln!(out, "\nModels judged, too, and their verdicts count: {}.", models.join(", ")),
        };
        out.trim_end().to_owned()
    }
}
