//! Submissions in CodeNet's own layout inside an archive.
//!
//! An archive has its files in any order, and most can only be read from front to back: a text may come before the table that says
//! whose it is. So the archive is unpacked once, into the folder that the import keeps for itself: the texts into one file, and all
//! else as it stands there. Then it is a folder in that layout, and gives the same entries in the same order.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use familiar_corpus::archive::Archive;
use familiar_corpus::{Found, Item, Limits, Source as _, SourceError};
use familiar_source::{Progress, memory};

use super::archive_part::Part;
use super::entry::{Entries, EntriesError, Entry, Sink};
use super::from_layout::{FromLayout, Texts};
use super::spill::Spill;
use crate::layout::Layout;

/// Project CodeNet has 14 million files.
const ENTRIES: u64 = 30_000_000;

/// An archive with a folder in CodeNet's layout.
pub(super) struct FromArchive<'p> {
    file: PathBuf,
    /// The folder in the archive, with a `/` at its end.
    root: String,
    /// Where it is unpacked.
    folder: PathBuf,
    memory: usize,
    progress: &'p dyn Progress,
}

impl<'p> FromArchive<'p> {
    /// `work` is the folder that the import keeps for itself.
    pub(super) fn new(
        file: &Path,
        root: String,
        work: &Path,
        memory: usize,
        progress: &'p dyn Progress,
    ) -> Self {
        Self { file: file.to_owned(), root, folder: work.join("unpacked"), memory, progress }
    }

    fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            item_bytes: default.item_bytes.min(memory::file_budget(self.memory) as u64),
            archive_entries: ENTRIES,
            // CodeNet has its benchmarks as archives in `derived`.
            archive_depth: 0,
            ..default
        }
    }

    /// Unpacks the archive, and gives what cannot be unpacked to `sink`. `None` where the sink broke.
    fn unpack(&self, sink: &mut Sink<'_>) -> Result<Option<FromLayout>, EntriesError> {
        let mut unpacked = Unpacked::create(&self.folder, memory::budget(self.memory) / 4)?;
        let mut failed = None;
        let mut flow = ControlFlow::Continue(());
        self.progress.stage("unpacking", 0);
        Archive { file: self.file.clone(), exclude: Vec::new() }.read(&self.limits(), &mut |found| {
            flow = match found {
                Found::Skip { path, reason } => {
                    unpacked.is_whole &= path.strip_prefix(&self.root).is_some_and(is_derived);
                    sink(Entry::Skip { path, reason })
                }
                Found::Item(item) => {
                    self.progress.advance(1);
                    match unpacked.take(&self.root, item) {
                        Ok(None) => ControlFlow::Continue(()),
                        Ok(Some(skip)) => sink(skip),
                        Err(error) => {
                            failed = Some(error);
                            ControlFlow::Break(())
                        }
                    }
                }
                _ => ControlFlow::Continue(()),
            };
            flow
        })?;
        self.progress.stage("importing", 0);
        match failed {
            Some(error) => Err(error),
            None if flow.is_break() => Ok(None),
            None => unpacked.finish().map(Some),
        }
    }
}

impl Entries for FromArchive<'_> {
    fn read(&mut self, bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError> {
        match self.unpack(sink)? {
            Some(mut layout) => layout.read(bytes, sink),
            None => Ok(()),
        }
    }
}

/// What is unpacked so far.
struct Unpacked {
    layout: Layout,
    texts: Spill,
    /// Whether all texts and tables could be read.
    is_whole: bool,
}

impl Unpacked {
    /// Begins in an empty folder. At most `most` bytes of memory are for the places of texts.
    fn create(folder: &Path, most: usize) -> Result<Self, EntriesError> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|source| wrong(folder, source))?;
        }
        make_folder(folder)?;
        let texts = Spill::create(&folder.join("texts"), most)?;
        Ok(Self { layout: Layout::new(folder), texts, is_whole: true })
    }

    /// Takes a file, or says why not.
    fn take(&mut self, root: &str, item: Item) -> Result<Option<Entry>, EntriesError> {
        let path = item.occurrence.path;
        let Some(below) = path.strip_prefix(root) else { return Ok(None) };
        let layout = &self.layout;
        let into = match Part::of(below) {
            Part::Text { problem, language, file } => {
                self.texts.add(problem, language, file, &item.bytes)?;
                return Ok(None);
            }
            Part::Table(name) => layout.problem_table(name),
            Part::Statement(problem) => layout.description(problem),
            Part::Sample { problem, file } => layout.samples(problem).join(file),
            Part::Misplaced(reason) => {
                return Ok(Some(Entry::Skip { path: below.to_owned(), reason: reason.to_owned() }));
            }
            Part::Other => return Ok(None),
        };
        make_folder(into.parent().unwrap_or(&layout.root))?;
        fs::write(&into, item.bytes).map_err(|source| wrong(&into, source))?;
        Ok(None)
    }

    fn finish(self) -> Result<FromLayout, EntriesError> {
        let texts = Texts::Spilled { spilled: self.texts.finish()?, is_whole: self.is_whole };
        Ok(FromLayout::new(self.layout, texts))
    }
}

/// Whether a path says nothing about submissions.
fn is_derived(below: &str) -> bool {
    below.starts_with("derived/")
}

fn make_folder(folder: &Path) -> Result<(), EntriesError> {
    fs::create_dir_all(folder).map_err(|source| wrong(folder, source))
}

fn wrong(path: &Path, source: std::io::Error) -> EntriesError {
    SourceError::Write { path: path.to_owned(), source }.into()
}
