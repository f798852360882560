//! What policy makes of a finding.

use familiar_license::Expression;
use familiar_report::audit::{AuditPair, Decision, Status};

use super::groups::Group;
use super::known::Known;
use super::policy::{Accepted, Decided, Fail, Policy};

/// A finding that is judged, and not decided yet.
pub(super) struct Judged<'p> {
    pub(super) group: &'p Group,
    pub(super) pairs: &'p [AuditPair],
    /// The pair that stands for the code's origin, and whether times say so.
    pub(super) chosen: usize,
    pub(super) known: bool,
    pub(super) status: Status,
    /// Why it is contested, where places under other terms make it so.
    pub(super) contested: Option<String>,
}

impl Judged<'_> {
    fn pair(&self) -> &AuditPair {
        &self.pairs[self.chosen]
    }
}

/// Which of the licenses that code may have come under the policy refuses, and why.
enum Refused {
    None,
    Some(String),
    All(String),
}

impl Known<'_, '_> {
    fn policy(&self, group: &Group) -> &Policy {
        self.found.options.policies.of(self.found.fragment(group.left).root)
    }

    fn acceptance(&self, group: &Group, fingerprint: &str) -> Option<&Accepted> {
        self.found.options.policies.acceptance(self.found.fragment(group.left).root, fingerprint)
    }

    /// What the policy makes of a finding, and why.
    pub(super) fn decide(&self, judged: &Judged<'_>) -> Decided {
        let (pair, policy) = (judged.pair(), self.policy(judged.group));
        if pair.own {
            return (Decision::Own, "the code is this project's own".to_owned());
        }
        if let Some(accepted) = self.acceptance(judged.group, &pair.pair.fingerprint) {
            return (Decision::Accepted, format!("accepted on {}: {}", accepted.date, accepted.reason));
        }
        if pair.direction.older == "left" {
            return (Decision::Open, "the code seems to have been taken from here".to_owned());
        }
        let contested = match self.refused(judged) {
            Refused::All(reason) => return (Decision::Denied, reason),
            Refused::Some(reason) if judged.status != Status::Conflict => Some(reason),
            Refused::Some(_) | Refused::None => judged.contested.clone(),
        };
        let (fail, reason) = match judged.status {
            _ if contested.is_some() => (Fail::Contested, contested.as_deref().unwrap_or_default()),
            Status::Conflict => return (Decision::Denied, "the licenses are in conflict".to_owned()),
            Status::Contested => (Fail::Contested, "the sources disagree"),
            Status::Unknown => (Fail::Unknown, "no source says whether it may be here"),
            Status::Same | Status::Compatible if pair.laundering => {
                (Fail::Laundering, "the original's terms are not named")
            }
            Status::Same | Status::Compatible if !self.is_named(judged) => {
                (Fail::Attribution, "it may be here, but nothing says where it is from")
            }
            Status::Same | Status::Compatible => return (Decision::Allowed, "it may be here".to_owned()),
        };
        let laundering = pair.laundering.then_some(Fail::Laundering);
        if let Some(fail) =
            [Some(fail), laundering].into_iter().flatten().find(|fail| policy.fail.contains(fail))
        {
            return (Decision::Denied, format!("{reason}, and the policy fails what is {}", fail.state()));
        }
        (Decision::Open, reason.to_owned())
    }

    /// Whether the policy refuses the licenses under which the code may have come: where nothing says which place was first, those of all
    /// places that are about as alike. Places without a license say nothing where another has one.
    fn refused(&self, judged: &Judged<'_>) -> Refused {
        let license = self.license(judged.pair().pair.right);
        let mut licenses = vec![license.clone()];
        if !judged.known {
            let least = judged.pair().pair.similarity * 0.8;
            for pair in judged.pairs.iter().filter(|pair| pair.pair.similarity >= least && !pair.own) {
                let license = self.license(pair.pair.right);
                licenses.extend(self.facts(pair.pair.right).may_also_be(&license));
                licenses.push(license);
            }
        }
        if licenses.iter().any(|license| !license.is_none()) {
            licenses.retain(|license| !license.is_none());
        }
        licenses.sort();
        licenses.dedup();
        let refusal = |license: &Expression| self.refusal(judged.group, license);
        let Some(reason) = refusal(&license).or_else(|| licenses.iter().find_map(refusal)) else {
            return Refused::None;
        };
        match licenses.iter().find(|license| refusal(license).is_none()) {
            None => Refused::All(reason),
            Some(other) => {
                let reason =
                    format!("{reason}; it stands under {other}, too, and nothing says which place was first");
                Refused::Some(reason)
            }
        }
    }

    /// Why the policy refuses code under a license at the place of a group.
    fn refusal(&self, group: &Group, license: &Expression) -> Option<String> {
        self.policy(group).refuses(&self.found.fragment(group.left).path, license)
    }

    /// Whether code that may be here does not say where it is from, though its license asks for that.
    pub(super) fn lacks_attribution(&self, judged: &Judged<'_>) -> bool {
        let license = self.license(judged.pair().pair.right);
        matches!(judged.status, Status::Same | Status::Compatible)
            && !self.is_named(judged)
            && self.refusal(judged.group, &license).is_none()
    }

    /// Whether the copy says where it is from or whose it is, where the original's license asks for that.
    fn is_named(&self, judged: &Judged<'_>) -> bool {
        let pair = judged.pair();
        let (copy, original) = (self.facts(judged.group.left), self.facts(pair.pair.right));
        pair.audited.duties.is_empty()
            || pair.attribution.grade != "none"
            || copy.keeps_notice_of(original, &self.license(pair.pair.right))
    }
}
