//! `familiar.clones/1`: the whole result as one JSON document (`docs/formats/clones.md`).

use std::io;

use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::{ClassRow, CloneReport, FragmentRow, PairSource, Settings, Summary, Tool};

pub const SCHEMA: &str = "familiar.clones/1";

#[derive(Serialize)]
struct Document<'r> {
    schema: &'static str,
    tool: Tool,
    settings: &'r Settings,
    summary: &'r Summary,
    fragments: &'r [FragmentRow],
    pairs: Streamed<'r>,
    classes: &'r [ClassRow],
}

/// Pairs that are made as they are written.
struct Streamed<'r>(&'r dyn PairSource);

impl Serialize for Streamed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(None)?;
        let mut failure = None;
        let written = self.0.for_each(&mut |row| {
            rows.serialize_element(row).map_err(|error| {
                failure = Some(error);
                io::Error::other("the output failed")
            })
        });
        match (failure, written) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(S::Error::custom(error)),
            (None, Ok(())) => rows.end(),
        }
    }
}

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        tool: Tool::default(),
        settings: &report.settings,
        summary: &report.summary,
        fragments: &report.fragments,
        pairs: Streamed(&*report.pairs),
        classes: &report.classes,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}
