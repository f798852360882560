//! Judgements from and to other programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use familiar_judging::exchange::{self, ExchangeError};
use familiar_judging::validate_clones::{self, Block};
use familiar_judging::{Judgement, MODEL};
use serde::Serialize;

use super::item::Item;
use super::log::Log;
use super::{load, log};
use crate::error::DatasetError;
use crate::project::Project;
use crate::sample::Place;

/// A form of judgements in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    Csv,
    Jsonl,
    /// The pairs as blocks of text, to be judged with ValidateClones.
    ValidateClones,
}

/// What was imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub rows: u64,
    /// Rows that stand there already.
    pub known: u64,
    /// Rows on pairs that are not there.
    pub unknown: u64,
    /// Rows on pairs whose codes are others now.
    pub changed: u64,
}

/// Writes all judgements, or the pairs for ValidateClones.
pub fn export(
    project: &Project,
    form: Exchange,
    out: &mut dyn Write,
) -> Result<io::Result<()>, DatasetError> {
    Ok(match form {
        Exchange::Csv => csv(project, out)?,
        Exchange::Jsonl => exchange::write_jsonl(out, &log::read(project)?),
        Exchange::ValidateClones => {
            let items = load::items(project)?;
            (1..)
                .zip(&items)
                .try_for_each(|(at, item)| validate_clones::write_block(&mut *out, &block(at, item)))
        }
    })
}

/// The judgements as CSV. Those of a sample say where both sides stand, in the names of the columns of `clones --format csv`.
fn csv(project: &Project, out: &mut dyn Write) -> Result<io::Result<()>, DatasetError> {
    let rows = log::read(project)?;
    let items = load::items(project)?;
    let places: BTreeMap<&str, &[Place; 2]> =
        items.iter().filter_map(|item| Some((item.id.as_str(), item.places.as_ref()?))).collect();
    let of_side = |it: &Place| {
        [it.project.clone(), it.path.clone(), it.start_line.to_string(), it.end_line.to_string()]
    };
    let columns: &[&str] = if places.is_empty() { &[] } else { &PLACES };
    let beside = |row: &Judgement| match places.get(row.pair_id.as_str()) {
        Some(places) => places.iter().flat_map(of_side).collect(),
        None => vec![String::new(); columns.len()],
    };
    Ok(exchange::write_csv(out, &rows, columns, beside))
}

/// The columns that say where both sides of a pair stand.
const PLACES: [&str; 8] = [
    "left_project",
    "left_path",
    "left_start",
    "left_end",
    "right_project",
    "right_path",
    "right_start",
    "right_end",
];

/// A pair for ValidateClones.
fn block(at: u64, item: &Item) -> Block {
    Block {
        tool: "1".to_owned(),
        clone: at.to_string(),
        fragments: item.fragments(),
        codes: item.codes.clone(),
    }
}

/// Adds the judgements of a file: CSV by the ending `.csv`, JSON lines by `.jsonl`, and verdicts of ValidateClones otherwise. These name
/// no judge, so `judge` has to; `at` is the time that they get.
pub fn import(
    project: &Project,
    path: &Path,
    judge: Option<&str>,
    at: &str,
) -> Result<Imported, DatasetError> {
    let read = |source| DatasetError::Read { path: path.to_owned(), source };
    let input = BufReader::new(File::open(path).map_err(read)?);
    let items = load::items(project)?;
    let wrong = |source| DatasetError::Judgements { path: path.to_owned(), source };
    let rows = match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => exchange::read_csv(input).map_err(wrong)?,
        Some("jsonl") => exchange::read_jsonl(input).map_err(wrong)?,
        _ => verdicts(&items, input, judge, at).map_err(wrong)?,
    };
    let has_times = matches!(path.extension().and_then(|it| it.to_str()), Some("csv" | "jsonl"));
    let rules = &project.settings.judge;
    for row in &rows {
        let may = rules.models || !row.judge.starts_with(MODEL);
        if !may || !rules.judges().contains(row.judge.as_str()) {
            return Err(DatasetError::NoJudge(row.judge.clone()));
        }
        if let Some(label) = row.label.as_ref().filter(|label| !rules.labels.contains(label)) {
            return Err(DatasetError::NoLabel(label.clone()));
        }
    }
    let (mut log, there) = Log::open(project)?;
    let ledger = load::ledger(project, &items, there.clone());
    let mut result = Imported::default();
    let mut new = Vec::new();
    for row in rows {
        let pair = ledger.index(&row.pair_id);
        // A row without a time of its own is new if it says something else.
        let stands = |pair: usize| {
            let said = ledger.said(pair).iter().find(|it| it.judge == row.judge);
            said.is_some_and(|it| it.verdict == row.verdict)
        };
        match pair {
            Some(_) if has_times && there.contains(&row) => result.known += 1,
            Some(pair) if !has_times && stands(pair) => result.known += 1,
            None => result.unknown += 1,
            Some(pair) if !items[pair].is_judged_by(&row) => result.changed += 1,
            Some(_) => new.push(row),
        }
    }
    result.rows = new.len() as u64;
    log.append(&new)?;
    Ok(result)
}

/// Verdicts of ValidateClones. Its judges do not see what others say. Undecided ones count as said.
fn verdicts(
    items: &[Item],
    input: BufReader<File>,
    judge: Option<&str>,
    at: &str,
) -> Result<Vec<Judgement>, ExchangeError> {
    let Some(judge) = judge else {
        let reason = "verdicts of ValidateClones name no judge: give --judge NAME".to_owned();
        return Err(ExchangeError::Line { line: 1, reason });
    };
    let mut by_fragments: BTreeMap<String, Vec<(String, &str)>> = BTreeMap::new();
    for (number, item) in (1..).zip(items) {
        let of_fragments = by_fragments.entry(item.fragments().join(",")).or_default();
        of_fragments.push((u64::to_string(&number), item.id.as_str()));
    }
    // Where several pairs have these fragments, the number of the clone says which one is meant.
    let id = |line: &validate_clones::Line| match by_fragments.get(&line.fragments).map(Vec::as_slice) {
        Some([(_, id)]) => Some(*id),
        Some(several) => several.iter().find(|(number, _)| *number == line.clone).map(|(_, id)| *id),
        None => None,
    };
    let row = |line: validate_clones::Line| Judgement {
        pair_id: id(&line).map_or(line.fragments.clone(), str::to_owned),
        judge: judge.to_owned(),
        verdict: Some(line.verdict),
        comment: String::new(),
        label: None,
        seconds: 0.0,
        at: at.to_owned(),
        blind: true,
        codes: None,
    };
    Ok(validate_clones::read_verdicts(input)?.into_iter().map(row).collect())
}
