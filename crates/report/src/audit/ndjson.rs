//! Every pair as one JSON object a line, both fragments inline.

use std::io;

use serde::Serialize;

use super::{AuditFragment, AuditPair, AuditReport, Decision};

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
    direction: &'r super::DirectionRow,
    verdict: &'r super::VerdictRow,
    apprentice: Option<super::Status>,
    attribution: &'r super::AttributionRow,
    laundering: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    laundering_reasons: &'r [String],
    own: bool,
    /// Of a pair that stands for a finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Decision>,
}

/// A fragment, and the name of the PATH or the project that it belongs to.
#[derive(Serialize)]
struct Side<'r> {
    project: &'r str,
    #[serde(flatten)]
    fragment: &'r AuditFragment,
}

pub(super) fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    let side = |id: u32| {
        let fragment = report.fragment(id);
        Side { project: report.project(&fragment.fragment), fragment }
    };
    for (row, decision) in report.pairs.iter().zip(report.decisions_of_pairs()) {
        let AuditPair { pair, direction, verdict, apprentice, attribution, laundering, .. } = row;
        let line = Line {
            left: side(pair.left),
            right: side(pair.right),
            clone_type: pair.clone_type,
            similarity: pair.similarity,
            measure: pair.measure,
            fingerprint: &pair.fingerprint,
            vector_similarity: pair.vector_similarity,
            alignment: &pair.alignment,
            direction,
            verdict,
            apprentice: *apprentice,
            attribution,
            laundering: *laundering,
            laundering_reasons: &row.laundering_reasons,
            own: row.own,
            decision,
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
