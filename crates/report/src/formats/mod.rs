//! One file for each output format.

use std::io;

use crate::CloneReport;

mod badge;
mod bigcloneeval;
pub(crate) mod csv;
mod gitlab;
pub mod json;
pub(crate) mod markdown;
mod ndjson;
pub(crate) mod sarif;
mod text;

pub(crate) use csv::{field, foreign};
pub use text::Style;
pub(crate) use text::explained_lines;

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// `familiar.clones/1` as one document.
    Json,
    /// Every pair, one a line, with both fragments inline.
    Ndjson,
    /// Every pair, one a line.
    Csv,
    /// Tables for a comment or a page.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// GitLab's Code Quality report.
    Gitlab,
    /// Every pair as BigCloneEval imports it.
    BigCloneEval,
    /// The share of duplicated lines as an SVG badge.
    Badge,
}

impl Format {
    pub const ALL: [Self; 9] = [
        Self::Text,
        Self::Json,
        Self::Ndjson,
        Self::Csv,
        Self::Markdown,
        Self::Sarif,
        Self::Gitlab,
        Self::BigCloneEval,
        Self::Badge,
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
            Self::Gitlab => "gitlab",
            Self::BigCloneEval => "bigcloneeval",
            Self::Badge => "badge",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Writes `report` in `format`; `style` matters to the formats for people.
pub fn write(report: &CloneReport, format: Format, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, style, out),
        Format::Json => json::write(report, out),
        Format::Ndjson => ndjson::write(report, out),
        Format::Csv => csv::write(report, out),
        Format::Markdown => markdown::write(report, style, out),
        Format::Sarif => sarif::write(report, out),
        Format::Gitlab => gitlab::write(report, out),
        Format::BigCloneEval => bigcloneeval::write(report, out),
        Format::Badge => badge::write(report, out),
    }
}
