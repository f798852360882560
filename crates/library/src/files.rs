//! The files of corpora as documents to search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use familiar_files::{Document, TreePath};
use familiar_source::{BlobId, Language, Occurrence};
use familiar_store::tables::{Blobs, Occurrences, TextRow, Texts};
use familiar_store::{Corpus, StoreError};
use rustc_hash::FxHashMap;

use crate::CorpusError;
use familiar_files::input::{Input, Kept, KeptEntry};

/// The documents of some corpora.
pub struct CorpusFiles {
    pub input: Input,
    /// The projects, which stand for the roots of documents.
    pub projects: Vec<String>,
    /// For each project the number of its corpus.
    pub corpora: Vec<u32>,
    /// For each document whether it was handed out (`corpus add --base`).
    pub handed_out: Vec<bool>,
}

/// Reads what `folders` keep: of every file of every project the version that stands there last. What several corpora from the number
/// `beside` on have of one project and path alike stands there once.
pub fn read(folders: &[PathBuf], beside: usize) -> Result<CorpusFiles, CorpusError> {
    let mut files = CorpusFiles {
        input: Input::of_files(Vec::new()),
        projects: Vec::new(),
        corpora: Vec::new(),
        handed_out: Vec::new(),
    };
    let file = tempfile::tempfile().map_err(CorpusError::Temporary)?;
    let mut out = BufWriter::new(file.try_clone().map_err(CorpusError::Temporary)?);
    let mut entries = Vec::new();
    let mut written = 0;
    let mut known: BTreeSet<(BlobId, String, String)> = BTreeSet::new();
    for (number, folder) in (0u32..).zip(folders) {
        let corpus = Corpus::open(folder)?;
        if !corpus.manifest().text {
            return Err(CorpusError::NoText { folder: folder.clone() });
        }
        let mut places = latest(&corpus)?;
        if number as usize >= beside && folders.len() > beside + 1 {
            places.retain(|(project, path), standing| {
                known.insert((standing.blob, project.clone(), path.clone()))
            });
        }
        let languages = languages(&corpus)?;
        let texts = unpack(&corpus, &places, &mut out, &mut written)?;
        for ((project, path), Standing { blob, handed_out }) in places {
            let (Some(&(start, bytes)), Some(&language)) = (texts.get(&blob), languages.get(&blob)) else {
                continue;
            };
            let is_new = files.corpora.last() != Some(&number) || files.projects.last() != Some(&project);
            if is_new {
                files.projects.push(project);
                files.corpora.push(number);
            }
            let root = files.projects.len() as u32 - 1;
            let path = TreePath::new(Path::new(&path));
            files.input.documents.push(Document { root, path, file: PathBuf::new(), bytes });
            files.handed_out.push(handed_out);
            entries.push(Some(KeptEntry { start, blob, language: Some(language) }));
        }
    }
    out.flush().map_err(CorpusError::Temporary)?;
    drop(out);
    files.input.kept = Some(Kept { file, entries });
    Ok(files)
}

/// A file that a corpus keeps, and as what it is searched.
#[derive(Clone, Debug)]
pub struct KeptFile {
    pub root: u32,
    pub path: TreePath,
    pub blob: BlobId,
    /// None where it is to be told from name and text.
    pub language: Option<Language>,
}

/// Adds files that corpora keep to the documents of trees.
pub struct Keeper {
    file: File,
    out: BufWriter<File>,
    written: u64,
    documents: Vec<Document>,
    entries: Vec<Option<KeptEntry>>,
}

impl Keeper {
    /// Begins with the documents of trees, which have the first roots.
    pub fn new(documents: Vec<Document>) -> Result<Self, CorpusError> {
        let file = tempfile::tempfile().map_err(CorpusError::Temporary)?;
        let out = BufWriter::new(file.try_clone().map_err(CorpusError::Temporary)?);
        let entries = vec![None; documents.len()];
        Ok(Self { file, out, written: 0, documents, entries })
    }

    /// Adds some files of a corpus in their order; those whose text it does not keep are left out.
    pub fn add(&mut self, corpus: &Corpus, files: Vec<KeptFile>) -> Result<(), CorpusError> {
        if !corpus.manifest().text {
            return Err(CorpusError::NoText { folder: corpus.folder().to_owned() });
        }
        let wanted: BTreeSet<BlobId> = files.iter().map(|file| file.blob).collect();
        let mut texts: FxHashMap<BlobId, (u64, u64)> = FxHashMap::default();
        let mut failed = None;
        corpus.texts_of_blobs(&wanted, |TextRow { blob, text }| {
            if failed.is_none() {
                texts.insert(blob, (self.written, text.len() as u64));
                self.written += text.len() as u64;
                failed = self.out.write_all(&text).err();
            }
            Ok(())
        })?;
        if let Some(error) = failed {
            return Err(CorpusError::Temporary(error));
        }
        for KeptFile { root, path, blob, language } in files {
            let Some(&(start, bytes)) = texts.get(&blob) else { continue };
            self.documents.push(Document { root, path, file: PathBuf::new(), bytes });
            self.entries.push(Some(KeptEntry { start, blob, language }));
        }
        Ok(())
    }

