//! Small parts to one, without the blobs that stand nowhere any more.

use std::collections::VecDeque;
use std::path::Path;

use familiar_index::segment::Segment;
use familiar_search::find::{BlobFingerprinter, Query, fingerprint};
use familiar_source::{BlobId, Language};
use familiar_store::tables::{BlobRow, Blobs, FragmentRow, Fragments, Occurrences, Table, TextRow, Texts};
use familiar_store::{Corpus, Part, PartWriter, SegmentKind, StoreError, Writer};
use rustc_hash::FxHashSet;

use super::CorpusError;
use super::segments::Segments;
use crate::memory;

/// Parts of which less than so many bytes are looked up are small, and so many small ones are merged.
const SMALL: u64 = 16 << 20;
const MANY: usize = 8;

/// Which parts are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// The small ones, where there are many.
    Small,
    /// All of them.
    All,
}

/// Merges parts of the corpus in `folder`, which `writer` holds.
pub(super) fn merge(
    folder: &Path,
    writer: &mut Writer,
    which: Merge,
    memory: usize,
) -> Result<(), CorpusError> {
    let code = |part: &Part| -> u64 {
        part.segments.iter().filter(|file| file.kind == SegmentKind::Code).map(|file| file.bytes).sum()
    };
    let has_blobs = |part: &&Part| part.tables.iter().any(|file| file.table == Blobs::NAME);
    let chosen = writer.manifest().parts.iter().filter(has_blobs);
    let chosen: Vec<u64> =
        chosen.filter(|part| which == Merge::All || code(part) < SMALL).map(|part| part.number).collect();
    if which == Merge::Small && chosen.len() < MANY {
        return Ok(());
    }
    let corpus = Corpus::open(folder)?;
    let mut live = FxHashSet::default();
    corpus.read_latest::<Occurrences>(|_, row| {
        live.insert(row.blob);
    })?;
    let mut merging = Merging {
        corpus: &corpus,
        live,
        // Nobody's: removing a source takes away places, not blobs.
        part: writer.part("")?,
        segments: Segments::new(memory::segment(memory)),
        fingerprinter: BlobFingerprinter::default(),
    };
    for &number in &chosen {
        merging.tables(folder, number)?;
        merging.segments(folder, number)?;
    }
    let Merging { mut part, segments, .. } = merging;
    segments.finish(part.segments())?;
    writer.merge(part.finish()?, &chosen);
    // Its files count no more.
    drop(corpus);
    Ok(writer.commit()?)
}

struct Merging<'c> {
    corpus: &'c Corpus,
    /// The blobs that stand anywhere.
    live: FxHashSet<BlobId>,
    part: PartWriter,
    segments: Segments,
    fingerprinter: BlobFingerprinter,
}

impl Merging<'_> {
    /// The rows of one part. Tables hold the blobs of a part in the same order.
    fn tables(&mut self, folder: &Path, number: u64) -> Result<(), CorpusError> {
        let mut blobs: VecDeque<BlobRow> = VecDeque::new();
        let mut fragments: VecDeque<FragmentRow> = VecDeque::new();
        let corpus = self.corpus;
        corpus.try_read::<Blobs, StoreError>(number, |row| {
            blobs.push_back(row);
            Ok(())
        })?;
        let count = blobs.len();
        corpus.try_read::<Fragments, StoreError>(number, |row| {
            fragments.push_back(row);
            Ok(())
        })?;
        let torn = || {
            StoreError::damaged(&folder.join("tables"), &format!("part {number}: its tables do not agree"))
        };
        let mut blob = |text: Option<TextRow>| -> Result<(), StoreError> {
            let row = blobs.pop_front().ok_or_else(torn)?;
            let mut own = Vec::new();
            while fragments.front().is_some_and(|fragment| fragment.blob == row.blob) {
                own.extend(fragments.pop_front());
            }
            let text = match text {
                Some(text) if text.blob != row.blob => return Err(torn()),
                text => text.map(|text| text.text).unwrap_or_default(),
            };
            if self.live.contains(&row.blob) { self.part.blob(&row, &own, text) } else { Ok(()) }
        };
        if corpus.manifest().text {
            corpus.try_read::<Texts, StoreError>(number, |row| blob(Some(row)))?;
        } else {
            for _ in 0..count {
                blob(None)?;
            }
        }
        if blobs.is_empty() && fragments.is_empty() { Ok(()) } else { Err(torn().into()) }
    }

    /// What is looked up of one part.
    fn segments(&mut self, folder: &Path, number: u64) -> Result<(), CorpusError> {
        let parts = self.corpus.manifest().parts.iter().filter(|part| part.number == number);
        for file in parts.flat_map(|part| &part.segments).filter(|file| file.kind == SegmentKind::Code) {
            let segment = Segment::open(&folder.join(&file.file), fingerprint::VERSION)?;
            let mut symbols = Vec::new();
            for number in 0..segment.blobs() {
                let record = segment.blob(number)?;
                if !self.live.contains(&BlobId(record.id)) {
                    continue;
                }
                symbols.clear();
                segment.symbols(record.first_token..record.first_token + record.tokens, &mut symbols)?;
                let details = segment.details(&record)?;
                let query = Query::of_blob(symbols.as_slice().into(), details, &mut self.fingerprinter);
                let language = Language::from_name(segment.label(&record)?).map_or("other", Language::name);
                self.segments.blob(&query.into_parts(record.id, language), self.part.segments())?;
            }
        }
        Ok(())
    }
}
