//! What a stored audit says of fragments and pairs, read back: licenses, places, verdicts.

use familiar_judge::attribution::Grade;
use familiar_report::LayerRow;
use familiar_report::audit::{
    AttributionRow, AuditFragment, AuditPair, DirectionRow, RuleRow, Status, VerdictRow,
};
use familiar_report::find::OccurrenceRow;
use familiar_source::Evidence;
use serde::Deserialize;

use super::clones::{FragmentOf, PairOf};
use super::malformed::{Malformed, one_of};

/// The words that layers, directions and attributions are told by.
const LAYERS: [&str; 12] = [
    "concluded",
    "reuse-override",
    "snippet-tag",
    "file-tag",
    "sidecar",
    "file-notice",
    "reuse",
    "dep5",
    "license-file",
    "package-metadata",
    "platform",
    "none",
];
const SIDES: [&str; 3] = ["left", "right", "unknown"];

pub(super) fn status(text: &str) -> Result<Status, Malformed> {
    let found = Status::ALL.into_iter().find(|status| status.name() == text);
    found.ok_or_else(|| Malformed::unknown("verdict", text))
}

#[derive(Deserialize)]
pub(super) struct AuditFragmentOf {
    #[serde(flatten)]
    fragment: FragmentOf,
    license: Option<String>,
    license_by: String,
    licenses: Vec<LayerOf>,
    #[serde(default)]
    disagreements: Vec<String>,
    occurrences: Vec<OccurrenceOf>,
    #[serde(default)]
    copyrights: Vec<String>,
    #[serde(default)]
    sha1: String,
}

#[derive(Deserialize)]
struct LayerOf {
    layer: String,
    expression: Option<String>,
    evidence: String,
    path: Option<String>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    score: Option<f64>,
    rule: Option<String>,
}

#[derive(Deserialize)]
struct OccurrenceOf {
    project: String,
    family: Option<String>,
    #[serde(default)]
    base: bool,
    purl: Option<String>,
    revision: Option<String>,
    removed_by: Option<String>,
    path: String,
    title: Option<String>,
    first_line: u32,
    first_seen: Option<String>,
    last_seen: Option<String>,
    evidence: String,
    author: Option<String>,
    link: Option<String>,
    license: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct AuditPairOf {
    #[serde(flatten)]
    pair: PairOf,
    direction: DirectionOf,
    verdict: VerdictOf,
    apprentice: Option<String>,
    attribution: AttributionOf,
    laundering: bool,
    #[serde(default)]
    laundering_reasons: Vec<String>,
    own: bool,
}

#[derive(Deserialize)]
struct DirectionOf {
    older: String,
    evidence: Vec<String>,
    left_since: Option<String>,
    right_since: Option<String>,
}

#[derive(Deserialize)]
struct VerdictOf {
    status: String,
    left_to_right: Option<String>,
    right_to_left: Option<String>,
    duties: Vec<String>,
    rules: Vec<RuleOf>,
}

#[derive(Deserialize)]
pub(super) struct RuleOf {
    source: String,
    text: String,
}

#[derive(Deserialize)]
struct AttributionOf {
    grade: String,
    evidence: Vec<String>,
}

impl AuditFragmentOf {
    pub(super) fn row(self, id: u32) -> Result<AuditFragment, Malformed> {
        let layers: Vec<LayerRow> = self.licenses.into_iter().map(LayerOf::row).collect::<Result<_, _>>()?;
        Ok(AuditFragment {
            fragment: self.fragment.row(id)?,
            license: self.license,
            license_by: one_of(&LAYERS, &self.license_by)?,
            licenses: layers.into(),
            disagreements: self.disagreements,
            occurrences: self.occurrences.into_iter().map(OccurrenceOf::row).collect::<Result<_, _>>()?,
            copyrights: self.copyrights,
            sha1: self.sha1,
        })
    }
}

impl LayerOf {
    fn row(self) -> Result<LayerRow, Malformed> {
        Ok(LayerRow {
            layer: one_of(&LAYERS, &self.layer)?,
            expression: self.expression,
            evidence: self.evidence,
            path: self.path,
            start_line: self.start_line,
            end_line: self.end_line,
            score: self.score,
            rule: self.rule,
        })
    }
}

impl OccurrenceOf {
    fn row(self) -> Result<OccurrenceRow, Malformed> {
        let evidence: Evidence =
            self.evidence.parse().map_err(|_| Malformed::unknown("evidence", &self.evidence))?;
        Ok(OccurrenceRow {
            project: self.project,
            source: None,
            family: self.family,
            base: self.base,
            purl: self.purl,
            revision: self.revision,
            removed_by: self.removed_by,
            path: self.path,
            title: self.title,
            first_line: self.first_line,
            first_seen: self.first_seen,
            last_seen: self.last_seen,
            evidence: evidence.name(),
            author: self.author,
            link: self.link,
            license: self.license,
        })
    }
}

impl AuditPairOf {
    /// The row; `fragments` is how many there are.
    pub(super) fn row(self, fragments: usize) -> Result<AuditPair, Malformed> {
        let DirectionOf { older, evidence, left_since, right_since } = self.direction;
        let older = one_of(&SIDES, &older)?;
        let mut verdict = self.verdict.row()?;
        // What is older went out of PATH; everything else is judged as if it had come in. Older Familiars gave the worse of both.
        let into = if older == "left" { verdict.left_to_right } else { verdict.right_to_left };
        verdict.status = into.unwrap_or(verdict.status);
        Ok(AuditPair {
            pair: self.pair.row(fragments)?,
            direction: DirectionRow { older, evidence, left_since, right_since },
            verdict,
            apprentice: self.apprentice.as_deref().map(status).transpose()?,
            attribution: AttributionRow {
                grade: one_of(&Grade::ALL.map(Grade::name), &self.attribution.grade)?,
                evidence: self.attribution.evidence,
            },
            laundering: self.laundering,
            laundering_reasons: self.laundering_reasons,
            own: self.own,
        })
    }
}

impl VerdictOf {
    fn row(self) -> Result<VerdictRow, Malformed> {
        Ok(VerdictRow {
            status: status(&self.status)?,
            left_to_right: self.left_to_right.as_deref().map(status).transpose()?,
            right_to_left: self.right_to_left.as_deref().map(status).transpose()?,
            duties: self.duties,
            rules: rules(self.rules),
        })
    }
}

pub(super) fn rules(rules: Vec<RuleOf>) -> Vec<RuleRow> {
    rules.into_iter().map(|RuleOf { source, text }| RuleRow { source, text }).collect()
}
