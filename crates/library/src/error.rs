//! Why a corpus could not be changed or read.

use familiar_corpus::SourceError;
use familiar_corpus::spec::SpecError;
use familiar_index::segment::SegmentError;
use familiar_index::vectors::VectorError;
use familiar_model::EncodeError;
use familiar_source::BlobId;
use familiar_store::StoreError;

use crate::outcome::Outcome;

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
    /// What ended the work after some sources were added, which stay.
    #[error("{source}")]
    After { outcome: Box<Outcome>, source: Box<CorpusError> },
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

impl CorpusError {
    /// What a corpus lacks for type 4, where that is why it could not be asked.
    pub fn lacks_vectors(&self) -> Option<&'static str> {
        match self {
            Self::NoVectors { .. } => Some("has no vectors"),
            Self::SomeVectors { .. } => Some("has no vectors of some of its code"),
            Self::Vectors(VectorError::Encoder { .. }) => Some("has no vectors of this program's encoder"),
            _ => None,
        }
    }
}
