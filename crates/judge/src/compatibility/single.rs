//! One license, perhaps with an exception, taken into a work under one other: the choices that the two leave, and the best of them.

use familiar_license::License;

use super::choices::{self, Choice, How};
use super::duties::{self, Duty, DutyKind};
use super::pair;
use super::verdict::{RuleCitation, Status, Verdict, extend};
use crate::{Category, matrix};

pub(super) fn judge(work: &License, code: &License) -> Verdict {
    if work == code && pair::is_one_license(code) {
        let rule = RuleCitation::new(&code.to_string(), "both sides have this license");
        return Verdict::new(Status::Same, duties::of(&code.id), vec![rule]);
    }
    if let Some(verdict) = llvm(work, code) {
        return verdict;
    }
    let mut verdict = best(work, code);
    if work.exception.is_some() && work.exception != code.exception && verdict.status.passes() {
        loses_exception(&mut verdict, work, code);
    }
    let is_new = |exception: &&str| code.exception != work.exception || !pair::means_one_exception(exception);
    if let Some(exception) = code.exception.as_deref().filter(is_new) {
        read_exception(&mut verdict, code, exception);
    }
    verdict
}

/// The best of all choices; of equally good ones what is written before what is allowed before what is converted.
fn best(work: &License, code: &License) -> Verdict {
    let (works, codes) = (choices::of_work(&work.id), choices::of_code(&code.id));
    let written = judge_choice(work, &works[0], code, &codes[0]);
    if written.status.passes() {
        return written;
    }
    let mut best: Option<(u8, How, Verdict)> = None;
    for of_work in &works {
        for of_code in &codes {
            let how = of_work.how.max(of_code.how);
            if how == How::Written {
                continue;
            }
            let verdict = judge_choice(work, of_work, code, of_code);
            let key = (verdict.status.rank(), how);
            if best.as_ref().is_none_or(|(rank, how, _)| key < (*rank, *how)) {
                best = Some((key.0, key.1, chosen(verdict, work, of_work, of_code)));
            }
        }
    }
    match best {
        Some((rank, how, mut verdict)) if rank < written.status.rank() => {
            if how == How::Converted && written.status == Status::Conflict {
                // What a source says of the two licenses themselves is not undone by a way around it.
                verdict.status = verdict.status.max(Status::Contested);
            }
            extend(&mut verdict.rules, written.rules.into_iter().map(as_written).collect());
            verdict
        }
        _ => written,
    }
}

fn as_written(mut rule: RuleCitation) -> RuleCitation {
    rule.text = format!("before anything is chosen: {}", rule.text);
    rule
}

/// Adds what a choice rests on and what it takes.
fn chosen(mut verdict: Verdict, work: &License, of_work: &Choice, of_code: &Choice) -> Verdict {
    let rules = [&of_work.rule, &of_code.rule].into_iter().flatten().cloned().collect();
    extend(&mut verdict.rules, rules);
    // What stands in files of its own leaves the rest of the work as it was.
    let apart = verdict.duties.iter().any(|duty| duty.kind == DutyKind::KeepApart);
    if of_work.how != How::Written && verdict.status != Status::Conflict && !apart {
        verdict.duties.push(choices::duty(&work.to_string(), &of_work.id));
    }
    verdict
}

fn judge_choice(work: &License, of_work: &Choice, code: &License, of_code: &Choice) -> Verdict {
    let verdict = pair::judge(&listed(work, &of_work.id), &listed(code, &of_code.id));
    // Where the matrix knows the work's exception it may allow less than for the license alone, which the work may fall back to.
    if verdict.status.passes() || work.exception.is_none() || work.exception == code.exception {
        return verdict;
    }
    let alone = pair::judge(&of_work.id, &listed(code, &of_code.id));
    if alone.status.rank() < verdict.status.rank() { with_rules(alone, verdict) } else { verdict }
}

fn with_rules(mut verdict: Verdict, other: Verdict) -> Verdict {
    extend(&mut verdict.rules, other.rules);
    verdict
}

/// The name that the matrix has for the license with its exception, or the identifier alone.
fn listed(license: &License, id: &str) -> String {
    let full = license.exception.as_ref().map(|exception| format!("{id} WITH {exception}"));
    full.filter(|full| matrix::knows(full)).unwrap_or_else(|| id.to_owned())
}

fn loses_exception(verdict: &mut Verdict, work: &License, code: &License) {
    if !Category::of(&code.id).is_copyleft() {
        return;
    }
    let exception = work.exception.as_deref().unwrap_or_default();
    let text = "the code does not have the exception of the work, so the exception does not apply to the part that gets the code";
    verdict.rules.push(RuleCitation::new(exception, text));
    verdict.duties.push(Duty::new(DutyKind::DropException, exception, &format!("the code's {code}")));
}

fn read_exception(verdict: &mut Verdict, code: &License, exception: &str) {
    if spdx::exception_id(exception).is_some() {
        let text = "an exception only adds permissions; the code is judged without it";
        verdict.rules.push(RuleCitation::new(exception, text));
        return;
    }
    let text = format!("it is not known what {exception} adds to {}", code.id);
    verdict.rules.push(RuleCitation::new(exception, text));
    if verdict.status != Status::Conflict {
        verdict.status = Status::Unknown;
    }
}

/// The exception that was written to let code under the Apache License into works under version 2 of the GPL.
fn llvm(work: &License, code: &License) -> Option<Verdict> {
    let gpl2 = matches!(
        &*work.id,
        "GPL-2.0-only"
            | "GPL-2.0-or-later"
            | "LGPL-2.0-only"
            | "LGPL-2.0-or-later"
            | "LGPL-2.1-only"
            | "LGPL-2.1-or-later"
    );
    let is_llvm = code.id == "Apache-2.0" && code.exception.as_deref() == Some("LLVM-exception");
    (gpl2 && is_llvm).then(|| {
        let text = "if code is combined with software under GPLv2, the exception waives the terms of the Apache License that conflict with GPLv2";
        Verdict::new(Status::Compatible, duties::of("Apache-2.0"), vec![RuleCitation::new("LLVM-exception", text)])
    })
}
