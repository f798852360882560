//! A result of `familiar clones --format json`, or of `familiar audit`, read back.
//!
//! `audit` reads a whole audit, and `evidence` what it says of fragments and pairs.

mod audit;
mod evidence;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_corpus::named;
use familiar_report::audit::{AuditReport, SCHEMA as AUDIT_SCHEMA};
use familiar_report::{
    ClassRow, CloneReport, FragmentRow, PairRow, PairSource, Settings, Skipped, Summary, Unanswered,
    formats::json::SCHEMA,
};
use familiar_review::Decisions;
use familiar_source::{FragmentKind, Language};
use serde::Deserialize;

use crate::texts::Below;
use familiar_detect::roots;
use familiar_library::CorpusError;

/// Why a stored result could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read a corpus that the result names: {0}")]
    Corpus(#[from] CorpusError),
    #[error(
        "{} is not a result of schema {SCHEMA}: {reason}; familiar clones --format json --output FILE writes one",
        path.display()
    )]
    NoResult { path: PathBuf, reason: String },
    #[error(
        "{} is not a result of schema {AUDIT_SCHEMA}: {reason}; familiar audit --format json --output FILE writes one",
        path.display()
    )]
    NoAudit { path: PathBuf, reason: String },
}

/// A stored result of either kind.
pub enum Stored {
    Clones(Box<CloneReport>),
    Audit(Box<AuditReport>),
}

/// Reads a `familiar.clones/1` or a `familiar.audit/1` document of at most `most` bytes. Its trees are looked for from the current folder, as they were given. `corpus` gives the folder of a corpus that
/// was audited against, by the name that it was given by; the code of those that are not there is missing.
pub fn read_any(
    path: &Path,
    most: u64,
    corpus: &dyn Fn(&str) -> Option<PathBuf>,
) -> Result<Stored, StoredError> {
    let (bytes, schema) = document(path, most)?;
    if schema != AUDIT_SCHEMA {
        return clones(path, &bytes, &schema).map(|report| Stored::Clones(Box::new(report)));
    }
    let no_audit = |reason: String| StoredError::NoAudit { path: path.to_owned(), reason };
    let document: audit::Document =
        serde_json::from_slice(&bytes).map_err(|error| no_audit(error.to_string()))?;
    let mut report = document.report().map_err(no_audit)?;
    let corpora: Vec<PathBuf> = report.against.iter().filter_map(|name| corpus(name)).collect();
    report.sources = audit::sources(&mut report, &corpora)?;
    Ok(Stored::Audit(Box::new(report)))
}

/// A document's bytes and schema.
fn document(path: &Path, most: u64) -> Result<(Vec<u8>, String), StoredError> {
    let bytes =
        named::read(path, most).map_err(|source| StoredError::Read { path: path.to_owned(), source })?;
    let no_result = |reason: String| StoredError::NoResult { path: path.to_owned(), reason };
    let Schema { schema } = serde_json::from_slice(&bytes).map_err(|error| no_result(error.to_string()))?;
    Ok((bytes, schema))
}

fn clones(path: &Path, bytes: &[u8], schema: &str) -> Result<CloneReport, StoredError> {
    let no_result = |reason: String| StoredError::NoResult { path: path.to_owned(), reason };
    if schema != SCHEMA {
        return Err(no_result(format!("its schema is {schema:?}")));
    }
    let document: Document = serde_json::from_slice(bytes).map_err(|error| no_result(error.to_string()))?;
    document.report().map_err(no_result)
}

#[derive(Deserialize)]
struct Schema {
    schema: String,
}

#[derive(Deserialize)]
struct Document {
    settings: SettingsOf,
    summary: SummaryOf,
    fragments: Vec<FragmentOf>,
    pairs: Vec<PairOf>,
    classes: Vec<ClassOf>,
}

