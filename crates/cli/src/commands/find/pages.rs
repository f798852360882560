//! Results as pages to browse.

use std::io;

use familiar_engine::lexed;
use familiar_files::{Document, named};
use familiar_report::find::FindReport;
use familiar_report::html::found::{Found, SearchSummary};
use familiar_report::{NoText, Skipped};
use familiar_source::SourceText;

use super::ask::Ask;
use super::queries::Queries;
use crate::html::HtmlTarget;

/// Writes what is known of the queries; `roots` is what was asked for, as it was given.
pub(super) fn write(
    ask: &Ask<'_>,
    queries: &Queries,
    roots: &[String],
    corpus: &str,
    target: &HtmlTarget,
) -> anyhow::Result<()> {
    target.write_found(&|mut found| {
        let skipped = fill(ask, queries, &mut found)?;
        let said = SearchSummary {
            settings: ask.options.report_settings(roots.to_vec()),
            corpus,
            skipped,
            not_code: ask.left_out.not_code(),
        };
        found.finish(said, &mut |blob, language| {
            ask.kept(ask.library.source(blob, language, ask.memory).map_err(Into::into))
        })
    })
}

/// Puts what is known of each query, and tells what could not be asked for.
fn fill(ask: &Ask<'_>, queries: &Queries, found: &mut Found<'_>) -> io::Result<Vec<Skipped>> {
    match queries {
        Queries::One { name, bytes, lines } => {
            let code_query = ask.reader().read(name, bytes, ask.language, *lines).map_err(Into::into);
            let code_query = ask.kept(code_query)?;
            let report = ask.kept(ask.pool.install(|| ask.find(&code_query)))?;
            found.push(&report, &mut || lexed(bytes, report.query.language, ask.memory))?;
            Ok(Vec::new())
        }
        Queries::Fingerprints(all) => {
            let mut take = |_: &_, report: &FindReport| found.push(report, &mut || Err(NoText::Fingerprints));
            ask.each(all, |_, code_query| Ok(Some(ask.find(code_query)?)), &mut take)?;
            Ok(Vec::new())
        }
        Queries::Many { listing, lines } => {
            ask.begin(listing);
            let mut take = |document: &Document, report: &FindReport| {
                found.push(report, &mut || text(ask, document, report))
            };
            let one = |reader: &mut _, document: &_| ask.one(reader, document, lines);
            ask.each(&listing.documents, one, &mut take)?;
            let skip = |skip: &familiar_files::Skip| Skipped {
                root: skip.root,
                path: skip.path.as_str().to_owned(),
                path_bytes: None,
                reason: skip.reason.clone(),
            };
            Ok(listing.skips.iter().map(skip).chain(ask.left_out.skipped()).collect())
        }
    }
}

/// The text of a file that was asked for, read once more: few of many are shown, and none is held.
fn text(ask: &Ask<'_>, document: &Document, report: &FindReport) -> Result<SourceText, NoText> {
    let bytes = named::read(&document.file, ask.memory as u64)?;
    lexed(&bytes, report.query.language, ask.memory)
}
