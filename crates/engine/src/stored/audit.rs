//! A result of `familiar audit --format json`, read back, with the code of both sides as far as it is still there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use familiar_files::TreePath;
use familiar_judge::NO_LEGAL_ADVICE;
use familiar_report::audit::{
    AuditFragment, AuditPair, AuditReport, AuditSummary, Decision, Finding, TableRow,
};
use familiar_report::{ClassRow, FragmentRow, NoText, SourceText, Sources};
use familiar_review::Decisions;
use familiar_source::BlobId;
use familiar_store::Corpus;
use familiar_syntax::Limits;
use serde::Deserialize;

use super::clones::{ClassOf, SettingsOf, SummaryOf};
use super::evidence::{AuditFragmentOf, AuditPairOf, RuleOf, rules, status};
use super::malformed::{Malformed, one_of};
use crate::files_below::Below;
use familiar_detect::roots;
use familiar_detect::texts::Documents;
use familiar_library::CorpusError;
use familiar_library::files::{Keeper, KeptFile};

/// Why code is left out, as `left_out` counts it.
const REASONS: [&str; 9] = [
    "idiom",
    "short",
    "ubiquitous",
    "explained",
    "license-text",
    "imports",
    "table",
    "template",
    "handed-out",
];

/// What a policy may fail beside conflicts and licenses.
const FAILED: [&str; 4] = ["contested", "unknown", "laundering", "attribution"];

const DECISIONS: [Decision; 5] =
    [Decision::Denied, Decision::Open, Decision::Allowed, Decision::Accepted, Decision::Own];

#[derive(Deserialize)]
pub(super) struct Document {
    settings: SettingsOf,
    audited: u32,
    against: Vec<String>,
    summary: BothOf,
    fragments: Vec<AuditFragmentOf>,
    pairs: Vec<AuditPairOf>,
    classes: Vec<ClassOf>,
    findings: Vec<FindingOf>,
    table: Vec<TableOf>,
}

#[derive(Deserialize)]
struct BothOf {
    #[serde(flatten)]
    clones: SummaryOf,
    audit: CountsOf,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CountsOf {
    laundering: u64,
    left_out: BTreeMap<String, u64>,
    unused_acceptances: Vec<String>,
    left_out_pairs: u64,
}

#[derive(Deserialize)]
struct FindingOf {
    fragment: u32,
    origin: u32,
    origin_known: bool,
    origin_reason: String,
    pair: u32,
    others: Vec<u32>,
    places: u64,
    projects: u64,
    status: String,
    duties: Vec<String>,
    rules: Vec<RuleOf>,
    decision: String,
    reason: String,
    failed: Option<String>,
    advice: Vec<String>,
    #[serde(default)]
    notice: Vec<String>,
    fingerprint: String,
}

#[derive(Deserialize)]
struct TableOf {
    license: String,
    other_license: String,
    verdict: String,
    apprentice: Option<String>,
    pairs: u64,
    findings: u64,
}

impl Document {
    /// The report without sources of its code.
    pub(super) fn report(self) -> Result<AuditReport, Malformed> {
        let settings = self.settings.settings()?;
        if self.audited as usize > settings.roots.len() {
            return Err(Malformed::Trees { audited: self.audited, named: settings.roots.len() });
        }
        let given: Vec<PathBuf> =
            settings.roots.iter().take(self.audited as usize).map(PathBuf::from).collect();
        let fragments: Vec<AuditFragment> =
            (0u32..).zip(self.fragments).map(|(id, row)| row.row(id)).collect::<Result<_, _>>()?;
        let count = fragments.len();
        let pairs: Vec<AuditPair> =
            self.pairs.into_iter().map(|row| row.row(count)).collect::<Result<_, _>>()?;
        if !pairs.is_sorted_by_key(|pair| (pair.pair.left, pair.pair.right)) {
            return Err(Malformed::Order);
        }
        let classes: Vec<ClassRow> =
            (1u32..).zip(self.classes).map(|(rank, row)| row.row(rank, count)).collect::<Result<_, _>>()?;
        let findings: Vec<Finding> = (1u32..)
            .zip(self.findings)
            .map(|(rank, row)| row.row(rank, count, &pairs))
            .collect::<Result<_, _>>()?;
        if findings.len() != classes.len() {
            return Err(Malformed::Findings { findings: findings.len(), classes: classes.len() });
        }
        Ok(AuditReport {
            roots: roots::all(&given),
            settings,
            audited: self.audited,
            against: self.against,
            audit: self.summary.audit.summary(&findings)?,
            summary: self.summary.clones.summary(pairs.len(), &classes),
            fragments,
            pairs,
            classes,
            findings,
            table: self.table.into_iter().map(TableOf::row).collect::<Result<_, _>>()?,
            disclaimer: NO_LEGAL_ADVICE,
            decisions: Decisions::default(),
            sources: Box::new(Nothing),
        })
    }
}

impl CountsOf {
    fn summary(self, findings: &[Finding]) -> Result<AuditSummary, Malformed> {
        let with = |decision| findings.iter().filter(|finding| finding.decision == decision).count() as u64;
        let mut by_status = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.decision != Decision::Own) {
            *by_status.entry(finding.status.name()).or_default() += 1;
        }
        let left_out = self.left_out.iter().map(|(reason, &count)| Ok((one_of(&REASONS, reason)?, count)));
        Ok(AuditSummary {
            findings: findings.len() as u64,
            by_status,
            denied: with(Decision::Denied),
            accepted: with(Decision::Accepted),
            own: with(Decision::Own),
            laundering: self.laundering,
            left_out: left_out.collect::<Result<_, Malformed>>()?,
            unused_acceptances: self.unused_acceptances,
            left_out_pairs: self.left_out_pairs,
        })
    }
}

