//! `corpus info`: what a corpus holds.

use std::collections::BTreeMap;
use std::path::Path;

use familiar_source::BlobId;
use familiar_store::tables::{Blobs, Fragments, LicenseFiles, Occurrences, SkipRow, Skips, Table};
use familiar_store::{Corpus, Damage, Manifest};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::CorpusError;
use crate::merge::short;

/// The schema's name and version.
const SCHEMA: &str = "familiar.corpus/1";

/// What a corpus holds, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    pub schema: &'static str,
    pub generation: u64,
    /// Whether the source text is kept.
    pub text: bool,
    /// What made the vectors, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vectors: Option<String>,
    /// Blobs that stand somewhere. What is counted of blobs, and their fragments, is of these.
    pub blobs: u64,
    /// Blobs of which all places were taken out. They take space until the next merge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused_blobs: Option<u64>,
    /// Bytes of all blobs.
    pub bytes: u64,
    pub lines: u64,
    /// Those of them that count for nothing, because comments say so.
    pub ignored_lines: u64,
    pub occurrences: u64,
    /// Places of files that speak for the license of others.
    pub license_files: u64,
    pub fragments: u64,
    pub skips: u64,
    /// Bytes of tables and segments on disk, and those of the text among them.
    pub disk_bytes: u64,
    pub text_bytes: u64,
    /// Blobs of each language.
    pub languages: BTreeMap<&'static str, u64>,
    pub sources: Vec<SourceInfo>,
    /// The projects, in the order of their names.
    pub projects: Vec<ProjectCount>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceInfo {
    pub source: String,
    /// Seconds since 1970 when it was last read.
    pub read: i64,
    /// Whether it was handed out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub base: bool,
    /// Projects that were taken out of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Globs of paths that it leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    pub occurrences: u64,
    pub skips: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProjectCount {
    pub project: String,
    pub occurrences: u64,
}

/// What the corpus in `folder` holds.
pub fn info(folder: &Path) -> Result<Info, CorpusError> {
    let corpus = Corpus::open(folder)?;
    let manifest = corpus.manifest();
    let mut info = Info {
        schema: SCHEMA,
        generation: manifest.generation,
        text: manifest.text,
        vectors: manifest.vectors.clone(),
        blobs: 0,
        unused_blobs: None,
        bytes: 0,
        lines: 0,
        ignored_lines: 0,
        occurrences: 0,
        license_files: 0,
        fragments: rows(manifest, Fragments::NAME),
        skips: 0,
        disk_bytes: manifest.files().map(|file| file.bytes).sum::<u64>()
            + manifest.segments().map(|file| file.bytes).sum::<u64>(),
        text_bytes: manifest.files().filter(|file| file.table == "texts").map(|file| file.bytes).sum(),
        languages: BTreeMap::new(),
        sources: Vec::new(),
        projects: Vec::new(),
    };
    let mut standing = Standing { blobs: FxHashSet::default(), all: manifest.all_stand };
    let mut projects: BTreeMap<String, u64> = BTreeMap::new();
    let mut places: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    corpus.read_latest::<Occurrences>(|part, row| {
        standing.add(row.blob);
        *projects.entry(row.occurrence.project).or_default() += 1;
        count(&mut places, &part.source).0 += 1;
    })?;
    corpus.read::<Blobs>(|_, row| {
        if !standing.holds(&row.blob) {
            *info.unused_blobs.get_or_insert(0) += 1;
            return;
        }
        info.blobs += 1;
        info.bytes += row.size;
        info.lines += u64::from(row.lines);
        info.ignored_lines += u64::from(row.ignored_lines);
        *info.languages.entry(row.language).or_default() += 1;
    })?;
    if info.unused_blobs.is_some() {
        info.fragments = 0;
        corpus.read::<Fragments>(|_, row| info.fragments += u64::from(standing.holds(&row.blob)))?;
    }
    corpus.read_latest::<LicenseFiles>(|_, _| info.license_files += 1)?;
    corpus.read_latest::<Skips>(|part, _| count(&mut places, &part.source).1 += 1)?;
    (info.occurrences, info.skips) =
        places.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    info.projects =
        projects.into_iter().map(|(project, occurrences)| ProjectCount { project, occurrences }).collect();
    info.sources = manifest
        .sources
        .iter()
        .map(|entry| {
            let (occurrences, skips) = places.get(&entry.source).copied().unwrap_or_default();
            SourceInfo {
                source: entry.source.clone(),
                read: entry.read,
                base: entry.base,
                without: entry.without.clone(),
                exclude: entry.exclude.clone(),
                occurrences,
                skips,
            }
        })
        .collect();
    Ok(info)
}

/// Calls `each` with every skip of the corpus in `folder` and its source.
pub fn skips(folder: &Path, mut each: impl FnMut(&str, SkipRow)) -> Result<(), CorpusError> {
    Ok(Corpus::open(folder)?.read_latest::<Skips>(|part, row| each(&part.source, row))?)
}

/// The blobs that stand somewhere. Where all do, none is kept.
struct Standing {
    /// The starts of their names, for memory: of others one may count that has the same start.
    blobs: FxHashSet<u64>,
    all: bool,
}

impl Standing {
    fn add(&mut self, blob: BlobId) {
        if !self.all {
            self.blobs.insert(short(&blob));
        }
    }

    fn holds(&self, blob: &BlobId) -> bool {
        self.all || self.blobs.contains(&short(blob))
    }
}

/// Occurrences and skips of a source.
fn count<'c>(counts: &'c mut BTreeMap<String, (u64, u64)>, source: &str) -> &'c mut (u64, u64) {
    if !counts.contains_key(source) {
        counts.insert(source.to_owned(), (0, 0));
    }
    counts.get_mut(source).expect("just there")
}

/// Rows of a table.
fn rows(manifest: &Manifest, table: &str) -> u64 {
    manifest
        .parts
        .iter()
        .flat_map(|part| &part.tables)
        .filter(|file| file.table == table)
        .map(|file| file.rows)
        .sum()
}

/// Opens the corpus in `folder`, as far as that tells whether this program can read it.
pub fn check(folder: &Path) -> Result<(), CorpusError> {
    Corpus::open(folder)?;
    Ok(())
}

/// Whether the corpus in `folder` keeps source text.
pub fn keeps_text(folder: &Path) -> Result<bool, CorpusError> {
    Ok(Corpus::open(folder)?.manifest().text)
}

/// Compares every file of the corpus in `folder` with what was written.
pub fn verify(folder: &Path) -> Result<Vec<Damage>, CorpusError> {
    Ok(Corpus::open(folder)?.verify())
}
