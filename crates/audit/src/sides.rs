//! What is compared with what: PATH on one side, on the other the blobs of the corpora that may hold some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use familiar_files::dir::{self, Listing, WalkOptions};
use familiar_files::input::Input;
use familiar_files::{Skip, TreePath};
use familiar_source::{BlobId, Language};

use crate::error::AuditError;
use crate::options::{AuditOptions, Snippet};
use crate::places::{self, KeptDocument, Libraries};
use familiar_detect::{Against, CloneOptions, QuerySide, ReadFile, overlap};
use familiar_library::candidates::Candidates;
use familiar_library::files::{Keeper, KeptFile, languages, latest_files};
use familiar_library::{CodeQuery, CorpusError, FindOptions, Library, QueryReader, blob_id};
use familiar_source::Progress;

/// PATH, read, and what it is compared with.
pub(crate) struct Sides {
    pub(crate) query: QuerySide,
    pub(crate) against: Against,
    /// How many of the roots are PATH's.
    pub(crate) audited: u32,
    /// For each document the blob that it is of a corpus; none for files of trees and snippets.
    pub(crate) documents: Vec<Option<KeptDocument>>,
}

/// The name of a snippet.
const SNIPPET: &str = "-";

/// Fewest tokens of a snippet's code that is looked for, whatever its length.
const LEAST_TOKENS: u32 = 10;

/// Fewest tokens of what counts, where nobody says otherwise: what an audit reports needs more than a clone in a tree. It
/// was the least length of every search until that of trees became a limit by information.
const MIN_TOKENS: u32 = 50;

/// Lists and reads PATH, looks up where parts of it may stand, and unpacks that.
pub(crate) fn read(
    options: &AuditOptions,
    libraries: &Libraries,
    progress: &dyn Progress,
) -> Result<Sides, AuditError> {
    let mut clone_options = clone_options(options);
    progress.stage("listing files", 0);
    let mut compared = Compared::list(options, libraries)?;
    if let Some(snippet) = &options.snippet {
        compared.add_snippet(snippet, &mut clone_options)?;
    }
    let find = find_options(&clone_options);
    find.check()?;
    let audited = compared.roots.len() as u32;
    let input = compared.keeper.finish()?;
    let (query, blobs) = looked_up(&input, libraries, clone_options, &find, progress)?;
    progress.stage("unpacking", 0);
    compared.keeper = Keeper::resume(input)?;
    compared.unpack(placed(blobs, libraries)?, libraries)?;
    let Compared { keeper, roots, trees, documents, skips } = compared;
    let against = Against { input: keeper.finish()?, roots, trees, skips, idioms: !options.include_trivial };
    Ok(Sides { query, against, audited, documents })
}

/// How the two sides are compared.
fn clone_options(options: &AuditOptions) -> CloneOptions {
    CloneOptions {
        paths: Vec::new(),
        corpora: Vec::new(),
        query: vec![PathBuf::from(SNIPPET)],
        against: options.against.clone(),
        judge_sides: !options.include_trivial,
        min_tokens: Some(options.clones.min_tokens.unwrap_or(MIN_TOKENS)),
        ..options.clones.clone()
    }
}

/// What is audited, and then what it is compared with.
struct Compared {
    keeper: Keeper,
    roots: Vec<PathBuf>,
    trees: usize,
    documents: Vec<Option<KeptDocument>>,
    skips: Vec<Skip>,
}

impl Compared {
    fn list(options: &AuditOptions, libraries: &Libraries) -> Result<Self, AuditError> {
        let CloneOptions { exclude, no_ignore, threads, .. } = options.clones.clone();
        let walk = WalkOptions { exclude, no_ignore, threads };
        let listing = dir::walk(&options.trees, &walk)?;
        let Listing { documents, skips } = overlap::once(listing, &options.trees, 0).listing;
        let mut compared = Self {
            roots: options.trees.clone(),
            trees: options.trees.len(),
            documents: vec![None; documents.len()],
            keeper: Keeper::new(documents)?,
            skips,
        };
        for library in &libraries.audited {
            compared.add_corpus(library)?;
        }
        Ok(compared)
    }

