//! Code under one expression inserted into a work under another: which of the licenses have to pass, and the best choice among them.

use familiar_license::{Expression, License};

use super::choices;
use super::duties::{self, Duty, DutyKind};
use super::pair;
use super::single;
use super::verdict::{RuleCitation, Status, Verdict, extend};
use crate::Category;

/// More pairs of licenses than two files have, however long their lists.
const MAX_PAIRS: usize = 5_000;

/// Whether code under `inbound` may be inserted into a work under `outbound`.
///
/// Of licenses between which one may choose one has to pass: first of the work's (the duties say which remain), then of the code's. Of
/// licenses that hold together all have to. A license that holds for the work already may come in with the code again. `-or-later` and
/// `+` are a choice of versions. The status is [`Status::Same`] only where both sides say the same as a whole.
pub fn judge(outbound: &Expression, inbound: &Expression) -> Verdict {
    let outbound = canonical(outbound.clone());
    let inbound = canonical(inbound.clone());
    let licenses = inbound.licenses();
    if outbound == inbound && licenses.iter().all(|license| pair::is_one_license(license)) {
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

/// The same expression for all that mean the same: simplified, the parts in one order.
pub(super) fn canonical(expression: Expression) -> Expression {
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
    let best = verdicts.iter().map(|verdict| verdict.status.rank()).min().unwrap_or(u8::MAX);
    let chosen = verdicts.iter().position(|verdict| verdict.status.rank() == best).unwrap_or_default();
    let loses = verdicts.iter().any(|verdict| verdict.status.rank() != best);
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
        verdicts.min_by_key(|(_, verdict)| verdict.status.rank()).expect("an expression has an alternative");
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
            if work.len() > 1 && work.contains(code) && pair::is_one_license(code) {
                let rule = RuleCitation::new(&code.to_string(), "the work already has this license");
                return Verdict::new(Status::Compatible, duties::of(&code.id), vec![rule]);
            }
            let each = work.iter().map(|work| single::judge(work, code));
            each.reduce(Verdict::and).expect("an alternative has a license")
        })
        .reduce(Verdict::and)
        .expect("an alternative has a license")
}
