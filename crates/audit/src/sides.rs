//! What is compared with what: PATH on one side, on the other the blobs of the corpora that may hold some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_corpus::dir::{self, Listing, WalkOptions};
use familiar_corpus::{Skip, TreePath};
use familiar_source::{BlobId, Language};
use rayon::prelude::*;

use crate::error::AuditError;
use crate::options::{AuditOptions, Snippet};
use crate::places::{self, KeptDocument, Libraries};
use familiar_corpus::input::Input;
use familiar_detect::CloneOptions;
use familiar_detect::Sides;
use familiar_library::candidates::Candidates;
use familiar_library::files::{Keeper, KeptFile, languages, latest_files};
use familiar_library::{CodeQuery, CorpusError, FindOptions, Library, QueryReader, blob_id};
use familiar_source::Progress;

/// Two sides, ready to be compared.
pub(crate) struct Prepared {
    pub(crate) sides: Sides,
    /// For each document the blob that it is of a corpus; none for files of trees and snippets.
    pub(crate) documents: Vec<Option<KeptDocument>>,
    pub(crate) clone_options: CloneOptions,
}

/// The name of a snippet.
const SNIPPET: &str = "-";

/// Fewest tokens of a snippet's code that is looked for, whatever its length.
const LEAST_TOKENS: u32 = 10;

/// Fewest tokens of what counts, where nobody says otherwise: what an audit reports needs more than a clone in a tree. It
/// was the least length of every search until that of trees became a limit by information.
const MIN_TOKENS: u32 = 50;

/// Lists PATH, looks up where parts of it may stand, and unpacks that.
pub(crate) fn prepare(
    options: &AuditOptions,
    libraries: &Libraries,
    progress: &dyn Progress,
) -> Result<Prepared, AuditError> {
    let mut clone_options = clone_options(options);
    progress.stage("listing files", 0);
    let mut compared = Compared::list(options, libraries)?;
    if let Some(snippet) = &options.snippet {
        compared.add_snippet(snippet, &mut clone_options)?;
    }
    let queries = compared.roots.len() as u32;
    let find = find_options(&clone_options);
    find.check()?;
    let input = compared.keeper.finish()?;
    let blobs = look_up(&input, libraries, &clone_options, &find, progress)?;
    compared.keeper = Keeper::resume(input)?;
    progress.stage("unpacking", 0);
    compared.unpack(placed(blobs, libraries)?, libraries)?;
    let Compared { keeper, roots, trees, documents, skips } = compared;
    let sides =
        Sides { input: keeper.finish()?, roots, trees, queries, skips, idioms: !options.include_trivial };
    Ok(Prepared { sides, documents, clone_options })
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
        let Listing { documents, skips } = dir::walk(&options.trees, &walk)?;
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

/// The blobs that are worth comparing: of a corpus with no more blobs than PATH has files all, since looking them up takes longer
/// than comparing them; of others what is found in them.
fn look_up(
    input: &Input,
    libraries: &Libraries,
    options: &CloneOptions,
    find: &FindOptions,
    progress: &dyn Progress,
) -> Result<Blobs, CorpusError> {
    progress.stage("looking up", input.documents.iter().map(|document| document.bytes).sum());
    let (few, many): (Vec<_>, Vec<_>) = libraries
        .against
        .iter()
        .enumerate()
        .partition(|(_, library)| library.blobs() <= input.documents.len() as u64);
    let mut all = Blobs::new();
    for (number, library) in few {
        let of_library: BTreeMap<BlobId, Language> = languages(library.corpus())?.into_iter().collect();
        for (blob, language) in of_library {
            all.entry(blob).or_insert((language, number));
        }
    }
    let candidates: Vec<(usize, Candidates<'_>)> =
        many.into_iter().map(|(number, library)| (number, Candidates::new(library, find))).collect();
    if candidates.is_empty() {
        return Ok(all);
    }
    let code_query = |reader: &mut QueryReader, number: u32| -> Option<CodeQuery> {
        let document = &input.documents[number as usize];
        let bytes = input.read(number).ok()?;
        progress.advance(document.bytes);
        // What cannot be read as code is told when sides are compared.
        let code_query = reader.read(document.path.as_str(), &bytes, input.language(number), None).ok()?;
        (options.languages.is_empty() || options.languages.contains(&code_query.language))
            .then_some(code_query)
    };
    let of_document = |reader: &mut QueryReader, number: u32| -> Result<Blobs, CorpusError> {
        let mut blobs = Blobs::new();
        let Some(code_query) = code_query(reader, number) else { return Ok(blobs) };
        for (library, candidates) in &candidates {
            for (blob, language) in candidates.of(&code_query)? {
                blobs.entry(blob).or_insert((language, *library));
            }
        }
        Ok(blobs)
    };
    let merged = |mut all: Blobs, more: Blobs| {
        for (blob, (language, library)) in more {
            let known = all.entry(blob).or_insert((language, library));
            known.1 = known.1.min(library);
        }
        Ok(all)
    };
    let found = (0..input.documents.len() as u32)
        .into_par_iter()
        .map_init(|| QueryReader::new(options.memory), of_document)
        .try_reduce(Blobs::new, merged)?;
    merged(all, found)
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
