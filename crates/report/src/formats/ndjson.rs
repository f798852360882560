//! Every pair as one JSON object a line, both fragments inline; streamed.

use std::io;

use serde::Serialize;

use crate::{CloneReport, Explanation, FragmentRow, location};

#[derive(Serialize)]
struct Line<'r> {
    left: Side<'r>,
    right: Side<'r>,
    #[serde(rename = "type")]
    clone_type: u8,
    similarity: f64,
    measure: &'static str,
    fingerprint: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vector_similarity: Option<f32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    alignment: &'r [[u32; 4]],
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'r Explanation>,
}

/// A fragment, and the name of the project that it belongs to.
#[derive(Serialize)]
struct Side<'r> {
    project: &'r str,
    #[serde(flatten)]
    fragment: &'r FragmentRow,
}

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    report.all_pairs.for_each(&mut |pair| {
        let side = |id: u32| {
            let fragment = &report.fragments[id as usize];
            Side { project: location::project(report, fragment), fragment }
        };
        let line = Line {
            left: side(pair.left),
            right: side(pair.right),
            clone_type: pair.clone_type,
            similarity: pair.similarity,
            measure: pair.measure,
            fingerprint: &pair.fingerprint,
            vector_similarity: pair.vector_similarity,
            alignment: &pair.alignment,
            explanation: pair.explanation.as_deref(),
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")
    })
}
