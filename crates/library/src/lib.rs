//! What is in the corpora, and who has this code? Filling, changing and asking corpora that last.
//!
//! # Files
//!
//! - **Filling:** `add` takes sources, `adding` reads one of them, `ahead` fetches others
//!   meanwhile, `parse` reads one blob, `held` knows which blobs are there, `segments` makes what
//!   is looked up, `vectors` makes the vectors of functions part by part (and asks them), `memory`
//!   says how much memory all this takes.
//! - **Changing:** `update`, `remove`, `merge`, `rebuild`.
//! - **Asking:** `find` answers who has some code, for a `query` that is read as the corpus was.
//!   `witnesses` says where a blob stands, `families` which projects are forks, `versions` which
//!   blobs are one file, `origin` who was first. `licenses` says under which license code stands:
//!   `layers` what a blob says itself, `declared` which files of its project speak for it, and
//!   when, `detected` what license files said when the corpus took them. `found` has what a report
//!   on found code needs.
//! - **Giving:** `info` describes a corpus, `places` finds it by name, `export` writes its tables.
//!   `candidates` chooses the blobs that are worth comparing with a file, `files` unpacks them for
//!   a search, `stored_vectors` gives their vectors to it. `excerpt` writes what another server
//!   needs of what was found.

mod add;
mod adding;
mod ahead;
pub mod candidates;
mod declared;
mod detected;
mod disjoint_sets;
mod excerpt;
mod export;
mod families;
pub mod files;
mod find;
mod found;
mod held;
mod info;
mod layers;
mod licenses;
mod memory;
mod merge;
pub mod origin;
mod parse;
mod places;
mod query;
mod rebuild;
mod remove;
mod segments;
mod stored_vectors;
mod update;
mod vectors;
mod versions;
mod witnesses;

use familiar_corpus::SourceError;
use familiar_corpus::spec::SpecError;
use familiar_index::segment::SegmentError;
use familiar_index::vectors::VectorError;
use familiar_model::EncodeError;
use familiar_source::BlobId;
use familiar_store::{Corpus, StoreError, Writer};

pub use add::{AddOptions, Added, Outcome, Reading, add};
pub use excerpt::{ExcerptError, Extent, excerpt};
pub use export::{Exported, TABLES, export};
pub use familiar_store::{Damage, ExportFormat};
pub use find::{FindOptions, FindOptionsError, Library};
pub use info::{Info, ProjectCount, SourceInfo, info, skips};
pub use licenses::{Licenses, layer_row, read_rules};
pub use parse::{id as blob_id, of_block};
pub use places::{NoHome, folder, list};
pub use query::{Asked, NoQuery, QueryReader};
pub use rebuild::rebuild;
pub use remove::{Removed, remove, remove_projects};
pub use stored_vectors::stored_vectors;
pub use update::{UpdateOptions, update};
pub use vectors::{made_by as vectors_made_by, make as make_vectors};
pub use witnesses::Witness;

/// Why a corpus could not be changed or read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Segment(#[from] SegmentError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("cannot start {threads} threads: {source}; give a smaller --threads")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("cannot write a temporary file: {0}; free some space, or set TMPDIR")]
    Temporary(std::io::Error),
    #[error("{} does not keep its source text, which is needed here; make a corpus without --no-text", folder.display())]
    NoText { folder: std::path::PathBuf },
    #[error("cannot read {} again ({reason}); use the --memory with which it was added", blob.swhid())]
    Rebuild { blob: BlobId, reason: &'static str },
    #[error(transparent)]
    Vectors(#[from] VectorError),
    #[error(transparent)]
    Encoder(#[from] EncodeError),
    #[error("{} has no vectors; `familiar corpus add CORPUS --vectors` makes them", folder.display())]
    NoVectors { folder: std::path::PathBuf },
    #[error("some code in {} has no vectors yet; `familiar corpus add CORPUS --vectors` makes them", folder.display())]
    SomeVectors { folder: std::path::PathBuf },
    #[error("the corpus has no source {name}{close}; `familiar corpus info` lists the sources")]
    NoSource {
        name: String,
        /// Names that may be meant, in words.
        close: String,
    },
    #[error("the corpus has no project {name}{close}; `familiar corpus info` lists the projects")]
    NoProject {
        name: String,
        /// Names that may be meant, in words.
        close: String,
    },
}

/// Merges all parts of the corpus in `folder` and drops the blobs that stand nowhere any more, within `memory` bytes.
pub fn merge(
    folder: &std::path::Path,
    memory: usize,
    progress: &dyn familiar_source::Progress,
) -> Result<(), CorpusError> {
    let (mut writer, _) = open_to_change(folder)?;
    merge::merge(folder, &mut writer, merge::Merge::All, memory, progress)
}

/// The corpus in `folder`, which must be there, for writing, and as it is now that nobody else may change it.
fn open_to_change(folder: &std::path::Path) -> Result<(Writer, Corpus), StoreError> {
    Corpus::open(folder)?;
    let writer = Writer::open(folder, true)?;
    Ok((writer, Corpus::open(folder)?))
}

/// As [`open_to_change`], with `threads` to make anew what follows from the text, which must be kept.
fn open_to_derive(
    folder: &std::path::Path,
    threads: usize,
) -> Result<(rayon::ThreadPool, Writer, Corpus), CorpusError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| CorpusError::Threads { threads, source })?;
    let (writer, corpus) = open_to_change(folder)?;
    if !corpus.manifest().text {
        return Err(CorpusError::NoText { folder: folder.to_owned() });
    }
    Ok((pool, writer, corpus))
}

/// Whether the corpus in `folder` keeps source text.
pub fn keeps_text(folder: &std::path::Path) -> Result<bool, CorpusError> {
    Ok(Corpus::open(folder)?.manifest().text)
}

/// Compares every file of the corpus in `folder` with what was written.
pub fn verify(folder: &std::path::Path) -> Result<Vec<Damage>, CorpusError> {
    Ok(Corpus::open(folder)?.verify())
}
