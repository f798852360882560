//! One pair: which side is older, whether the code may be there, whether the copy says where it is from.

use familiar_license::attribution::{self, Grade, Original, Text};
use familiar_license::judge::{self, Circumstances, Older, Terms};
use familiar_license::{Expression, Verdict, laundering};
use familiar_report::audit::{AttributionRow, AuditPair, RuleRow, Status, VerdictRow};
use familiar_report::{FragmentRow, PairRow};

use super::direction::{self, Age};
use super::facts::Facts;
use super::places;

/// One side of a pair.
#[derive(Clone, Copy)]
pub(super) struct Side<'s, 'l> {
    pub(super) row: &'s FragmentRow,
    pub(super) facts: &'s Facts<'l>,
    pub(super) license: &'s Expression,
    pub(super) age: &'s Age,
    /// Of the side that is audited: its file.
    pub(super) text: Option<&'s Text<'s>>,
}

/// Judges a pair; `own` says whether both sides are of one project.
pub(super) fn judge(pair: PairRow, left: Side<'_, '_>, right: Side<'_, '_>, own: bool) -> AuditPair {
    let (older, direction) = direction::of(left.age, right.age);
    let circumstances = Circumstances { older, same_project: own };
    let elsewhere = right.facts.may_also_be(right.license);
    let verdict = judge::judge_pair(
        Terms { work: left.facts.work.as_ref(), ..Terms::from(left.license) },
        Terms { work: right.facts.work.as_ref(), elsewhere: &elsewhere, ..Terms::from(right.license) },
        circumstances,
    );
    let audited = match older {
        Older::Left => verdict.left_to_right.as_ref(),
        Older::Right | Older::Unknown => verdict.right_to_left.as_ref(),
    };
    // Nobody has to say that his own code is his.
    let unsaid = || AttributionRow { grade: Grade::None.name(), evidence: Vec::new() };
    let attribution = if own { unsaid() } else { attributed(left, right) };
    let is_accused = older == Older::Right && left.age.is_beginning() && !own;
    let reasons = if is_accused { laundered(left, right) } else { Vec::new() };
    AuditPair {
        pair,
        direction,
        apprentice: judge::apprentice(left.license, right.license).map(status),
        audited: row(audited.unwrap_or(&verdict.combined)),
        verdict: VerdictRow {
            left_to_right: verdict.left_to_right.as_ref().map(|verdict| status(verdict.status)),
            right_to_left: verdict.right_to_left.as_ref().map(|verdict| status(verdict.status)),
            ..row(&verdict.combined)
        },
        attribution,
        laundering: !reasons.is_empty(),
        laundering_reasons: reasons,
        own,
    }
}

fn row(verdict: &Verdict) -> VerdictRow {
    let rule = |rule: &judge::RuleCitation| RuleRow { source: rule.source.clone(), text: rule.text.clone() };
    VerdictRow {
        status: status(verdict.status),
        left_to_right: None,
        right_to_left: None,
        duties: verdict.duties.iter().map(ToString::to_string).collect(),
        rules: verdict.rules.iter().map(rule).collect(),
    }
}

fn status(status: familiar_license::Status) -> Status {
    match status {
        familiar_license::Status::Same => Status::Same,
        familiar_license::Status::Compatible => Status::Compatible,
        familiar_license::Status::Contested => Status::Contested,
        familiar_license::Status::Unknown => Status::Unknown,
        familiar_license::Status::Conflict => Status::Conflict,
    }
}

/// What the audited side says of where the other stands.
fn attributed(left: Side<'_, '_>, right: Side<'_, '_>) -> AttributionRow {
    let place = right.facts.first.as_ref().map(|place| &place.witness.occurrence);
    let original = Original {
        links: place.map(places::links).unwrap_or_default(),
        post: place.and_then(places::post),
        author: place.and_then(|place| place.author.clone()),
        holders: right.facts.all_holders(),
        licenses: right.license.ids().into_iter().collect(),
    };
    let empty = Text::new("");
    let lines = (left.row.start_line, left.row.end_line);
    let found = attribution::attribution(left.text.unwrap_or(&empty), lines, &original);
    let words = |evidence: &attribution::Evidence| format!("line {}: {}", evidence.line, evidence.text);
    AttributionRow { grade: found.grade.name(), evidence: found.evidence.iter().map(words).collect() }
}

/// The signs that the audited side hides where the code is from.
fn laundered(left: Side<'_, '_>, right: Side<'_, '_>) -> Vec<String> {
    let side = |side: Side<'_, '_>, holders: Vec<String>| {
        let project = side.facts.first.as_ref().map(|place| place.witness.occurrence.project.clone());
        laundering::Side::new(&side.facts.layers, holders, project)
    };
    let original = side(right, right.facts.holders());
    let copy = side(left, left.facts.all_holders());
    laundering::laundering(&original, &copy).into_iter().map(|finding| finding.reason).collect()
}
