//! How the memory setting is shared out, and what is done when it does not suffice.
//!
//! Tokens and samples have shares of their own and go to a temporary file, or are made anew, beyond them. The tables of
//! fragments and of results grow with the input and cannot: where they need the tokens' share, the tokens leave memory
//! altogether; where that does not suffice either, the search ends with [`TooMuch`].

use std::io;

use familiar_corpus::Document;
use familiar_index::Collection;

use crate::detect::Found;

/// The bytes that an operation may take, without what the program takes by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    bytes: usize,
}

/// Code, stacks, and what the allocator holds in reserve.
const PROGRAM: usize = 24 << 20;

/// What a fragment takes in the collection, in groups and, where edited copies are looked for, in the search for them.
const FRAGMENT: usize = 100;
const SIMILAR_FRAGMENT: usize = 150;
/// What an item and a link take from detection to the report.
const ITEM: usize = 450;
const LINK: usize = 80;

/// The tables of a search need more than the memory setting.
#[derive(Debug, thiserror::Error)]
#[error(
    "the {what} of this input take {} MiB; raise --memory, or ask for less (--granularity, --types, --similarity, \
     --min-tokens, --exclude, parts of the input)",
    .needed >> 20
)]
pub struct TooMuch {
    what: &'static str,
    needed: usize,
}

impl Memory {
    pub(crate) fn new(setting: usize) -> Self {
        Self { bytes: setting.saturating_sub(PROGRAM) }
    }

    /// For the tokens of all files.
    pub(crate) fn tokens(self) -> usize {
        self.bytes * 2 / 5
    }

    /// For the positions of statements.
    pub(crate) fn line_starts(self) -> usize {
        self.bytes / 20
    }

    /// For the samples of all files, by which runs are found.
    pub(crate) fn samples(self) -> usize {
        self.bytes / 8
    }

    /// For the files that are read at a time, as bytes of source.
    pub(crate) fn batch(self) -> usize {
        self.bytes / 32
    }

    /// For the largest file: its bytes, and its tokens while it is parsed.
    pub(crate) fn file(self) -> usize {
        self.bytes / 8
    }

    /// For the tables of one search.
    pub(crate) fn search(self) -> usize {
        self.bytes / 5
    }

    /// Makes room for the search: for its tables and those of documents and fragments.
    pub(crate) fn fit_fragments(
        self,
        documents: &[Document],
        collection: &mut Collection,
        samples: usize,
        similar: bool,
    ) -> io::Result<()> {
        let each = FRAGMENT + if similar { SIMILAR_FRAGMENT } else { 0 };
        let tables = of_documents(documents) + collection.fragments.len() * each;
        self.fit("fragments", tables + self.search(), samples, collection)
    }

    /// Makes room for what was found.
    pub(crate) fn fit_found(
        self,
        documents: &[Document],
        collection: &mut Collection,
        found: &Found,
    ) -> io::Result<()> {
        let found = found.items.len() * ITEM + found.links.len() * LINK;
        let tables = of_documents(documents) + collection.fragments.len() * FRAGMENT;
        self.fit("findings", tables + found, 0, collection)
    }

    fn fit(
        self,
        what: &'static str,
        tables: usize,
        samples: usize,
        collection: &mut Collection,
    ) -> io::Result<()> {
        if tables + samples > self.bytes {
            let needed = tables + samples + PROGRAM;
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, TooMuch { what, needed }));
        }
        let held = collection.tokens.memory_used() + collection.line_starts.memory_used();
        if tables + samples + held > self.bytes {
            collection.tokens.spill_all()?;
            collection.line_starts.spill_all()?;
        }
        Ok(())
    }
}

fn of_documents(documents: &[Document]) -> usize {
    let strings = |document: &Document| document.path.as_str().len() + document.file.as_os_str().len();
    documents.iter().map(|document| size_of::<Document>() + 32 + strings(document)).sum()
}

#[cfg(test)]
mod tests {
    use familiar_index::TokenStore;

    use super::*;

    #[test]
    fn tokens_leave_memory_for_tables_and_what_does_not_fit_even_so_is_an_error() {
        let store = || TokenStore::new(usize::MAX, std::env::temp_dir());
        let (tokens, line_starts) = (store(), store());
        let mut collection = Collection { tokens, line_starts, files: Vec::new(), fragments: Vec::new() };
        collection.tokens.push(&[7; 1000]).expect("fits the memory");
        let memory = Memory { bytes: 10_000 };
        memory.fit("findings", 6_000, 0, &mut collection).expect("fits beside the tokens");
        assert_eq!(collection.tokens.memory_used(), 4000);
        memory.fit("findings", 6_001, 0, &mut collection).expect("fits without the tokens");
        assert_eq!(collection.tokens.memory_used(), 0);
        let error = memory.fit("findings", 10_001, 0, &mut collection).expect_err("more than there is");
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        assert!(error.to_string().contains("raise --memory"), "{error}");
    }
}
