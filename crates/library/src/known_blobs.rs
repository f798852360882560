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
pub(crate) struct KnownBlobs {
    corpus: Blobs,
    source: Blobs,
    /// Most blobs that are held in memory.
    most: usize,
    /// Those on whose functions parsing gave up.
    gave_up: FxHashSet<BlobId>,
}

#[derive(Debug, Default)]
struct Blobs {
    ids: FxHashSet<BlobId>,
    /// Those that hold other blobs.
    segments: Vec<Segment>,
}

impl KnownBlobs {
    /// The blobs that the corpus in `folder` holds, of which about `most` are held in memory.
    pub(crate) fn open(folder: &Path, manifest: &Manifest, most: usize) -> Result<Self, SegmentError> {
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
        Ok(Self { corpus, source: Blobs::default(), most, gave_up: FxHashSet::default() })
    }

    /// Notes that parsing gave up on the functions of a blob.
    pub(crate) fn note_gave_up(&mut self, id: BlobId) {
        self.gave_up.insert(id);
    }

    /// Whether parsing gave up on the functions of a blob.
    pub(crate) fn has_given_up(&self, id: &BlobId) -> bool {
        self.gave_up.contains(id)
    }

    pub(crate) fn contains(&self, id: &BlobId) -> Result<bool, SegmentError> {
        Ok(self.source.contains(id)? || self.corpus.contains(id)?)
    }

    /// Adds a blob that the source brings, and that is not held.
    pub(crate) fn add(&mut self, id: BlobId) {
        self.source.ids.insert(id);
    }

    /// Goes on with the segment at `path`, just written, in the place of its blobs, where these are too many for memory.
    pub(crate) fn written(&mut self, path: &Path) -> Result<(), SegmentError> {
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
    pub(crate) fn keep(&mut self) {
        let Blobs { ids, segments } = std::mem::take(&mut self.source);
        self.corpus.ids.extend(ids);
        self.corpus.segments.extend(segments);
    }

    /// The source does not count.
    pub(crate) fn forget(&mut self) {
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

#[cfg(test)]
mod tests {
    use familiar_index::segment::{BlobParts, SegmentBuilder};
    use familiar_store::tables::SkipRow;
    use familiar_store::{SegmentFiles, Writer};

    use super::*;

    fn segment(files: &mut SegmentFiles, ids: &[u8]) {
        let mut builder = SegmentBuilder::default();
        for &id in ids {
            builder.push(&BlobParts { id: [id; 20], label: "python", ..BlobParts::default() });
        }
        let written = builder.write(&files.next(), fingerprint::VERSION, fingerprint::counts);
        let written = written.expect("the temporary folder can be written");
        files.add(SegmentKind::Code, written.bytes, written.checksum, None);
    }

    #[test]
    fn blobs_are_held_in_memory_and_in_segments_alike() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let mut writer = Writer::open(dir.path(), true).expect("it is empty");
        let mut part = writer.part("dir:a").expect("it can be written");
        let skip = SkipRow { path: "a".to_owned(), reason: "binary".to_owned() };
        part.skip(&skip).expect("it can be written");
        segment(part.segments(), &[1, 2]);
        segment(part.segments(), &[3]);
        let part = part.finish().expect("it can be written");
        writer.add(part, 1);
        writer.commit().expect("it can be written");
        let id = |id: u8| BlobId([id; 20]);
        for most in [0, 2, 100] {
            let mut blobs = KnownBlobs::open(dir.path(), writer.manifest(), most).expect("sound segments");
            let has = |blobs: &KnownBlobs, ids: &[u8]| -> Vec<bool> {
                ids.iter().map(|&n| blobs.contains(&id(n)).expect("sound segments")).collect()
            };
            assert_eq!(has(&blobs, &[1, 2, 3, 4]), [true, true, true, false], "{most}");
            blobs.add(id(4));
            let mut files = writer.part("dir:b").expect("it can be written");
            let path = files.segments().next();
            segment(files.segments(), &[4]);
            blobs.written(&path).expect("sound segments");
            assert_eq!(has(&blobs, &[3, 4, 5]), [true, true, false], "{most}");
            blobs.forget();
            assert_eq!(has(&blobs, &[3, 4]), [true, false], "{most}");
            blobs.add(id(4));
            blobs.keep();
            blobs.forget();
            assert_eq!(has(&blobs, &[4]), [true], "{most}");
        }
    }
}
