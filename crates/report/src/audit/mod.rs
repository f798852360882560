//! The result of `familiar audit` (`familiar.audit/1`, `docs/formats/audit.md`): may the code be here that also stands
//! elsewhere?
//!
//! `model` is the schema. `finding`, `package` and `stamp` are what several formats use, and each
//! other file is one format.

mod csv;
mod cyclonedx;
mod finding;
mod json;
mod markdown;
mod model;
mod ndjson;
mod notices;
mod package;
mod sarif;
mod spdx;
mod stamp;
mod text;

use std::io;

pub use model::{
    AttributionRow, AuditFragment, AuditPair, AuditReport, AuditSummary, Decision, DirectionRow, Finding,
    RuleRow, SCHEMA, Status, TableRow, VerdictRow,
};
pub use notices::{license_page, write as write_notices};
pub use stamp::Stamp;
pub use text::Style;

/// How a result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// `familiar.audit/1` as one document.
    Json,
    /// Every pair as one object a line.
    Ndjson,
    /// Every pair as one row.
    Csv,
    /// Tables for a merge request's comment or a page.
    Markdown,
    /// SARIF 2.1.0: a result for each finding.
    Sarif,
    /// SPDX 2.3 with snippets.
    SpdxJson,
    /// CycloneDX 1.6.
    CycloneDx,
}

impl Format {
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Json,
        Self::Ndjson,
        Self::Csv,
        Self::Markdown,
        Self::Sarif,
        Self::SpdxJson,
        Self::CycloneDx,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::SpdxJson => "spdx-json",
            Self::CycloneDx => "cyclonedx",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Writes `report` in `format`; `style` matters to text and Markdown, `stamp` to the formats that name a time.
pub fn write(
    report: &AuditReport,
    format: Format,
    style: Style,
    stamp: Stamp,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, style, out),
        Format::Json => json::write(report, out),
        Format::Ndjson => ndjson::write(report, out),
        Format::Csv => csv::write(report, out),
        Format::Markdown => markdown::write(report, style, out),
        Format::Sarif => sarif::write(report, out),
        Format::SpdxJson => spdx::write(report, stamp, out),
        Format::CycloneDx => cyclonedx::write(report, stamp, out),
    }
}
