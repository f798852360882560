//! One license taken into a work under one other license, both by identifier: every source is asked, and those that say something
//! are cited.

use familiar_license::{Expression, License};

use super::duties::{self, Duty, DutyKind};
use super::named;
use super::opinion::Opinion;
use super::share_alike;
use super::supplement;
use super::verdict::{RuleCitation, Status, Verdict};
use crate::Category;
use crate::category::is_other_reference;
use crate::matrix::{self, Answer};

/// Licenses that say the same as one in the matrix, for the question of what goes with what.
const ALIKE: &[(&str, &str)] = &[
    ("BSD-2-Clause-FreeBSD", "BSD-2-Clause"),
    ("BSD-2-Clause-NetBSD", "BSD-2-Clause"),
    ("BSD-2-Clause-Views", "BSD-2-Clause"),
    ("BSD-3-Clause-Clear", "BSD-3-Clause"),
    ("BSD-3-Clause-LBNL", "BSD-3-Clause"),
    ("HPND-sell-variant", "HPND"),
    ("MIT-0", "MIT"),
    ("MIT-Modern-Variant", "MIT"),
    ("MIT-advertising", "BSD-4-Clause"),
    ("OLDAP-2.7", "OLDAP-2.8"),
    ("PSF-2.0", "Python-2.0"),
    ("Python-2.0.1", "Python-2.0"),
    ("Unicode-3.0", "Unicode-DFS-2016"),
    ("ZPL-2.1", "ZPL-2.0"),
];

/// Whether a license is the same wherever its name stands, with what its exception adds.
pub(super) fn is_one_license(license: &License) -> bool {
    means_one_license(&license.id) && license.exception.as_deref().is_none_or(means_one_exception)
}

/// Whether an exception with this identifier is the same wherever the identifier stands. ScanCode's keys for exceptions have no category.
pub(super) fn means_one_exception(id: &str) -> bool {
    let is_one = |key: &str| !GENERIC.contains(&key) && !key.starts_with("unknown");
    spdx::exception_id(id).is_some() || id.strip_prefix("LicenseRef-scancode-").is_some_and(is_one)
}

/// Whether a license with this identifier is the same wherever the identifier stands.
fn means_one_license(id: &str) -> bool {
    let name = id.strip_suffix('+').unwrap_or(id);
    if spdx::license_id(name).is_some() {
        return !name.starts_with("any-OSI") && !matches!(name, Expression::NONE | Expression::NOASSERTION);
    }
    name.strip_prefix("LicenseRef-scancode-").is_some_and(|key| {
        !GENERIC.contains(&key)
            && !matches!(Category::of(name), Category::Unknown | Category::Unlicensed | Category::Agreement)
    })
}

/// ScanCode's keys for any license of a kind.
const GENERIC: &[&str] = &[
    "commercial-license",
    "generic-exception",
    "other-copyleft",
    "other-permissive",
    "proprietary-license",
    "unpublished-source",
];

/// Whether code under `inbound` may be inserted into a work under `outbound`. `X WITH E` counts as an identifier where the matrix has it.
pub(super) fn judge(outbound: &str, inbound: &str) -> Verdict {
    if let Some(verdict) = without_license(outbound, inbound) {
        return verdict;
    }
    if outbound == inbound && means_one_license(plain(inbound)) {
        let rule = RuleCitation::new(inbound, "the code has the same license as the work");
        return Verdict::new(Status::Same, duties::of(plain(inbound)), vec![rule]);
    }
    let mut opinions = Vec::new();
    opinions.extend(from_texts(outbound, inbound));
    opinions.extend(from_supplement(outbound, inbound));
    opinions.extend(from_matrix(outbound, inbound));
    let permissive = Category::of(plain(inbound)).is_permissive();
    opinions.extend(supplement::fsf(outbound, inbound, permissive).map(|(compatible, entry)| {
        let word = if compatible { "compatible" } else { "not compatible" };
        let opinion = if compatible { Opinion::Allows } else { Opinion::Denies };
        (opinion, RuleCitation::new(supplement::FSF, format!("{inbound} is {word} with {outbound}: {entry}")))
    }));
    if opinions.is_empty() {
        opinions.push(by_category(outbound, inbound));
    }
    weighed(opinions, outbound, inbound)
}

/// The identifier without the exception that the matrix's names may have.
fn plain(name: &str) -> &str {
    name.split_once(" WITH ").map_or(name, |(license, _)| license)
}

