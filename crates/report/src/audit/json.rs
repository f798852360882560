//! `familiar.audit/1`: the whole result as one JSON document (`docs/formats/audit.md`).

use std::io;

use serde::Serialize;

use super::{AuditFragment, AuditPair, AuditReport, AuditSummary, Finding, SCHEMA, TableRow};
use crate::{ClassRow, Settings, Summary, Tool};

#[derive(Serialize)]
struct Document<'r> {
    schema: &'static str,
    tool: Tool,
    disclaimer: &'static str,
    settings: &'r Settings,
    /// How many of `settings.roots` are PATH's.
    audited: u32,
    against: &'r [String],
    summary: Both<'r>,
    fragments: &'r [AuditFragment],
    pairs: &'r [AuditPair],
    classes: &'r [ClassRow],
    findings: &'r [Finding],
    table: &'r [TableRow],
}

#[derive(Serialize)]
struct Both<'r> {
    #[serde(flatten)]
    clones: &'r Summary,
    audit: &'r AuditSummary,
}

pub(super) fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        tool: Tool::default(),
        disclaimer: report.disclaimer,
        settings: &report.settings,
        audited: report.audited,
        against: &report.against,
        summary: Both { clones: &report.summary, audit: &report.audit },
        fragments: &report.fragments,
        pairs: &report.pairs,
        classes: &report.classes,
        findings: &report.findings,
        table: &report.table,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}
