//! What to do about a finding.

use familiar_report::audit::{AuditFragment, AuditPair, Decision, Finding, Status, license_page};

use crate::places;

/// What to do, the first thing first, and the notice to add to the file, if one is missing.
pub(crate) fn advice(
    finding: &Finding,
    pair: &AuditPair,
    right: &AuditFragment,
) -> (Vec<String>, Vec<String>) {
    let (decision, status) = (finding.decision, finding.status);
    if matches!(decision, Decision::Own | Decision::Accepted) {
        return (Vec::new(), Vec::new());
    }
    let mut advice = Vec::new();
    if pair.direction.older == "left" {
        advice
            .push("others seem to have copied this code; check whether they follow your license".to_owned());
        return (advice, Vec::new());
    }
    if pair.direction.may_be_from_here() {
        let advice_if_own = "your file is not newer: if the code was written here, accept the finding";
        advice.push(advice_if_own.to_owned());
    }
    let theirs = right.license.as_deref().unwrap_or("no license");
    match status {
        Status::Conflict if right.license.is_none() => {
            advice.push("remove the code, or ask its author for a license: without one, nobody may copy it".to_owned());
        }
        Status::Conflict => advice.push(format!(
            "remove or rewrite the code, or ask its author for another license than {theirs}, or accept the finding with a reason"
        )),
        Status::Contested if pair.verdict.is_disagreement() => {
            advice.push("ask somebody who can decide: the sources disagree".to_owned());
        }
        Status::Contested => advice.push("ask somebody who can decide: it is not settled".to_owned()),
        Status::Unknown => advice.push("find out which license the code has".to_owned()),
        Status::Same | Status::Compatible => {}
    }
    let mut notice = Vec::new();
    if pair.laundering || finding.lacks_attribution {
        notice = self::notice(right);
    }
    if pair.laundering {
        advice.push("restore the original's license and copyright notices".to_owned());
    }
    if finding.lacks_attribution {
        advice.extend(finding.duties.iter().cloned());
    }
    if !notice.is_empty() {
        advice.push(format!("add this notice above the code: {}", notice.join(" / ")));
    }
    let lacks_notices = matches!(finding.failed, Some("attribution" | "laundering"));
    if decision == Decision::Denied && status != Status::Conflict && !lacks_notices {
        advice.push("replace the code, or change the policy in familiar.toml".to_owned());
    }
    (advice, notice)
}

/// More statements of one file than a notice needs to name.
const MOST_STATEMENTS: usize = 32;

/// The lines that say whose the code is, under which license, and where it is from.
fn notice(right: &AuditFragment) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for statement in right.copyrights.iter().take(MOST_STATEMENTS) {
        if !lines.contains(statement) {
            lines.push(statement.clone());
        }
    }
    let row = &right.fragment;
    let is_it = |place: &&familiar_report::find::OccurrenceRow| *place.path == *row.path;
    let place = right.occurrences.iter().find(is_it).or(right.occurrences.first());
    if let Some(author) = place.and_then(|place| place.author.as_ref()).filter(|_| lines.is_empty()) {
        lines.push(format!("Author: {author}"));
    }
    if let Some(license) = &right.license {
        lines.push(format!("License: {license}{}", in_brackets(license_page(license))));
    }
    if let Some(place) = place {
        let link = place.link.clone().or_else(|| places::package_page(place.purl.as_deref()?));
        let name =
            place.title.clone().or_else(|| place.purl.clone()).unwrap_or_else(|| place.project.clone());
        lines.push(format!("Source: {name}{}", in_brackets(link)));
    }
    lines
}

fn in_brackets(link: Option<String>) -> String {
    link.map_or_else(String::new, |link| format!(" ({link})"))
}
