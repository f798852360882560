//! What is searched: files of trees, files that a corpus keeps, or some of both.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use familiar_source::{BlobId, Language};

use crate::Document;

/// The documents of a search, and how to read them.
#[derive(Debug)]
pub struct Input {
    pub documents: Vec<Document>,
    /// Of a corpus: what it keeps of each document.
    pub kept: Option<Kept>,
    /// The texts of documents that are not as their files are, by number: somebody edits them.
    pub edited: BTreeMap<u32, Arc<[u8]>>,
}

/// Source text that a corpus keeps, unpacked into a temporary file.
#[derive(Debug)]
pub struct Kept {
    pub file: File,
    /// One for each document; none where it is a file of a tree.
    pub entries: Vec<Option<KeptEntry>>,
}

/// One document's text: first byte in the file, blob, and language where it is known.
#[derive(Clone, Copy, Debug)]
pub struct KeptEntry {
    pub start: u64,
    pub blob: BlobId,
    pub language: Option<Language>,
}

impl Input {
    pub fn of_files(documents: Vec<Document>) -> Self {
        Self { documents, kept: None, edited: BTreeMap::new() }
    }

    /// The same input, of which some documents are edited.
    #[must_use]
    pub fn with_edited(self, edited: BTreeMap<u32, Arc<[u8]>>) -> Self {
        Self { edited, ..self }
    }

    /// The bytes of a document.
    pub fn read(&self, number: u32) -> io::Result<Vec<u8>> {
        if let Some(text) = self.edited.get(&number) {
            return Ok(text.to_vec());
        }
        let document = &self.documents[number as usize];
        let Some((kept, entry)) = self.entry(number) else { return std::fs::read(&document.file) };
        let mut bytes = vec![0; document.bytes as usize];
        kept.file.read_exact_at(&mut bytes, entry.start)?;
        Ok(bytes)
    }

    fn entry(&self, number: u32) -> Option<(&Kept, KeptEntry)> {
        let kept = self.kept.as_ref()?;
        Some((kept, kept.entries[number as usize]?))
    }

    /// The language as which a corpus keeps a document.
    pub fn language(&self, number: u32) -> Option<Language> {
        self.entry(number)?.1.language
    }

    /// The blob that a corpus keeps a document as.
    pub fn blob(&self, number: u32) -> Option<BlobId> {
        self.entry(number).map(|(_, entry)| entry.blob)
    }
}
