//! Opening a corpus to change it, or to make anew what follows from its texts.

use std::path::Path;

use familiar_store::{Corpus, StoreError, Writer};

use crate::CorpusError;

/// The corpus in `folder`, which must be there, for writing, and as it is now that nobody else may change it.
pub(crate) fn open_to_change(folder: &Path) -> Result<(Writer, Corpus), StoreError> {
    Corpus::open(folder)?;
    let writer = Writer::open(folder, true)?;
    Ok((writer, Corpus::open(folder)?))
}

/// As [`open_to_change`], with `threads` to make anew what follows from the text, which must be kept.
pub(crate) fn open_to_derive(
    folder: &Path,
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
