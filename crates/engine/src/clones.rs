//! `familiar clones`: the clones inside and among trees or corpora, nothing persisted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use familiar_detect::{DetectError, Scope, Search};
use familiar_files::{Document, TreePath};
use familiar_index::Side;
use familiar_index::vectors::FragmentVectors;
use familiar_library::files::{self, CorpusFiles, Keeper, KeptFile};
use familiar_library::{CorpusError, blob_id, stored_vectors};
use familiar_report::CloneReport;
use familiar_source::Language;

use crate::{Baseline, CloneOptions, Progress};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum CloneError {
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Detect(#[from] DetectError),
}

/// Finds the clones that `options` ask for; those that `baseline` holds stay quiet.
pub fn run(
    options: &CloneOptions,
    baseline: Option<&Baseline>,
    progress: &dyn Progress,
) -> Result<CloneReport, CloneError> {
    if options.corpora.is_empty() {
        return Ok(familiar_detect::in_trees(options, baseline, progress)?);
    }
    options.check().map_err(DetectError::Options)?;
    let pool = familiar_detect::pool(options.threads)?;
    pool.install(|| Ok(in_corpora(options, progress)?.report(baseline, progress, pool.clone())?))
}

/// A text that stands in no file.
#[derive(Clone, Debug)]
pub struct Text {
    /// What the result calls it: it stands in the place of a path.
    pub name: String,
    pub bytes: Vec<u8>,
    /// Told from name and text where it is not given.
    pub language: Option<Language>,
}

/// What stands for the root of texts.
const TEXTS: &str = "texts";

/// Finds the clones among texts that stand in no file; `options` names no input.
pub fn of_texts(
    options: &CloneOptions,
    texts: Vec<Text>,
    progress: &dyn Progress,
) -> Result<CloneReport, CloneError> {
    let options = CloneOptions { paths: vec![PathBuf::from(TEXTS)], ..options.clone() };
    options.check().map_err(DetectError::Options)?;
    let pool = familiar_detect::pool(options.threads)?;
    let mut keeper = Keeper::new(Vec::new())?;
    for Text { name, bytes, language } in texts {
        let (path, blob) = (TreePath::new(Path::new(&name)), blob_id(&bytes));
        keeper.add_text(KeptFile { root: 0, path, blob, language }, &bytes)?;
    }
    let input = keeper.finish()?;
    pool.install(|| {
        let search = Search::read(&options, input, |_| Side::Both, progress)?;
        // No tree: nothing of it is looked for on the disk.
        let scope = Scope { roots: options.paths.clone(), ..Scope::default() };
        Ok(search.within(scope).report(None, progress, pool.clone())?)
    })
}

/// Of two corpora, only pairs with one side in each are asked for; of one and others beside it, pairs with a side in the first.
fn in_corpora<'o>(options: &'o CloneOptions, progress: &dyn Progress) -> Result<Search<'o>, CloneError> {
    progress.stage("unpacking", 0);
    let folders = options.all_corpora();
    let CorpusFiles { input, projects, corpora, handed_out } = files::read(&folders, options.corpora.len())?;
    let side = |document: &Document| match (options.corpora.len(), corpora[document.root as usize]) {
        (1, 0) => Side::Both,
        (_, 0) => Side::Query,
        _ => Side::Against,
    };
    let search = Search::read(options, input, side, progress)?;
    let stored = vectors(options, &search)?;
    let name = |(number, folder): (usize, &'_ PathBuf)| match options.corpus_names.get(number) {
        Some(name) => OsString::from(name),
        None => folder.file_name().unwrap_or_default().to_owned(),
    };
    let names: Vec<OsString> = folders.iter().enumerate().map(name).collect();
    let root = |(project, &corpus): (&String, &u32)| match names.as_slice() {
        [_] => PathBuf::from(project),
        // Two corpora may hold projects of one name.
        names => Path::new(&names[corpus as usize]).join(project.trim_start_matches('/')),
    };
    let roots = projects.iter().zip(&corpora).map(root).collect();
    let handed_out = Some(handed_out).filter(|marks| !options.include_handed_out && marks.contains(&true));
    Ok(search.within(Scope { roots, stored, handed_out, ..Scope::default() }))
}

/// Of the corpora that are searched, the vectors that the encoder made.
fn vectors(options: &CloneOptions, search: &Search<'_>) -> Result<Option<FragmentVectors>, CorpusError> {
    let Some(encoder) = options.encoder.as_ref().filter(|_| options.wants_encoder()) else {
        return Ok(None);
    };
    let documents = 0..search.input().documents.len() as u32;
    let blobs = documents.filter_map(|number| search.input().blob(number)).collect();
    stored_vectors(&options.all_corpora(), encoder.name(), &blobs, search.stored_vectors_bytes()).map(Some)
}
