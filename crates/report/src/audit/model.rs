//! A finished audit as plain values, in the shape of `familiar.audit/1`.

use std::collections::BTreeMap;
use std::sync::Arc;

use familiar_review::Decisions;
use serde::Serialize;

use crate::find::OccurrenceRow;
use crate::{ClassRow, FragmentRow, LayerRow, PairRow, Root, Settings, Sources, Summary};

/// The schema's name and version.
pub const SCHEMA: &str = "familiar.audit/1";

/// The finished result of `familiar audit`.
pub struct AuditReport {
    pub settings: Settings,
    /// Where the trees among `settings.roots` lie, the first ones.
    pub roots: Vec<Root>,
    /// How many of `settings.roots` are PATH's; the others are projects of the corpora.
    pub audited: u32,
    /// What was audited against, as it was given.
    pub against: Vec<String>,
    pub summary: Summary,
    pub audit: AuditSummary,
    /// Every fragment of a pair, PATH's first; `id` is the position.
    pub fragments: Vec<AuditFragment>,
    /// By left and right fragment; the left one is PATH's.
    pub pairs: Vec<AuditPair>,
    /// A star for each finding: the code of PATH, and where else it stands.
    pub classes: Vec<ClassRow>,
    /// The most serious first.
    pub findings: Vec<Finding>,
    pub table: Vec<TableRow>,
    /// That none of this is legal advice.
    pub disclaimer: &'static str,
    /// What was decided of its findings, and maybe of others; for the pages.
    pub decisions: Decisions,
    /// The files that the fragments stand in.
    pub sources: Box<dyn Sources + Send + Sync>,
}

/// The audit in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditSummary {
    /// Pieces of PATH's code that stand elsewhere; the lengths of the lists below.
    pub findings: u64,
    /// Findings by the verdict's status.
    pub by_status: BTreeMap<&'static str, u64>,
    /// Findings that policy denies, and those that it accepts.
    pub denied: u64,
    pub accepted: u64,
    /// Findings whose code is the project's own.
    pub own: u64,
    pub laundering: u64,
    /// Pieces of code that are left out, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Fingerprints that the policy accepts and that were not found.
    pub unused_acceptances: Vec<String>,
    /// Further pairs of pieces of code that have very many.
    pub left_out_pairs: u64,
}

/// One fragment, with what is known of its licenses and places.
#[derive(Clone, Debug, Serialize)]
pub struct AuditFragment {
    #[serde(flatten)]
    pub fragment: FragmentRow,
    /// What follows from the layers: an expression, or nothing where none speaks.
    pub license: Option<String>,
    /// By which layer.
    pub license_by: &'static str,
    /// Every layer, the word that counts most first.
    pub licenses: Arc<[LayerRow]>,
    /// Layers that say something else than the one that counts, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<String>,
    pub occurrences: Vec<OccurrenceRow>,
    /// Copyright statements of its file, or where it has none of the license files that speak for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copyrights: Vec<String>,
    /// SHA-1 of its file, in hex digits; empty where an older result did not say it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha1: String,
}

/// One clone pair with what may be done about it.
#[derive(Clone, Debug, Serialize)]
pub struct AuditPair {
    #[serde(flatten)]
    pub pair: PairRow,
    pub direction: DirectionRow,
    /// In the direction that an audit asks for: into PATH, unless the code is known to have gone out of it.
    pub verdict: VerdictRow,
    /// The verdict by the rule of The Sourcerer's Apprentice, on code under CC BY-SA.
    pub apprentice: Option<Status>,
    pub attribution: AttributionRow,
    pub laundering: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laundering_reasons: Vec<String>,
    /// Whether both sides are the same project.
    pub own: bool,
}

/// Which side is older.
#[derive(Clone, Debug, Serialize)]
pub struct DirectionRow {
    /// `left`, `right` or `unknown`.
    pub older: &'static str,
    /// First who copied from whom as far as is known, in one sentence; then what the time of each side rests on.
    pub evidence: Vec<String>,
    /// Since when each side stands there as far as is known, by a time that can be compared: as `2026-01-31T12:00:00Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_since: Option<String>,
}

