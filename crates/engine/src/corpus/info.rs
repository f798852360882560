//! `corpus info`: what a corpus holds.

use std::collections::BTreeMap;
use std::path::Path;

use familiar_store::tables::{Blobs, Fragments, Occurrences, SkipRow, Skips, Table};
use familiar_store::{Corpus, Manifest};
use serde::Serialize;

use super::CorpusError;

/// The schema's name and version.
const SCHEMA: &str = "familiar.corpus/1";

/// What a corpus holds, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    pub schema: &'static str,
    pub generation: u64,
    /// Whether the source text is kept.
    pub text: bool,
    pub blobs: u64,
    /// Bytes of all blobs.
    pub bytes: u64,
    pub lines: u64,
    pub occurrences: u64,
    pub fragments: u64,
    pub skips: u64,
    /// Bytes of the tables on disk, and those of the text among them.
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
        blobs: rows(manifest, Blobs::NAME, None),
        bytes: 0,
        lines: 0,
        occurrences: rows(manifest, Occurrences::NAME, None),
        fragments: rows(manifest, Fragments::NAME, None),
        skips: rows(manifest, Skips::NAME, None),
        disk_bytes: manifest.files().map(|file| file.bytes).sum(),
        text_bytes: manifest.files().filter(|file| file.table == "texts").map(|file| file.bytes).sum(),
        languages: BTreeMap::new(),
        sources: Vec::new(),
        projects: Vec::new(),
    };
    corpus.read::<Blobs>(|_, row| {
        info.bytes += row.size;
        info.lines += u64::from(row.lines);
        *info.languages.entry(row.language).or_default() += 1;
    })?;
    let mut projects: BTreeMap<String, u64> = BTreeMap::new();
    corpus.read::<Occurrences>(|_, row| *projects.entry(row.occurrence.project).or_default() += 1)?;
    let count = |(project, occurrences)| ProjectCount { project, occurrences };
    info.projects = projects.into_iter().map(count).collect();
    info.sources = manifest
        .sources
        .iter()
        .map(|entry| SourceInfo {
            source: entry.source.clone(),
            read: entry.read,
            base: entry.base,
            occurrences: rows(manifest, Occurrences::NAME, Some(&entry.source)),
            skips: rows(manifest, Skips::NAME, Some(&entry.source)),
        })
        .collect();
    Ok(info)
}

/// Calls `each` with every skip of the corpus in `folder` and its source.
pub fn skips(folder: &Path, mut each: impl FnMut(&str, SkipRow)) -> Result<(), CorpusError> {
    Ok(Corpus::open(folder)?.read::<Skips>(|part, row| each(&part.source, row))?)
}

/// Rows of a table, of one source or of all.
fn rows(manifest: &Manifest, table: &str, source: Option<&str>) -> u64 {
    let parts = manifest.parts.iter().filter(|part| source.is_none_or(|source| part.source == source));
    parts.flat_map(|part| &part.tables).filter(|file| file.table == table).map(|file| file.rows).sum()
}
