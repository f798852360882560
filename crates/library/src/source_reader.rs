//! One source: what it yields, parsed and written into a part of a corpus.
//!
//! A place counts as one of code if the file is code for its own name and content (or for what its source says of its language),
//! whatever the same content is called elsewhere: `tool.txt` is prose, and stays so if somebody calls it `tool.py`. So what a corpus
//! says does not depend on the order in which sources came, nor on how often they were updated, and nothing has to be kept of
//! places that are no code. The content is parsed once, for the first place of code.
//!
//! Functions on which parsing gave up are looked for again with more memory ([`crate::merge`]). Until they are found, each place of
//! such a blob is among the skips whenever it is read.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use familiar_corpus::{Before, Found, Item, Kept, Limits as SourceLimits, Source, SourceError};
use familiar_index::segment::SegmentError;
use familiar_source::{BlobId, Occurrence};
use familiar_store::tables::{OccurrenceRow, SkipRow, TextRow};
use familiar_store::{PartWriter, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::known_blobs::KnownBlobs;
use crate::outcome::Added;
use crate::parse::{self, Code, Content, Kind, TOO_MANY_TOKENS, Worker};
use crate::remove;
use crate::segments::Segments;
use crate::{CorpusError, blob_licenses, license_text};
use familiar_source::Progress;

/// How sources are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub limits: SourceLimits,
    /// 0 for as many as there are cores.
    pub threads: usize,
    pub memory: usize,
}

/// Items that are read before they are parsed together.
const BATCH_ITEMS: usize = 4096;

/// Why a file is among the skips although it is in the corpus.
const GAVE_UP: &str =
    "kept without its functions: parsing takes more than this --memory or its budget of work allows";

/// The blobs that the corpus holds, which the reader asks for while others come.
pub(crate) type SharedBlobs = RwLock<KnownBlobs>;

pub(crate) fn read(known: &SharedBlobs) -> RwLockReadGuard<'_, KnownBlobs> {
    known.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write(known: &SharedBlobs) -> RwLockWriteGuard<'_, KnownBlobs> {
    known.write().unwrap_or_else(PoisonError::into_inner)
}

/// The license files that a source has.
type DeclaredBefore<'a> = dyn Fn() -> Result<FxHashSet<BlobId>, StoreError> + Sync + 'a;

/// A source that is read.
pub(crate) struct SourceReader<'a> {
    pub(crate) reading: &'a Reading,
    /// The projects that stay out.
    pub(crate) without: &'a [String],
    pub(crate) progress: &'a dyn Progress,
    pub(crate) known: &'a SharedBlobs,
    /// The blob of the item before, and what it is kept as.
    pub(crate) last: Option<(BlobId, Option<Kept>)>,
    /// Places of code whose names do not tell that: what was replaced there matters.
    pub(crate) code_by_content: FxHashSet<(BlobId, String)>,
    /// Paths of files on whose functions parsing gave up, each once.
    pub(crate) gave_up: BTreeSet<String>,
    /// Whether something was left out that would be kept with more memory.
    pub(crate) short_of_memory: bool,
    /// The license files whose content is there: of this reading, and of those that it adds to.
    pub(crate) declared: FxHashSet<BlobId>,
    /// The license files that the source has before this reading.
    pub(crate) declared_before: &'a DeclaredBefore<'a>,
    /// Whether the corpus keeps the texts of blobs; without them, tables keep what they say of their own license.
    pub(crate) keeps_text: bool,
    /// What the source wants to know next time.
    pub(crate) state: Option<String>,
    /// Whether this adds to what the source gave before.
    pub(crate) continues: bool,
    pub(crate) part: PartWriter,
    pub(crate) segments: Segments,
    /// Whether the source holds several projects, whose names stand before the paths of skips.
    pub(crate) has_projects: bool,
    pub(crate) added: Added,
}

/// What was found out of an item before it is its turn.
enum Prepared {
    /// Nobody had this blob before in the corpus or in the batch.
    Read(Content),
    /// Somebody had it: the corpus, as far as is sure, or another item of the batch.
    Known { kind: Kind, in_corpus: bool },
}

/// Why a license file is not kept.
const TOO_LARGE: &str = "larger than 1 MiB, so its license texts are not kept";

