//! The licenses of a folder's files, or of a single file.

use std::io;
use std::path::Path;

use familiar_files::dir::{self, Listing, WalkOptions};
use familiar_files::{Document, Skip};
use familiar_report::license::{LicensedFile, NotRead};
use rayon::prelude::*;

use super::error::LicenseError;
use super::options::{BATCH_FILES, LicenseOptions};
use super::row::{FileOutcome, RowMaker};
use super::summary::{LicenseSummary, summary};
use crate::surroundings::Surroundings;
use crate::tree_declarations;
use familiar_source::{Progress, words};

pub(super) fn run(
    root: &Path,
    options: &LicenseOptions,
    pool: &rayon::ThreadPool,
    progress: &dyn Progress,
    each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
) -> Result<LicenseSummary, LicenseError> {
    progress.stage("listing files", 0);
    let walk = WalkOptions { threads: options.threads, ..options.walk.clone() };
    let Listing { documents, skips } = dir::walk(&[root.to_owned()], &walk)?;
    let surroundings = Surroundings::of(root);
    progress.stage("reading declarations", 0);
    let most = options.limits.item_bytes;
    let declarations =
        pool.install(|| tree_declarations::declarations(documents.iter(), &surroundings, most));
    let maker = RowMaker {
        declarations: &declarations,
        surroundings: &surroundings,
        text: options.text,
        page_text: options.page_text,
    };
    progress.stage("reading licenses", documents.iter().map(|document| document.bytes).sum());
    let mut summary = summary(&declarations, &surroundings);
    summary.skipped.extend(skips.into_iter().map(not_read));
    let read = |document: &Document| {
        let (path, path_bytes) = (document.path.as_str(), document.path.raw_bytes());
        let outcome = match tree_declarations::read(&document.file, most) {
            Ok(bytes) => maker.file(path, path_bytes, &bytes, None),
            Err(error) => maker.without_text(path, path_bytes, words::unread(&error)),
        };
        progress.advance(document.bytes);
        outcome
    };
    let mut left = documents.as_slice();
    while !left.is_empty() {
        let (batch, after) =
            left.split_at(batch_length(left, pool.current_num_threads(), options.batch_bytes));
        let outcomes: Vec<FileOutcome> = pool.install(|| batch.par_iter().map(read).collect());
        for (document, outcome) in batch.iter().zip(outcomes) {
            if let Some(reason) = outcome.skip {
                summary.skipped.push(not_read(Skip::new(0, document.path.clone(), reason)));
            }
            outcome.file.iter().try_for_each(&mut *each).map_err(LicenseError::Output)?;
        }
        left = after;
    }
    summary.skipped.sort();
    Ok(summary)
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use familiar_files::TreePath;

    use super::*;

    #[test]
    fn a_batch_holds_few_bytes_for_each_thread_and_at_least_one_document() {
        let of = |sizes: &[u64]| -> Vec<Document> {
            let document = |&bytes: &u64| Document {
                root: 0,
                path: TreePath::new(Path::new("a")),
                file: PathBuf::new(),
                bytes,
            };
            sizes.iter().map(document).collect()
        };
        assert_eq!(batch_length(&of(&[5; 10]), 2, 10), 4);
        assert_eq!(batch_length(&of(&[50, 1]), 2, 10), 1);
        assert_eq!(batch_length(&of(&vec![0; 2 * BATCH_FILES + 1]), 2, 10), 2 * BATCH_FILES);
    }
}
