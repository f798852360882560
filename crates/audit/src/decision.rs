//! What policy makes of a finding.

use familiar_license::Expression;
use familiar_report::audit::{AuditPair, Decision, Status};

use crate::context::Context;
use crate::groups::Group;
use crate::places;
use crate::policy::{Accepted, Decided, Fail, Policy};

/// A finding that is judged, and not decided yet.
pub(crate) struct Judged<'p> {
    pub(crate) group: &'p Group,
    pub(crate) pairs: &'p [AuditPair],
    /// The pair that stands for the code's origin, and whether times say so.
    pub(crate) chosen: usize,
    pub(crate) known: bool,
    pub(crate) status: Status,
    /// Why it is contested, where places under other terms make it so.
    pub(crate) contested: Option<String>,
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

impl Context<'_, '_> {
    fn policy(&self, group: &Group) -> &Policy {
        self.comparison.options.policies.of(self.comparison.fragment(group.left).root)
    }

    /// Who accepted a finding, if somebody did: by its fingerprint, and by its file and license where that is asked for.
    fn acceptance(&self, judged: &Judged<'_>) -> Option<&Accepted> {
        let row = self.comparison.fragment(judged.group.left);
        let (pair, license) = (&judged.pair().pair, self.license(judged.pair().pair.right));
        self.comparison.options.policies.acceptance(row.root, &row.path, &pair.fingerprint, &license)
    }

    /// What the policy makes of a finding, and why.
    pub(crate) fn decide(&self, judged: &Judged<'_>) -> Decided {
        let (pair, policy) = (judged.pair(), self.policy(judged.group));
        if pair.own {
            return Decided::of(Decision::Own, "the code belongs to this project");
        }
        if let Some(accepted) = self.acceptance(judged) {
            let reason = format!("accepted on {}: {}", accepted.date, accepted.reason);
            return Decided::of(Decision::Accepted, reason);
        }
        if pair.direction.older == "left" {
            return Decided::of(Decision::Open, "others seem to have copied the code from here");
        }
        let contested = match self.refused(judged) {
            Refused::All(reason) => return Decided::of(Decision::Denied, reason),
            Refused::Some(reason) if judged.status != Status::Conflict => Some(reason),
            Refused::Some(_) | Refused::None => judged.contested.clone(),
        };
        let (fail, reason) = match judged.status {
            _ if contested.is_some() => (Fail::Contested, contested.as_deref().unwrap_or_default()),
            Status::Conflict => return Decided::of(Decision::Denied, "the licenses conflict"),
            Status::Contested if pair.verdict.is_disagreement() => {
                (Fail::Contested, "the sources disagree on whether the licenses allow this")
            }
            Status::Contested => (Fail::Contested, "it is not settled whether the licenses allow this"),
            Status::Unknown => (Fail::Unknown, "no source says whether the licenses allow this"),
            Status::Same | Status::Compatible if pair.laundering => {
                (Fail::Laundering, "your file does not name the original's license or copyright")
            }
            Status::Same | Status::Compatible if self.is_named(judged) => {
                return Decided::of(Decision::Allowed, "the licenses allow this");
            }
            Status::Same | Status::Compatible => match self.named_elsewhere(judged) {
                Some(other) => {
                    let reason =
                        format!("the licenses allow this; your file names {other}, which has the code, too");
                    return Decided::of(Decision::Allowed, reason);
                }
                None => (
                    Fail::Attribution,
                    "the licenses allow this, but your file does not say where the code is from",
                ),
            },
        };
        let laundering = pair.laundering.then_some(Fail::Laundering);
        let fails = |fail: &Fail| policy.fail.contains(fail);
        if let Some(fail) = [Some(fail), laundering].into_iter().flatten().find(fails) {
            let reason = format!("{reason}; the policy does not accept code that is {}", fail.state());
            return Decided { failed: Some(fail), ..Decided::of(Decision::Denied, reason) };
        }
        Decided::of(Decision::Open, reason)
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
                let reason = format!(
                    "{reason}; the same code also exists under {other}, and nothing says which came first"
                );
                Refused::Some(reason)
            }
        }
    }

    /// Why the policy refuses code under a license at the place of a group.
    fn refusal(&self, group: &Group, license: &Expression) -> Option<String> {
        self.policy(group).refuses(&self.comparison.fragment(group.left).path, license)
    }

    /// Whether code that may be here does not say where it is from, though its license asks for that.
    pub(crate) fn lacks_attribution(&self, judged: &Judged<'_>) -> bool {
        let license = self.license(judged.pair().pair.right);
        matches!(judged.status, Status::Same | Status::Compatible)
            && !self.is_named(judged)
            && self.named_elsewhere(judged).is_none()
            && self.refusal(judged.group, &license).is_none()
    }

    /// Another place that the copy says it is from, whose code is about as alike.
    fn named_elsewhere(&self, judged: &Judged<'_>) -> Option<String> {
        let least = judged.pair().pair.similarity * 0.8;
        let is_named = |pair: &&AuditPair| {
            let passes = matches!(pair.verdict.status, Status::Same | Status::Compatible);
            pair.pair.similarity >= least && passes && !pair.own && pair.attribution.grade != "none"
        };
        let named = judged.pairs.iter().find(is_named)?;
        Some(places::called(&self.facts(named.pair.right).first.as_ref()?.witness))
    }

    /// Whether the copy says where it is from or whose it is, where the original's license asks for that.
    fn is_named(&self, judged: &Judged<'_>) -> bool {
        let pair = judged.pair();
        let (copy, original) = (self.facts(judged.group.left), self.facts(pair.pair.right));
        pair.verdict.duties.is_empty()
            || pair.attribution.grade != "none"
            || copy.keeps_notice_of(original, &self.license(pair.pair.right))
    }
}
