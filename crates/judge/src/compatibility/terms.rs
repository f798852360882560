//! Code taken into a file that is part of a work: it has to go with the license of both.

use familiar_license::{Expression, License};

use super::duties::{Duty, DutyKind};
use super::expressions::{canonical, judge};
use super::verdict::{RuleCitation, Status, Verdict, extend};
use crate::Category;

/// Under which licenses code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<'e> {
    /// Of the code itself, or of the file that it stands in.
    pub file: &'e Expression,
    /// Of the work that the file is a part of, where its package says.
    pub work: Option<&'e Expression>,
    /// Others, under which the same file stands elsewhere, where nothing says which place was first.
    pub elsewhere: &'e [Expression],
}

impl<'e> From<&'e Expression> for Terms<'e> {
    fn from(file: &'e Expression) -> Self {
        Self { file, work: None, elsewhere: &[] }
    }
}

/// Licenses whose copyleft ends with the file, by their own words: MPL-2.0 section 3.3, CDDL-1.0 section 3.6, EPL-2.0 section 1
/// ("Modifications"), MS-RL section 3(A), APSL-2.0 section 4.
const OF_FILES: [&str; 7] = ["MPL-", "CDDL-", "EPL-", "CPL-", "NPL-", "MS-RL", "APSL-"];

/// Whether code may be inserted into a file, and stand in the work that the file is a part of. Of several licenses that the code may
/// have been taken under, the worst counts; where one allows what another forbids, it is contested.
pub(super) fn judge_into(outbound: Terms<'_>, inbound: Terms<'_>) -> Verdict {
    let verdict = judge_one(outbound, inbound.file);
    let others = inbound.elsewhere.iter().map(|license| (license, judge_one(outbound, license)));
    let mut all: Vec<(&Expression, Verdict)> =
        others.filter(|(_, verdict)| verdict.status != Status::Unknown).collect();
    all.insert(0, (inbound.file, verdict));
    let is_conflict = |(_, verdict): &&(&Expression, Verdict)| verdict.status == Status::Conflict;
    let passes = |(_, verdict): &&(&Expression, Verdict)| verdict.status.passes();
    if let (Some((denied, conflict)), Some((allowed, passing))) =
        (all.iter().find(is_conflict), all.iter().find(passes))
    {
        let text = format!(
            "the same file exists under {allowed} and under {denied}, and nothing says which came first"
        );
        let mut rules = vec![RuleCitation::new("place of origin", text)];
        extend(&mut rules, conflict.rules.clone());
        extend(&mut rules, passing.rules.clone());
        return Verdict::new(Status::Contested, passing.duties.clone(), rules);
    }
    let worst = all
        .into_iter()
        .map(|(_, verdict)| verdict)
        .reduce(|worst, verdict| if verdict.status > worst.status { verdict } else { worst });
    worst.expect("the first is always there")
}

/// Whether code under one license may be inserted into a file and stand in its work.
///
/// A file that keeps the code's own license may not go into a work that the license does not allow. Where the copyleft is one of files, it
/// may; where it is one of libraries, that is contested. What the work's license leaves unknown, the file's decides.
fn judge_one(outbound: Terms<'_>, inbound: &Expression) -> Verdict {
    let of_file = judge(outbound.file, inbound);
    let differs = |work: &&Expression| canonical((*work).clone()) != canonical(outbound.file.clone());
    let Some(work) = outbound.work.filter(differs) else { return of_file };
    let of_work = judge(work, inbound);
    if of_file.status >= of_work.status || matches!(of_work.status, Status::Unknown) {
        return of_file;
    }
    if of_work.status.passes() {
        let mut verdict = of_file;
        extend(&mut verdict.duties, of_work.duties);
        return verdict;
    }
    let citation = |text: &str| {
        let text = format!("the file is under {}, and part of a work under {work}: {text}", outbound.file);
        RuleCitation::new("license of the work", text)
    };
    let is_weak = Category::of_expression(inbound) == Category::WeakCopyleft;
    // A work with a copyleft of its own forbids the file, whatever the file's license allows.
    if of_work.status == Status::Conflict && is_weak && !Category::of_expression(work).is_copyleft() {
        let mut verdict = of_file;
        let ends_with_files = copyleft_of_files(inbound);
        if !ends_with_files {
            verdict.status = Status::Contested;
        }
        let text = if ends_with_files {
            "its copyleft ends with the file, which stays under its own license"
        } else {
            "its copyleft covers a library, and opinions differ on whether a file in a package is one"
        };
        verdict.rules.insert(0, citation(text));
        verdict.duties.push(Duty::new(DutyKind::KeepApart, &inbound.to_string(), "the copyleft's extent"));
        return verdict;
    }
    let mut verdict = of_work.and(of_file).settled();
    verdict.rules.insert(0, citation("the license of the work must allow the code, too"));
    verdict
}