#[derive(Deserialize)]
struct SettingsOf {
    granularity: Vec<String>,
    types: Vec<u8>,
    measure: String,
    similarity: f64,
    #[serde(default)]
    renaming: String,
    #[serde(default)]
    min_tokens: u32,
    #[serde(default)]
    min_bits: Option<u32>,
    #[serde(default)]
    min_lines: u32,
    #[serde(default)]
    max_gap_tokens: u32,
    encoder: Option<String>,
    confidence: Option<f64>,
    test_callbacks: Option<bool>,
    validate: Option<f64>,
    #[serde(default)]
    roots: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SummaryOf {
    files: u64,
    bytes: u64,
    lines: u64,
    fragments: u64,
    tokens: u64,
    duplicated_lines: u64,
    duplication: f64,
    ignored_lines: u64,
    generated: u64,
    not_code: u64,
    accepted: u64,
    gone: Option<u64>,
    skipped: Vec<SkippedOf>,
    unanswered: Vec<UnansweredOf>,
}

#[derive(Deserialize)]
struct UnansweredOf {
    peer: String,
    reason: String,
}

#[derive(Deserialize)]
struct SkippedOf {
    #[serde(default)]
    root: u32,
    path: String,
    path_bytes: Option<Vec<u8>>,
    reason: String,
}

#[derive(Deserialize)]
struct FragmentOf {
    path: Arc<str>,
    path_bytes: Option<Vec<u8>>,
    blob: Option<String>,
    #[serde(default)]
    root: u32,
    language: String,
    kind: String,
    name: String,
    start_line: u32,
    end_line: u32,
    start_byte: u32,
    end_byte: u32,
    tokens: u32,
}

#[derive(Deserialize)]
struct PairOf {
    left: u32,
    right: u32,
    #[serde(rename = "type")]
    clone_type: u8,
    similarity: f64,
    measure: String,
    fingerprint: String,
    vector_similarity: Option<f32>,
    #[serde(default)]
    alignment: Vec<[u32; 4]>,
}

#[derive(Deserialize)]
struct ClassOf {
    members: Vec<u32>,
    #[serde(rename = "type")]
    clone_type: u8,
    lines: u32,
    #[serde(default)]
    score: f64,
    fingerprint: String,
    #[serde(default)]
    rank: u32,
    #[serde(default)]
    nested: Vec<ClassOf>,
}

/// The measures and ways of renaming that a result may name.
const WORDS: [&str; 6] = ["aligned", "token-overlap", "lines", "learned", "blind", "consistent"];

fn word(text: &str) -> Result<&'static str, String> {
    WORDS.into_iter().find(|&word| word == text).ok_or_else(|| format!("{text:?} is not known"))
}

fn kind(text: &str) -> Result<&'static str, String> {
    let found = FragmentKind::from_name(text).map(FragmentKind::name);
    found.ok_or_else(|| format!("the kind {text:?} is not known"))
}

impl Document {
    fn report(self) -> Result<CloneReport, String> {
        let settings = self.settings.settings()?;
        let given: Vec<PathBuf> = settings.roots.iter().map(PathBuf::from).collect();
        let roots = roots::all(&given);
        let folders = roots.iter().map(|root| root.folder.clone()).collect();
        let fragments: Vec<FragmentRow> =
            (0u32..).zip(self.fragments).map(|(id, row)| row.row(id)).collect::<Result<_, _>>()?;
        let count = fragments.len();
        let mut pairs: Vec<PairRow> =
            self.pairs.into_iter().map(|row| row.row(count)).collect::<Result<_, _>>()?;
        pairs.sort_by_key(|pair| (pair.left, pair.right));
        let classes: Vec<ClassRow> =
            (1u32..).zip(self.classes).map(|(rank, row)| row.row(rank, count)).collect::<Result<_, _>>()?;
        let summary = self.summary.summary(pairs.len(), &classes);
        let pairs: Arc<[PairRow]> = pairs.into();
        Ok(CloneReport {
            settings,
            roots,
            summary,
            fragments,
            pairs: Box::new(Rows(pairs.clone())),
            classes,
            all_pairs: Box::new(Rows(pairs)),
            sources: Box::new(Below { folders }),
            decisions: Decisions::default(),
        })
    }
}

/// Pairs that are in memory.
struct Rows(Arc<[PairRow]>);

