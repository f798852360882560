//! The licenses of a folder's files, or of a single file.

use std::io;
use std::path::Path;

use familiar_corpus::dir::{self, Listing, WalkOptions};
use familiar_corpus::{Document, Skip};
use familiar_report::license::{LicensedFile, NotRead};
use rayon::prelude::*;

use super::error::LicenseError;
use super::options::{BATCH_FILES, LicenseOptions};
use super::rest::{LicenseRest, rest};
use super::row::{Teller, Told};
use crate::above::Above;
use crate::declared;
use familiar_source::Progress;

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
    progress.stage("reading declarations", 0);
    let most = options.limits.item_bytes;
    let declarations = pool.install(|| declared::declarations(documents.iter(), &above, most));
    let teller =
        Teller { declarations: &declarations, above: &above, text: options.text, shown: options.shown };
    progress.stage("reading licenses", documents.iter().map(|document| document.bytes).sum());
    let mut rest = rest(&declarations, &above);
    rest.skipped.extend(skips.into_iter().map(not_read));
    let tell = |document: &Document| {
        let (path, path_bytes) = (document.path.as_str(), document.path.raw_bytes());
        let told = match declared::read(&document.file, most) {
            Ok(bytes) => teller.file(path, path_bytes, &bytes, None),
            Err(error) => teller.without_text(path, path_bytes, error.to_string()),
        };
        progress.advance(document.bytes);
        told
    };
    let mut left = documents.as_slice();
    while !left.is_empty() {
        let (batch, after) =
            left.split_at(batch_length(left, pool.current_num_threads(), options.batch_bytes));
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

/// How many documents are read at once, so that few bytes are held.
fn batch_length(documents: &[Document], threads: usize, batch_bytes: u64) -> usize {
    let mut bytes = 0;
    let fits = |document: &&Document| {
        bytes += document.bytes;
        bytes <= batch_bytes * threads as u64
    };
    documents.iter().take(BATCH_FILES * threads).take_while(fits).count().max(1)
}

fn not_read(skip: Skip) -> NotRead {
    let path_bytes = skip.path.raw_bytes().map(<[u8]>::to_vec);
    NotRead { path: skip.path.as_str().to_owned(), path_bytes, reason: skip.reason }
}
