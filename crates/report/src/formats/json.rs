//! `familiar.clones/1`: the whole result as one JSON document (`docs/formats/clones.md`).

use std::io;

use serde::Serialize;

use crate::{ClassRow, CloneReport, FragmentRow, PairRow, Settings, Summary, Tool};

pub const SCHEMA: &str = "familiar.clones/1";

#[derive(Serialize)]
struct Document<'r> {
    schema: &'static str,
    tool: Tool,
    settings: &'r Settings,
    summary: &'r Summary,
    fragments: &'r [FragmentRow],
    pairs: &'r [PairRow],
    classes: &'r [ClassRow],
}

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        tool: Tool::default(),
        settings: &report.settings,
        summary: &report.summary,
        fragments: &report.fragments,
        pairs: &report.pairs,
        classes: &report.classes,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}
