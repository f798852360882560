//! The tables of a report on found code, once all queries are in.

use std::cmp::Reverse;
use std::io;

use serde::Serialize;

use super::{BlobText, Found, Hit, Query, Rows, SearchSummary};
use crate::html::columns::Column;
use crate::html::safe::to_json;
use crate::html::sink::Sink;
use crate::html::source::{self, Read};
use crate::html::tables::{self, ClassTable, Counts, FirstRoots, Stretch};
use crate::{PairRow, PairSource, Settings, Summary};

/// The chunk `find`.
#[derive(Serialize)]
struct Chunk<'r> {
    corpus: &'r str,
    summary: Totals,
    /// Different projects, of which forks of each other are one, and licenses.
    projects: Vec<&'r str>,
    licenses: &'r [Option<String>],
    queries: Queries,
    /// In the order of the pairs.
    pairs: Pairs,
    blobs: BlobColumns<'r>,
    /// Project, files of which it has some, and files that it has whole.
    by_project: Vec<[u32; 3]>,
    packs: FirstRows,
}

#[derive(Serialize)]
struct Totals {
    /// Files that were asked for, those that are known, and those of which some blob has all.
    files: usize,
    known: usize,
    whole: usize,
    blobs: usize,
    /// Blobs that are not listed.
    more_blobs: u64,
    projects: usize,
}

#[derive(Default, Serialize)]
struct Queries {
    known_lines: Column,
    projects: Column,
    more_blobs: Column,
    /// The fragment that had it first plus one; 0 where it is not listed.
    origin: Column,
    origin_known: Column,
    year: Column,
}

#[derive(Default, Serialize)]
struct Pairs {
    coverage: Column,
    is_version: Column,
    /// How many stretches it has.
    stretches: Column,
    /// The four lines of each stretch, as changes.
    lines: Column,
}

#[derive(Default, Serialize)]
struct BlobColumns<'r> {
    names: Vec<&'r str>,
    places: Column,
    all_projects: Column,
    /// How many are listed, and which.
    project_counts: Column,
    projects: Column,
    license_counts: Column,
    licenses: Column,
}

#[derive(Serialize)]
struct FirstRows {
    blobs: Column,
    origins: Column,
}

impl Found<'_> {
    /// Puts the texts of the blobs, and what can be told once all queries are in.
    pub fn finish(self, search: SearchSummary<'_>, text: &mut BlobText<'_>) -> io::Result<()> {
        let Self { sink, mut texts, mut read, origins, places, rows } = self;
        for blob in &rows.blobs.rows {
            read.push(match text(&blob.swhid, &blob.language)? {
                Ok(text) => texts.push(&text, source::lines(&text), sink)?,
                Err(error) => Read::Missing(error.to_string()),
            });
        }
        texts.finish(sink)?;
        let packs = FirstRows { blobs: places.finish(sink)?, origins: origins.finish(sink)? };
        let queries = rows.queries.iter().map(|query| (query.path.clone(), query.language));
        let blobs = rows.blobs.rows.iter().map(|blob| (blob.path.clone(), blob.language.as_str()));
        tables::put_paths(queries.chain(blobs), &read, sink)?;
        let order = Order::of(&rows);
        order.put_fragments(&rows, sink)?;
        order.put_classes(&rows, sink)?;
        let pairs = tables::put_pairs(&Ordered { rows: &rows, order: &order }, sink)?;
        tables::put_skipped(&search.skipped, sink)?;
        sink.put("unknown", &to_json(&rows.unknown)?)?;
        sink.put("find", &to_json(&order.chunk(&rows, search.corpus, packs))?)?;
        let counts = Counts {
            files: read.len(),
            fragments: rows.queries.len() + rows.hits.len(),
            classes: rows.queries.len(),
            ..Counts::default()
        };
        let (settings, summary) = rows.head(search);
        let asked = FirstRoots::Asked(settings.1);
        tables::put_numbers(&settings.0, &summary, counts.with_pairs(&pairs), asked, sink)
    }
}

