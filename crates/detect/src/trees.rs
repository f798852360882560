//! The clones inside and among trees.

use std::path::PathBuf;

use familiar_files::Document;
use familiar_files::dir::{self, Listing, WalkOptions};
use familiar_files::input::Input;
use familiar_index::Side;
use familiar_report::CloneReport;
use familiar_source::Progress;

use crate::overlap::{self, Once};
use crate::{Baseline, CloneOptions, DetectError, Scope, Search, pool};

/// Finds the clones in the trees that `options` name; those that `baseline` holds stay quiet.
pub fn in_trees(
    options: &CloneOptions,
    baseline: Option<&Baseline>,
    progress: &dyn Progress,
) -> Result<CloneReport, DetectError> {
    options.check()?;
    let pool = pool(options.threads)?;
    pool.install(|| read(options, progress)?.report(baseline, progress, pool.clone()))
}

fn read<'o>(options: &'o CloneOptions, progress: &dyn Progress) -> Result<Search<'o>, DetectError> {
    let (sides, threads) = (!options.query.is_empty(), options.threads);
    let roots: Vec<PathBuf> =
        if sides { [&options.query[..], &options.against].concat() } else { options.paths.clone() };
    progress.stage("listing files", 0);
    let walk = WalkOptions { exclude: options.exclude.clone(), no_ignore: options.no_ignore, threads };
    let queries = options.query.len();
    let Once { listing, on_both_sides } = overlap::once(dir::walk(&roots, &walk)?, &roots, queries);
    let Listing { documents, skips } = listing;
    let side = |document: &Document| match (sides, (document.root as usize) < queries) {
        (false, _) => Side::Both,
        (true, _) if on_both_sides.contains(&document.file) => Side::Both,
        (true, true) => Side::Query,
        (true, false) => Side::Against,
    };
    let search = Search::read(options, Input::of_files(documents), side, progress)?;
    Ok(search.within(Scope { trees: roots.len(), roots, skips, ..Scope::default() }))
}