    /// Adds every file of a corpus as it stands last.
    fn add_corpus(&mut self, library: &Library) -> Result<(), CorpusError> {
        let mut files = Vec::new();
        let mut last = None;
        for (project, path, blob, language) in latest_files(library.corpus())? {
            if last.as_ref() != Some(&project) {
                self.roots.push(PathBuf::from(&project));
                last = Some(project);
            }
            let root = self.roots.len() as u32 - 1;
            files.push(KeptFile {
                root,
                path: TreePath::new(Path::new(&path)),
                blob,
                language: Some(language),
            });
        }
        let before = self.keeper.documents();
        self.keeper.add(library.corpus(), files)?;
        let added = self.keeper.blobs(before).map(|blob| Some(KeptDocument { blob, audited: true }));
        self.documents.extend(added);
        Ok(())
    }

    /// Adds code that stands in no file. However short it is, it is compared.
    fn add_snippet(&mut self, snippet: &Snippet, options: &mut CloneOptions) -> Result<(), AuditError> {
        let mut reader = QueryReader::new(options.memory);
        let code_query = reader.read(SNIPPET, &snippet.bytes, snippet.language, None)?;
        options.min_tokens =
            options.min_tokens.map(|least| least.min(code_query.query.tokens()).max(LEAST_TOKENS));
        options.min_lines = 1;
        self.roots.push(PathBuf::from(SNIPPET));
        let file = KeptFile {
            root: self.roots.len() as u32 - 1,
            path: TreePath::new(Path::new(SNIPPET)),
            blob: blob_id(&snippet.bytes),
            language: Some(code_query.language),
        };
        self.keeper.add_text(file, &snippet.bytes)?;
        self.documents.push(None);
        Ok(())
    }

    /// Unpacks the blobs that were found, by their projects.
    fn unpack(&mut self, found: Vec<Placed>, libraries: &Libraries) -> Result<(), CorpusError> {
        let queries = self.roots.len();
        let mut files: BTreeMap<usize, Vec<KeptFile>> = BTreeMap::new();
        for (place, blob, language, library) in found {
            let is_new = self.roots.len() == queries
                || self.roots.last().is_none_or(|root| *root != Path::new(&place.0));
            if is_new {
                self.roots.push(PathBuf::from(&place.0));
            }
            let root = self.roots.len() as u32 - 1;
            let path = TreePath::new(Path::new(&place.1));
            files.entry(library).or_default().push(KeptFile { root, path, blob, language: Some(language) });
        }
        for (library, files) in files {
            let before = self.keeper.documents();
            self.keeper.add(libraries.against[library].corpus(), files)?;
            let added = self.keeper.blobs(before).map(|blob| Some(KeptDocument { blob, audited: false }));
            self.documents.extend(added);
        }
        Ok(())
    }
}

fn find_options(options: &CloneOptions) -> FindOptions {
    FindOptions {
        types: options.types.clone(),
        granularity: options.granularity.clone(),
        measure: options.measure,
        similarity: options.similarity,
        min_tokens: options.min_tokens.unwrap_or(MIN_TOKENS),
        cross_language: options.cross_language,
        ..FindOptions::default()
    }
}

/// A blob that may hold some of PATH: its language, and the first corpus that has it.
type Blobs = BTreeMap<BlobId, (Language, usize)>;

