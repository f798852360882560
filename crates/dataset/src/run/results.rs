//! What came of several detectors, and how it is written. `page` has the page for a browser.

use std::io::{self, Write};

use super::page;
use super::result::RunResult;
use super::share::Share;
use super::tables::{Table, curves, tables};
use super::transformed::STEPS;
use super::used::Used;

/// What came of some detectors, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results(pub Vec<RunResult>);

impl Results {
    /// One document of the schema `familiar.benchmark-run/1`, or a list of them where there are several.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.0.as_slice() {
            [one] => serde_json::to_writer_pretty(&mut *out, one)?,
            several => serde_json::to_writer_pretty(&mut *out, several)?,
        }
        writeln!(out)
    }

    /// For people: recall with its interval.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, result) in self.0.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            text(result, out)?;
        }
        Ok(())
    }

    /// Every share as one row, and time and memory where they are known. Their value stands in the column of shares.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "detector,group,found,all,share,low,high")?;
        for result in &self.0 {
            for (name, share) in result.rows() {
                let value = share.value().map(|it| it.to_string()).unwrap_or_default();
                let ([low, high], Share { found, all }) = (share.interval(), share);
                writeln!(
                    out,
                    "{},{},{found},{all},{value},{low},{high}",
                    quoted(&result.detector),
                    quoted(&name)
                )?;
            }
            for (name, value) in result.used.iter().flat_map(Used::values) {
                writeln!(out, "{},{name},,,{value},,", quoted(&result.detector))?;
            }
        }
        Ok(())
    }

    /// Tables for a paper, with a column for each detector.
    pub fn write_latex(&self, out: &mut dyn Write) -> io::Result<()> {
        for table in tables(&self.0) {
            self.latex(&table, out)?;
        }
        self.latex_curves(out)?;
        self.latex_taken(out)
    }

    fn latex_taken(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "% Precision in percent, on pairs of the benchmark and on judged ones; time and memory"
        )?;
        writeln!(out, "\\begin{{tabular}}{{lrrrrr}}")?;
        writeln!(out, "detector & of pairs & of judged & s & CPU s & MiB \\\\ \\hline")?;
        for result in &self.0 {
            let (pairs, judged) =
                (cell(result.precision.pairs), cell(result.precision.judged.unwrap_or_default()));
            let used = result.used.as_ref().map_or_else(|| ["--"; 3].map(str::to_owned), Used::cells);
            writeln!(out, "{} & {pairs} & {judged} & {} \\\\", escaped(&result.detector), used.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")
    }

    fn latex(&self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<String> = self.0.iter().map(|it| escaped(&it.detector)).collect();
        writeln!(out, "% {}: recall in percent", table.title)?;
        writeln!(out, "\\begin{{tabular}}{{llr{}}}", "r".repeat(names.len()))?;
        writeln!(out, "{} & type & of & {} \\\\ \\hline", table.heading, names.join(" & "))?;
        for row in &table.rows {
            let of = row.shares.iter().map(|it| it.all).max().unwrap_or(0);
            let cells: Vec<String> = row.shares.iter().copied().map(cell).collect();
            writeln!(out, "{} & {} & {of} & {} \\\\", escaped(&row.name), row.kind, cells.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")
    }

    fn latex_curves(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = curves(&self.0);
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "% Recall in percent by the number of rewriting steps")?;
        writeln!(out, "\\begin{{tabular}}{{llr{}}}", "r".repeat(STEPS.len()))?;
        writeln!(
            out,
            "detector and set & type & of & {} \\\\ \\hline",
            STEPS.map(|it| it.to_string()).join(" & ")
        )?;
        for (name, kind, shares) in rows {
            let cells: Vec<String> = shares.iter().copied().map(cell).collect();
            writeln!(out, "{} & {kind} & {} & {} \\\\", escaped(&name), shares[0].all, cells.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}")
    }

    /// One page for a browser, with plots.
    pub fn write_html(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(page::page(&self.0).as_bytes())
    }
}

fn text(result: &RunResult, out: &mut dyn Write) -> io::Result<()> {
    let place = match &result.release {
        Some(version) => format!(", as the files of release {version}"),
        None if result.injected => ", in a system".to_owned(),
        None => String::new(),
    };
    let least = result.similarity.map(|it| format!(" from {it}")).unwrap_or_default();
    writeln!(out, "{} on {}{least}{place}", result.detector, result.benchmark)?;
    writeln!(out, "{:<40} {:>8} {:>8} {:>9}   95 %", "", "found", "of", "share")?;
    row(out, "true semantic clones of one language", result.semantic)?;
    for (name, share) in &result.by_kind {
        row(out, name, *share)?;
    }
    for (name, share) in result.by_language.iter().chain(&result.by_prompt) {
        row(out, &format!("  {name}"), *share)?;
    }
    if let Some([all, ours]) = result.reported {
        writeln!(out, "{all} pairs reported, {ours} of them of the benchmark")?;
    }
    for (name, kind, shares) in curves(std::slice::from_ref(result)) {
        let shares: Vec<String> = shares.iter().map(|it| it.percent()).collect();
        writeln!(out, "rewritten {STEPS:?} times, {name}, {kind}: {}", shares.join("  "))?;
    }
    row(out, "precision on pairs of the benchmark", result.precision.pairs)?;
    if let Some(judged) = result.precision.judged {
        row(out, "precision on judged pairs", judged)?;
        writeln!(out, "{} judged pairs are undecided", result.precision.undecided.unwrap_or(0))?;
    }
    match &result.used {
        Some(used) => writeln!(out, "{}", used.in_words()),
        None => writeln!(out, "time and memory are not known: it was run elsewhere"),
    }
}

/// In percent, for LaTeX.
fn cell(share: Share) -> String {
    share.value().map_or_else(|| "--".to_owned(), |it| format!("{:.1}", it * 100.0))
}

fn row(out: &mut dyn Write, name: &str, share: Share) -> io::Result<()> {
    let (value, [low, high]) = (share.percent(), share.interval().map(|it| it * 100.0));
    writeln!(out, "{name:<40} {:>8} {:>8} {value:>9}   {low:.1} to {high:.1}", share.found, share.all)
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A text for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '_' | '#' | '%' | '&' | '{' | '}' | '$' => out.extend(['\\', letter]),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_time_and_memory_where_they_are_known() {
        let result = |detector: &str, used: Option<Used>| RunResult {
            used,
            ..RunResult::new("b", detector, &crate::run::On::Pairs)
        };
        let used = Used { seconds: 1.5, cpu_seconds: 2.25, memory: Some(1024) };
        let unknown = Used { memory: None, ..used };
        let results = Results(vec![
            result("a,b", Some(used)),
            result("c", Some(unknown)),
            result("output:jscpd:r.json", None),
        ]);
        let mut out = Vec::new();
        results.write_csv(&mut out).expect("it is written");
        let text = String::from_utf8(out).expect("text");
        let rows: Vec<&str> = text.lines().filter(|row| row.ends_with(",,")).collect();
        assert_eq!(
            rows,
            [
                "\"a,b\",seconds,,,1.5,,",
                "\"a,b\",cpu_seconds,,,2.25,,",
                "\"a,b\",memory,,,1024,,",
                "c,seconds,,,1.5,,",
                "c,cpu_seconds,,,2.25,,",
            ]
        );
    }

    #[test]
    fn names_are_no_commands_of_latex() {
        assert_eq!(escaped("a_b"), "a\\_b");
        assert_eq!(
            escaped("\\input{x}~^$%"),
            "\\textbackslash{}input\\{x\\}\\textasciitilde{}\\textasciicircum{}\\$\\%"
        );
    }
}
