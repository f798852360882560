//! Where transformations apply in programs, and why they do not.

use std::io;

use familiar_corpus::{Found, Item};
use familiar_files::dir::WalkOptions;
use familiar_transform::Program;
use serde::Serialize;

use super::error::TransformError;
use super::sources;
use crate::members::Members;

/// The settings.
#[derive(Clone)]
pub struct SitesOptions {
    /// Files, folders, archives or JSON lines, as a corpus takes them.
    pub sources: Vec<String>,
    pub transformations: Members,
    pub seed: u64,
    pub exclude: Vec<String>,
    pub no_ignore: bool,
    /// In bytes, for the tree of one program.
    pub memory: usize,
    pub threads: usize,
}

/// One place whose form a transformation knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteRow {
    /// Path of the file, or id of the row.
    pub source: String,
    pub lang: &'static str,
    pub transformation: &'static str,
    /// Lines and columns count from 1, and columns are characters.
    pub start_line: usize,
    pub start_column: usize,
    /// The line of the last character, and the column behind it.
    pub end_line: usize,
    pub end_column: usize,
    pub applies: bool,
    /// Why it stays as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// Gives all sites of all sources to `out`, by source, transformation and place, and returns how many there are. `skipped` is told of
/// sources that are no programs, and why.
pub fn run(
    options: &SitesOptions,
    out: &mut dyn FnMut(&SiteRow) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, TransformError> {
    let walk = WalkOptions {
        exclude: options.exclude.clone(),
        no_ignore: options.no_ignore,
        threads: options.threads,
    };
    sources::read(&options.sources, &walk, &mut |found| match found {
        Found::Item(item) => write_sites(options, &item, out, skipped),
        Found::Skip { path, reason } => {
            skipped(&path, &reason);
            Ok(0)
        }
        _ => Ok(0),
    })
}

fn write_sites(
    options: &SitesOptions,
    item: &Item,
    out: &mut dyn FnMut(&SiteRow) -> io::Result<()>,
    skipped: &mut dyn FnMut(&str, &str),
) -> Result<u64, TransformError> {
    let path = item.occurrence.path.as_str();
    let Some(language) = sources::language_of(item, skipped) else { return Ok(0) };
    let program = match Program::parse(language, &item.bytes, options.memory) {
        Ok(program) => program,
        Err(error) => {
            skipped(path, &error.to_string());
            return Ok(0);
        }
    };
    let mut count = 0;
    for transformation in options.transformations.of(language) {
        for site in familiar_transform::sites(&program, transformation, options.seed) {
            let (start, end) = (site.bytes.start, site.bytes.end);
            out(&SiteRow {
                source: path.to_owned(),
                lang: language.name(),
                transformation: transformation.name(),
                start_line: program.line(start),
                start_column: program.column(start),
                end_line: program.line(end),
                end_column: program.column(end),
                applies: site.refusal.is_none(),
                reason: site.refusal.map(|refusal| refusal.0),
            })?;
            count += 1;
        }
    }
    Ok(count)
}
