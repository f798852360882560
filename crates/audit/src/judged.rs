//! Pairs, judged: which side is older, whether the code may be there, whether the copy says where it is from.

use std::collections::BTreeSet;

use familiar_corpus::stackexchange::Post;
use familiar_judge::attribution::{Copied, Grade, Original, Text};
use familiar_judge::{self as judge, Circumstances, Older, Terms, Verdict};
use familiar_license::Expression;
use familiar_report::PairRow;
use familiar_report::audit::{AttributionRow, AuditPair, RuleRow, Status, VerdictRow};
use rayon::prelude::*;

use crate::context::Context;
use crate::direction::{self, Age};
use crate::facts::Facts;
use crate::groups::Group;
use crate::places::{self, Place};
use crate::project_names;

/// One side of a pair.
#[derive(Clone, Copy)]
struct Side<'s, 'l> {
    facts: &'s Facts<'l>,
    license: &'s Expression,
    age: &'s Age,
    /// Of the side that is audited: its lines.
    copied: Option<&'s Copied<'s, 's>>,
}

impl Context<'_, '_> {
    /// The pairs of every group, judged.
    pub(crate) fn judged(&self, groups: &[Group]) -> Vec<Vec<AuditPair>> {
        let document = |group: &Group| self.comparison.fragment(group.left).document;
        let of_files: Vec<&[Group]> = groups.chunk_by(|a, b| document(a) == document(b)).collect();
        let of_file = |groups: &&[Group]| -> Vec<Vec<AuditPair>> {
            let text = self.text(document(&groups[0]));
            let text = Text::claimed(&text, &self.facts(groups[0].left).content.copyrights);
            groups.iter().map(|group| self.judged_group(group, &text)).collect()
        };
        of_files.par_iter().flat_map_iter(of_file).collect()
    }

    fn judged_group(&self, group: &Group, text: &Text<'_>) -> Vec<AuditPair> {
        let left_license = self.license(group.left);
        let row = self.comparison.fragment(group.left);
        let copied = Copied::new(text, (row.start_line, row.end_line));
        let judged = |pair: &PairRow| {
            let right_license = self.license(pair.right);
            let side = |id: u32, license, copied| {
                let row = self.comparison.fragment(id);
                Side { facts: self.facts(id), license, age: &self.ages[&row.document], copied }
            };
            let left = side(group.left, &left_license, Some(&copied));
            let right = side(pair.right, &right_license, None);
            judge(pair.clone(), left, right, self.is_own(group.left, pair.right))
        };
        group.pairs.iter().map(judged).collect()
    }

    /// Whether both sides are of one project.
    fn is_own(&self, left: u32, right: u32) -> bool {
        let row = self.comparison.fragment(left);
        let of_corpus = || project_names::names_of(&self.facts(left).places);
        let names = self.projects.names(row.root, &row.path).unwrap_or_else(of_corpus);
        let places = &self.facts(right).places;
        let is_own = |place: &Place<'_>| project_names::is_of_project(&names, place);
        // What others have too is own where the project is known to have had it first.
        let had_first = |place: &Place<'_>| is_own(place) && places::strong_time(&place.witness).is_some();
        !places.is_empty() && places.iter().all(is_own) || places::first(places).is_some_and(had_first)
    }
}

/// Judges a pair; `project_names` says whether both sides are of one project.
fn judge(pair: PairRow, left: Side<'_, '_>, right: Side<'_, '_>, own: bool) -> AuditPair {
    let first = right.facts.first.as_ref();
    let name = first.map_or_else(|| "the other file".to_owned(), |place| places::called(&place.witness));
    let (older, direction) = direction::of(left.age, right.age, &name);
    let circumstances = Circumstances { older, same_project: own };
    let elsewhere = right.facts.may_also_be(right.license);
    let verdict = judge::judge_pair(
        Terms { work: left.facts.work.as_ref(), ..Terms::from(left.license) },
        Terms { work: right.facts.work.as_ref(), elsewhere: &elsewhere, ..Terms::from(right.license) },
        circumstances,
    );
    // What nobody knows to have gone out of PATH is judged as what came in.
    let into = match older {
        Older::Left => &verdict.left_to_right,
        Older::Right | Older::Unknown => &verdict.right_to_left,
    };
    let into = into.as_ref().expect("the direction in which the code may have moved is judged");
    // Nobody has to say that his own code is his.
    let unsaid = || AttributionRow { grade: Grade::None.name(), evidence: Vec::new() };
    let attribution = if own { unsaid() } else { attributed(left, right) };
    let is_accused = older == Older::Right && left.age.is_beginning() && !own;
    let reasons = if is_accused { laundered(left, right) } else { Vec::new() };
    AuditPair {
        pair,
        direction,
        apprentice: judge::apprentice(left.license, right.license).map(status),
        verdict: VerdictRow {
            left_to_right: verdict.left_to_right.as_ref().map(|verdict| status(verdict.status)),
            right_to_left: verdict.right_to_left.as_ref().map(|verdict| status(verdict.status)),
            ..row(into)
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

fn status(status: judge::Status) -> Status {
    match status {
        judge::Status::Same => Status::Same,
        judge::Status::Compatible => Status::Compatible,
        judge::Status::Contested => Status::Contested,
        judge::Status::Unknown => Status::Unknown,
        judge::Status::Conflict => Status::Conflict,
    }
}

/// More places of one file than anybody names.
const MOST_PLACES: usize = 64;

/// What the audited side says of where the other stands: of its first place, or of another that has the very file.
fn attributed(left: Side<'_, '_>, right: Side<'_, '_>) -> AttributionRow {
    let place = right.facts.first.as_ref().map(|place| &place.witness.occurrence);
    let places = || {
        let others = right.facts.places.iter().take(MOST_PLACES).map(|place| &place.witness.occurrence);
        place.into_iter().chain(others)
    };
    let author_page = place.and_then(Post::author_page);
    let original = Original {
        links: distinct(places().flat_map(places::links)),
        post: place.and_then(places::post),
        author: place.and_then(|place| place.author.clone()).filter(|_| author_page.is_none()),
        author_page,
        projects: distinct(places().flat_map(places::names)),
        holders: right.facts.all_holders(),
        licenses: right.license.ids().into_iter().collect(),
    };
    let found = left.copied.map(|copied| copied.attribution(&original));
    let mut grade = found.as_ref().map_or(Grade::None, |found| found.grade);
    let evidence = found.iter().flat_map(|found| &found.evidence);
    let mut evidence: Vec<String> = evidence.map(ToString::to_string).collect();
    // A notice may be kept in the license file beside the code.
    if grade > Grade::CopyrightNotice
        && let Some(notice) = left.facts.declared_notice_of(&original.holders)
    {
        grade = Grade::CopyrightNotice;
        evidence.push(notice);
    }
    AttributionRow { grade: grade.name(), evidence }
}

/// Each once, in their order.
fn distinct(list: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    list.filter(|one| seen.insert(one.clone())).collect()
}

/// The signs that the audited side hides where the code is from.
fn laundered(left: Side<'_, '_>, right: Side<'_, '_>) -> Vec<String> {
    let side = |side: Side<'_, '_>, holders: Vec<String>| {
        let project = side.facts.first.as_ref().map(|place| place.witness.occurrence.project.clone());
        judge::Side::new(&side.facts.layers, holders, project)
    };
    let original = side(right, right.facts.holders());
    let copy = side(left, left.facts.all_holders());
    judge::laundering(&original, &copy).into_iter().map(|finding| finding.reason).collect()
}
