//! `familiar codenet import`: submissions from anywhere to a clean set in CodeNet's layout.
//!
//! A source gives entries in an order that never changes. Each submission is cleaned, gets its ids, and is written as a file. Its
//! row waits in a file for every 64 problems until the source is at its end; then the rows are sorted, problem after problem,
//! and written as CSV and Parquet. So memory holds the rows of 64 problems at most.
//!
//! # Files
//!
//! `entry` is what a source gives: `from_layout` (CodeNet's own layout), `from_table` (rows) and `from_paths` (folders and
//! archives). `prepare` cleans and checks one submission, `numbers` gives ids, `spool` keeps what is done, `work` is the import that runs, and
//! `finish` writes the metadata. `options` says what is wanted.

mod entry;
mod error;
mod finish;
mod from_layout;
mod from_paths;
mod from_table;
mod numbers;
mod options;
mod prepare;
mod spool;
mod work;

use familiar_source::Progress;

use crate::layout::Layout;
use crate::table::TableKind;
use entry::Entries;
use work::Import;

pub use entry::EntriesError;
pub use error::ImportError;
pub use finish::SetSummary;
pub use from_table::column_names;
pub use options::{ImportOptions, InvalidPattern, PathPart, PathPattern};

/// Makes a set, or goes on with one whose import was ended.
pub fn run(options: &ImportOptions, progress: &dyn Progress) -> Result<SetSummary, ImportError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| ImportError::Threads { threads, source })?;
    pool.install(|| {
        let mut import = Import::begin(options)?;
        progress.stage("importing", 0);
        let mut seen = 0;
        if let Some(problems) = &options.problems {
            let mut problems = from_table::ProblemsOfTable::open(problems)?;
            import.read(&mut problems, &mut seen, progress)?;
        }
        import.read(source(options)?.as_mut(), &mut seen, progress)?;
        progress.stage("writing metadata", 0);
        finish::finish(import)
    })
}

/// The kind of source that the path shows.
fn source(options: &ImportOptions) -> Result<Box<dyn Entries>, ImportError> {
    let path = &options.source;
    Ok(if Layout::is_set(path) && options.paths.is_none() {
        Box::new(from_layout::FromLayout::new(path))
    } else if path.is_file() && TableKind::of(path).is_some() {
        Box::new(from_table::FromTable::open(path, &options.columns)?)
    } else {
        Box::new(from_paths::FromPaths::open(path, options.paths.clone())?)
    })
}