impl PairSource for Rows {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(visit)
    }
}

impl SettingsOf {
    fn settings(self) -> Result<Settings, String> {
        Ok(Settings {
            granularity: self.granularity.iter().map(|name| kind(name)).collect::<Result<_, _>>()?,
            types: self.types,
            measure: word(&self.measure)?,
            similarity: self.similarity,
            renaming: if self.renaming.is_empty() { "" } else { word(&self.renaming)? },
            min_tokens: self.min_tokens,
            min_bits: self.min_bits,
            min_lines: self.min_lines,
            max_gap_tokens: self.max_gap_tokens,
            encoder: self.encoder,
            confidence: self.confidence,
            test_callbacks: self.test_callbacks,
            validate: self.validate,
            roots: self.roots,
        })
    }
}

impl SummaryOf {
    fn summary(self, pairs: usize, classes: &[ClassRow]) -> Summary {
        let skipped =
            |SkippedOf { root, path, path_bytes, reason }| Skipped { root, path, path_bytes, reason };
        let unanswered = |UnansweredOf { peer, reason }| Unanswered { peer, reason };
        Summary {
            files: self.files,
            bytes: self.bytes,
            lines: self.lines,
            fragments: self.fragments,
            tokens: self.tokens,
            pairs: pairs as u64,
            classes: classes.len() as u64,
            nested: classes.iter().map(|class| class.nested.len() as u64).sum(),
            duplicated_lines: self.duplicated_lines,
            duplication: self.duplication,
            ignored_lines: self.ignored_lines,
            generated: self.generated,
            not_code: self.not_code,
            accepted: self.accepted,
            gone: self.gone,
            skipped: self.skipped.into_iter().map(skipped).collect(),
            unanswered: self.unanswered.into_iter().map(unanswered).collect(),
        }
    }
}

impl FragmentOf {
    fn row(self, id: u32) -> Result<FragmentRow, String> {
        if self.start_line == 0 || self.end_line < self.start_line || self.end_byte < self.start_byte {
            return Err(format!("fragment {id} ends before it starts"));
        }
        let language = Language::from_name(&self.language).map(Language::name);
        Ok(FragmentRow {
            id,
            path: self.path,
            path_bytes: self.path_bytes,
            blob: self.blob,
            root: self.root,
            language: language.ok_or_else(|| format!("the language {:?} is not known", self.language))?,
            kind: kind(&self.kind)?,
            name: self.name,
            start_line: self.start_line,
            end_line: self.end_line,
            start_byte: self.start_byte,
            end_byte: self.end_byte,
            tokens: self.tokens,
            form: 0,
            document: 0,
        })
    }
}

impl PairOf {
    fn row(self, fragments: usize) -> Result<PairRow, String> {
        if self.left >= self.right || self.right as usize >= fragments {
            return Err(format!("a pair names the fragments {} and {}", self.left, self.right));
        }
        Ok(PairRow {
            left: self.left,
            right: self.right,
            clone_type: self.clone_type,
            similarity: self.similarity,
            measure: word(&self.measure)?,
            fingerprint: self.fingerprint,
            vector_similarity: self.vector_similarity,
            idiom: false,
            alignment: self.alignment,
        })
    }
}

impl ClassOf {
    fn row(self, rank: u32, fragments: usize) -> Result<ClassRow, String> {
        let representative = self.members.first().copied().ok_or("a class has no members")?;
        if let Some(member) = self.members.iter().find(|&&member| member as usize >= fragments) {
            return Err(format!("a class names the fragment {member}"));
        }
        let nested = self.nested.into_iter().map(|nested| {
            let rank = nested.rank;
            nested.row(rank, fragments)
        });
        let nested = nested.collect::<Result<_, _>>()?;
        Ok(ClassRow {
            representative,
            members: self.members,
            clone_type: self.clone_type,
            lines: self.lines,
            similarity: (0.0, 1.0),
            rank,
            score: self.score,
            sureness: 1.0,
            fingerprint: self.fingerprint,
            nested,
            excerpt: None,
            other: None,
        })
    }
}
