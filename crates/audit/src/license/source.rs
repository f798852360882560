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
use super::rest::{LicenseRest, rest};
use super::row::{Teller, Told};
use crate::above::Above;
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
) -> Result<LicenseRest, LicenseError> {
    let has_projects = source.has_projects();
    let declarations = declarations(source, has_projects, options, progress)?;
    let above = Above::default();
    let teller =
        Teller { declarations: &declarations, above: &above, text: options.text, shown: options.shown };
    let mut batch = Batch {
        items: Vec::new(),
        bytes: 0,
        most_bytes: options.batch_bytes * pool.current_num_threads() as u64,
        teller,
        pool,
        has_projects,
        is_platform,
    };
    let mut rest = rest(&declarations, &above);
    let mut failed = None;
    progress.stage("reading licenses", 0);
    source.read(&options.limits, &mut |found| {
        match found {
            Found::Item(item) => {
                progress.advance(item.bytes.len() as u64);
                batch.push(item);
            }
            Found::Skip { path, reason } => rest.skipped.push(NotRead { path, path_bytes: None, reason }),
            _ => {}
        }
        if !batch.is_full() {
            return ControlFlow::Continue(());
        }
        match batch.flush(&mut rest, each) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or_else(|| batch.flush(&mut rest, each), Err).map_err(LicenseError::Output)?;
    rest.skipped.sort();
    Ok(rest)
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
    teller: Teller<'a>,
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
        rest: &mut LicenseRest,
        each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
    ) -> io::Result<()> {
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        let tell = |item: &Item| {
            let path = path_of(item, self.has_projects);
            let told = self.teller.file(&path, None, &item.bytes, self.platform(item));
            (path, told)
        };
        let told: Vec<(String, Told)> = self.pool.install(|| items.par_iter().map(tell).collect());
        for (path, told) in told {
            told.file.iter().try_for_each(&mut *each)?;
            rest.skipped.extend(told.skip.map(|reason| NotRead { path, path_bytes: None, reason }));
        }
        Ok(())
    }

    /// What the place says where an item was found.
    fn platform(&self, item: &Item) -> Option<Layer> {
        let said = item.occurrence.license.as_deref();
        (self.is_platform || said.is_some())
            .then(|| platform(said, item.occurrence.first_seen.filter(|_| self.is_platform)))
    }
}
