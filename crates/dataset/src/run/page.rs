//! What several detectors find as one page for a browser: plots, and the tables beside them.

use std::fmt::Write as _;

use familiar_evaluate::page::{HEAD, escaped};
use familiar_source::words::counted;

use super::plot::{self, Bars, Curves};
use super::result::RunResult;
use super::share::Share;
use super::tables::{ACROSS, Row, SEMANTIC, Table, curves, tables};
use super::transformed::STEPS;
use super::used::Used;

pub(super) fn page(results: &[RunResult]) -> String {
    let benchmark = results.first().map_or("", |it| &it.benchmark);
    let title = format!("What detectors find of {}", escaped(benchmark));
    let mut page = format!(
        "{HEAD}<style>\n{}td {{ vertical-align: top }} td small {{ color: var(--soft) }} caption {{ text-align: left; color: var(--soft) }}\n\
         .scroll {{ overflow-x: auto }}\n</style>\n<title>{title}</title>\n<h1>{title}</h1>\n<p class=soft>{}</p>\n",
        plot::STYLE,
        about(results)
    );
    for (at, table) in tables(results).iter().enumerate() {
        let _ = writeln!(page, "<h2>{}</h2>\n<figure>", table.title);
        page += &bars(at, table, results).svg();
        page += "<figcaption>Recall with its 95 % interval. Of false semantic clones it is the share that is taken for clones.</figcaption></figure>\n";
        page += &written(table, results);
    }
    page + &robustness(results) + &taken(results)
}

/// Recall of pairs of which one side was rewritten.
fn robustness(results: &[RunResult]) -> String {
    let rows = curves(results);
    if rows.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Rewritten pairs</h2>\n".to_owned();
    for (id, kind) in [("rewritten", SEMANTIC), ("rewritten-across", ACROSS)] {
        let of_kind =
            rows.iter().filter(|row| row.1 == kind).map(|(name, _, shares)| (name.clone(), shares.clone()));
        let plot = Curves {
            id,
            title: kind,
            description: format!(
                "Recall of pairs, {kind}, by how often their second side was rewritten. The table below has all values."
            ),
            marks: STEPS.iter().map(ToString::to_string).collect(),
            axis: "steps",
            curves: of_kind.collect(),
        };
        if !plot.curves.is_empty() {
            let _ = writeln!(
                text,
                "<figure>{}<figcaption>Recall of pairs, {kind}, with 95 % intervals. Only pairs to which a step applies.</figcaption></figure>",
                plot.svg()
            );
        }
    }
    text += "<div class=scroll><table><tr><th scope=col>detector and set<th scope=col>type";
    text.extend(STEPS.map(|it| format!("<th scope=col class=number>{}", counted(it as u64, "step"))));
    for (name, kind, shares) in rows {
        let _ = write!(text, "\n<tr><td>{}<td>{kind}", escaped(&name));
        text.extend(shares.into_iter().map(cell));
    }
    text + "\n</table></div>\n"
}

/// Precision, time and memory, and what was reported in all.
fn taken(results: &[RunResult]) -> String {
    let mut text = "<h2>Precision, time and memory</h2>\n<div class=scroll><table><tr><th scope=col>detector\
                    <th scope=col class=number>pairs reported<th scope=col class=number>true of the pairs of the benchmark that it found\
                    <th scope=col class=number>true of a sample, by judges<th scope=col>took\n"
        .to_owned();
    for result in results {
        let used = result.used.as_ref().map_or_else(|| "not known".to_owned(), Used::in_words);
        let reported = result.reported.map_or_else(|| "–".to_owned(), |[all, _]| all.to_string());
        let judged = result.precision.judged.unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<tr><td>{}<td class=number>{reported}{}{}<td>{used}",
            escaped(&result.detector),
            cell(result.precision.pairs),
            cell(judged)
        );
    }
    text + "</table></div>\n"
}

/// What was measured, in a sentence.
fn about(results: &[RunResult]) -> String {
    let pairs: u64 =
        results.iter().map(|it| it.by_kind.values().map(|share| share.all).sum()).max().unwrap_or(0);
    let place = if results.iter().any(|it| it.injected || it.release.is_some()) {
        "They stand in files, and one is found if at least 70 % of the lines of both of its sides are covered."
    } else {
        "Each detector was asked about each of them."
    };
    format!("{}. {place}", counted(pairs, "pair"))
}

fn bars<'t>(at: usize, table: &'t Table, results: &[RunResult]) -> Bars<'t> {
    const IDS: [&str; 4] = ["types", "languages", "translations", "prompts"];
    let group = |row: &Row| {
        let name =
            if row.name == "all" { row.kind.to_owned() } else { format!("{}, {}", row.name, row.kind) };
        (name, row.shares.clone())
    };
    let names: Vec<String> = results.iter().map(|it| it.detector.clone()).collect();
    Bars {
        id: IDS[at % IDS.len()],
        title: table.title,
        description: format!(
            "Bars of the recall of {}, with intervals. The table below has all values.",
            names.join(", ")
        ),
        names,
        groups: table.rows.iter().map(group).collect(),
    }
}

fn written(table: &Table, results: &[RunResult]) -> String {
    let mut text = format!("<div class=scroll><table><tr><th scope=col>{}<th scope=col>type", table.heading);
    for result in results {
        // Writing to a string does not fail.
        let _ = write!(text, "<th scope=col class=number>{}", escaped(&result.detector));
    }
    for row in &table.rows {
        let _ = write!(text, "\n<tr><td>{}<td>{}", escaped(&row.name), row.kind);
        text.extend(row.shares.iter().map(|share| cell(*share)));
    }
    text + "\n</table></div>\n"
}

fn cell(share: Share) -> String {
    if share.all == 0 {
        return "<td class=number>–".to_owned();
    }
    format!(
        "<td class=number>{}<br><small>{}, {} of {}</small>",
        share.percent(),
        share.reach(),
        share.found,
        share.all
    )
}
