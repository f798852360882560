//! What to do about a finding.

use familiar_report::audit::{AuditFragment, AuditPair, Decision, Finding, Status};

/// What to do, the first thing first.
pub(super) fn advice(finding: &Finding, pair: &AuditPair, right: &AuditFragment) -> Vec<String> {
    let (decision, status) = (finding.decision, finding.status);
    if matches!(decision, Decision::Own | Decision::Accepted) {
        return Vec::new();
    }
    let theirs = right.license.as_deref().unwrap_or("no license");
    let mut advice = Vec::new();
    if pair.direction.older == "left" {
        advice
            .push("others seem to have taken it from here; see whether they keep to your license".to_owned());
        return advice;
    }
    match status {
        Status::Conflict if right.license.is_none() => {
            advice.push("remove the code, or ask its author for a license: without one nobody may copy it".to_owned());
        }
        Status::Conflict => advice.push(format!(
            "remove or rewrite the code, ask its author for other terms than {theirs}, or accept it with a reason"
        )),
        Status::Contested => advice.push("have somebody decide who knows the case; the sources disagree".to_owned()),
        Status::Unknown => advice.push("find out under which license the code stands".to_owned()),
        Status::Same | Status::Compatible => {}
    }
    if pair.laundering {
        advice.push("put the original's license and notices back".to_owned());
    }
    if finding.lacks_attribution {
        advice.extend(finding.duties.iter().cloned());
    }
    if decision == Decision::Denied && status != Status::Conflict {
        advice.push("replace the code, or change the policy in familiar.toml".to_owned());
    }
    advice
}
