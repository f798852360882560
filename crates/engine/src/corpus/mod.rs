//! A corpus that lasts: what may be in it, and what one holds.

mod add;
mod ahead;
mod info;
mod parse;
mod places;

use familiar_corpus::SourceError;
use familiar_store::StoreError;

pub use add::{AddOptions, Added, Outcome, add};
pub use familiar_store::Damage;
pub use info::{Info, ProjectCount, SourceInfo, info, skips};
pub use places::{NoHome, folder, list};

/// Why a corpus could not be changed or read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("cannot start {threads} threads: {source}; ask for fewer")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("the corpus has no source {0}; `familiar corpus info` lists them")]
    NoSource(String),
}

/// Takes a source out of the corpus in `folder`.
pub fn remove(folder: &std::path::Path, source: &str) -> Result<(), CorpusError> {
    familiar_store::Corpus::open(folder)?;
    let mut writer = familiar_store::Writer::open(folder, true)?;
    if !writer.remove(source) {
        return Err(CorpusError::NoSource(source.to_owned()));
    }
    Ok(writer.commit()?)
}

/// Compares every file of the corpus in `folder` with what was written.
pub fn verify(folder: &std::path::Path) -> Result<Vec<Damage>, CorpusError> {
    Ok(familiar_store::Corpus::open(folder)?.verify())
}
