//! Whether code under one license may stand in a work under another.
//!
//! Copying counts as inserting, not as linking. [`judge`](fn@judge) answers for one direction, [`judge_pair`] for a pair of which it may
//! not be known who took from whom. What is asked, in this order: the licenses' own words, the supplement, OSADL's matrix, the FSF's
//! list; where none of them says anything, what holds for licenses of the kind. Sources that disagree make a verdict contested.
//!
//! # Files
//!
//! `pair` asks every source for two licenses: `matrix` (OSADL), `supplement`, `share_alike`, and
//! the licenses' words. `single` and `choices` try what licenses let one choose. `terms` says
//! whether code may go into a file and the work around it, `pairwise` what follows for two pieces
//! of code. `duties` are what a license asks, `verdict` what is said.

mod choices;
mod duties;
mod matrix;
mod pair;
mod pairwise;
mod share_alike;
mod single;
mod supplement;
mod terms;
mod verdict;

pub use duties::{Duty, DutyKind};
pub use pairwise::{Circumstances, Older, PairVerdict, judge_pair};
pub use terms::Terms;
pub use verdict::{NO_LEGAL_ADVICE, RuleCitation, Status, Verdict};

use crate::{Category, Expression, License};
use verdict::extend;

/// More pairs of licenses than two files have, however long their lists.
const MAX_PAIRS: usize = 5_000;

/// Whether the matrix takes the license for copyleft; none where it does not have it.
pub(crate) fn copyleft_by_matrix(id: &str) -> Option<bool> {
    matrix::is_copyleft(id)
}

/// Whether code under `inbound` may be inserted into a work under `outbound`.
///
/// Of licenses between which one may choose one has to pass: first of the work's (the duties say which remain), then of the code's. Of
/// licenses that hold together all have to. A license that holds for the work already may come in with the code again. `-or-later` and
/// `+` are a choice of versions. The status is [`Status::Same`] only where both sides say the same as a whole.
pub fn judge(outbound: &Expression, inbound: &Expression) -> Verdict {
    let outbound = canonical(outbound.clone());
    let inbound = canonical(inbound.clone());
    let licenses = inbound.licenses();
    if outbound == inbound && licenses.iter().all(|license| pair::means_one_license(&license.id)) {
        let rule = RuleCitation::new(&inbound.to_string(), "both sides have the same license");
        let mut all = Vec::new();
        for license in licenses {
            extend(&mut all, duties::of(&license.id));
        }
        return Verdict::new(Status::Same, all, vec![rule]);
    }
    let choices = choices::alternatives(&outbound).zip(choices::alternatives(&inbound));
    let size = |sets: &[Vec<&License>]| sets.iter().map(Vec::len).sum::<usize>();
    let Some((works, codes)) = choices.filter(|(works, codes)| size(works) * size(codes) <= MAX_PAIRS) else {
        let rule = RuleCitation::new(
            "expression",
            "the expression has too many licenses and choices; judge its parts",
        );
        return Verdict::new(Status::Unknown, Vec::new(), vec![rule]);
    };
    let mut verdict = best_for_work(&works, &codes);
    if verdict.status == Status::Same {
        verdict.status = Status::Compatible;
    }
    verdict.settled()
}

/// The rule of The Sourcerer's Apprentice, for its table: code from Stack Overflow, which is under CC BY-SA, conflicts with every license
/// but CC BY-SA. Of other code it says nothing.
pub fn apprentice(outbound: &Expression, inbound: &Expression) -> Option<Status> {
    let is_share_alike =
        |license: &Expression| license.licenses().iter().any(|license| license.id.starts_with("CC-BY-SA-"));
    let status = if is_share_alike(outbound) { Status::Compatible } else { Status::Conflict };
    is_share_alike(inbound).then_some(status)
}

/// The same expression for all that mean the same: simplified, the parts in one order.
fn canonical(expression: Expression) -> Expression {
    let sorted = |parts: Vec<Expression>| {
        let mut parts: Vec<_> = parts.into_iter().map(canonical).collect();
        parts.sort();
        parts
    };
    match expression.simplified() {
        Expression::And(parts) => Expression::And(sorted(parts)).simplified(),
        Expression::Or(parts) => Expression::Or(sorted(parts)).simplified(),
        license @ Expression::License(_) => license,
    }
}

/// The best verdict that a choice among the work's licenses gives; with the duty to choose where another choice fails.
fn best_for_work(works: &[Vec<&License>], codes: &[Vec<&License>]) -> Verdict {
    let verdicts: Vec<_> = works.iter().map(|work| best_for_code(work, codes)).collect();
    let best = verdicts.iter().map(|verdict| rank(verdict.status)).min().unwrap_or(u8::MAX);
    let chosen = verdicts.iter().position(|verdict| rank(verdict.status) == best).unwrap_or_default();
    let loses = verdicts.iter().any(|verdict| rank(verdict.status) != best);
    let mut verdict = verdicts[chosen].clone();
    if loses {
        let name = names(&works[chosen]);
        let text = format!("of the licenses of the work, only {name} remains once the code is in it");
        verdict.rules.push(RuleCitation::new("choice of the work's license", text));
        verdict.duties.push(Duty::new(DutyKind::ChooseLicense, &name, "the work's choice of licenses"));
    }
    verdict
}

/// The best verdict that a choice among the code's licenses gives for one set of the work's licenses.
fn best_for_code(work: &[&License], codes: &[Vec<&License>]) -> Verdict {
    let verdicts = codes.iter().map(|code| (code, all_of(work, code)));
    let (chosen, mut verdict) =
        verdicts.min_by_key(|(_, verdict)| rank(verdict.status)).expect("an expression has an alternative");
    if codes.len() > 1 {
        let text = format!("of the licenses of the code, {} is chosen", names(chosen));
        verdict.rules.push(RuleCitation::new("choice of the code's license", text));
    }
    verdict
}

fn names(licenses: &[&License]) -> String {
    licenses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" AND ")
}

/// Every license of the code into every license of the work.
fn all_of(work: &[&License], code: &[&License]) -> Verdict {
    let is_license = |license: &&&License| Category::of(&license.id) != Category::Agreement;
    let only_agreements = !code.iter().any(|license| is_license(&license));
    let taken = code.iter().filter(|license| only_agreements || is_license(license));
    taken
        .map(|code| {
            if work.len() > 1 && work.contains(code) && pair::means_one_license(&code.id) {
                let rule = RuleCitation::new(&code.to_string(), "the work already has this license");
                return Verdict::new(Status::Compatible, duties::of(&code.id), vec![rule]);
            }
            let each = work.iter().map(|work| single::judge(work, code));
            each.reduce(Verdict::and).expect("an alternative has a license")
        })
        .reduce(Verdict::and)
        .expect("an alternative has a license")
}

/// What is better: the same license is as good as a compatible one.
fn rank(status: Status) -> u8 {
    match status {
        Status::Same | Status::Compatible => 0,
        Status::Contested => 1,
        Status::Unknown => 2,
        Status::Conflict => 3,
    }
}
