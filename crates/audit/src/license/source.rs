//! The licenses of what a source gives: the files of an archive or a package, the posts of a dump.

use std::io;
use std::ops::ControlFlow;

use familiar_corpus::{Found, Item, Source};
use familiar_license::infer::{Declared, declares, platform};
use familiar_license::{Declarations, Detector, Layer};
use familiar_report::license::{LicensedFile, NotRead};
use rayon::prelude::*;

use super::error::LicenseError;
use super::options::{BATCH_FILES, LicenseOptions};
use super::row::{FileOutcome, RowMaker};
use super::summary::{LicenseSummary, summary};
use crate::surroundings::Surroundings;
use familiar_source::Progress;

/// Reads the source twice: for what declares something, and for the rest. `is_platform` where posts without a word on their
/// license stand under the platform's rule.
pub(super) fn run(
    source: &dyn Source,
    is_platform: bool,
    options: &LicenseOptions,
    pool: &rayon::ThreadPool,
    progress: &dyn Progress,
    each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
) -> Result<LicenseSummary, LicenseError> {
    let has_projects = source.has_projects();
    let declarations = declarations(source, has_projects, options, progress)?;
    let surroundings = Surroundings::default();
    let maker = RowMaker {
        declarations: &declarations,
        surroundings: &surroundings,
        text: options.text,
        page_text: options.page_text,
    };
    let mut batch = Batch {
        items: Vec::new(),
        bytes: 0,
        most_bytes: options.batch_bytes * pool.current_num_threads() as u64,
        maker,
        pool,
        has_projects,
        is_platform,
    };
    let mut summary = summary(&declarations, &surroundings);
    let mut failed = None;
    progress.stage("reading licenses", 0);
    source.read(&options.limits, &mut |found| {
        match found {
            Found::Item(item) => {
                progress.advance(item.bytes.len() as u64);
                batch.push(item);
            }
            Found::Skip { path, reason } => summary.skipped.push(NotRead { path, path_bytes: None, reason }),
            _ => {}
        }
        if !batch.is_full() {
            return ControlFlow::Continue(());
        }
        match batch.flush(&mut summary, each) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or_else(|| batch.flush(&mut summary, each), Err).map_err(LicenseError::Output)?;
    summary.skipped.sort();
    Ok(summary)
}

fn declarations(
    source: &dyn Source,
    has_projects: bool,
    options: &LicenseOptions,
    progress: &dyn Progress,
) -> Result<Declarations, LicenseError> {
    progress.stage("reading declarations", 0);
    let detector = Detector::embedded();
    let mut declared = Vec::new();
    source.read(&options.limits, &mut |found| {
        if let Found::Item(item) = found {
            let path = path_of(&item, has_projects);
            if declares(&path) {
                declared.push(Declared::read(&path, &item.bytes, detector));
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(Declarations::of(declared, detector))
}

/// Where an item stands; in a source of several projects, below the name of its own.
fn path_of(item: &Item, has_projects: bool) -> String {
    let occurrence = &item.occurrence;
    if has_projects { format!("{}/{}", occurrence.project, occurrence.path) } else { occurrence.path.clone() }
}

/// Items that are read together.
struct Batch<'a> {
    items: Vec<Item>,
    bytes: u64,
    most_bytes: u64,
    maker: RowMaker<'a>,
    pool: &'a rayon::ThreadPool,
    has_projects: bool,
    is_platform: bool,
}

impl Batch<'_> {
    fn push(&mut self, item: Item) {
        self.bytes += item.bytes.len() as u64;
        self.items.push(item);
    }

    fn is_full(&self) -> bool {
        let threads = self.pool.current_num_threads();
        self.items.len() >= BATCH_FILES * threads || self.bytes >= self.most_bytes
    }

    fn flush(
        &mut self,
        summary: &mut LicenseSummary,
        each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
    ) -> io::Result<()> {
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        let read = |item: &Item| {
            let path = path_of(item, self.has_projects);
            let outcome = self.maker.file(&path, None, &item.bytes, self.platform(item));
            (path, outcome)
        };
        let outcomes: Vec<(String, FileOutcome)> = self.pool.install(|| items.par_iter().map(read).collect());
        for (path, outcome) in outcomes {
            outcome.file.iter().try_for_each(&mut *each)?;
            summary.skipped.extend(outcome.skip.map(|reason| NotRead { path, path_bytes: None, reason }));
        }
        Ok(())
    }

    /// What the place says where an item was found.
    fn platform(&self, item: &Item) -> Option<Layer> {
        let license = item.occurrence.license.as_deref();
        (self.is_platform || license.is_some())
            .then(|| platform(license, item.occurrence.first_seen.filter(|_| self.is_platform)))
    }
}
