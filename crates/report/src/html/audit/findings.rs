//! The texts of findings and their pairs, in packs.

use std::io;

use serde::Serialize;

use super::distinct::Distinct;
use crate::audit::{AuditPair, AuditReport, Finding, RuleRow, Status};
use crate::html::columns::Column;
use crate::html::safe::to_json;
use crate::html::sink::{PACK_BYTES, PACK_ROWS, Sink};

#[derive(Default, Serialize)]
struct Pack<'r> {
    /// Lists of words and of rules.
    texts: Distinct<'r, [String]>,
    rules: Distinct<'r, [RuleRow]>,
    findings: Vec<FindingText<'r>>,
}

#[derive(Serialize)]
struct FindingText<'r> {
    reason: &'r str,
    origin_reason: &'r str,
    fingerprint: &'r str,
    places: u64,
    projects: u64,
    /// Positions in `texts` and `rules`.
    advice: u32,
    duties: u32,
    rules: u32,
    pairs: Vec<PairText<'r>>,
}

/// A pair of the finding; numbers are positions in `texts` and `rules`.
#[derive(Serialize)]
struct PairText<'r> {
    right: u32,
    /// What speaks for who is older.
    direction: u32,
    /// Since when the code is known to stand in PATH.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_to_right: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_to_left: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apprentice: Option<Status>,
    duties: u32,
    rules: u32,
    /// What was found of an attribution.
    attribution: u32,
    laundering: u32,
}

impl<'r> Pack<'r> {
    fn push(&mut self, finding: &'r Finding, pairs: Vec<&'r AuditPair>) -> io::Result<usize> {
        let pairs: Vec<PairText<'_>> =
            pairs.into_iter().map(|pair| self.pair(pair)).collect::<Result<_, _>>()?;
        // A pair takes about as many bytes as it has keys of ten letters.
        let bytes = finding.reason.len() + finding.origin_reason.len() + 100 * (pairs.len() + 1);
        let text = FindingText {
            reason: &finding.reason,
            origin_reason: &finding.origin_reason,
            fingerprint: &finding.fingerprint,
            places: finding.places,
            projects: finding.projects,
            advice: self.texts.number(finding.advice.as_slice())?,
            duties: self.texts.number(finding.duties.as_slice())?,
            rules: self.rules.number(finding.rules.as_slice())?,
            pairs,
        };
        self.findings.push(text);
        Ok(bytes)
    }

    fn pair(&mut self, pair: &'r AuditPair) -> io::Result<PairText<'r>> {
        Ok(PairText {
            right: pair.pair.right,
            direction: self.texts.number(pair.direction.evidence.as_slice())?,
            since: pair.direction.left_since.as_deref(),
            left_to_right: pair.verdict.left_to_right,
            right_to_left: pair.verdict.right_to_left,
            apprentice: pair.apprentice,
            duties: self.texts.number(pair.verdict.duties.as_slice())?,
            rules: self.rules.number(pair.verdict.rules.as_slice())?,
            attribution: self.texts.number(pair.attribution.evidence.as_slice())?,
            laundering: self.texts.number(pair.laundering_reasons.as_slice())?,
        })
    }
}

/// Puts the packs `findings-N`, and tells the first finding of each, as rises.
pub(super) fn put(report: &AuditReport, sink: &mut dyn Sink) -> io::Result<Column> {
    let mut firsts = Column::default();
    let (mut pack, mut bytes, mut number) = (Pack::default(), 0, 0);
    for (at, finding) in (0u32..).zip(&report.findings) {
        if pack.findings.is_empty() {
            firsts.push_rise(at);
        }
        let mut pairs: Vec<u32> = finding.others.iter().copied().chain([finding.pair]).collect();
        pairs.sort_unstable();
        bytes += pack.push(finding, pairs.iter().map(|&pair| &report.pairs[pair as usize]).collect())?;
        let is_full = pack.findings.len() as u32 >= PACK_ROWS;
        if is_full || bytes + pack.texts.bytes() + pack.rules.bytes() >= PACK_BYTES {
            sink.put(&format!("findings-{number}"), &to_json(&pack)?)?;
            (pack, bytes, number) = (Pack::default(), 0, number + 1);
        }
    }
    if !pack.findings.is_empty() {
        sink.put(&format!("findings-{number}"), &to_json(&pack)?)?;
    }
    Ok(firsts)
}
