//! Retrieval: every row of a file asks for the rows that solve the same problem.
//!
//! Each row is a query against all others, or against those of other languages. Scores are computed for a few queries
//! at a time, so that memory grows with the number of rows and not with its square, and ties go to the earlier row.

mod input;
mod options;
mod products;
mod rank;
mod result;
mod tally;

use familiar_source::Progress;
use rayon::prelude::*;

use crate::{EvaluateError, pool};
use input::Rows;
use tally::Tally;

pub use options::RetrievalOptions;
pub use result::{RetrievalFigures, RetrievalResult};

/// Queries whose scores are held at a time by each thread.
const TILE: usize = 32;

/// Ranks what `options` name. `progress` is told of each query.
pub fn run(options: &RetrievalOptions, progress: &dyn Progress) -> Result<RetrievalResult, EvaluateError> {
    pool(options.threads)?.install(|| {
        let rows = Rows::read(options, progress)?;
        let ranking = Ranking::new(&rows, options.cross_language);
        progress.stage("asking with each row", 0);
        let starts: Vec<usize> = (0..rows.len()).step_by(TILE).collect();
        let tallies: Vec<Tally> = starts
            .par_iter()
            .map_init(Scratch::default, |scratch, &start| {
                let tally = ranking.tile(start, scratch);
                progress.advance(TILE.min(rows.len() - start) as u64);
                tally
            })
            .collect();
        // In the order of the rows, so that the sums are the same for any number of threads.
        let mut all = Tally::new(rows.languages.len());
        for tally in &tallies {
            all.add(tally);
        }
        if all.total.queries == 0 {
            let reason = match rows.skipped.first() {
                Some(skipped) if rows.len() == 0 => skipped.reason.clone(),
                _ if rows.len() == 0 => "no row is selected".to_owned(),
                _ if options.cross_language => {
                    "no row has another of its group in another language".to_owned()
                }
                _ => "no row has another of its group".to_owned(),
            };
            return Err(EvaluateError::NoQueries { path: options.solutions.clone(), reason });
        }
        Ok(result::of(rows, &all, options))
    })
}

/// Memory of one thread.
#[derive(Default)]
struct Scratch {
    scores: Vec<f32>,
    of_language: Vec<u64>,
    of_all: Vec<u64>,
}

/// What queries look at.
struct Ranking<'r> {
    rows: &'r Rows,
    cross_language: bool,
    /// The rows of each language, in order.
    by_language: Vec<Vec<u32>>,
    /// For each group, how many rows it has in each language.
    sizes: Vec<u32>,
}

impl<'r> Ranking<'r> {
    fn new(rows: &'r Rows, cross_language: bool) -> Self {
        let languages = rows.languages.len();
        let groups = rows.groups.iter().max().map_or(0, |&last| last as usize + 1);
        let mut by_language = vec![Vec::new(); languages];
        let mut sizes = vec![0; groups * languages];
        for (row, (&group, &language)) in (0u32..).zip(rows.groups.iter().zip(&rows.language)) {
            by_language[language].push(row);
            sizes[group as usize * languages + language] += 1;
        }
        Self { rows, cross_language, by_language, sizes }
    }

    /// The figures of the queries from `start` on.
    fn tile(&self, start: usize, scratch: &mut Scratch) -> Tally {
        let queries = start..(start + TILE).min(self.rows.len());
        let mut scores = std::mem::take(&mut scratch.scores);
        self.rows.scores(queries.clone(), &mut scores);
        let mut tally = Tally::new(self.rows.languages.len());
        for (query, scores) in queries.zip(scores.chunks_exact(self.rows.len())) {
            self.query(query, scores, scratch, &mut tally);
        }
        scratch.scores = scores;
        tally
    }

    fn query(&self, query: usize, scores: &[f32], scratch: &mut Scratch, tally: &mut Tally) {
        let (languages, own) = (self.rows.languages.len(), self.rows.language[query]);
        let group = self.rows.groups[query];
        let is_relevant = |row: u32| self.rows.groups[row as usize] == group;
        let (mut relevant, Scratch { of_all, of_language, .. }) = (0, scratch);
        of_all.clear();
        for (language, rows) in self.by_language.iter().enumerate() {
            let same = language == own;
            if same && self.cross_language {
                continue;
            }
            let size = self.sizes[group as usize * languages + language] as usize - usize::from(same);
            relevant += size;
            of_language.clear();
            let others = rows.iter().filter(|&&row| row as usize != query);
            of_language.extend(others.map(|&row| rank::key(scores[row as usize], row)));
            of_all.extend_from_slice(of_language);
            if !same && size > 0 {
                let figures = rank::figures(of_language, size, is_relevant);
                tally.by_pair[own * languages + language].add(&figures);
            }
        }
        if relevant > 0 {
            let figures = rank::figures(of_all, relevant, is_relevant);
            tally.total.add(&figures);
            tally.by_language[own].add(&figures);
        }
    }
}
