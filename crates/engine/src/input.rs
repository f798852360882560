//! What is searched: files of trees, or files that a corpus keeps.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use familiar_corpus::Document;
use familiar_source::{BlobId, Language};

/// The documents of a search, and how to read them.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) documents: Vec<Document>,
    /// Of a corpus: what it keeps of each document.
    pub(crate) kept: Option<Kept>,
}

/// Source text that a corpus keeps, unpacked into a temporary file.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) file: File,
    pub(crate) entries: Vec<KeptEntry>,
}

/// One document's text: first byte in the file, blob, language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptEntry {
    pub(crate) start: u64,
    pub(crate) blob: BlobId,
    pub(crate) language: Language,
}

impl Input {
    pub(crate) fn of_files(documents: Vec<Document>) -> Self {
        Self { documents, kept: None }
    }

    /// The bytes of a document.
    pub(crate) fn read(&self, number: u32) -> io::Result<Vec<u8>> {
        let document = &self.documents[number as usize];
        let Some(kept) = &self.kept else { return std::fs::read(&document.file) };
        let mut bytes = vec![0; document.bytes as usize];
        kept.file.read_exact_at(&mut bytes, kept.entries[number as usize].start)?;
        Ok(bytes)
    }

    /// The language as which a corpus keeps a document.
    pub(crate) fn language(&self, number: u32) -> Option<Language> {
        self.kept.as_ref().map(|kept| kept.entries[number as usize].language)
    }

    /// The blob that a corpus keeps a document as.
    pub(crate) fn blob(&self, number: u32) -> Option<String> {
        self.kept.as_ref().map(|kept| kept.entries[number as usize].blob.swhid())
    }
}
