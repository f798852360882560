//! A result as plain values, in the shape of `familiar.clones/1`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use familiar_review::Decisions;
use familiar_source::{SourceText, words};
use serde::Serialize;

use crate::Explanation;

/// The finished result of `familiar clones`.
pub struct CloneReport {
    pub settings: Settings,
    /// Where each of `settings.roots` lies.
    pub roots: Vec<Root>,
    pub summary: Summary,
    /// Every fragment that is part of a class or a pair, by path and start; `id` is the position.
    pub fragments: Vec<FragmentRow>,
    /// The rays of the classes and one pair for each further link, by left and right fragment.
    pub pairs: Box<dyn PairSource + Send + Sync>,
    /// By rank: what a reader would care for most comes first.
    pub classes: Vec<ClassRow>,
    /// Every pair, the implied ones too, for the formats that stream them.
    pub all_pairs: Box<dyn PairSource + Send + Sync>,
    /// The files that the fragments stand in.
    pub sources: Box<dyn Sources + Send + Sync>,
    /// What was decided of its findings, and maybe of others; for the formats that show it.
    pub decisions: Decisions,
}

/// Where a tree lies, for the formats that name files from elsewhere than the tree itself. Not part of the JSON, which
/// is the same wherever the tree stands.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Whether the tree is a single file.
    pub is_file: bool,
    /// The folder that the files' paths start from, absolute: the tree itself, or a single file's parent.
    pub folder: PathBuf,
    /// The same folder from the current one, where it lies there; empty for the current one itself.
    pub here: Option<PathBuf>,
}

/// Enumerates pairs of a result in order, without holding them all as rows.
pub trait PairSource {
    /// Calls `visit` with one pair after another until it fails.
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()>;
}

/// Gives the text of the files that fragments stand in.
pub trait Sources {
    /// The file of `fragment`.
    fn source(&self, fragment: &FragmentRow) -> Result<SourceText, NoText>;
}

/// Why the text of a file cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum NoText {
    #[error("{}", words::unread(.0))]
    Read(#[from] io::Error),
    #[error("binary")]
    Binary,
    #[error("its tree is not known")]
    Tree,
    #[error("its path leads out of the tree")]
    Outside,
    #[error("it is no longer a file")]
    NoFile,
    #[error("it is too large to show")]
    TooLarge,
    #[error("it has changed since it was searched")]
    Changed,
    #[error("its corpus is missing, or no longer contains it")]
    NotInCorpus,
    #[error("its name is not the name of a blob")]
    NoBlob,
    #[error("the corpus does not keep source text")]
    CorpusWithoutText,
    #[error("the code was not looked up")]
    NotLookedUp,
    #[error("it was looked up by its fingerprints, which do not contain the text")]
    Fingerprints,
}

/// What was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    pub granularity: Vec<&'static str>,
    pub types: Vec<u8>,
    pub measure: &'static str,
    pub similarity: f64,
    pub renaming: &'static str,
    pub min_tokens: u32,
    /// The least information of a fragment or run, in bits, where no number of tokens was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_bits: Option<u32>,
    pub min_lines: u32,
    pub max_gap_tokens: u32,
    /// The revision of git since which lines had to change, where that was asked for: only what touches such lines was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
    /// What made the vectors; none where neither type 4 nor `validate` was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
    /// The least probability of a Type-4 pair, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether functions without a name that tests are made of were compared for type 4, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_callbacks: Option<bool>,
    /// The least probability of edited fragments, where the encoder was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate: Option<f64>,
    /// The trees, as they were given.
    pub roots: Vec<String>,
}

/// Who made the result.
#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

