//! One file for each output format.

use std::io;

use crate::CloneReport;

mod json;

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
}

/// Writes `report` in `format`.
pub fn write(report: &CloneReport, format: Format, out: &mut dyn io::Write) -> io::Result<()> {
    match format {
        Format::Json => json::write(report, out),
    }
}