    /// Adds a text that stands in no file.
    pub fn add_text(&mut self, file: KeptFile, text: &[u8]) -> Result<(), CorpusError> {
        self.out.write_all(text).map_err(CorpusError::Temporary)?;
        let KeptFile { root, path, blob, language } = file;
        self.documents.push(Document { root, path, file: PathBuf::new(), bytes: text.len() as u64 });
        self.entries.push(Some(KeptEntry { start: self.written, blob, language }));
        self.written += text.len() as u64;
        Ok(())
    }

    /// Goes on with what [`finish`](Self::finish) gave.
    pub fn resume(input: Input) -> Result<Self, CorpusError> {
        let Input { documents, kept, .. } = input;
        let Some(Kept { mut file, entries }) = kept else { return Self::new(documents) };
        let written = file.seek(SeekFrom::End(0)).map_err(CorpusError::Temporary)?;
        let out = BufWriter::new(file.try_clone().map_err(CorpusError::Temporary)?);
        Ok(Self { file, out, written, documents, entries })
    }

    /// The blobs of the documents from `first` on, which are no files of trees.
    pub fn blobs(&self, first: usize) -> impl Iterator<Item = BlobId> + '_ {
        self.entries[first..].iter().flatten().map(|entry| entry.blob)
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    pub fn finish(self) -> Result<Input, CorpusError> {
        let Self { file, mut out, documents, entries, .. } = self;
        out.flush().map_err(CorpusError::Temporary)?;
        Ok(Input { kept: Some(Kept { file, entries }), ..Input::of_files(documents) })
    }
}

/// The files of a corpus as they stand last, with their projects, in order.
pub fn latest_files(corpus: &Corpus) -> Result<Vec<(String, String, BlobId, Language)>, CorpusError> {
    let languages = languages(corpus)?;
    let files = latest(corpus)?.into_iter().filter_map(|((project, path), standing)| {
        Some((project, path, standing.blob, *languages.get(&standing.blob)?))
    });
    Ok(files.collect())
}

/// Project and path to what stands there last.
type Latest = BTreeMap<(String, String), Standing>;

/// A blob at a place.
#[derive(Clone, Copy, Debug)]
struct Standing {
    blob: BlobId,
    /// Whether its source was handed out.
    handed_out: bool,
}

fn latest(corpus: &Corpus) -> Result<Latest, StoreError> {
    // Whether a blob stands there still, and since when.
    let mut since: FxHashMap<(String, String), (bool, Option<i64>)> = FxHashMap::default();
    let mut latest = Latest::new();
    let sources = &corpus.manifest().sources;
    let base: BTreeSet<&str> =
        sources.iter().filter(|entry| entry.base).map(|entry| entry.source.as_str()).collect();
    corpus.read_latest::<Occurrences>(|part, row| {
        let Occurrence { project, path, removed_by, first_seen, first_line, .. } = row.occurrence;
        let place = (project, file_of(path, first_line));
        let own = (removed_by.is_none(), first_seen);
        if since.get(&place).is_none_or(|known| own > *known) {
            since.insert(place.clone(), own);
            let handed_out = base.contains(part.source.as_str());
            latest.insert(place, Standing { blob: row.blob, handed_out });
        }
    })?;
    Ok(latest)
}

/// Project and path of an occurrence of a blob, as [`latest`] names them.
pub fn place(occurrence: &Occurrence, blob: BlobId) -> (BlobId, String, String) {
    let Occurrence { project, path, first_line, .. } = occurrence;
    (blob, project.clone(), file_of(path.clone(), *first_line))
}

/// The places at which one of `blobs` is what stands there last.
pub fn standing(
    corpus: &Corpus,
    blobs: &BTreeSet<BlobId>,
) -> Result<BTreeSet<(BlobId, String, String)>, StoreError> {
    let standing =
        latest(corpus)?.into_iter().map(|((project, path), standing)| (standing.blob, project, path));
    Ok(standing.filter(|(blob, ..)| blobs.contains(blob)).collect())
}

/// Blocks of one document are files of their own.
fn file_of(path: String, first_line: u32) -> String {
    if first_line > 1 { format!("{path}:{first_line}") } else { path }
}

pub fn languages(corpus: &Corpus) -> Result<FxHashMap<BlobId, Language>, StoreError> {
    let mut languages = FxHashMap::default();
    corpus.read::<Blobs>(|_, row| {
        languages.extend(Language::from_name(row.language).map(|language| (row.blob, language)));
    })?;
    Ok(languages)
}

/// Writes the texts that are wanted; where each begins, and its length.
fn unpack(
    corpus: &Corpus,
    places: &Latest,
    out: &mut impl Write,
    written: &mut u64,
) -> Result<FxHashMap<BlobId, (u64, u64)>, CorpusError> {
    let mut texts: FxHashMap<BlobId, (u64, u64)> =
        places.values().map(|standing| (standing.blob, (0, 0))).collect();
    let mut failed = None;
    corpus.read::<Texts>(|_, TextRow { blob, text }| {
        if let Some(place) = texts.get_mut(&blob).filter(|_| failed.is_none()) {
            *place = (*written, text.len() as u64);
            *written += text.len() as u64;
            failed = out.write_all(&text).err();
        }
    })?;
    failed.map_or(Ok(texts), |error| Err(CorpusError::Temporary(error)))
}