impl Rows {
    /// The settings, whose roots are what was asked for and then the projects; how many of them were asked for; and the numbers.
    fn head(&self, search: SearchSummary<'_>) -> ((Settings, u32), Summary) {
        let SearchSummary { mut settings, skipped, not_code, .. } = search;
        let asked = settings.roots.len() as u32;
        settings.roots.extend(self.projects.names().map(ToOwned::to_owned));
        let unknown = self.unknown.iter().map(|&(_, lines, tokens)| (lines, tokens));
        let known = self.queries.iter().map(|query| (query.lines, query.tokens));
        let sum = |(lines, tokens), (more, and)| (lines + u64::from(more), tokens + u64::from(and));
        let (lines, tokens) = known.chain(unknown).fold((0, 0), sum);
        let duplicated_lines: u64 = self.queries.iter().map(|query| u64::from(query.known)).sum();
        let summary = Summary {
            files: (self.queries.len() + self.unknown.len()) as u64,
            lines,
            tokens,
            fragments: (self.queries.len() + self.hits.len()) as u64,
            duplicated_lines,
            duplication: duplicated_lines as f64 / lines.max(1) as f64,
            not_code,
            skipped,
            ..Summary::default()
        };
        ((settings, asked), summary)
    }

    fn is_whole(&self, query: &Query) -> bool {
        self.hits[query.hits.clone()].iter().any(|hit| hit.coverage == 10_000)
    }

    /// First and last line of what a hit has of the blob.
    fn span(&self, hit: &Hit) -> (u32, u32) {
        let lines = &self.stretches[hit.stretches.clone()];
        let first = lines.iter().map(|line| line[2]).min().unwrap_or(1);
        (first, lines.iter().map(|line| line[3]).max().unwrap_or(first))
    }
}

/// Hits as fragments: after the queries, by blob and line.
struct Order {
    /// Positions of hits, and of the query of each.
    hits: Vec<(u32, u32)>,
    /// The fragment of each hit.
    fragments: Vec<u32>,
}

impl Order {
    fn of(rows: &Rows) -> Self {
        let of_query =
            |(number, query): (u32, &Query)| query.hits.clone().map(move |hit| (hit as u32, number));
        let mut hits: Vec<(u32, u32)> = (0u32..).zip(&rows.queries).flat_map(of_query).collect();
        hits.sort_by_key(|&(at, query)| {
            let hit = &rows.hits[at as usize];
            (hit.blob, rows.span(hit), query)
        });
        let mut fragments = vec![0; hits.len()];
        for (number, &(hit, _)) in (rows.queries.len() as u32..).zip(&hits) {
            fragments[hit as usize] = number;
        }
        Self { hits, fragments }
    }

    fn put_fragments(&self, rows: &Rows, sink: &mut dyn Sink) -> io::Result<()> {
        let queries = (0u32..).zip(&rows.queries).map(|(file, query)| Stretch {
            file,
            kind: "file",
            name: base_name(&query.path),
            start: query.start,
            lines: query.lines,
            tokens: query.tokens,
        });
        let hits = self.hits.iter().map(|&(at, query)| {
            let hit = &rows.hits[at as usize];
            let (start, end) = rows.span(hit);
            let tokens = f64::from(rows.queries[query as usize].tokens) * f64::from(hit.coverage) / 10_000.0;
            Stretch {
                file: rows.queries.len() as u32 + hit.blob,
                kind: "file",
                name: base_name(&rows.blobs.rows[hit.blob as usize].path),
                start,
                lines: end - start + 1,
                tokens: tokens.round() as u32,
            }
        });
        tables::put_stretches(queries.chain(hits), sink)
    }

    /// Puts a class for each query: those of which most is known first.
    fn put_classes(&self, rows: &Rows, sink: &mut dyn Sink) -> io::Result<()> {
        let known = |number: &u32| {
            let query = &rows.queries[*number as usize];
            let most = rows.hits[query.hits.clone()].iter().map(|hit| u64::from(hit.coverage)).max();
            Reverse(most.unwrap_or(0) * u64::from(query.tokens))
        };
        let mut numbers: Vec<u32> = (0..rows.queries.len() as u32).collect();
        numbers.sort_by_key(known);
        let mut table = ClassTable::default();
        for number in numbers {
            let hits = rows.queries[number as usize].hits.clone();
            let best = rows.hits[hits.start].clone_type;
            let members: Vec<u32> =
                std::iter::once(number).chain(self.fragments[hits].iter().copied()).collect();
            table.push(best, &members);
        }
        table.put(sink)
    }