fn weighed(opinions: Vec<(Opinion, RuleCitation)>, outbound: &str, inbound: &str) -> Verdict {
    let says = |asked: Opinion| opinions.iter().any(|(opinion, _)| *opinion == asked);
    let status = if says(Opinion::Contests) || says(Opinion::Allows) && says(Opinion::Denies) {
        Status::Contested
    } else if says(Opinion::Allows) {
        Status::Compatible
    } else if says(Opinion::Denies) {
        Status::Conflict
    } else if says(Opinion::Depends) {
        Status::Contested
    } else {
        Status::Unknown
    };
    let mut duties = duties::of(plain(inbound));
    let is_combined = combined_by_section_13(outbound, inbound);
    // Of a verdict that is contested, some say that the license does not let code pass on.
    if status == Status::Compatible && plain(outbound) != plain(inbound) && !is_combined {
        for duty in &mut duties {
            duty.pass_on(plain(outbound));
        }
    }
    if is_combined {
        duties.push(Duty::new(DutyKind::KeepApart, inbound, "GPL-3.0 section 13, AGPL-3.0 section 13"));
        if inbound != "AGPL-3.0-only" {
            let source = "section 13, for the combination as such";
            duties.push(Duty::new(DutyKind::NetworkSource, "AGPL-3.0-only", source));
        }
    }
    let rules = opinions.into_iter().map(|(_, rule)| rule).collect();
    Verdict::new(status, duties, rules).settled()
}

/// The verdict where one side has no license or none that was determined.
fn without_license(outbound: &str, inbound: &str) -> Option<Verdict> {
    let supplement = |status: Status, basis: &str| {
        Some(Verdict::new(status, Vec::new(), vec![RuleCitation::new(supplement::SOURCE, basis)]))
    };
    let unlicensed = |id: &str| Category::of(id) == Category::Unlicensed;
    if unlicensed(inbound) {
        return supplement(
            Status::Conflict,
            "no license was found for the copied code, so all rights are reserved",
        );
    }
    if inbound == Expression::NOASSERTION {
        return supplement(Status::Unknown, "the license of the copied code is not known");
    }
    let category = Category::of(plain(inbound));
    if category == Category::PublicDomain {
        return None;
    }
    if outbound == Expression::NOASSERTION {
        return supplement(Status::Unknown, "the license of the receiving work is not known");
    }
    if !unlicensed(outbound) {
        return None;
    }
    let (status, text) = match category {
        Category::Permissive => (
            Status::Compatible,
            "the receiving work grants no license; the conditions of the code apply in it",
        ),
        Category::Unknown | Category::Agreement => return None,
        category if category.is_copyleft() => (
            Status::Conflict,
            "the receiving work grants no license, but the code may be distributed only in a work under the code's own license",
        ),
        _ => (Status::Conflict, "the license of the code does not allow its distribution in other works"),
    };
    let rule = RuleCitation::new(&format!("category of {inbound}"), text);
    Some(Verdict::new(status, duties::of(plain(inbound)), vec![rule]).settled())
}

/// Section 13 of both licenses speaks of exactly these.
fn combined_by_section_13(outbound: &str, inbound: &str) -> bool {
    matches!((outbound, inbound), ("GPL-3.0-only", "AGPL-3.0-only") | ("AGPL-3.0-only", "GPL-3.0-only"))
}

fn from_texts(outbound: &str, inbound: &str) -> Vec<(Opinion, RuleCitation)> {
    if combined_by_section_13(outbound, inbound) {
        let both = "both licenses allow a single work that combines a work under one with a work under the other, if each part keeps its \
                    license; inserted code needs separate files, because neither license lets code change to the other";
        return vec![(Opinion::Allows, RuleCitation::new("GPL-3.0 section 13, AGPL-3.0 section 13", both))];
    }
    named::opinion(outbound, inbound)
        .or_else(|| share_alike::opinion(outbound, inbound))
        .into_iter()
        .collect()
}

fn from_supplement(outbound: &str, inbound: &str) -> Option<(Opinion, RuleCitation)> {
    let (verdict, basis) = supplement::row(outbound, inbound)?;
    let opinion = match verdict {
        "Yes" | "Duties" | "Same" => Opinion::Allows,
        "No" => Opinion::Denies,
        "Check dependency" => Opinion::Depends,
        "Contested" => Opinion::Contests,
        _ => Opinion::Undecided,
    };
    Some((opinion, RuleCitation::new(supplement::SOURCE, format!("{outbound} with {inbound}: {basis}"))))
}

