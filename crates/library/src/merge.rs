//! Small parts to one, or all.
//!
//! Of blobs on whose functions parsing gave up with less memory, the functions are looked for again, if their text is kept: `add` and
//! `update` merge the parts that have some before they read anything, and `rebuild` does before it makes segments.

use std::path::Path;

use familiar_corpus::Item;
use familiar_index::segment::Segment;
use familiar_search::find::{BlobFingerprinter, Query, fingerprint};
use familiar_source::{BlobId, Language, Occurrence};
use familiar_store::tables::{BlobRow, Blobs, FragmentRow, Fragments, Licenses, Occurrences, Table, Texts};
use familiar_store::{Corpus, Part, PartWriter, SegmentKind, StoreError, Writer};
use rustc_hash::FxHashSet;

use crate::memory;
use crate::opening::open_to_change;
use crate::parse::{Content, Worker};
use crate::segments::Segments;
use crate::{CorpusError, detected};
use familiar_source::Progress;

/// Parts of which less than so many bytes are looked up are small.
const SMALL: u64 = 16 << 20;

/// Which parts are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merge {
    /// The small ones, where there are so many. Blobs that stand nowhere stay.
    Small(usize),
    /// All of them, without the blobs that stand nowhere.
    All,
    /// Those with blobs on whose functions parsing gave up with less memory.
    GaveUp,
}

/// Merges all parts of the corpus in `folder` and drops the blobs that stand nowhere any more, within `memory` bytes.
pub fn merge(folder: &Path, memory: usize, progress: &dyn Progress) -> Result<(), CorpusError> {
    let (mut writer, _) = open_to_change(folder)?;
    merge_parts(folder, &mut writer, Merge::All, memory, progress)
}

/// Merges parts of the corpus in `folder`, which `writer` holds.
pub(crate) fn merge_parts(
    folder: &Path,
    writer: &mut Writer,
    which: Merge,
    memory: usize,
    progress: &dyn Progress,
) -> Result<(), CorpusError> {
    let code = |part: &Part| -> u64 {
        part.segments.iter().filter(|file| file.kind == SegmentKind::Code).map(|file| file.bytes).sum()
    };
    let has_blobs = |part: &&Part| part.tables.iter().any(|file| file.table == Blobs::NAME);
    let chosen = writer.manifest().parts.iter().filter(has_blobs);
    let keeps_text = writer.manifest().text;
    let is_chosen = |part: &&Part| match which {
        Merge::All => true,
        Merge::Small(_) => code(part) < SMALL,
        Merge::GaveUp => keeps_text && part.gave_up.is_some_and(|least| least < memory as u64),
    };
    let chosen: Vec<u64> = chosen.filter(is_chosen).map(|part| part.number).collect();
    let few = match which {
        Merge::All => 0,
        Merge::Small(many) => many,
        Merge::GaveUp => 1,
    };
    if chosen.len() < few {
        return Ok(());
    }
    let corpus = Corpus::open(folder)?;
    let parts = writer.manifest().parts.iter().filter(|part| chosen.contains(&part.number));
    progress.stage("merging", parts.map(code).sum());
    writer.set_row_group(memory::row_group(memory));
    let live = match which {
        Merge::Small(_) | Merge::GaveUp => None,
        Merge::All => {
            let mut live = FxHashSet::default();
            corpus.read_latest::<Occurrences>(|_, row| {
                live.insert(short(&row.blob));
            })?;
            Some(live)
        }
    };
    let mut merging = Merging {
        corpus: &corpus,
        live,
        // Nobody's: removing a source takes away places, not blobs.
        part: writer.part("")?,
        progress,
        segments: Segments::new(memory::segment(memory), keeps_text),
        fingerprinter: BlobFingerprinter::default(),
        memory,
        mended: FxHashSet::default(),
    };
    for &number in &chosen {
        merging.tables(folder, number)?;
        merging.segments(folder, number)?;
    }
    let Merging { mut part, segments, .. } = merging;
    segments.finish(part.segments())?;
    writer.merge(part.finish()?, &chosen);
    if which == Merge::All {
        writer.all_stand();
    }
    // Its files count no more.
    drop(corpus);
    Ok(writer.commit()?)
}

/// The start of a blob's name, for memory: of those that stand nowhere one may stay.
pub(crate) fn short(blob: &BlobId) -> u64 {
    blob.0[..8].iter().fold(0, |short, &byte| short << 8 | u64::from(byte))
}

