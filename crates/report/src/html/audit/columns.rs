//! The chunk `audit`: its numbers, its table, and of each finding, pair and fragment what is filtered and counted by.

use std::io;

use serde::Serialize;

use crate::audit::{AuditFragment, AuditReport, AuditSummary, Finding, TableRow};
use crate::html::columns::{Column, Strings};
use crate::html::files::Files;
use crate::html::safe::to_json;
use crate::html::sink::Sink;

/// The first fragment or finding of each pack, as rises.
#[derive(Serialize)]
pub(super) struct Packs {
    pub(super) evidence: Column,
    pub(super) findings: Column,
}

#[derive(Serialize)]
struct Audit<'r> {
    disclaimer: &'static str,
    against: &'r [String],
    summary: &'r AuditSummary,
    table: &'r [TableRow],
    /// Different statuses, decisions, grades, sides, licenses and layers.
    words: Vec<&'r str>,
    /// Position in the settings' roots, by file.
    roots: Column,
    fragments: Fragments,
    findings: Findings,
    pairs: Pairs,
    packs: Packs,
}

/// All columns but `older` and flags hold positions in `words`.
#[derive(Default, Serialize)]
struct Fragments {
    /// Plus one; 0 where none is known.
    license: Column,
    license_by: Column,
}

#[derive(Default, Serialize)]
struct Findings {
    /// The other side's fragment that stands for the rest.
    origin: Column,
    origin_known: Column,
    status: Column,
    decision: Column,
    /// Of the first occurrence elsewhere by a time that can be compared; 0 where there is none.
    year: Column,
}

#[derive(Default, Serialize)]
struct Pairs {
    status: Column,
    /// In the direction into PATH, unless the code is known to have gone out of it.
    into: Column,
    older: Column,
    grade: Column,
    laundering: Column,
    own: Column,
}

pub(super) fn put(report: &AuditReport, files: &Files, packs: Packs, sink: &mut dyn Sink) -> io::Result<()> {
    let mut words = Strings::default();
    let mut fragments = Fragments::default();
    for fragment in &report.fragments {
        fragments.license.push(fragment.license.as_deref().map_or(0, |license| words.number(license) + 1));
        fragments.license_by.push(words.number(fragment.license_by));
    }
    let years = years(report);
    let mut findings = Findings::default();
    for (finding, year) in report.findings.iter().zip(years) {
        findings.origin.push(finding.origin);
        findings.origin_known.push(u32::from(finding.origin_known));
        findings.status.push(words.number(finding.status.name()));
        findings.decision.push(words.number(finding.decision.name()));
        findings.year.push(year);
    }
    let mut pairs = Pairs::default();
    for pair in &report.pairs {
        pairs.status.push(words.number(pair.verdict.status.name()));
        pairs.into.push(words.number(pair.verdict.status.name()));
        pairs.older.push(words.number(pair.direction.older));
        pairs.grade.push(words.number(pair.attribution.grade));
        pairs.laundering.push(u32::from(pair.laundering));
        pairs.own.push(u32::from(pair.own));
    }
    let audit = Audit {
        disclaimer: report.disclaimer,
        against: &report.against,
        summary: &report.audit,
        table: &report.table,
        roots: files.ranges().map(|file| report.fragments[file.start].fragment.root).collect(),
        words: words.list,
        fragments,
        findings,
        pairs,
        packs,
    };
    sink.put("audit", &to_json(&audit)?)
}

/// For each finding the year in which the code first stood elsewhere, as far as times prove it.
fn years(report: &AuditReport) -> Vec<u32> {
    let of_fragment: Vec<u32> = report.fragments.iter().map(first_year).collect();
    let of_finding = |finding: &Finding| {
        let pairs = finding.others.iter().chain([&finding.pair]);
        let years = pairs.map(|&pair| of_fragment[report.pairs[pair as usize].pair.right as usize]);
        years.filter(|&year| year > 0).min().unwrap_or(0)
    };
    report.findings.iter().map(of_finding).collect()
}

fn first_year(fragment: &AuditFragment) -> u32 {
    let dated = fragment.occurrences.iter().filter(|place| !matches!(place.evidence, "none" | "file-time"));
    let years = dated.filter_map(|place| place.first_seen.as_deref()?.get(..4)?.parse().ok());
    years.min().unwrap_or(0)
}