impl FindingOf {
    fn row(self, rank: u32, fragments: usize, pairs: &[AuditPair]) -> Result<Finding, Malformed> {
        let is_there =
            |pair: &u32| pairs.get(*pair as usize).is_some_and(|pair| pair.pair.left == self.fragment);
        if self.origin as usize >= fragments || !self.others.iter().chain([&self.pair]).all(is_there) {
            return Err(Malformed::Finding(rank));
        }
        let decision = DECISIONS.into_iter().find(|known| known.name() == self.decision);
        Ok(Finding {
            rank,
            fragment: self.fragment,
            origin: self.origin,
            origin_known: self.origin_known,
            origin_reason: self.origin_reason,
            pair: self.pair,
            others: self.others,
            places: self.places,
            projects: self.projects,
            status: status(&self.status)?,
            duties: self.duties,
            rules: rules(self.rules),
            decision: decision.ok_or_else(|| Malformed::unknown("decision", &self.decision))?,
            reason: self.reason,
            failed: self.failed.as_deref().map(|failed| one_of(&FAILED, failed)).transpose()?,
            advice: self.advice,
            notice: self.notice,
            fingerprint: self.fingerprint,
            lacks_attribution: false,
        })
    }
}

impl TableOf {
    fn row(self) -> Result<TableRow, Malformed> {
        Ok(TableRow {
            license: self.license,
            other_license: self.other_license,
            verdict: status(&self.verdict)?,
            apprentice: self.apprentice.as_deref().map(status).transpose()?,
            pairs: self.pairs,
            findings: self.findings,
        })
    }
}

/// No code at all.
struct Nothing;

impl Sources for Nothing {
    fn source(&self, _: &FragmentRow) -> Result<SourceText, NoText> {
        Err(NoText::NotLookedUp)
    }
}

/// Files below the trees, and blobs that corpora keep.
struct TreesAndCorpora {
    trees: Below,
    audited: u32,
    kept: Documents,
}

impl Sources for TreesAndCorpora {
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, NoText> {
        if fragment.document < self.kept.input.documents.len() as u32 {
            self.kept.source(fragment)
        } else if fragment.root < self.audited && fragment.blob.is_none() {
            self.trees.source(fragment)
        } else {
            Err(NoText::NotInCorpus)
        }
    }
}

/// The files of the report's fragments: of trees from the disk, of corpora from the first of `corpora` that has them. Fragments get the
/// numbers of their documents.
pub(super) fn sources(
    report: &mut AuditReport,
    corpora: &[PathBuf],
) -> Result<Box<dyn Sources + Send + Sync>, CorpusError> {
    let mut wanted: BTreeMap<BlobId, FragmentRow> = BTreeMap::new();
    for row in report.fragments.iter().map(|fragment| &fragment.fragment) {
        if let Some(blob) = blob_of(row) {
            wanted.entry(blob).or_insert_with(|| row.clone());
        }
    }
    let mut keeper = Keeper::new(Vec::new())?;
    let mut numbers: BTreeMap<BlobId, u32> = BTreeMap::new();
    for folder in corpora {
        let corpus = Corpus::open(folder)?;
        if !corpus.manifest().text {
            continue;
        }
        let before = keeper.documents();
        let file = |(&blob, row): (&BlobId, &FragmentRow)| KeptFile {
            root: row.root,
            path: TreePath::new(Path::new(&*row.path)),
            blob,
            language: None,
        };
        let missing = wanted.iter().filter(|(blob, _)| !numbers.contains_key(blob)).map(file).collect();
        keeper.add(&corpus, missing)?;
        let found: Vec<BlobId> = keeper.blobs(before).collect();
        numbers.extend(found.into_iter().zip(before as u32..));
    }
    for fragment in &mut report.fragments {
        let number = blob_of(&fragment.fragment).and_then(|blob| numbers.get(&blob).copied());
        fragment.fragment.document = number.unwrap_or(u32::MAX);
    }
    let folders = report.roots.iter().map(|root| root.folder.clone()).collect();
    let kept = Documents { input: keeper.finish()?.into(), limits: Limits::default() };
    Ok(Box::new(TreesAndCorpora { trees: Below { folders }, audited: report.audited, kept }))
}

fn blob_of(row: &FragmentRow) -> Option<BlobId> {
    row.blob.as_deref()?.strip_prefix("swh:1:cnt:")?.parse().ok()
}
