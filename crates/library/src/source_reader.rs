//! One source: what it yields, parsed and written into a part of a corpus.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use familiar_corpus::{Before, Found, Item, Limits as SourceLimits, Source, SourceError};
use familiar_license::infer::declares;
use familiar_source::{BlobId, Occurrence};
use familiar_store::tables::{OccurrenceRow, SkipRow, TextRow};
use familiar_store::{PartWriter, StoreError};
use familiar_syntax::Limits;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::known_blobs::KnownBlobs;
use crate::parse::{self, Content, Worker};
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

/// What a source gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    pub source: String,
    /// Bytes of the content read.
    pub bytes: u64,
    pub occurrences: u64,
    /// Blobs that the corpus did not hold.
    pub blobs: u64,
    pub fragments: u64,
    /// Files that are kept for what they say of licenses.
    pub license_files: u64,
    /// Items that are no code, and no such files.
    pub not_code: u64,
    pub skips: u64,
    /// Lines of the new blobs that count for nothing, because comments say so.
    pub ignored_lines: u64,
    /// Whether it adds to what was read before, so that no news is no surprise.
    pub continues: bool,
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
    /// The item before, if it was no code: under its next name it may be code.
    pub(crate) last: Option<NotCode>,
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

/// A blob that is no code, and where it stands.
pub(crate) struct NotCode {
    blob: BlobId,
    places: Vec<Occurrence>,
    /// How many of them are license files, which are kept for that.
    declared: usize,
}

impl NotCode {
    /// Places that nothing is kept of.
    fn count(&self) -> u64 {
        (self.places.len() - self.declared) as u64
    }
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
        for batch in batches {
            self.batch(batch)?;
        }
        self.added.not_code += self.last.take().map_or(0, |last| last.count());
        Ok(())
    }

    fn batch(&mut self, batch: Vec<Found>) -> Result<(), CorpusError> {
        let items: Vec<&Item> = batch
            .iter()
            .filter_map(|found| if let Found::Item(item) = found { Some(item) } else { None })
            .collect();
        let ids: Vec<BlobId> = items.par_iter().map(|item| parse::id(&item.bytes)).collect();
        let new: Vec<bool> = {
            let mut known = write(self.known);
            ids.iter().map(|&id| known.insert(id)).collect::<Result<_, _>>()?
        };
        let limits = Limits::of_memory(self.reading.memory);
        let contents: Vec<Option<Content>> = (&items, &ids, new)
            .into_par_iter()
            .map_init(|| Worker::new(limits), |worker, (item, &id, new)| new.then(|| worker.read(id, item)))
            .collect();
        let mut contents = ids.into_iter().zip(contents);
        for found in batch {
            match found {
                Found::Item(item) => {
                    let (id, content) = contents.next().expect("there is one for each item");
                    self.item(item, id, content)?;
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
            Found::Known { blob, occurrence } => {
                let declares = declares(&occurrence.path) && self.declared.contains(&blob);
                if declares {
                    self.license_file(blob, &occurrence)?;
                }
                if read(self.known).contains(&blob)? {
                    self.occurrence(blob, occurrence)?;
                } else {
                    self.no_code(blob, occurrence, declares);
                }
            }
            // What replaced what matters for code alone.
            Found::Lineage(row) => {
                if read(self.known).contains(&row.blob)? {
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

    fn item(&mut self, item: Item, id: BlobId, content: Option<Content>) -> Result<(), CorpusError> {
        let bytes = item.bytes.len() as u64;
        self.progress.advance(bytes);
        self.added.bytes += bytes;
        let Occurrence { project, path, .. } = &item.occurrence;
        let path = if self.has_projects { format!("{project}/{path}") } else { path.clone() };
        // The same content may have come before in this batch and not have been kept, for its path alone.
        let content = match content {
            None if write(self.known).insert(id)? => {
                Some(Worker::new(Limits::of_memory(self.reading.memory)).read(id, &item))
            }
            content => content,
        };
        let is_readable = !matches!(content, Some(Content::Unreadable(_)));
        let declares = is_readable && item.declares() && self.declaration(id, &item, &path)?;
        match content {
            None => {}
            Some(Content::Code(code)) => {
                self.added.blobs += 1;
                self.added.fragments += code.fragments.len() as u64;
                self.added.ignored_lines += u64::from(code.row.ignored_lines);
                self.part.blob(&code.row, &code.fragments, item.bytes)?;
                if !self.keeps_text {
                    blob_licenses::rows(id, &code.layers).try_for_each(|row| self.part.license(&row))?;
                }
                self.segments.blob(&code.parts, self.part.segments())?;
                for path in self.segments.written() {
                    write(self.known).written(&path)?;
                }
                if code.gave_up {
                    self.skip(path, GAVE_UP.to_owned())?;
                }
            }
            Some(Content::NotCode) => {
                write(self.known).remove(&id);
                self.no_code(id, item.occurrence, declares);
                return Ok(());
            }
            Some(Content::Unreadable(reason)) => {
                write(self.known).remove(&id);
                return self.skip(path, reason.to_owned());
            }
        }
        self.occurrence(id, item.occurrence)
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

    /// Takes a place of a blob that is no code, unless its next item is under another name. `license_files` says that it is kept for
    /// what it says of licenses.
    fn no_code(&mut self, blob: BlobId, occurrence: Occurrence, declared: bool) {
        let before = self.last.take_if(|last| last.blob != blob);
        self.added.not_code += before.map_or(0, |last| last.count());
        let last = self.last.get_or_insert_with(|| NotCode { blob, places: Vec::new(), declared: 0 });
        last.places.push(occurrence);
        last.declared += usize::from(declared);
    }

    fn occurrence(&mut self, blob: BlobId, occurrence: Occurrence) -> Result<(), CorpusError> {
        if let Some(last) = self.last.take_if(|last| last.blob == blob) {
            last.places.into_iter().try_for_each(|place| self.occurrence(blob, place))?;
        }
        self.added.occurrences += 1;
        self.segments.place(blob, &occurrence, self.part.segments())?;
        Ok(self.part.occurrence(&OccurrenceRow { blob, occurrence })?)
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
