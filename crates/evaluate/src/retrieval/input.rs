//! The file of solutions to rows that can be compared.

use std::ops::Range;

use familiar_engine::Measure;
use familiar_engine::snippet::{self, Snippet, SnippetReader};
use familiar_model::{Code, Vectors};
use familiar_source::{Language, Progress};
use familiar_syntax::decode::NotText;
use rayon::prelude::*;

use super::RetrievalOptions;
use super::products::products;
use crate::solutions::{Solution, Solutions};
use crate::{EvaluateError, Judge, SkippedRow, judge};

/// Most rows that a measure compares, each with each.
const MOST_MEASURED: usize = 5_000;

/// The rows that take part.
#[derive(Default)]
pub(super) struct Rows {
    /// Number of each row's group.
    pub(super) groups: Vec<u32>,
    /// Number of each row's language in `languages`.
    pub(super) language: Vec<usize>,
    /// The languages of the rows, by name.
    pub(super) languages: Vec<Language>,
    content: Content,
    pub(super) skipped: Vec<SkippedRow>,
}

/// What is compared.
enum Content {
    Vectors(Vectors),
    Snippets(Measure, Vec<Snippet>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Vectors(Vectors::default())
    }
}

impl Rows {
    pub(super) fn read(options: &RetrievalOptions, progress: &dyn Progress) -> Result<Self, EvaluateError> {
        let mut solutions = Solutions::open(&options.solutions, &options.selection)?;
        let mut rows = Self::default();
        if let Judge::Measure(measure) = options.judge {
            rows.content = Content::Snippets(measure, Vec::new());
        }
        let mut languages = Vec::new();
        while let Some(batch) = solutions.batch()? {
            if let Judge::Measure(_) = options.judge
                && rows.len() + batch.len() > MOST_MEASURED
            {
                let path = options.solutions.clone();
                return Err(EvaluateError::TooManyRows { path, most: MOST_MEASURED });
            }
            for solution in rows.add(batch, options, progress)? {
                rows.groups.push(solution.group);
                languages.push(solution.language);
            }
        }
        rows.skipped.append(&mut solutions.skipped);
        rows.skipped.sort_by_key(|skipped| skipped.row);
        rows.languages.clone_from(&languages);
        rows.languages.sort_unstable_by_key(|language| language.name());
        rows.languages.dedup();
        let number = |language: &Language| rows.languages.iter().position(|known| known == language);
        rows.language = languages.iter().filter_map(number).collect();
        Ok(rows)
    }

    /// Adds the content of the rows of `batch`, of which those that have some are given back.
    fn add(
        &mut self,
        batch: Vec<Solution>,
        options: &RetrievalOptions,
        progress: &dyn Progress,
    ) -> Result<Vec<Solution>, EvaluateError> {
        match (&mut self.content, &options.judge) {
            (Content::Vectors(vectors), Judge::Encoder(encoder)) => {
                let codes: Vec<Code<'_>> =
                    batch.iter().map(|row| Code { language: row.language, text: &row.text }).collect();
                vectors.append(judge::encode(&**encoder, &codes, options.blind, progress)?);
                Ok(batch)
            }
            (Content::Snippets(_, snippets), _) => {
                let read = |reader: &mut SnippetReader, solution: &Solution| {
                    let mut snippet = reader.read(solution.language, &solution.text)?;
                    if options.blind {
                        snippet.blind();
                    }
                    Ok(snippet)
                };
                let read: Vec<Result<Snippet, NotText>> =
                    batch.par_iter().map_init(SnippetReader::default, read).collect();
                let mut kept = Vec::new();
                for (solution, read) in batch.into_iter().zip(read) {
                    match read {
                        Ok(snippet) => {
                            snippets.push(snippet);
                            kept.push(solution);
                        }
                        Err(reason) => self.skipped.push(SkippedRow {
                            file: "solutions",
                            row: solution.row,
                            reason: reason.to_string(),
                        }),
                    }
                }
                Ok(kept)
            }
            (Content::Vectors(_), Judge::Measure(_)) => Ok(Vec::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// How alike each of the rows `queries` is to every row: first all of the first query.
    pub(super) fn scores(&self, queries: Range<usize>, out: &mut Vec<f32>) {
        match &self.content {
            Content::Vectors(vectors) => products(vectors, queries, out),
            Content::Snippets(measure, snippets) => {
                out.clear();
                for query in queries {
                    let score = |other| snippet::similarity(*measure, &snippets[query], other) as f32;
                    out.extend(snippets.iter().map(score));
                }
            }
        }
    }
}