impl DirectionRow {
    /// Whether nothing says that the code came in: it is known to have gone out, or the file is no younger than the other place.
    pub fn may_be_from_here(&self) -> bool {
        let is_no_younger = || match (&self.left_since, &self.right_since) {
            (Some(left), Some(right)) => left <= right,
            _ => false,
        };
        self.older == "left" || self.older == "unknown" && is_no_younger()
    }
}

/// Whether code may move, and what follows.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictRow {
    pub status: Status,
    /// If the right side took the code from the left one, and the other way round; where that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_to_right: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_to_left: Option<Status>,
    pub duties: Vec<String>,
    pub rules: Vec<RuleRow>,
}

impl VerdictRow {
    /// Whether what is contested is so because sources disagree: one alone may leave it open, too.
    pub fn is_disagreement(&self) -> bool {
        self.status == Status::Contested && self.rules.iter().any(|rule| rule.source != self.rules[0].source)
    }
}

/// What a verdict comes to, the least serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Same,
    Compatible,
    Contested,
    Unknown,
    Conflict,
}

impl Status {
    pub const ALL: [Self; 5] = [Self::Same, Self::Compatible, Self::Contested, Self::Unknown, Self::Conflict];

    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Compatible => "compatible",
            Self::Unknown => "unknown",
            Self::Contested => "contested",
            Self::Conflict => "conflict",
        }
    }
}

/// What a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleRow {
    pub source: String,
    pub text: String,
}

/// What the copying side says of where the code is from.
#[derive(Clone, Debug, Serialize)]
pub struct AttributionRow {
    /// `full`, `answer-link`, `repository-link`, `package-link`, `page-link`, `copyright-notice`, `question-link`, `name` or `none`.
    pub grade: &'static str,
    pub evidence: Vec<String>,
}

/// One piece of PATH's code that stands elsewhere.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// From 1.
    pub rank: u32,
    /// PATH's fragment, and the one that it seems to come from or go to.
    pub fragment: u32,
    pub origin: u32,
    /// Whether the origin is the earliest by evidence that can be compared, and why.
    pub origin_known: bool,
    pub origin_reason: String,
    /// Position in `pairs` of the pair of these two.
    pub pair: u32,
    /// Positions of the pairs with other places.
    pub others: Vec<u32>,
    /// How many places hold the code elsewhere, and in how many projects, forks counted as one.
    pub places: u64,
    pub projects: u64,
    /// In the direction into PATH, unless the code is known to have gone out of it.
    pub status: Status,
    pub duties: Vec<String>,
    pub rules: Vec<RuleRow>,
    pub decision: Decision,
    /// Why, in words.
    pub reason: String,
    /// Where the policy denies it for what it fails beside conflicts and licenses: which of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<&'static str>,
    /// What to do about it.
    pub advice: Vec<String>,
    /// The lines that say whose the code is and where it is from, where the file lacks them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
    /// The pair's fingerprint, by which policy accepts it.
    pub fingerprint: String,
    /// Whether it may be here, and does not say where it is from though its license asks for that.
    #[serde(skip)]
    pub lacks_attribution: bool,
}

/// What policy says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Fails.
    Denied,
    /// Is shown, and does not fail.
    Open,
    /// May be there.
    Allowed,
    /// A person accepted it.
    Accepted,
    /// Is the project's own.
    Own,
}

impl Decision {
    pub fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Open => "open",
            Self::Allowed => "allowed",
            Self::Accepted => "accepted",
            Self::Own => "own",
        }
    }
}

/// Pairs by the licenses of both sides and the verdict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TableRow {
    /// License of PATH's side, and of the other; `NONE` where none is known.
    pub license: String,
    pub other_license: String,
    pub verdict: Status,
    /// By the rule of The Sourcerer's Apprentice, on code under CC BY-SA.
    pub apprentice: Option<Status>,
    pub pairs: u64,
    /// How many of these pairs are the origins' of findings.
    pub findings: u64,
}

impl AuditReport {
    pub fn fragment(&self, id: u32) -> &AuditFragment {
        &self.fragments[id as usize]
    }

    pub(crate) fn pair_of(&self, finding: &Finding) -> &AuditPair {
        &self.pairs[finding.pair as usize]
    }

    /// Whether policy denies any of it.
    pub fn is_denied(&self) -> bool {
        self.audit.denied > 0
    }
}