/// Whether the copyleft of an expression ends with the file: of a choice that of one, of what holds together that of all.
fn copyleft_of_files(expression: &Expression) -> bool {
    match expression {
        Expression::License(License { id, .. }) => {
            !Category::of(id).is_copyleft() || OF_FILES.iter().any(|prefix| id.starts_with(prefix))
        }
        Expression::And(parts) => parts.iter().all(copyleft_of_files),
        Expression::Or(parts) => parts.iter().any(copyleft_of_files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, work: &str, inbound: &str, expected: Status) {
        let [file, work, inbound] =
            [file, work, inbound].map(|text| Expression::parse(text).expect("an expression"));
        let outbound = Terms { work: Some(&work), ..Terms::from(&file) };
        let verdict = judge_into(outbound, Terms::from(&inbound));
        assert_eq!(verdict.status, expected, "{inbound} into {file} in {work}: {verdict:?}");
    }

    #[test]
    fn a_file_that_keeps_its_license_has_to_go_with_the_work() {
        check("GPL-3.0-only", "MIT", "GPL-3.0-only", Status::Conflict);
        check("MIT", "GPL-3.0-only", "MIT", Status::Same);
        check("GPL-3.0-only", "MIT AND GPL-3.0-only", "GPL-3.0-only", Status::Same);
        check("CC-BY-SA-4.0", "BSD-3-Clause", "CC-BY-SA-4.0", Status::Conflict);
        check("MIT", "MIT", "GPL-3.0-only", Status::Conflict);
    }

    #[test]
    fn copyleft_of_files_ends_with_the_file_and_that_of_libraries_is_contested() {
        check("MPL-2.0", "MIT", "MPL-2.0", Status::Same);
        check("LGPL-2.1-or-later", "MIT", "LGPL-2.1-or-later", Status::Contested);
        check("MIT", "MIT", "MPL-2.0", Status::Conflict);
        let choice = "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later";
        check(choice, "MIT", choice, Status::Same);
        for id in ["CDDL-1.0", "EPL-2.0", "MPL-1.1"] {
            check(id, "GPL-2.0-only", id, Status::Conflict);
        }
    }

    #[test]
    fn what_the_works_license_leaves_unknown_the_files_decides() {
        check("MIT", "LicenseRef-scancode-unknown-license-reference", "MIT", Status::Same);
    }

    #[test]
    fn of_places_of_which_none_was_first_the_worst_counts_and_disagreeing_ones_are_contested() {
        let [gpl, mit, bsd, work] = ["GPL-3.0-only", "MIT", "BSD-3-Clause", "Apache-2.0"]
            .map(|text| Expression::parse(text).expect("an expression"));
        let status = |file: &Expression, elsewhere: &[Expression]| {
            judge_into(Terms::from(&work), Terms { elsewhere, ..Terms::from(file) }).status
        };
        assert_eq!(status(&mit, std::slice::from_ref(&gpl)), Status::Contested);
        assert_eq!(status(&gpl, std::slice::from_ref(&mit)), Status::Contested);
        assert_eq!(status(&work, std::slice::from_ref(&bsd)), Status::Compatible);
        assert_eq!(status(&gpl, &[]), Status::Conflict);
    }
}
