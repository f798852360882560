//! Asks a corpus for many files, in batches.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use familiar_engine::Progress;
use familiar_files::dir::Listing;
use familiar_files::{Document, TreePath, named};
use familiar_library::{CodeQuery, FindOptions, Library, NoQuery, QueryReader};
use familiar_report::Skipped;
use familiar_report::find::FindReport;
use familiar_source::{Language, Lines, words};
use rayon::prelude::*;

use crate::notes::Notes;

/// Files that are asked for before their results are written.
const BATCH: usize = 256;

/// What is needed to ask.
pub(super) struct Ask<'a> {
    pub(super) library: &'a Library,
    pub(super) options: &'a FindOptions,
    pub(super) pool: &'a rayon::ThreadPool,
    pub(super) language: Option<Language>,
    pub(super) memory: usize,
    pub(super) notes: Notes,
    pub(super) progress: &'a dyn Progress,
    pub(super) left_out: LeftOut,
    pub(super) asked: AtomicU64,
    /// Blobs that were found.
    pub(super) found: AtomicU64,
    /// Why the corpus could not be read, while a result was written.
    pub(super) failed: Mutex<Option<anyhow::Error>>,
}

/// What could not be asked for.
#[derive(Default)]
pub(super) struct LeftOut {
    skipped: Mutex<Vec<Skipped>>,
    not_code: AtomicU64,
}

impl Ask<'_> {
    /// Asks for all of a set, a batch at a time; `take` is given what was found, in their order.
    pub(super) fn each<T: Sync>(
        &self,
        set: &[T],
        one: impl Fn(&mut QueryReader, &T) -> anyhow::Result<Option<FindReport>> + Sync,
        take: &mut dyn FnMut(&T, &FindReport) -> io::Result<()>,
    ) -> io::Result<()> {
        for batch in set.chunks(BATCH) {
            let ask = || batch.par_iter().map_init(|| self.reader(), &one).collect();
            let reports: anyhow::Result<Vec<Option<FindReport>>> = self.pool.install(ask);
            for (query, report) in batch.iter().zip(self.kept(reports)?) {
                report.map_or(Ok(()), |report| take(query, &report))?;
            }
        }
        Ok(())
    }

    /// The look-up of many files begins.
    pub(super) fn begin(&self, listing: &Listing) {
        self.progress.stage("looking up", listing.documents.iter().map(|document| document.bytes).sum());
    }

    /// Warns where there was no code to look up, or no project to look for it in.
    pub(super) fn warn_of_nothing(&self) {
        if self.asked.load(Ordering::Relaxed) == 0 {
            self.notes.warn("0 files of code were looked up; check the path, --exclude and .gitignore");
        } else if self.found.load(Ordering::Relaxed) == 0
            && let Some(project) = self.unknown_project()
        {
            self.notes.warn(&project);
        }
    }

    /// Which of the named projects the corpus does not have. It reads all places, so it is asked where nothing was found.
    fn unknown_project(&self) -> Option<String> {
        let wanted = &self.options.projects;
        let info = (!wanted.is_empty()).then(|| familiar_library::info(self.library.corpus().folder()));
        let known: BTreeSet<String> = info?.ok()?.projects.into_iter().map(|known| known.project).collect();
        let unknown = wanted.iter().find(|project| !known.contains(*project))?;
        let close = words::suggestion(unknown, known.iter().map(String::as_str));
        Some(format!("the corpus has no project {unknown}{close}; `familiar corpus info` lists the projects"))
    }

    pub(super) fn reader(&self) -> QueryReader {
        QueryReader::new(self.memory).with_functions(self.options.encoder.is_some())
    }

    /// What is known of one file; nothing of what is no code.
    pub(super) fn one(
        &self,
        reader: &mut QueryReader,
        document: &Document,
        lines: &BTreeMap<u32, Lines>,
    ) -> anyhow::Result<Option<FindReport>> {
        let path = TreePath::new(&document.file);
        let name = path.as_str();
        let bytes = match named::read(&document.file, self.memory as u64) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(self.skip(document.root, &path, &error)),
        };
        self.progress.advance(document.bytes);
        match reader.read(name, &bytes, self.language, lines.get(&document.root).copied()) {
            Ok(code_query) => {
                let mut report = self.find(&code_query)?;
                report.query.path_bytes = path.raw_bytes().map(<[u8]>::to_vec);
                Ok(Some(report))
            }
            // Of lines that were named it is told.
            Err(error) if matches!(error, NoQuery::TooLarge { .. }) || lines.contains_key(&document.root) => {
                Ok(self.skip(document.root, &path, &error.reason()))
            }
            Err(_) => {
                self.left_out.not_code.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
        }
    }

    pub(super) fn find(&self, code_query: &CodeQuery) -> anyhow::Result<FindReport> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let report = self.library.find(code_query, self.options)?;
        self.found.fetch_add(report.blobs.len() as u64 + report.more_blobs, Ordering::Relaxed);
        Ok(report)
    }

    fn skip(&self, root: u32, path: &TreePath, reason: &dyn std::fmt::Display) -> Option<FindReport> {
        self.notes.left_out(path.as_str(), reason);
        let path_bytes = path.raw_bytes().map(<[u8]>::to_vec);
        let path = path.as_str().to_owned();
        let skipped = Skipped { root, path, path_bytes, reason: reason.to_string() };
        self.left_out.skipped.lock().unwrap_or_else(PoisonError::into_inner).push(skipped);
        None
    }

    /// A value, or an error for whoever writes, the true one being kept.
    pub(super) fn kept<T>(&self, result: anyhow::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            io::Error::other("the corpus cannot be read")
        })
    }

    /// Why the corpus could not be read.
    pub(super) fn failure(&self) -> Option<anyhow::Error> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl LeftOut {
    /// Files that could not be asked for, by path.
    pub(super) fn skipped(&self) -> Vec<Skipped> {
        let mut skipped = self.skipped.lock().unwrap_or_else(PoisonError::into_inner).clone();
        skipped.sort_by(|a, b| (a.root, &a.path).cmp(&(b.root, &b.path)));
        skipped
    }

    pub(super) fn not_code(&self) -> u64 {
        self.not_code.load(Ordering::Relaxed)
    }
}
