//! How the memory setting is shared out, and what is done when it does not suffice.
//!
//! Tokens and samples have shares of their own and go to a temporary file, or are made anew, beyond them. The tables of
//! fragments and of results grow with the input and cannot: where they need the tokens' share, the tokens leave memory
//! altogether; where that does not suffice either, the search ends with [`TooMuch`].

use familiar_files::Document;
use familiar_index::Collection;
use familiar_source::memory::PROGRAM_RESERVE;

use crate::error::{DetectError, TooMuch};

/// The bytes that an operation may take, without what the program takes by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    bytes: usize,
    /// What the program and the list of documents take.
    apart: usize,
}

/// What a fragment takes in the collection, in groups and, where edited copies are looked for, in the search for them.
const FRAGMENT: usize = 100;
const SIMILAR_FRAGMENT: usize = 150;
/// What a place of a run takes before it is known whether functions cover it.
const RUN_PLACE: usize = 100;
/// What an item and a link take from detection to the report.
const ITEM: usize = 400;
const LINK: usize = 96;
/// What a document takes besides its names.
const DOCUMENT: usize = size_of::<Document>() + 64;

impl Memory {
    /// What a setting leaves beside the program and the list of documents.
    pub(crate) fn new(setting: usize, documents: &[Document]) -> Self {
        let apart = PROGRAM_RESERVE + of_documents(documents);
        Self { bytes: setting.saturating_sub(apart), apart }
    }

    /// For the tokens of all files.
    pub(crate) fn tokens(self) -> usize {
        self.bytes * 2 / 5
    }

    /// For the positions of statements.
    pub(crate) fn line_starts(self) -> usize {
        self.bytes / 20
    }

    /// For where functions and classes stand.
    pub(crate) fn scopes(self) -> usize {
        self.bytes / 50
    }

    /// For the samples of all files, by which runs are found.
    pub(crate) fn samples(self) -> usize {
        self.bytes / 8
    }

    /// For the files that are read at a time, as bytes of source.
    pub(crate) fn batch(self) -> usize {
        self.bytes / 32
    }

    /// For the tables of one search.
    pub(crate) fn search(self) -> usize {
        self.bytes / 4
    }

    /// Makes room for the search: for its tables and those of documents and fragments.
    pub(crate) fn fit_fragments(
        self,
        collection: &mut Collection,
        samples: usize,
        similar: bool,
    ) -> Result<(), DetectError> {
        let each = FRAGMENT + if similar { SIMILAR_FRAGMENT } else { 0 };
        let tables = collection.fragments.len() * each + samples + self.search();
        self.fit("fragments", tables, collection)
    }

    /// Makes room for what was found.
    pub(crate) fn fit_found(
        self,
        collection: &mut Collection,
        items: usize,
        links: usize,
    ) -> Result<(), DetectError> {
        let tables = collection.fragments.len() * FRAGMENT + of_found(items, links);
        self.fit("findings", tables, collection)
    }

    /// Whether so many places of runs fit.
    pub(crate) fn check_runs(self, places: usize) -> Result<(), TooMuch> {
        self.check("runs", places * RUN_PLACE)
    }

    /// Whether so many items and links will fit, told before they are made.
    pub(crate) fn check_found(self, items: usize, links: usize) -> Result<(), TooMuch> {
        self.check("findings", of_found(items, links))
    }

    /// For vectors that corpora keep.
    pub(crate) fn stored_vectors(self) -> usize {
        self.bytes / 4
    }

    /// Whether so many vectors of so many numbers fit, as they are made and as they are searched, beside `stored` bytes of others.
    pub(crate) fn check_vectors(
        self,
        vectors: usize,
        dimensions: usize,
        stored: usize,
    ) -> Result<(), TooMuch> {
        self.check("vectors", vectors * (2 * dimensions + 160) + stored)
    }

    fn fit(self, what: &'static str, tables: usize, collection: &mut Collection) -> Result<(), DetectError> {
        self.check(what, tables)?;
        let held = collection.tokens.memory_used()
            + collection.line_starts.memory_used()
            + collection.scopes.memory_used();
        if tables + held > self.bytes {
            collection.tokens.spill_all()?;
            collection.line_starts.spill_all()?;
            collection.scopes.spill_all()?;
        }
        Ok(())
    }

    fn check(self, what: &'static str, tables: usize) -> Result<(), TooMuch> {
        if tables > self.bytes {
            let needed = tables + self.apart;
            return Err(TooMuch { what, needed });
        }
        Ok(())
    }
}

fn of_found(items: usize, links: usize) -> usize {
    items * ITEM + links * LINK
}

fn of_documents(documents: &[Document]) -> usize {
    let strings = |document: &Document| document.path.as_str().len() + document.file.as_os_str().len();
    documents.iter().map(|document| DOCUMENT + strings(document)).sum()
}

#[cfg(test)]
mod tests {
    use familiar_index::TokenStore;

    use super::*;

    #[test]
    fn tokens_leave_memory_for_tables_and_what_does_not_fit_even_so_is_an_error() {
        let store = || TokenStore::new(usize::MAX, std::env::temp_dir());
        let (tokens, line_starts, scopes) = (store(), store(), store());
        let mut collection =
            Collection { tokens, line_starts, scopes, files: Vec::new(), fragments: Vec::new() };
        collection.tokens.push(&[7; 1000]).expect("fits the memory");
        let memory = Memory { bytes: 10_000, apart: 0 };
        memory.fit("findings", 6_000, &mut collection).expect("fits beside the tokens");
        assert_eq!(collection.tokens.memory_used(), 4000);
        memory.fit("findings", 6_001, &mut collection).expect("fits without the tokens");
        assert_eq!(collection.tokens.memory_used(), 0);
        let error = memory.fit("findings", 10_001, &mut collection).expect_err("more than there is");
        assert!(matches!(error, DetectError::TooMuch(_)), "{error}");
        assert!(error.to_string().contains("raise --memory"), "{error}");
    }
}
