//! What a corpus has of some code, as pages: a result of `familiar find` after another goes in, and of each little stays in memory.
//!
//! A query is a fragment, and what a blob has of it another; both are a pair, and all pairs of a query are a class, the best first.
//! So the tables are those of every report. What blobs say of themselves (places, licenses) and who was first goes into packs at
//! once, and texts are read one at a time.

mod blobs;
mod projects;
mod tables;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use blobs::{Blobs, Told};
use projects::Projects;

use super::packs::Packed;
use super::sink::{Folder, Page, Sink};
use super::source;
use super::source::{Packs, Read};
use crate::find::{ExplainedLines, FindReport, FoundBlob, Origin};
use crate::share::ten_thousandths;
use crate::{Explanation, NoText, Settings, Skipped, SourceText};

/// What is known of all queries together.
pub struct SearchSummary<'r> {
    /// Its roots are what was asked for.
    pub settings: Settings,
    /// The name of the corpus.
    pub corpus: &'r str,
    /// Files that could not be asked for.
    pub skipped: Vec<Skipped>,
    /// Files that are no code.
    pub not_code: u64,
}

/// Gives the text of a blob by its SWHID and language, or says why it cannot be had.
pub type BlobText<'t> = dyn FnMut(&str, &str) -> io::Result<Result<SourceText, NoText>> + 't;

/// Fills a report.
pub type Fill<'f> = dyn Fn(Found<'_>) -> io::Result<()> + 'f;

/// Writes what `fill` puts in as a report into `folder`, which is there.
pub fn write_folder(fill: &Fill<'_>, folder: &Path) -> io::Result<()> {
    let mut sink = Folder::new(folder)?;
    fill(Found::new(&mut sink))?;
    sink.finish()
}

/// Writes it as one page. One that takes more than `most` bytes is an error that says what to do.
pub fn write_page(fill: &Fill<'_>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut sink = Page::new(most);
    fill(Found::new(&mut sink))?;
    sink.finish(out)
}

/// A report that is being written.
pub struct Found<'s> {
    sink: &'s mut dyn Sink,
    texts: Packs,
    /// What became of the texts of queries.
    read: Vec<Read>,
    origins: Packed,
    places: Packed,
    rows: Rows,
}

/// What stays in memory: numbers, paths and names.
#[derive(Default)]
struct Rows {
    /// Those that something is known of.
    queries: Vec<Query>,
    /// By query and rank.
    hits: Vec<Hit>,
    /// First and last line of the query and of the blob, of each stretch of each hit.
    stretches: Vec<[u32; 4]>,
    blobs: Blobs,
    projects: Projects,
    /// Path, lines and tokens of those that nothing is known of.
    unknown: Vec<(String, u32, u32)>,
}

/// A query that something is known of.
struct Query {
    path: String,
    language: &'static str,
    start: u32,
    lines: u32,
    tokens: u32,
    /// Lines that some blob has.
    known: u32,
    projects: u32,
    more_blobs: u64,
    /// The blob that had it first, where it is listed.
    origin: Option<u32>,
    origin_known: bool,
    /// Of the first place by a time that can be compared; 0 where there is none.
    year: u32,
    hits: Range<usize>,
}

/// What a blob has of a query.
struct Hit {
    blob: u32,
    clone_type: u8,
    /// In ten thousandths.
    similarity: u16,
    coverage: u16,
    /// Whether it is another version of the file that the hit before is.
    is_version: bool,
    /// What makes the largest function of type 4 alike, where that was asked for.
    explanation: Option<Box<Explanation>>,
    stretches: Range<usize>,
}

