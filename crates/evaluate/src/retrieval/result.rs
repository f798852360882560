//! The result of `familiar evaluate retrieval`, schema `familiar.evaluate/1`, and its text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use familiar_source::words::counted;
use serde::Serialize;

use super::input::Rows;
use super::options::RetrievalOptions;
use super::rank::{DEPTHS, Sums};
use super::tally::Tally;
use crate::{SkippedRow, skipped};

/// What asking with every row gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetrievalResult {
    pub schema: &'static str,
    pub task: &'static str,
    /// Name of the measure or encoder.
    pub measure: String,
    /// Whether names were made alike first; for a measure, literals too.
    pub blind: bool,
    pub cross_language: bool,
    /// The field that names the problem.
    pub group: String,
    /// Rows that took part.
    pub rows: u64,
    /// Groups of these rows.
    pub groups: u64,
    #[serde(flatten)]
    pub figures: RetrievalFigures,
    /// The queries of each language.
    pub by_language: BTreeMap<String, RetrievalFigures>,
    /// The queries of one language, looking at the rows of one other alone: `query-candidate`.
    pub by_language_pair: BTreeMap<String, RetrievalFigures>,
    pub skipped: Vec<SkippedRow>,
}

/// Means over queries, each of which has R > 0 relevant rows among those that it looks at.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RetrievalFigures {
    pub queries: u64,
    /// Over the R nearest rows, the mean of the precision at each relevant one.
    pub map_at_r: f64,
    /// Mean of 1 divided by the rank of the first relevant row.
    pub mrr: f64,
    pub precision_at_1: f64,
    /// For 1, 5 and 10, how many of so many nearest rows are relevant, as a share.
    pub precision_at_k: BTreeMap<String, f64>,
}

impl RetrievalFigures {
    /// The means; none without queries.
    fn of(sums: &Sums) -> Option<Self> {
        let mean = |sum: f64| sum / sums.queries as f64;
        let precision: Vec<f64> = sums.precision.iter().map(|&sum| mean(sum)).collect();
        (sums.queries > 0).then(|| Self {
            queries: sums.queries,
            map_at_r: mean(sums.map_at_r),
            mrr: mean(sums.reciprocal_rank),
            precision_at_1: precision[0],
            precision_at_k: DEPTHS.iter().map(ToString::to_string).zip(precision).collect(),
        })
    }
}

pub(super) fn of(rows: Rows, tally: &Tally, options: &RetrievalOptions) -> RetrievalResult {
    let name = |number: usize| rows.languages[number].name();
    let language =
        |(number, sums): (usize, &Sums)| Some((name(number).to_owned(), RetrievalFigures::of(sums)?));
    let pair = |(number, sums): (usize, &Sums)| {
        let (of_query, of_candidates) = (number / rows.languages.len(), number % rows.languages.len());
        Some((format!("{}-{}", name(of_query), name(of_candidates)), RetrievalFigures::of(sums)?))
    };
    let mut groups = rows.groups.clone();
    groups.sort_unstable();
    groups.dedup();
    RetrievalResult {
        schema: RetrievalResult::SCHEMA,
        task: "retrieval",
        measure: options.judge.name().to_owned(),
        blind: options.blind,
        cross_language: options.cross_language,
        group: options.selection.group.clone(),
        rows: rows.len() as u64,
        groups: groups.len() as u64,
        figures: RetrievalFigures::of(&tally.total).unwrap_or_default(),
        by_language: tally.by_language.iter().enumerate().filter_map(language).collect(),
        by_language_pair: tally.by_pair.iter().enumerate().filter_map(pair).collect(),
        skipped: rows.skipped,
    }
}

impl RetrievalResult {
    pub const SCHEMA: &'static str = "familiar.evaluate/1";

    /// Writes the result as JSON, indented, with a final line break.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes the result for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let blind = if self.blind { ", blind" } else { "" };
        let across = if self.cross_language { ", across languages" } else { "" };
        writeln!(out, "{}{blind}{across}", self.measure)?;
        let (rows, groups) = (counted(self.rows, "row"), counted(self.groups, "group"));
        writeln!(out, "{rows} in {groups}\n")?;
        write!(out, "{:<24} {:>8} {:>7} {:>7}", "", "queries", "map@r", "mrr")?;
        writeln!(out, " {:>7} {:>7} {:>7}", "p@1", "p@5", "p@10")?;
        write_figures(out, "all", &self.figures)?;
        let parts = self.by_language.iter().filter(|_| self.by_language.len() > 1);
        for (name, figures) in parts.chain(&self.by_language_pair) {
            write_figures(out, name, figures)?;
        }
        skipped::write(&self.skipped, out)
    }
}

fn write_figures(out: &mut dyn Write, name: &str, figures: &RetrievalFigures) -> io::Result<()> {
    write!(out, "{name:<24} {:>8} {:>7.4} {:>7.4}", figures.queries, figures.map_at_r, figures.mrr)?;
    for depth in DEPTHS {
        let precision = figures.precision_at_k.get(&depth.to_string()).copied().unwrap_or_default();
        write!(out, " {precision:>7.4}")?;
    }
    writeln!(out)
}