/// Reads PATH, and gives the blobs that are worth comparing with it: of a corpus with no more blobs than PATH has files
/// all, since looking them up takes longer than comparing them; of others what is found in them.
fn looked_up(
    input: &Input,
    libraries: &Libraries,
    options: CloneOptions,
    find: &FindOptions,
    progress: &dyn Progress,
) -> Result<(QuerySide, Blobs), AuditError> {
    let (few, many): (Vec<_>, Vec<_>) = libraries
        .against
        .iter()
        .enumerate()
        .partition(|(_, library)| library.blobs() <= input.documents.len() as u64);
    let mut all = Blobs::new();
    for (number, library) in few {
        let of_library = languages(library.corpus()).map_err(CorpusError::from)?;
        for (blob, language) in of_library.into_iter().collect::<BTreeMap<_, _>>() {
            all.entry(blob).or_insert((language, number));
        }
    }
    let candidates: Vec<(usize, Candidates<'_>)> =
        many.into_iter().map(|(number, library)| (number, Candidates::new(library, find))).collect();
    let blobs = Mutex::new(Ok::<Blobs, CorpusError>(all));
    let locked = || blobs.lock().unwrap_or_else(PoisonError::into_inner);
    let look_up = |file: &ReadFile<'_>| {
        let found = candidates_of(file, input, &candidates);
        let mut blobs = locked();
        match (&mut *blobs, found) {
            (Ok(blobs), Ok(found)) => add(blobs, found),
            (Ok(_), Err(error)) => *blobs = Err(error),
            (Err(_), _) => {}
        }
        if blobs.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let query = QuerySide::read(options, input, &look_up, progress)?;
    Ok((query, blobs.into_inner().unwrap_or_else(PoisonError::into_inner)?))
}

/// The blobs that may hold some of a file.
fn candidates_of(
    file: &ReadFile<'_>,
    input: &Input,
    candidates: &[(usize, Candidates<'_>)],
) -> Result<Blobs, CorpusError> {
    let mut blobs = Blobs::new();
    if candidates.is_empty() {
        return Ok(blobs);
    }
    let ReadFile { number, language, text, parsed, symbols } = *file;
    let path = input.documents[number as usize].path.as_str();
    let Some(code_query) = CodeQuery::of_file(path, language, text, parsed, symbols) else {
        return Ok(blobs);
    };
    for (library, candidates) in candidates {
        for (blob, language) in candidates.of(&code_query)? {
            blobs.entry(blob).or_insert((language, *library));
        }
    }
    Ok(blobs)
}

/// Of a blob that several corpora have, the first of them counts, whatever was found first.
fn add(blobs: &mut Blobs, found: Blobs) {
    for (blob, (language, library)) in found {
        let known = blobs.entry(blob).or_insert((language, library));
        if library < known.1 {
            *known = (language, library);
        }
    }
}

/// Project and path, blob, language, and number of the corpus.
type Placed = ((String, String), BlobId, Language, usize);

/// The blobs in the order of the corpora and of the places that stand for them.
fn placed(blobs: Blobs, libraries: &Libraries) -> Result<Vec<Placed>, CorpusError> {
    let mut all = BTreeSet::new();
    for (blob, (language, library)) in blobs {
        let places = libraries.places(KeptDocument { blob, audited: false })?;
        let Some(first) = places::first(&places) else { continue };
        let o = &first.witness.occurrence;
        // Blocks of one document are files of their own.
        let line = if o.first_line > 1 { format!(":{}", o.first_line) } else { String::new() };
        all.insert((library, (o.project.clone(), format!("{}{line}", o.path)), blob, language));
    }
    Ok(all.into_iter().map(|(library, place, blob, language)| (place, blob, language, library)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_corpus_says_which_language_a_blob_has_in_any_order() {
        let blob = BlobId([7; 20]);
        let [first, second] =
            [(Language::C, 0), (Language::Cpp, 1)].map(|place| Blobs::from([(blob, place)]));
        for order in [[first.clone(), second.clone()], [second, first]] {
            let mut all = Blobs::new();
            for found in order {
                add(&mut all, found);
            }
            assert_eq!(all[&blob], (Language::C, 0));
        }
    }
}