impl Default for Tool {
    fn default() -> Self {
        Self { name: "familiar", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The result in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Files that were searched, with their bytes and lines.
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
    /// Fragments that were compared, and tokens.
    pub fragments: u64,
    pub tokens: u64,
    /// Clone pairs of `pairs`: the classes' rays and links; pairs that those imply are not counted.
    pub pairs: u64,
    /// Classes, without the nested ones.
    pub classes: u64,
    /// Classes that are nested in others, since they show the same lines.
    pub nested: u64,
    /// Lines that some class covers, and their share of all lines, in [0, 1].
    pub duplicated_lines: u64,
    pub duplication: f64,
    /// Lines left out by `familiar:ignore` comments.
    pub ignored_lines: u64,
    /// Files left out as generated or minified (they stand in `skipped` too).
    pub generated: u64,
    /// Files that are no code: data, prose and what no language claims.
    pub not_code: u64,
    /// Files that are compared with others alone and not with each other: documentation of several versions, pages among documents,
    /// libraries of others.
    pub kept_alike: u64,
    /// Classes that the baseline accepts.
    pub accepted: u64,
    /// Classes of the baseline that are not found any more as they were, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    pub skipped: Vec<Skipped>,
    /// What is left without the findings that are settled and shown all the same, where a search told them apart. Not part of
    /// the JSON, which does not show them.
    #[serde(skip)]
    pub unsettled: Option<Unsettled>,
    /// Servers that were asked to take part and did not, so that the result is partial.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<Unanswered>,
}

/// What nobody has settled of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsettled {
    pub classes: u64,
    pub duplicated_lines: u64,
}

/// A server that did not answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unanswered {
    pub peer: String,
    pub reason: String,
}

impl Unanswered {
    /// Who did not answer, and why, in words.
    pub(crate) fn words(&self) -> String {
        format!("{} did not answer: {}", self.peer, self.reason)
    }
}

/// A file that was not searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Position of the tree in `settings.roots`.
    pub root: u32,
    pub path: String,
    /// The exact bytes of a path that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    pub reason: String,
}

/// One fragment.
#[derive(Clone, Debug, Serialize)]
pub struct FragmentRow {
    pub id: u32,
    /// Below the root, with `/` between its parts; bytes that are not UTF-8 are percent-encoded.
    pub path: Arc<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    /// SWHID of the file that it stands in, where a corpus keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Position of the tree, or of a corpus's project, in `settings.roots`.
    pub root: u32,
    pub language: &'static str,
    pub kind: &'static str,
    pub name: String,
    pub start_line: u32,
    pub end_line: u32,
    pub start_byte: u32,
    pub end_byte: u32,
    pub tokens: u32,
    /// Hash of the normal form, from which fingerprints are made.
    #[serde(skip)]
    pub form: u64,
    /// Number of the document that it stands in.
    #[serde(skip)]
    pub document: u32,
}

impl FragmentRow {
    pub fn lines(&self) -> u32 {
        self.end_line - self.start_line + 1
    }
}

/// One clone pair.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    pub left: u32,
    pub right: u32,
    #[serde(rename = "type")]
    pub clone_type: u8,
    pub similarity: f64,
    pub measure: &'static str,
    pub fingerprint: String,
    /// The cosine of both sides' vectors, where an encoder was asked of the pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_similarity: Option<f32>,
    /// Whether the two are alike as idioms are, in their shape alone; told only where an audit asks.
    #[serde(skip)]
    pub idiom: bool,
    /// Line runs that correspond, as (left start, left end, right start, right end).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alignment: Vec<[u32; 4]>,
    /// What makes both sides of a Type-4 pair alike, where that was asked for and can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<Explanation>>,
}

/// One clone class.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClassRow {
    pub representative: u32,
    /// The representative first.
    pub members: Vec<u32>,
    #[serde(rename = "type")]
    pub clone_type: u8,
    /// Lines of the representative.
    pub lines: u32,
    /// The least and the largest similarity of its rays.
    #[serde(skip)]
    pub similarity: (f64, f64),
    /// From 1.
    pub rank: u32,
    /// What the rank rests on: size times rarity, and how sure it is.
    pub score: f64,
    /// How sure it is that a reader wants to see it, between 0 and 1.
    #[serde(skip)]
    pub relevance: f64,
    pub fingerprint: String,
    /// Classes that mostly show lines that this one shows, too: by rank, without nested ones of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<ClassRow>,
    /// The representative's code, for the formats that show it.
    #[serde(skip)]
    pub excerpt: Option<Excerpt>,
    /// The code of the first member that is not equal to the representative.
    #[serde(skip)]
    pub other: Option<Excerpt>,
    /// What makes those two alike, where that was asked for.
    #[serde(skip)]
    pub explanation: Option<Box<Explanation>>,
}

/// The first lines of a fragment.
#[derive(Clone, Debug, Default)]
pub struct Excerpt {
    pub fragment: u32,
    pub first_line: u32,
    /// Without line ends; bytes that are not UTF-8 replaced.
    pub lines: Vec<String>,
    /// Lines of the fragment that are not here.
    pub omitted: u32,
}
