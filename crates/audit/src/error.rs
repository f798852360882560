//! Why an audit has no result.

use familiar_detect::DetectError;
use familiar_files::dir::WalkError;
use familiar_library::{CorpusError, FindOptionsError, NoQuery};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Clones(#[from] DetectError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Find(#[from] FindOptionsError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    NoQuery(#[from] NoQuery),
    #[error("cannot start {threads} threads: {source}; give a smaller --threads")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error("cannot read the pairs from their temporary file: {0}")]
    Pairs(std::io::Error),
}
