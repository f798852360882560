//! A result of `familiar clones --format json`, read back.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use familiar_detect::roots;
use familiar_report::{
    ClassRow, CloneReport, Explanation, FragmentRow, PairRow, PairSource, Settings, Skipped, Summary,
    Unanswered,
};
use familiar_review::Decisions;
use familiar_source::{FragmentKind, Language};
use serde::Deserialize;

use super::malformed::{Malformed, one_of};
use crate::files_below::Below;

#[derive(Deserialize)]
pub(super) struct Document {
    settings: SettingsOf,
    summary: SummaryOf,
    fragments: Vec<FragmentOf>,
    pairs: Vec<PairOf>,
    classes: Vec<ClassOf>,
}

#[derive(Deserialize)]
pub(super) struct SettingsOf {
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
    changed_since: Option<String>,
    encoder: Option<String>,
    confidence: Option<f64>,
    test_callbacks: Option<bool>,
    validate: Option<f64>,
    #[serde(default)]
    roots: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SummaryOf {
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
    #[serde(default)]
    kept_alike: u64,
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
pub(super) struct FragmentOf {
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
pub(super) struct PairOf {
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
    explanation: Option<Box<Explanation>>,
}

#[derive(Deserialize)]
pub(super) struct ClassOf {
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

fn word(text: &str) -> Result<&'static str, Malformed> {
    one_of(&WORDS, text)
}

fn kind(text: &str) -> Result<&'static str, Malformed> {
    let found = FragmentKind::from_name(text).map(FragmentKind::name);
    found.ok_or_else(|| Malformed::unknown("kind", text))
}

impl Document {
    pub(super) fn report(self) -> Result<CloneReport, Malformed> {
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
        let mut classes: Vec<ClassRow> =
            (1u32..).zip(self.classes).map(|(rank, row)| row.row(rank, count)).collect::<Result<_, _>>()?;
        for class in &mut classes {
            class.similarity = similarity(class, &pairs);
        }
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

/// The least and the largest similarity of a class's rays. Members without a ray are equal to one that has one.
fn similarity(class: &ClassRow, pairs: &[PairRow]) -> (f64, f64) {
    let ray = |&member: &u32| {
        let ends = (class.representative.min(member), class.representative.max(member));
        let at = pairs.binary_search_by_key(&ends, |pair| (pair.left, pair.right)).ok()?;
        Some(pairs[at].similarity)
    };
    let rays = || class.members.iter().skip(1).filter_map(ray);
    let least = rays().fold(f64::INFINITY, f64::min);
    if least.is_finite() { (least, rays().fold(least, f64::max)) } else { (1.0, 1.0) }
}

/// Pairs that are in memory.
struct Rows(Arc<[PairRow]>);

impl PairSource for Rows {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(visit)
    }
}

impl SettingsOf {
    pub(super) fn settings(self) -> Result<Settings, Malformed> {
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
            changed_since: self.changed_since,
            encoder: self.encoder,
            confidence: self.confidence,
            test_callbacks: self.test_callbacks,
            validate: self.validate,
            roots: self.roots,
        })
    }
}

impl SummaryOf {
    pub(super) fn summary(self, pairs: usize, classes: &[ClassRow]) -> Summary {
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
            kept_alike: self.kept_alike,
            accepted: self.accepted,
            gone: self.gone,
            skipped: self.skipped.into_iter().map(skipped).collect(),
            unsettled: None,
            unanswered: self.unanswered.into_iter().map(unanswered).collect(),
        }
    }
}

impl FragmentOf {
    pub(super) fn row(self, id: u32) -> Result<FragmentRow, Malformed> {
        if self.start_line == 0 || self.end_line < self.start_line || self.end_byte < self.start_byte {
            return Err(Malformed::Fragment(id));
        }
        let language = Language::from_name(&self.language).map(Language::name);
        Ok(FragmentRow {
            id,
            path: self.path,
            path_bytes: self.path_bytes,
            blob: self.blob,
            root: self.root,
            language: language.ok_or_else(|| Malformed::unknown("language", &self.language))?,
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
    pub(super) fn row(self, fragments: usize) -> Result<PairRow, Malformed> {
        if self.left >= self.right || self.right as usize >= fragments {
            return Err(Malformed::Pair(self.left, self.right));
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
            explanation: self.explanation,
        })
    }
}

impl ClassOf {
    pub(super) fn row(self, rank: u32, fragments: usize) -> Result<ClassRow, Malformed> {
        let representative = self.members.first().copied().ok_or(Malformed::EmptyClass)?;
        if let Some(member) = self.members.iter().find(|&&member| member as usize >= fragments) {
            return Err(Malformed::Class(*member));
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
            relevance: 1.0,
            fingerprint: self.fingerprint,
            nested,
            excerpt: None,
            other: None,
            explanation: None,
        })
    }
}
