//! Vectors that corpora keep of their functions, for a search among their files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use familiar_index::vectors::VectorIndex;
use familiar_source::BlobId;
use familiar_store::{Corpus, SegmentFile, SegmentKind};

use super::CorpusError;
use super::vectors::Owner;

/// Vectors that one encoder made of functions that corpora keep.
#[derive(Debug)]
pub(crate) struct StoredVectors {
    indexes: Vec<VectorIndex>,
    places: Vec<Place>,
}

/// Blob and fragment, and the index and the number in it that have its vector.
type Place = ([u8; 20], u32, u32, u32);

impl StoredVectors {
    /// Those of `blobs` that the corpora in `folders` have by the encoder of that name. Files beyond `most` bytes in all are left out.
    pub(crate) fn open(
        folders: &[PathBuf],
        encoder: &str,
        blobs: &BTreeSet<BlobId>,
        most: usize,
    ) -> Result<Self, CorpusError> {
        let mut stored = Self { indexes: Vec::new(), places: Vec::new() };
        let mut bytes = 0;
        for folder in folders {
            let corpus = Corpus::open(folder)?;
            if corpus.manifest().vectors.as_deref() != Some(encoder) {
                continue;
            }
            let is_vectors = |file: &&SegmentFile| file.kind == SegmentKind::Vectors;
            for file in corpus.manifest().segments().filter(is_vectors) {
                bytes += file.bytes as usize;
                if bytes > most {
                    break;
                }
                let index = VectorIndex::open(&folder.join(&file.file), encoder)?;
                let at = stored.indexes.len() as u32;
                let wanted = Owner::all(index.notes()).filter(|owner| blobs.contains(&BlobId(owner.blob)));
                let place = |owner: Owner| (owner.blob, owner.ordinal, at, owner.number);
                stored.places.extend(wanted.map(place));
                stored.indexes.push(index.with_notes(Vec::new()));
            }
        }
        stored.places.sort_unstable();
        Ok(stored)
    }

    /// The index that has the vector of a blob's fragment, and its number there.
    pub(crate) fn find(&self, blob: BlobId, ordinal: u32) -> Option<(&VectorIndex, u32)> {
        let at = self.places.partition_point(|place| (place.0, place.1) < (blob.0, ordinal));
        let place = self.places.get(at).filter(|place| (place.0, place.1) == (blob.0, ordinal))?;
        Some((&self.indexes[place.2 as usize], place.3))
    }

    /// Bytes that they take.
    pub(crate) fn memory(&self) -> usize {
        let vectors: usize = self.indexes.iter().map(VectorIndex::memory).sum();
        vectors + self.places.capacity() * size_of::<Place>()
    }
}
