//! Findings to the report: fragments numbered anew, the order of findings, and what they come to.

use std::collections::{BTreeMap, BTreeSet};

use familiar_judge::NO_LEGAL_ADVICE;
use familiar_report::audit::{AuditFragment, AuditPair, AuditReport, AuditSummary, Decision, Finding};
use familiar_report::{ClassRow, CloneReport, FragmentRow, PairRow, Skipped, class_fingerprint};
use familiar_review::Decisions;

use crate::comparison::Comparison;
use crate::context::Context;
use crate::left_out::LeftOut;
use crate::{advice, table};

impl Comparison<'_> {
    pub(crate) fn finished(
        self,
        fragments: Vec<AuditFragment>,
        pairs: Vec<AuditPair>,
        mut findings: Vec<Finding>,
        left_out: LeftOut,
        unreadable: Vec<Skipped>,
    ) -> AuditReport {
        rank(&mut findings, &fragments, &pairs);
        let classes = findings.iter().map(|finding| class(finding, &fragments, &pairs)).collect::<Vec<_>>();
        let audit = AuditSummary {
            left_out: left_out.reasons,
            left_out_pairs: left_out.pairs,
            ..sums(&findings, &pairs, &self.options.policies.accepted())
        };
        let CloneReport { settings, roots, mut summary, sources, .. } = self.report;
        summary.skipped.extend(unreadable);
        summary.skipped.sort_by(|a, b| (a.root, &a.path, &a.reason).cmp(&(b.root, &b.path, &b.reason)));
        summary.pairs = pairs.len() as u64;
        summary.classes = classes.len() as u64;
        summary.duplicated_lines = covered(&findings, &fragments);
        summary.duplication = summary.duplicated_lines as f64 / summary.lines.max(1) as f64;
        AuditReport {
            settings,
            roots,
            audited: self.audited,
            against: self.options.against_names.clone(),
            table: table::table(&fragments, &pairs, &findings),
            summary,
            audit,
            fragments,
            pairs,
            classes,
            findings,
            disclaimer: NO_LEGAL_ADVICE,
            decisions: Decisions::default(),
            sources,
        }
    }
}

/// Puts the most serious finding first, and numbers them.
fn rank(findings: &mut [Finding], fragments: &[AuditFragment], pairs: &[AuditPair]) {
    findings.sort_by_key(|finding| {
        let pair = &pairs[finding.pair as usize];
        let tokens = fragments[finding.fragment as usize].fragment.tokens;
        let seriousness = (finding.decision, std::cmp::Reverse(finding.status), !pair.laundering);
        (seriousness, std::cmp::Reverse(tokens), finding.fragment)
    });
    for (rank, finding) in (1u32..).zip(findings) {
        finding.rank = rank;
    }
}

/// How many findings there are of each kind, and which of the `accepted` fingerprints no finding has.
fn sums(findings: &[Finding], pairs: &[AuditPair], accepted: &BTreeSet<&str>) -> AuditSummary {
    let with = |decision: Decision| findings.iter().filter(|f| f.decision == decision).count() as u64;
    let mut audit = AuditSummary {
        findings: findings.len() as u64,
        denied: with(Decision::Denied),
        accepted: with(Decision::Accepted),
        own: with(Decision::Own),
        ..AuditSummary::default()
    };
    for finding in findings.iter().filter(|finding| finding.decision != Decision::Own) {
        *audit.by_status.entry(finding.status.name()).or_default() += 1;
        audit.laundering += u64::from(pairs[finding.pair as usize].laundering);
    }
    let used: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.decision == Decision::Accepted)
        .map(|finding| finding.fingerprint.as_str())
        .collect();
    audit.unused_acceptances = accepted.difference(&used).map(|&given| given.to_owned()).collect();
    audit
}

impl Context<'_, '_> {
    /// The rows of all fragments that are left, numbered anew.
    pub(crate) fn rows(
        &self,
        mut pairs: Vec<AuditPair>,
        findings: &mut [Finding],
    ) -> (Vec<AuditFragment>, Vec<AuditPair>) {
        let used: BTreeSet<u32> = pairs.iter().flat_map(|pair| [pair.pair.left, pair.pair.right]).collect();
        let ids: BTreeMap<u32, u32> = used.into_iter().zip(0..).collect();
        let fragments: Vec<AuditFragment> = ids.iter().map(|(&old, &new)| self.row(old, new)).collect();
        for pair in &mut pairs {
            (pair.pair.left, pair.pair.right) = (ids[&pair.pair.left], ids[&pair.pair.right]);
        }
        for finding in findings {
            (finding.fragment, finding.origin) = (ids[&finding.fragment], ids[&finding.origin]);
            let pair = &pairs[finding.pair as usize];
            (finding.advice, finding.notice) =
                advice::advice(finding, pair, &fragments[finding.origin as usize]);
        }
        (fragments, pairs)
    }

    fn row(&self, id: u32, new: u32) -> AuditFragment {
        let (facts, conclusion) = (self.facts(id), &self.licenses[&id]);
        AuditFragment {
            fragment: FragmentRow { id: new, ..self.comparison.fragment(id).clone() },
            license: conclusion.expression.as_ref().map(ToString::to_string),
            license_by: conclusion.by.name(),
            licenses: facts.layer_rows(),
            disagreements: facts.disagreements(conclusion),
            occurrences: facts.places.iter().map(|place| place.witness.row()).collect(),
            copyrights: facts.statements(),
            sha1: facts.content.sha1.clone(),
        }
    }
}

/// The star of a finding.
fn class(finding: &Finding, fragments: &[AuditFragment], pairs: &[AuditPair]) -> ClassRow {
    let mut numbers: Vec<u32> = finding.others.iter().copied().chain([finding.pair]).collect();
    numbers.sort_unstable();
    let rays: Vec<&PairRow> = numbers.iter().map(|&number| &pairs[number as usize].pair).collect();
    let members: Vec<u32> =
        std::iter::once(finding.fragment).chain(rays.iter().map(|ray| ray.right)).collect();
    let similarities = rays.iter().map(|ray| ray.similarity);
    let of = |id: u32| &fragments[id as usize].fragment;
    ClassRow {
        representative: finding.fragment,
        clone_type: rays.iter().map(|ray| ray.clone_type).max().unwrap_or(1),
        lines: of(finding.fragment).lines(),
        similarity: similarities
            .fold((1.0, 0.0), |(least, most), value| (f64::min(least, value), f64::max(most, value))),
        rank: finding.rank,
        score: f64::from(of(finding.fragment).tokens),
        relevance: 1.0,
        fingerprint: class_fingerprint(members.iter().map(|&id| of(id).form)),
        members,
        nested: Vec::new(),
        excerpt: None,
        other: None,
        explanation: None,
    }
}

/// How many lines of PATH findings cover, each counted once.
fn covered(findings: &[Finding], fragments: &[AuditFragment]) -> u64 {
    let row = |finding: &Finding| &fragments[finding.fragment as usize].fragment;
    let mut stretches: Vec<(u32, u32, u32)> = findings
        .iter()
        .map(|finding| (row(finding).document, row(finding).start_line, row(finding).end_line))
        .collect();
    stretches.sort_unstable();
    let (mut lines, mut at) = (0, (u32::MAX, 0));
    for (document, start, end) in stretches {
        let from = if at.0 == document { start.max(at.1) } else { start };
        lines += u64::from((end + 1).saturating_sub(from));
        at = (document, if at.0 == document { at.1.max(end + 1) } else { end + 1 });
    }
    lines
}