fn from_matrix(outbound: &str, inbound: &str) -> Option<(Opinion, RuleCitation)> {
    let alike = |id: &str| ALIKE.iter().find(|(other, _)| *other == id).map(|(_, listed)| *listed);
    let listed_outbound = alike(outbound).unwrap_or(outbound);
    let listed_inbound = alike(inbound).unwrap_or(inbound);
    let (answer, mut reason) = matrix::ask(listed_outbound, listed_inbound)?;
    let opinion = match answer {
        Answer::Same | Answer::Yes => Opinion::Allows,
        Answer::No => Opinion::Denies,
        // Copying counts as inserting.
        Answer::CheckDependency if reason.contains("can only be linked or combined") => Opinion::Denies,
        Answer::CheckDependency => Opinion::Depends,
        Answer::Unknown => Opinion::Undecided,
    };
    if answer == Answer::Same {
        "the licenses say the same".clone_into(&mut reason);
    }
    for (id, listed) in [(outbound, listed_outbound), (inbound, listed_inbound)] {
        if id != listed {
            reason = format!("{reason} ({id} is taken as {listed})");
        }
    }
    if opinion == Opinion::Denies && Category::of(inbound) == Category::WeakCopyleft {
        reason.push_str(" Such code may be used in separate files under its own license, but it may not be inserted into other files.");
    }
    Some((opinion, RuleCitation::new(matrix::SOURCE, reason)))
}

/// What holds for licenses of these kinds in general, where no source speaks of the two.
fn by_category(outbound: &str, inbound: &str) -> (Opinion, RuleCitation) {
    let (taker, taken) = (Category::of(plain(outbound)), Category::of(plain(inbound)));
    let (opinion, text) = match (taker, taken) {
        (_, Category::PublicDomain) => (Opinion::Allows, "code in the public domain may be used in any work"),
        (_, Category::Unknown | Category::Agreement)
        | (Category::Unknown | Category::Agreement, Category::Permissive) => {
            return (
                Opinion::Undecided,
                RuleCitation::new("category", unclear(outbound, taker, inbound, taken)),
            );
        }
        (Category::ShareAlike, Category::Permissive) => {
            (Opinion::Allows, "permissive code may be used in a work under CC BY-SA if its notice is kept")
        }
        (taker, Category::Permissive) if taker.is_copyleft() => (
            Opinion::Undecided,
            "no source says whether this permissive license requires more than the copyleft license allows",
        ),
        (_, Category::Permissive) => {
            (Opinion::Allows, "licenses without copyleft are generally considered compatible with each other")
        }
        (Category::Unknown | Category::Agreement, _) => {
            (Opinion::Undecided, "it is not known what the license of the receiving work allows")
        }
        (taker, taken) if taker.is_copyleft() && taken.is_copyleft() => {
            if family(outbound) == family(inbound) {
                (
                    Opinion::Undecided,
                    "both are versions of one copyleft license, and no source says whether code may change from one to the other",
                )
            } else {
                (
                    Opinion::Denies,
                    "code under a copyleft license may be used under another copyleft license only if its own license says so",
                )
            }
        }
        (_, taken) if taken.is_copyleft() => (
            Opinion::Denies,
            "code under a copyleft license may not be distributed under a license without that copyleft",
        ),
        _ => (Opinion::Denies, "the license of the code forbids uses that the receiving work permits"),
    };
    let source = format!("category: {} into {}", taken.name(), taker.name());
    (opinion, RuleCitation::new(&source, text))
}

fn unclear(outbound: &str, taker: Category, inbound: &str, taken: Category) -> String {
    let (id, category) = if matches!(taken, Category::Unknown | Category::Agreement) {
        (inbound, taken)
    } else {
        (outbound, taker)
    };
    match category {
        Category::Agreement => format!("{id} is not a license for code"),
        _ if is_other_reference(id) => {
            format!("only the document that uses the name {id} explains it; compare the license texts")
        }
        _ => format!("it is not known what {id} requires"),
    }
}

/// The identifier before its version: `OSL` of `OSL-2.1`.
fn family(id: &str) -> &str {
    id.find(|c: char| c.is_ascii_digit()).map_or(id, |at| &id[..at])
}
