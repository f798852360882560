//! `familiar codenet import`: submissions from anywhere to a clean set in CodeNet's layout.
//!
//! A source gives entries in an order that never changes. Each submission is cleaned, gets its ids, and is written as a file. Its
//! row waits in a file for every 64 problems until the source is at its end; then the rows are sorted, problem after problem,
//! and written as CSV and Parquet. So memory holds the rows of 64 problems at most.
//!
//! # Files
//!
//! `entry` is what a source gives, and `code` the text of a submission or where it lies. `from_layout` reads CodeNet's own layout,
//! `from_archive` the same inside an archive (`archive_part` tells its parts, `spill` keeps its texts), `from_table` reads rows, and
//! `from_paths` folders and archives. `prepare` cleans and checks one submission, `numbers` gives ids, `spool` keeps what is done,
//! `work` is the import that runs, and `finish` writes the metadata. `options` says what is wanted.

mod archive_part;
mod code;
mod entry;
mod error;
mod finish;
mod from_archive;
mod from_layout;
mod from_paths;
mod from_table;
mod numbers;
mod options;
mod prepare;
mod spill;
mod spool;
mod work;

use familiar_corpus::archive::Archive;
use familiar_source::Progress;

use crate::layout::Layout;
use crate::table::TableKind;
use entry::Entries;
use from_archive::FromArchive;
use from_layout::{FromLayout, Texts};
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
        work::check_output(&options.output)?;
        // Nothing is written where a source cannot be opened.
        let row_bytes = options.text_bytes();
        let problems = options.problems.as_deref().map(|it| from_table::ProblemsOfTable::open(it, row_bytes));
        let mut problems = problems.transpose()?;
        let mut source = source(options, progress)?;
        let mut import = Import::begin(options)?;
        progress.stage("importing", 0);
        let mut seen = 0;
        if let Some(problems) = &mut problems {
            import.read(problems, &mut seen, progress).or_else(|error| import.forget(error))?;
        }
        import.read(source.as_mut(), &mut seen, progress).or_else(|error| import.forget(error))?;
        import.check_seen(seen)?;
        if import.is_empty() {
            let error = ImportError::Nothing(options.source.clone(), import.first_skipped());
            return import.forget(error);
        }
        progress.stage("writing metadata", 0);
        finish::finish(import)
    })
}

/// The kind of source that the path shows.
fn source<'p>(
    options: &ImportOptions,
    progress: &'p dyn Progress,
) -> Result<Box<dyn Entries + 'p>, ImportError> {
    let path = &options.source;
    if options.paths.is_none() && Layout::is_set(path) {
        return Ok(Box::new(FromLayout::new(Layout::new(path), Texts::Folder)));
    }
    if path.is_file() && TableKind::of(path).is_some() {
        return Ok(Box::new(from_table::FromTable::open(path, &options.columns, options.text_bytes())?));
    }
    if options.paths.is_none()
        && path.is_file()
        && Archive::is_archive(path).unwrap_or(false)
        && let Some(root) = archive_part::root_of(path).map_err(EntriesError::from)?
    {
        let work = Layout::new(&options.output).work();
        return Ok(Box::new(FromArchive::new(path, root, &work, options.memory, progress)));
    }
    Ok(Box::new(from_paths::FromPaths::open(path, options.paths.clone())?))
}
