//! The licenses of a folder's files, or of a single file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use familiar_corpus::dir::{self, Listing, WalkOptions};
use familiar_corpus::{Document, Limits, Skip};
use familiar_license::infer::{Declared, declares};
use familiar_license::{Declarations, Detector};
use familiar_report::license::{LicensedFile, NotRead, PackageRow};
use rayon::prelude::*;

use super::above::Above;
use super::row::{Teller, Told};
use super::{BATCH_BYTES, BATCH_FILES, LicenseError, LicenseOptions, LicenseRest};
use crate::Progress;

pub(super) fn run(
    root: &Path,
    options: &LicenseOptions,
    pool: &rayon::ThreadPool,
    progress: &dyn Progress,
    each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
) -> Result<LicenseRest, LicenseError> {
    progress.stage("listing files", 0);
    let walk = WalkOptions { threads: options.threads, ..options.walk.clone() };
    let Listing { documents, skips } = dir::walk(&[root.to_owned()], &walk)?;
    let above = Above::of(root);
    let declarations = pool.install(|| declarations(&documents, &above, &options.limits, progress));
    let teller = Teller { declarations: &declarations, above: &above, text: options.text };
    progress.stage("reading licenses", documents.iter().map(|document| document.bytes).sum());
    let mut rest = rest(&declarations, &above);
    rest.skipped.extend(skips.into_iter().map(not_read));
    let tell = |document: &Document| {
        let (path, path_bytes) = (document.path.as_str(), document.path.raw_bytes());
        let told = match read(&document.file, &options.limits) {
            Ok(bytes) => teller.file(path, path_bytes, &bytes, None),
            Err(reason) => teller.without_text(path, path_bytes, reason),
        };
        progress.advance(document.bytes);
        told
    };
    let mut left = documents.as_slice();
    while !left.is_empty() {
        let (batch, after) = left.split_at(batch_length(left, pool.current_num_threads()));
        let told: Vec<Told> = pool.install(|| batch.par_iter().map(tell).collect());
        for (document, told) in batch.iter().zip(told) {
            if let Some(reason) = told.skip {
                rest.skipped.push(not_read(Skip::new(0, document.path.clone(), reason)));
            }
            told.file.iter().try_for_each(&mut *each).map_err(LicenseError::Output)?;
        }
        left = after;
    }
    rest.skipped.sort();
    Ok(rest)
}

/// What the declaring files of a tree say, and those above it.
fn declarations(
    documents: &[Document],
    above: &Above,
    limits: &Limits,
    progress: &dyn Progress,
) -> Declarations {
    let below =
        documents.iter().map(|document| (above.whole(document.path.as_str()), document.file.as_path()));
    let outside = above.files.iter().map(|(path, file)| (path.clone(), file.as_path()));
    let files: Vec<(String, &Path)> = below.chain(outside).filter(|(path, _)| declares(path)).collect();
    progress.stage("reading declarations", 0);
    let detector = Detector::embedded();
    let declared = files.par_iter().map(|(path, file)| match read(file, limits) {
        Ok(bytes) => Declared::read(path, &bytes, detector),
        Err(reason) => Declared::unreadable(path, &reason),
    });
    Declarations::of(declared.collect::<Vec<_>>(), detector)
}

/// The bytes of a file, or why they cannot be had.
fn read(file: &Path, limits: &Limits) -> Result<Vec<u8>, String> {
    let most = limits.item_bytes;
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes));
    match opened {
        Err(error) => Err(error.to_string()),
        Ok(_) if bytes.len() as u64 > most => Err(format!("larger than {} MiB", most >> 20)),
        Ok(_) => Ok(bytes),
    }
}

/// How many documents are read at once, so that few bytes are held.
fn batch_length(documents: &[Document], threads: usize) -> usize {
    let mut bytes = 0;
    let fits = |document: &&Document| {
        bytes += document.bytes;
        bytes <= BATCH_BYTES * threads as u64
    };
    documents.iter().take(BATCH_FILES * threads).take_while(fits).count().max(1)
}

/// What is told of all files together, as far as it is known before they are read.
pub(super) fn rest(declarations: &Declarations, above: &Above) -> LicenseRest {
    let concerned = declarations.packages().iter().filter(|package| above.concerns(&package.folder));
    let package = |package: &familiar_license::Package| PackageRow {
        purl: package.purl.clone(),
        name: package.name.clone(),
        version: package.version.clone(),
        path: above.relative(&package.folder),
        expression: package.expression.as_ref().map(ToString::to_string),
    };
    let skip = |(path, reason): &(String, String)| NotRead {
        path: above.relative(path),
        path_bytes: None,
        reason: reason.clone(),
    };
    LicenseRest {
        packages: concerned.map(package).collect(),
        skipped: declarations.unreadable().iter().map(skip).collect(),
    }
}

fn not_read(skip: Skip) -> NotRead {
    let path_bytes = skip.path.raw_bytes().map(<[u8]>::to_vec);
    NotRead { path: skip.path.as_str().to_owned(), path_bytes, reason: skip.reason }
}
