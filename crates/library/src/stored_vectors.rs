//! Vectors that corpora keep of their functions: for a search among their files, or all of them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use familiar_index::vectors::{EncodedFragment, FragmentVectors, VectorIndex};
use familiar_source::{BlobId, Lines, Occurrence, Progress};
use familiar_store::{Corpus, SegmentFile, SegmentKind};

use crate::{CorpusError, Library};

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

/// The vector of a function of a corpus.
#[derive(Debug)]
pub struct StoredVector<'v> {
    pub blob: BlobId,
    /// The first place at which the blob stands.
    pub occurrence: &'v Occurrence,
    /// The name of its language.
    pub language: &'v str,
    pub lines: Lines,
    pub tokens: u32,
    /// Of length 1, rounded as it is stored.
    pub vector: &'v [f32],
}

/// Gives the vectors of all functions that stand anywhere in the corpus in `folder` to `each`, by blob and line within each file of
/// vectors. Functions of a few tokens have none. `progress` is told of each blob's functions.
pub fn each_vector(
    folder: &Path,
    progress: &dyn Progress,
    each: &mut dyn FnMut(StoredVector<'_>),
) -> Result<(), CorpusError> {
    let library = Library::open(folder)?;
    let manifest = library.corpus().manifest();
    let Some(encoder) = manifest.vectors.as_deref() else {
        return Err(CorpusError::NoVectors { folder: folder.to_owned() });
    };
    if manifest.parts.iter().any(crate::vectors::lacks_vectors) {
        return Err(CorpusError::SomeVectors { folder: folder.to_owned() });
    }
    progress.stage("reading vectors", 0);
    let mut given = HashSet::new();
    for file in manifest.segments().filter(|file| file.kind == SegmentKind::Vectors) {
        let index = VectorIndex::open(&folder.join(&file.file), encoder)?;
        let mut owners: Vec<EncodedFragment> = EncodedFragment::all(index.notes()).collect();
        owners.sort_unstable_by_key(|owner| (owner.blob, owner.ordinal));
        for owners in owners.chunk_by(|one, two| one.blob == two.blob) {
            progress.advance(owners.len() as u64);
            let blob = BlobId(owners[0].blob);
            if given.insert(blob) {
                library.vectors_of(blob, owners, &index, each)?;
            }
        }
    }
    Ok(())
}

impl Library {
    /// Gives the vectors of one blob to `each`, if the blob stands anywhere.
    fn vectors_of(
        &self,
        blob: BlobId,
        owners: &[EncodedFragment],
        index: &VectorIndex,
        each: &mut dyn FnMut(StoredVector<'_>),
    ) -> Result<(), CorpusError> {
        let witnesses = self.witnesses(&blob)?;
        let Some(first) = witnesses.first() else { return Ok(()) };
        let Some((segment, record)) = self.blob(&blob.0)? else { return Ok(()) };
        let language = self.code[segment].label(&record)?;
        let fragments = self.code[segment].details(&record)?.fragments;
        for owner in owners {
            let fragment = fragments.get(owner.ordinal as usize);
            let (Some(fragment), Some(vector)) = (fragment, index.vector(owner.number)) else { continue };
            each(StoredVector {
                blob,
                occurrence: &first.occurrence,
                language,
                lines: Lines::new(fragment.lines.0, fragment.lines.1),
                tokens: fragment.tokens,
                vector: &vector,
            });
        }
        Ok(())
    }
}