    fn chunk<'r>(&self, rows: &'r Rows, corpus: &'r str, packs: FirstRows) -> Chunk<'r> {
        let summary = Totals {
            files: rows.queries.len() + rows.unknown.len(),
            known: rows.queries.len(),
            whole: rows.queries.iter().filter(|query| rows.is_whole(query)).count(),
            blobs: rows.blobs.rows.len(),
            more_blobs: rows.queries.iter().map(|query| query.more_blobs).sum(),
            projects: rows.projects.len(),
        };
        let mut pairs = Pairs::default();
        self.for_each_pair(rows, |_, hit| {
            pairs.coverage.push(u32::from(hit.coverage));
            pairs.is_version.push(u32::from(hit.is_version));
            pairs.stretches.push(hit.stretches.len() as u32);
            let lines = rows.stretches[hit.stretches.clone()].iter().flatten();
            lines.for_each(|&line| pairs.lines.push_change(line));
        });
        Chunk {
            corpus,
            summary,
            projects: rows.projects.names().collect(),
            licenses: &rows.blobs.license_names,
            queries: self.queries(rows),
            pairs,
            blobs: blobs(rows),
            by_project: rows.projects.counts(),
            packs,
        }
    }

    fn queries(&self, rows: &Rows) -> Queries {
        let mut columns = Queries::default();
        for query in &rows.queries {
            let of_blob = |blob| query.hits.clone().find(|&hit| rows.hits[hit].blob == blob);
            let origin = query.origin.and_then(of_blob).map_or(0, |hit| self.fragments[hit] + 1);
            columns.known_lines.push(query.known.min(query.lines));
            columns.projects.push(query.projects);
            columns.more_blobs.push(u32::try_from(query.more_blobs).unwrap_or(u32::MAX));
            columns.origin.push(origin);
            columns.origin_known.push(u32::from(query.origin_known));
            columns.year.push(query.year);
        }
        columns
    }

    /// Hits by query and fragment, with the numbers of both.
    fn for_each_pair(&self, rows: &Rows, mut visit: impl FnMut((u32, u32), &Hit)) {
        for (number, query) in (0u32..).zip(&rows.queries) {
            let mut hits: Vec<usize> = query.hits.clone().collect();
            hits.sort_by_key(|&hit| self.fragments[hit]);
            for hit in hits {
                visit((number, self.fragments[hit]), &rows.hits[hit]);
            }
        }
    }
}

fn blobs(rows: &Rows) -> BlobColumns<'_> {
    let mut columns = BlobColumns::default();
    for blob in &rows.blobs.rows {
        columns.names.push(blob.swhid.as_str());
        columns.places.push(blob.places);
        columns.all_projects.push(blob.all_projects);
        columns.project_counts.push(blob.projects.len() as u32);
        columns.license_counts.push(blob.licenses.len() as u32);
        for &project in &blob.projects {
            columns.projects.push(project);
        }
        for &license in &blob.licenses {
            columns.licenses.push(license);
        }
    }
    columns
}

/// The pairs of queries and blobs, as tables take them.
struct Ordered<'r> {
    rows: &'r Rows,
    order: &'r Order,
}

impl PairSource for Ordered<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        let mut failed = Ok(());
        self.order.for_each_pair(self.rows, |(left, right), hit| {
            let row = PairRow {
                left,
                right,
                clone_type: hit.clone_type,
                similarity: f64::from(hit.similarity) / 10_000.0,
                measure: "",
                fingerprint: String::new(),
                vector_similarity: None,
                idiom: false,
                alignment: Vec::new(),
                explanation: hit.explanation.clone(),
            };
            if failed.is_ok() {
                failed = visit(&row);
            }
        });
        failed
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
