//! Vectors that corpora keep of their functions, for a search among their files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use familiar_index::vectors::{FragmentVectors, VectorIndex};
use familiar_source::BlobId;
use familiar_store::{Corpus, SegmentFile, SegmentKind};

use crate::CorpusError;

/// Those of `blobs` that the corpora in `folders` have by the encoder of that name. Files beyond `most` bytes in all are left out.
pub fn stored_vectors(
    folders: &[PathBuf],
    encoder: &str,
    blobs: &BTreeSet<BlobId>,
    most: usize,
) -> Result<FragmentVectors, CorpusError> {
    let blobs = blobs.iter().map(|blob| blob.0).collect();
    let mut indexes = Vec::new();
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
            indexes.push(VectorIndex::open(&folder.join(&file.file), encoder)?);
        }
    }
    Ok(FragmentVectors::of(indexes, &blobs))
}
