//! The HTML report: a page that shows a result in a browser, without a server and without a network.
//!
//! A report is a folder (`index.html`, `assets/`, `data/`) or one file. Its data are chunks, each a JSON value by a name
//! (`docs/formats/report.md`); the page asks for them as it needs them. Nothing from a result becomes markup: chunks are
//! JSON in which no character can end a script, and the page puts it in as text.
//!
//! # Files
//!
//! `view` is the result as the pages take it, and `files` are those that hold its fragments.
//! `tables`, `columns` and `source` make chunks of it, `audit` those of what an audit knows, `found` those of one search in a corpus after another,
//! `licenses` those of licenses as files are read, `decisions` what was decided, `explanations` what makes pairs of type 4 alike.
//! `packs` puts many rows into chunks of a size, `sink` puts chunks
//! into a folder or one page, `page` is the page around them, `safe` the JSON that cannot end a
//! script.

use std::io::{self, Write};
use std::path::Path;

mod audit;
mod columns;
mod decisions;
mod explanations;
mod files;
pub mod found;
mod licenses;
mod packs;
mod page;
mod safe;
mod sink;
mod source;
mod tables;
mod view;

use files::Files;
pub use licenses::LicensePages;
use sink::{Folder, Page, Sink};
pub use tables::SCHEMA;
pub use view::ResultView;

/// Most bytes of a report in one file; a browser reads all of it before it shows anything.
pub const MOST_IN_ONE_FILE: usize = 32 << 20;

/// Writes the report into `folder`, which is there.
pub fn write_folder(report: &ResultView<'_>, folder: &Path) -> io::Result<()> {
    let mut sink = Folder::new(folder)?;
    chunks(report, &mut sink)?;
    sink.finish()
}

/// Writes the report as one page. One that takes more than `most` bytes is an error that says what to do.
pub fn write_page(report: &ResultView<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut sink = Page::new(most);
    chunks(report, &mut sink)?;
    sink.finish(out)
}

/// Puts every chunk of the report, one at a time.
fn chunks(report: &ResultView<'_>, sink: &mut dyn Sink) -> io::Result<()> {
    let files = Files::of(report);
    let read = source::put_packs(report, &files, sink)?;
    tables::put_files(report, &files, &read, sink)?;
    tables::put_fragments(report, &files, sink)?;
    tables::put_classes(report, sink)?;
    let pairs = tables::put_pairs(&report.pairs, sink)?;
    tables::put_skipped(&report.summary.skipped, sink)?;
    decisions::put(report.decisions, sink)?;
    if let Some(audited) = report.audit {
        audit::put(audited, &files, sink)?;
    }
    tables::put_head(report, &files, &pairs, sink)
}