impl<'s> Found<'s> {
    fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            texts: Packs::default(),
            read: Vec::new(),
            origins: Packed::new("origins"),
            places: Packed::new("blobs"),
            rows: Rows::default(),
        }
    }

    /// Puts what is known of one query. `text` is asked for its text where there is something to show.
    pub fn push(
        &mut self,
        report: &FindReport,
        text: &mut dyn FnMut() -> Result<SourceText, NoText>,
    ) -> io::Result<()> {
        let Self { sink, places, rows, .. } = self;
        if !rows.push(report, &mut |blob| places.push(blob, *sink))? {
            return Ok(());
        }
        self.origins.push(&report.origin, self.sink)?;
        let read = match text() {
            Ok(text) => {
                let lines = source::lines(&text);
                if lines < report.query.end_line {
                    Read::Missing("changed since it was asked for".to_owned())
                } else {
                    self.texts.push(&text, lines, self.sink)?
                }
            }
            Err(error) => Read::Missing(error.to_string()),
        };
        self.read.push(read);
        Ok(())
    }
}

impl Rows {
    /// Whether something is known of the query. `put` takes each blob when it is new.
    fn push(
        &mut self,
        report: &FindReport,
        put: &mut dyn FnMut(&Told<'_>) -> io::Result<()>,
    ) -> io::Result<bool> {
        let (query, origin) = (&report.query, &report.origin);
        let lines = query.end_line - query.start_line + 1;
        if report.blobs.is_empty() {
            self.unknown.push((query.path.clone(), lines, query.tokens));
            return Ok(false);
        }
        let (hit, stretch) = (self.hits.len(), self.stretches.len());
        let mut owners = BTreeSet::new();
        for row in &report.blobs {
            self.hit(&row.found, origin, false, &mut owners, put)?;
            for version in &row.versions {
                self.hit(version, origin, true, &mut owners, put)?;
            }
        }
        self.queries.push(Query {
            path: query.path.clone(),
            language: query.language,
            start: query.start_line,
            lines,
            tokens: query.tokens,
            known: covered(&self.stretches[stretch..]),
            projects: owners.len() as u32,
            more_blobs: report.more_blobs,
            origin: origin.blob.as_deref().and_then(|blob| self.blobs.number(blob)),
            origin_known: origin.known,
            year: origin.occurrence.as_ref().and_then(blobs::year).unwrap_or(0),
            hits: hit..self.hits.len(),
        });
        Ok(true)
    }

    fn hit<'r>(
        &mut self,
        found: &'r FoundBlob,
        origin: &Origin,
        is_version: bool,
        owners: &mut BTreeSet<&'r str>,
        put: &mut dyn FnMut(&Told<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let blob = self.blobs.push(found, origin, &mut self.projects, put)?;
        let query = self.queries.len() as u32;
        for owner in found.occurrences.iter().map(blobs::owner) {
            self.projects.count(owner, query, found.coverage >= 1.0);
            owners.insert(owner);
        }
        let start = self.stretches.len();
        self.stretches.extend(&found.matched_lines);
        self.hits.push(Hit {
            blob,
            clone_type: found.clone_type,
            similarity: ten_thousandths(found.similarity),
            coverage: ten_thousandths(found.coverage),
            is_version,
            explanation: largest(&found.explanations),
            stretches: start..self.stretches.len(),
        });
        Ok(())
    }
}

/// What explains the function of the most lines, the first of several: a page has room for one beside both texts.
fn largest(all: &[ExplainedLines]) -> Option<Box<Explanation>> {
    let lines = |it: &&ExplainedLines| it.matched_lines[1] - it.matched_lines[0];
    let largest = all.iter().rev().max_by_key(lines)?;
    Some(Box::new(largest.explanation.clone()))
}

/// How many lines of the query some stretches cover, each counted once.
fn covered(stretches: &[[u32; 4]]) -> u32 {
    let mut lines: Vec<(u32, u32)> = stretches.iter().map(|&[first, last, ..]| (first, last)).collect();
    lines.sort_unstable();
    let (mut count, mut next) = (0, 0);
    for (first, last) in lines {
        let first = first.max(next);
        if first <= last {
            count += last - first + 1;
            next = last + 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_many_have_is_known_once() {
        assert_eq!(covered(&[[5, 9, 1, 5], [1, 6, 1, 6], [20, 20, 1, 1], [2, 3, 7, 8]]), 10);
        assert_eq!(covered(&[]), 0);
    }
}
