//! Pairs to findings: one for each piece of PATH's code that stands elsewhere.

use std::collections::BTreeSet;
use std::ops::Range;

use familiar_library::{Witness, origin};
use familiar_report::audit::{AuditPair, Finding, Status};
use familiar_source::BlobId;

use crate::context::Context;
use crate::decision::Judged;
use crate::groups::Group;
use crate::places::{self, Place};
use crate::policy::{Decided, Fail};

impl Context<'_, '_> {
    /// The findings that the pairs of each group make, which are numbered in their order.
    pub(crate) fn findings(&self, groups: &[Group], pairs: &[Vec<AuditPair>]) -> Vec<Finding> {
        let mut first = 0;
        let finding = |(group, pairs): (&Group, &Vec<AuditPair>)| {
            let numbers = first..first + pairs.len() as u32;
            first = numbers.end;
            self.finding(group, pairs, numbers)
        };
        groups.iter().zip(pairs).map(finding).collect()
    }

    /// The finding that a group's pairs make; they have the numbers `numbers`.
    fn finding(&self, group: &Group, pairs: &[AuditPair], numbers: Range<u32>) -> Finding {
        let (chosen, known, origin_reason) = self.origin(pairs);
        let pair = &pairs[chosen];
        let (status, contested) = self.status(pairs, chosen, known);
        let judged = Judged { group, pairs, chosen, known, status, contested };
        let Decided { decision, reason, failed } = self.decide(&judged);
        let documents: BTreeSet<u32> =
            pairs.iter().map(|pair| self.comparison.fragment(pair.pair.right).document).collect();
        let places = || documents.iter().flat_map(|document| &self.facts[document].places);
        let owners: BTreeSet<&str> = places().map(|place| place.witness.owner()).collect();
        Finding {
            rank: 0,
            fragment: group.left,
            origin: pair.pair.right,
            origin_known: known,
            origin_reason,
            pair: numbers.start + chosen as u32,
            others: (numbers.clone()).filter(|&number| number != numbers.start + chosen as u32).collect(),
            places: places().count() as u64,
            projects: owners.len() as u64,
            status,
            duties: pair.verdict.duties.clone(),
            rules: pair.verdict.rules.clone(),
            decision,
            reason,
            failed: failed.map(Fail::name),
            advice: Vec::new(),
            notice: Vec::new(),
            lacks_attribution: self.lacks_attribution(&judged),
            fingerprint: pair.pair.fingerprint.clone(),
        }
    }

    /// Which pair stands for the code's origin, whether times say so, and why.
    fn origin(&self, pairs: &[AuditPair]) -> (usize, bool, String) {
        let best = pairs.iter().map(|pair| pair.pair.similarity).fold(0.0, f64::max);
        let is_as_good = |pair: &AuditPair| pair.pair.similarity >= best * 0.8;
        let blob = |pair: &AuditPair| {
            let document =
                self.comparison.documents[self.comparison.fragment(pair.pair.right).document as usize];
            document.map(|document| document.blob)
        };
        let witnesses: Vec<(BlobId, Vec<Witness>)> = pairs
            .iter()
            .filter(|pair| is_as_good(pair))
            .filter_map(|pair| {
                let places: &[Place<'_>] = &self.facts(pair.pair.right).places;
                Some((blob(pair)?, places.iter().map(|place| place.witness.clone()).collect()))
            })
            .collect();
        let origin = origin::of(&witnesses);
        let swhid = |pair: &AuditPair| blob(pair).map(|blob| blob.swhid());
        let first = pairs.iter().position(|pair| origin.blob.is_some() && swhid(pair) == origin.blob);
        if let (true, Some(first)) = (origin.known, first) {
            return (first, true, origin.reason);
        }
        // Nothing says which came first: the worst of those that are not the project's own, and that are most alike.
        let seriousness = |pair: &AuditPair| (!pair.own, pair.verdict.status, pair.pair.similarity.to_bits());
        let worst = pairs
            .iter()
            .enumerate()
            .filter(|(_, pair)| is_as_good(pair))
            .max_by_key(|(at, pair)| (seriousness(pair), std::cmp::Reverse(*at)));
        (worst.map_or(0, |(at, _)| at), false, origin.reason)
    }

    /// The status of a finding; where places under other terms may as well be the origin, that it is contested, and why. Where times
    /// say which place is the origin, places without one that can be compared may be older still.
    fn status(&self, pairs: &[AuditPair], chosen: usize, known: bool) -> (Status, Option<String>) {
        let status = pairs[chosen].verdict.status;
        if status != Status::Conflict || pairs[chosen].direction.older == "left" {
            return (status, None);
        }
        let alike =
            |pair: &&AuditPair| pair.pair.similarity >= pairs[chosen].pair.similarity * 0.8 && !pair.own;
        let passes = |pair: &&AuditPair| matches!(pair.verdict.status, Status::Same | Status::Compatible);
        let place = |pair: &AuditPair| self.facts(pair.pair.right).first.as_ref();
        let is_dated =
            |pair: &AuditPair| place(pair).is_some_and(|place| places::strong_time(&place.witness).is_some());
        let may_be_first = |pair: &&AuditPair| !known || !is_dated(pair);
        let Some(other) = pairs.iter().filter(alike).filter(passes).find(may_be_first) else {
            return (status, None);
        };
        let named = |pair: &AuditPair| {
            let project = place(pair).map_or("?", |place| place.witness.occurrence.project.as_str());
            format!("{} in {project}", self.license(pair.pair.right))
        };
        let reason = format!(
            "the same code is under {} and under {}, and nothing says which came first",
            named(other),
            named(&pairs[chosen])
        );
        (Status::Contested, Some(reason))
    }
}
