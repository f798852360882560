//! Which blobs a corpus holds: asked of each piece of content before it is parsed.

use std::path::Path;

use familiar_index::segment::{Segment, SegmentError};
use familiar_search::find::fingerprint;
use familiar_source::BlobId;
use familiar_store::{Manifest, SegmentKind};
use rustc_hash::FxHashSet;

/// The blobs of a corpus, and those that a source brings that does not count yet. As many as memory is for are held there; the
/// others are looked up in their segments, which takes longer the more segments there are.
#[derive(Debug)]
pub(super) struct Held {
    corpus: Blobs,
    source: Blobs,
    /// Most blobs that are held in memory.
    most: usize,
}

#[derive(Debug, Default)]
struct Blobs {
    ids: FxHashSet<BlobId>,
    /// Those that hold other blobs.
    segments: Vec<Segment>,
}

impl Held {
    /// The blobs that the corpus in `folder` holds, of which about `most` are held in memory.
    pub(super) fn open(folder: &Path, manifest: &Manifest, most: usize) -> Result<Self, SegmentError> {
        let mut corpus = Blobs::default();
        let files = manifest.parts.iter().flat_map(|part| &part.segments);
        for file in files.filter(|file| file.kind == SegmentKind::Code) {
            let segment = Segment::open(&folder.join(&file.file), fingerprint::VERSION)?;
            if corpus.ids.len() + segment.blobs() as usize > most {
                corpus.segments.push(segment);
                continue;
            }
            for number in 0..segment.blobs() {
                corpus.ids.insert(BlobId(segment.blob(number)?.id));
            }
        }
        Ok(Self { corpus, source: Blobs::default(), most })
    }

    pub(super) fn contains(&self, id: &BlobId) -> Result<bool, SegmentError> {
        Ok(self.source.contains(id)? || self.corpus.contains(id)?)
    }

    /// Adds a blob that the source brings, unless it is held; whether it was not.
    pub(super) fn insert(&mut self, id: BlobId) -> Result<bool, SegmentError> {
        Ok(!self.contains(&id)? && self.source.ids.insert(id))
    }

    /// Takes back a blob that is no code.
    pub(super) fn remove(&mut self, id: &BlobId) {
        self.source.ids.remove(id);
    }

    /// Goes on with the segment at `path`, just written, in the place of its blobs, where these are too many for memory.
    pub(super) fn written(&mut self, path: &Path) -> Result<(), SegmentError> {
        if self.source.ids.len() + self.corpus.ids.len() <= self.most {
            return Ok(());
        }
        let segment = Segment::open(path, fingerprint::VERSION)?;
        for number in 0..segment.blobs() {
            self.source.ids.remove(&BlobId(segment.blob(number)?.id));
        }
        self.source.segments.push(segment);
        Ok(())
    }

    /// The source counts: what it brought is the corpus's.
    pub(super) fn keep(&mut self) {
        let Blobs { ids, segments } = std::mem::take(&mut self.source);
        self.corpus.ids.extend(ids);
        self.corpus.segments.extend(segments);
    }

    /// The source does not count.
    pub(super) fn forget(&mut self) {
        self.source = Blobs::default();
    }
}

impl Blobs {
    fn contains(&self, id: &BlobId) -> Result<bool, SegmentError> {
        if self.ids.contains(id) {
            return Ok(true);
        }
        for segment in &self.segments {
            if segment.find_blob(&id.0)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
