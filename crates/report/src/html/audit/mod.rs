//! What an audit adds to the pages: its findings as columns, and in packs what speaks for them.

mod columns;
mod distinct;
mod evidence;
mod findings;

use std::io;

use super::files::Files;
use super::sink::Sink;
use crate::audit::AuditReport;

/// Puts the chunks of an audit.
pub(super) fn put(report: &AuditReport, files: &Files, sink: &mut dyn Sink) -> io::Result<()> {
    let packs =
        columns::Packs { evidence: evidence::put(report, sink)?, findings: findings::put(report, sink)? };
    columns::put(report, files, packs, sink)
}