struct Merging<'c> {
    corpus: &'c Corpus,
    /// The blobs that stand anywhere, where others are left out.
    live: Option<FxHashSet<u64>>,
    part: PartWriter,
    progress: &'c dyn Progress,
    segments: Segments,
    fingerprinter: BlobFingerprinter,
    memory: usize,
    /// Blobs of the part that is being merged whose functions were found now, and what is looked up of them written.
    mended: FxHashSet<BlobId>,
}

impl Merging<'_> {
    /// The rows of one part. Tables hold the blobs of a part in the same order.
    fn tables(&mut self, folder: &Path, number: u64) -> Result<(), CorpusError> {
        let torn = || {
            StoreError::damaged(
                &folder.join("tables"),
                &format!("part {number}: its tables contradict each other"),
            )
        };
        let mut fragments = self.corpus.rows::<Fragments>(number).peekable();
        let mut texts = self.corpus.rows::<Texts>(number);
        let mut licenses = self.corpus.rows::<Licenses>(number).peekable();
        for row in self.corpus.rows::<Blobs>(number) {
            let mut row = row?;
            let mut fragments_of_blob = Vec::new();
            while let Some(fragment) =
                fragments.next_if(|next| next.as_ref().is_ok_and(|fragment| fragment.blob == row.blob))
            {
                fragments_of_blob.push(fragment?);
            }
            let mut text = Vec::new();
            if self.corpus.manifest().text {
                let next = texts.next().transpose()?.filter(|text| text.blob == row.blob);
                text = next.ok_or_else(torn)?.text;
            }
            let mut licenses_of_blob = Vec::new();
            while let Some(license) =
                licenses.next_if(|next| next.as_ref().is_ok_and(|license| license.blob == row.blob))
            {
                licenses_of_blob.push(license?);
            }
            if self.is_live(&row.blob) {
                self.mend(&mut row, &mut fragments_of_blob, &text)?;
                self.part.blob(&row, &fragments_of_blob, text)?;
                licenses_of_blob.iter().try_for_each(|license| self.part.license(license))?;
            }
        }
        match (fragments.next().transpose()?, texts.next().transpose()?, licenses.next().transpose()?) {
            (None, None, None) => Ok(()),
            _ => Err(torn().into()),
        }
    }

    /// Looks again for the functions of a blob on which parsing gave up with less memory.
    fn mend(
        &mut self,
        row: &mut BlobRow,
        fragments: &mut Vec<FragmentRow>,
        text: &[u8],
    ) -> Result<(), CorpusError> {
        let Some(before) = row.gave_up.filter(|&before| before < self.memory as u64) else { return Ok(()) };
        if !self.corpus.manifest().text {
            return Ok(());
        }
        let item = Item::new(text.to_vec(), Language::from_name(row.language).into(), Occurrence::default());
        let Content::Code(code) = Worker::new(self.memory).read(row.blob, &item) else { return Ok(()) };
        row.gave_up = code.row.gave_up.map(|now| now.max(before));
        if code.fragments.len() > fragments.len() {
            *fragments = code.fragments;
            self.segments.blob(&code.parts, self.part.segments())?;
            self.mended.insert(row.blob);
        }
        Ok(())
    }

    fn is_live(&self, blob: &BlobId) -> bool {
        self.live.as_ref().is_none_or(|live| live.contains(&short(blob)))
    }

    /// What is looked up of one part.
    fn segments(&mut self, folder: &Path, number: u64) -> Result<(), CorpusError> {
        let (keeps_text, finder) = (self.corpus.manifest().text, detected::finder());
        let parts = self.corpus.manifest().parts.iter().filter(|part| part.number == number);
        for file in parts.flat_map(|part| &part.segments).filter(|file| file.kind == SegmentKind::Code) {
            let segment = Segment::open(&folder.join(&file.file), fingerprint::VERSION)?;
            let mut symbols = Vec::new();
            for number in 0..segment.blobs() {
                let record = segment.blob(number)?;
                let blob = BlobId(record.id);
                if !self.is_live(&blob) || self.mended.contains(&blob) {
                    continue;
                }
                symbols.clear();
                segment.symbols(record.first_token..record.first_token + record.tokens, &mut symbols)?;
                let details = segment.details(&record)?;
                let query = Query::of_blob(symbols.as_slice().into(), details, &mut self.fingerprinter);
                let language = Language::from_name(segment.label(&record)?).map_or("other", Language::name);
                let mut parts = query.into_parts(record.id, language);
                // Without texts, what was found once is all there is.
                if !keeps_text || file.licenses_by.as_ref() == Some(&finder) {
                    parts.licenses = segment.licenses(number)?.to_vec();
                }
                self.segments.blob(&parts, self.part.segments())?;
            }
            self.progress.advance(file.bytes);
        }
        self.mended.clear();
        Ok(())
    }
}