impl SourceReader<'_> {
    /// Reads the source in a thread of its own, one batch ahead.
    pub(crate) fn read(&mut self, source: &dyn Source, before: &Before<'_>) -> Result<(), CorpusError> {
        let (send, receive) = sync_channel(1);
        let given = (self.reading, self.without);
        std::thread::scope(|scope| {
            let reader = std::thread::Builder::new()
                .spawn_scoped(scope, move || batches(source, before, given, &send))
                .map_err(CorpusError::Thread)?;
            // On an error here the receiver goes, and the reader stops at its next batch.
            self.take(receive)?;
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok(read?)
        })
    }

    fn take(&mut self, batches: Receiver<Vec<Found>>) -> Result<(), CorpusError> {
        batches.into_iter().try_for_each(|batch| self.batch(batch))
    }

    fn batch(&mut self, batch: Vec<Found>) -> Result<(), CorpusError> {
        let items: Vec<&Item> = batch
            .iter()
            .filter_map(|found| if let Found::Item(item) = found { Some(item) } else { None })
            .collect();
        let ids: Vec<BlobId> = items.par_iter().map(|item| parse::id(&item.bytes)).collect();
        // Whether the corpus has each, of those that are not new.
        let held: Vec<Option<bool>> = {
            let (known, mut seen) = (read(self.known), FxHashSet::default());
            let mut held = |&id: &BlobId| {
                let in_corpus = known.contains(&id)?;
                Ok((in_corpus || !seen.insert(id)).then_some(in_corpus))
            };
            ids.iter().map(&mut held).collect::<Result<_, SegmentError>>()?
        };
        let prepare = |worker: &mut Worker, (item, &id, held): (&&Item, &BlobId, Option<bool>)| match held {
            None => Prepared::Read(worker.read(id, item)),
            Some(in_corpus) => Prepared::Known { kind: parse::kind(item), in_corpus },
        };
        let prepared: Vec<Prepared> = (&items, &ids, held)
            .into_par_iter()
            .map_init(|| Worker::new(self.reading.memory), prepare)
            .collect();
        let mut prepared = ids.into_iter().zip(prepared);
        for found in batch {
            match found {
                Found::Item(item) => {
                    let (id, prepared) = prepared.next().expect("there is one for each item");
                    self.item(item, id, prepared)?;
                }
                other => self.other(other)?,
            }
        }
        Ok(())
    }

    /// Takes what is no content.
    fn other(&mut self, found: Found) -> Result<(), CorpusError> {
        match found {
            Found::Item(_) => {}
            Found::Skip { path, reason } => self.skip(path, reason)?,
            Found::Known { blob, occurrence, kept } => self.known(blob, occurrence, kept)?,
            // What replaced what matters for code alone.
            Found::Lineage(row) => {
                let is_code = match parse::is_code_by_name(&row.path) {
                    Some(is_code) => is_code && read(self.known).contains(&row.blob)?,
                    None => self.code_by_content.contains(&(row.blob, row.path.clone())),
                };
                if is_code {
                    self.segments.lineage(&row);
                    self.part.lineage(&row)?;
                }
            }
            Found::Project(row) => {
                self.segments.project(&row);
                self.part.project(&row)?;
            }
            Found::State(state) => self.state = Some(state),
            Found::Continues => {
                self.continues = true;
                self.added.continues = true;
                self.declared = (self.declared_before)()?;
            }
        }
        Ok(())
    }

    /// Takes a place whose content does not come.
    fn known(&mut self, blob: BlobId, occurrence: Occurrence, kept: Kept) -> Result<(), CorpusError> {
        let before = self.last.filter(|(last, _)| *last == blob).and_then(|(_, kept)| kept);
        let kept = if kept == Kept::AsBefore { before } else { Some(kept) };
        let is_code = matches!(kept, Some(Kept::Code | Kept::Both)) && read(self.known).contains(&blob)?;
        let is_license = matches!(kept, Some(Kept::License | Kept::Both)) && self.declared.contains(&blob);
        if is_license {
            self.license_file(blob, &occurrence)?;
        }
        if is_code {
            return self.occurrence(blob, occurrence);
        }
        self.added.not_code += u64::from(!is_license);
        Ok(())
    }

    fn item(&mut self, item: Item, id: BlobId, prepared: Prepared) -> Result<(), CorpusError> {
        let bytes = item.bytes.len() as u64;
        self.progress.advance(bytes);
        self.added.bytes += bytes;
        let path = self.skip_path(&item.occurrence);
        // The same content may have come before in this batch and not have been kept, for its path alone.
        let prepared = match prepared {
            Prepared::Known { kind: Kind::Code, in_corpus: false } if !read(self.known).contains(&id)? => {
                Prepared::Read(Worker::new(self.reading.memory).read(id, &item))
            }
            prepared => prepared,
        };
        if let Prepared::Known { kind: Kind::Unreadable(reason), .. }
        | Prepared::Read(Content::Unreadable(reason)) = prepared
        {
            self.short_of_memory |= reason == TOO_MANY_TOKENS;
            self.last = Some((id, None));
            return self.skip(path, reason.to_owned());
        }
        let is_license = item.declares() && self.declaration(id, &item, &path)?;
        let is_code =
            matches!(prepared, Prepared::Known { kind: Kind::Code, .. } | Prepared::Read(Content::Code(_)));
        let kept = match (is_code, is_license) {
            (true, true) => Some(Kept::Both),
            (true, false) => Some(Kept::Code),
            (false, true) => Some(Kept::License),
            (false, false) => None,
        };
        self.last = Some((id, kept));
        self.added.not_code += u64::from(kept.is_none());
        let Item { bytes, occurrence, .. } = item;
        if let Prepared::Read(Content::Code(code)) = prepared {
            self.code(id, &code, bytes)?;
        }
        if is_code { self.occurrence(id, occurrence) } else { Ok(()) }
    }

    /// Takes a blob of code that the corpus does not hold.
    fn code(&mut self, id: BlobId, code: &Code, bytes: Vec<u8>) -> Result<(), CorpusError> {
        self.added.blobs += 1;
        self.added.fragments += code.fragments.len() as u64;
        self.added.ignored_lines += u64::from(code.row.ignored_lines);
        self.part.blob(&code.row, &code.fragments, bytes)?;
        if !self.keeps_text {
            blob_licenses::rows(id, &code.layers).try_for_each(|row| self.part.license(&row))?;
        }
        {
            let mut known = write(self.known);
            known.add(id);
            if code.row.gave_up.is_some() {
                known.note_gave_up(id);
            }
        }
        self.segments.blob(&code.parts, self.part.segments())?;
        for path in self.segments.written() {
            write(self.known).written(&path)?;
        }
        Ok(())
    }

    /// Takes an item that speaks for the license of others; whether it is kept.
    fn declaration(&mut self, blob: BlobId, item: &Item, path: &str) -> Result<bool, CorpusError> {
        if item.bytes.len() > license_text::MOST_BYTES {
            self.skip(path.to_owned(), TOO_LARGE.to_owned())?;
            return Ok(false);
        }
        if self.declared.insert(blob) {
            self.segments.license_text(blob, &item.occurrence.path, &item.bytes, self.part.segments())?;
            self.part.license_text(&TextRow { blob, text: item.bytes.clone() })?;
        }
        self.license_file(blob, &item.occurrence)?;
        Ok(true)
    }

    fn license_file(&mut self, blob: BlobId, occurrence: &Occurrence) -> Result<(), CorpusError> {
        self.added.license_files += 1;
        self.segments.license_file(blob, occurrence, self.part.segments())?;
        Ok(self.part.license_file(&OccurrenceRow { blob, occurrence: occurrence.clone() })?)
    }

    fn occurrence(&mut self, blob: BlobId, occurrence: Occurrence) -> Result<(), CorpusError> {
        if read(self.known).has_given_up(&blob) {
            self.short_of_memory = true;
            let path = self.skip_path(&occurrence);
            if self.gave_up.insert(path.clone()) {
                self.skip(path, GAVE_UP.to_owned())?;
            }
        }
        if occurrence.introduced_by.is_some() && parse::is_code_by_name(&occurrence.path).is_none() {
            self.code_by_content.insert((blob, occurrence.path.clone()));
        }
        self.added.occurrences += 1;
        self.segments.place(blob, &occurrence, self.part.segments())?;
        Ok(self.part.occurrence(&OccurrenceRow { blob, occurrence })?)
    }

    /// The path of a place as skips name it.
    fn skip_path(&self, occurrence: &Occurrence) -> String {
        let Occurrence { project, path, .. } = occurrence;
        if self.has_projects { format!("{project}/{path}") } else { path.clone() }
    }

    fn skip(&mut self, path: String, reason: String) -> Result<(), CorpusError> {
        self.added.skips += 1;
        Ok(self.part.skip(&SkipRow { path, reason })?)
    }
}

/// Sends what a source yields, many at a time, until nobody takes it any more.
fn batches(
    source: &dyn Source,
    before: &Before<'_>,
    (reading, without): (&Reading, &[String]),
    send: &SyncSender<Vec<Found>>,
) -> Result<(), SourceError> {
    let most_bytes = familiar_source::memory::batch_budget(reading.memory);
    let (mut batch, mut bytes) = (Vec::new(), 0);
    source.read_since(before, &reading.limits, &mut |found| {
        if remove::is_left_out(&found, without) {
            return ControlFlow::Continue(());
        }
        if let Found::Item(item) = &found {
            bytes += item.bytes.len();
        }
        batch.push(found);
        if batch.len() < BATCH_ITEMS && bytes < most_bytes {
            return ControlFlow::Continue(());
        }
        bytes = 0;
        match send.send(std::mem::take(&mut batch)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    // Nobody takes it where the other end met an error, which is told there.
    let _ = send.send(batch);
    Ok(())
}
