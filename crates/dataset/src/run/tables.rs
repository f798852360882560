//! Shares of several detectors side by side: the tables of a paper (GPTCloneBench, Tables V and VI).

use std::collections::BTreeMap;

use familiar_source::language_called;

use super::result::RunResult;
use super::share::Share;
use super::transformed::Point;

/// A row for each group of pairs, and a column for each detector.
pub(super) struct Table {
    pub(super) title: &'static str,
    /// What the first cells of a row are.
    pub(super) heading: &'static str,
    pub(super) rows: Vec<Row>,
}

/// A group of pairs.
pub(super) struct Row {
    pub(super) name: String,
    /// The type of its pairs, in words.
    pub(super) kind: &'static str,
    /// What each detector found of it.
    pub(super) shares: Vec<Share>,
}

pub(super) const SEMANTIC: &str = "Type-3 and Type-4";
pub(super) const ACROSS: &str = "across languages";
/// The kinds of pairs in the order of the tables, in words.
const KINDS: [(&str, &str); 5] = [
    ("type3", "Type-3"),
    ("type4", "Type-4"),
    ("cross-language", ACROSS),
    ("false", "false semantic clones"),
    ("control", "controls"),
];

/// The tables that have rows: all pairs by type, pairs of one language (Table V), translations (Table VI), and all by prompt.
pub(super) fn tables(results: &[RunResult]) -> Vec<Table> {
    let mut by_type = vec![Row {
        name: "all".to_owned(),
        kind: SEMANTIC,
        shares: results.iter().map(|it| it.semantic).collect(),
    }];
    let kinds =
        |it: &RunResult| it.by_kind.iter().map(|(kind, share)| (format!("all {kind}"), *share)).collect();
    by_type.extend(rows(results, kinds));
    let languages = rows(results, |it| it.by_language.clone());
    // A pair that people judged to be false has two languages, too.
    let is_across = |row: &Row| row.kind == ACROSS || language_called(&row.name).is_none();
    let (across, within): (Vec<Row>, Vec<Row>) = languages.into_iter().partition(is_across);
    let tables = [
        Table { title: "By type", heading: "pairs", rows: by_type },
        Table { title: "Pairs of one language", heading: "language", rows: within },
        Table { title: "Translations", heading: "languages", rows: across },
        Table { title: "By prompt", heading: "prompt", rows: rows(results, |it| it.by_prompt.clone()) },
    ];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The groups that some detector was asked about. Their names end with their kind.
fn rows(results: &[RunResult], of: impl Fn(&RunResult) -> BTreeMap<String, Share>) -> Vec<Row> {
    let mut all: BTreeMap<String, Vec<Share>> = BTreeMap::new();
    for (at, result) in results.iter().enumerate() {
        for (name, share) in of(result) {
            all.entry(name).or_insert_with(|| vec![Share::default(); results.len()])[at] = share;
        }
    }
    let row = |(name, shares): (String, Vec<Share>)| {
        let (name, kind) = name.rsplit_once(' ').unwrap_or(("", &name));
        let at = KINDS.iter().position(|(known, _)| *known == kind).unwrap_or(0);
        (name.to_owned(), at, shares)
    };
    let mut all: Vec<(String, usize, Vec<Share>)> = all.into_iter().map(row).collect();
    all.sort();
    all.into_iter().map(|(name, at, shares)| Row { name, kind: KINDS[at].1, shares }).collect()
}

/// What was found after each number of steps: a row for each detector, set and kind of pairs.
pub(super) fn curves(results: &[RunResult]) -> Vec<(String, &'static str, Vec<Share>)> {
    let mut rows = Vec::new();
    let all = results.iter().flat_map(|result| result.transformed.iter().map(move |curve| (result, curve)));
    for (result, curve) in all {
        let name = format!("{}, {}", result.detector, curve.set);
        let of = |share: &dyn Fn(&Point) -> Share| curve.points.iter().map(share).collect::<Vec<Share>>();
        rows.push((name.clone(), SEMANTIC, of(&|point| point.semantic)));
        for (kind, words) in KINDS {
            rows.push((
                name.clone(),
                words,
                of(&|point| point.by_kind.get(kind).copied().unwrap_or_default()),
            ));
        }
    }
    rows.retain(|(_, _, shares)| shares.iter().any(|it| it.all > 0));
    rows
}
