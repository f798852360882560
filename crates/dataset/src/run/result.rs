//! What a detector finds.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::inject::Kind;

/// What came of a detector; the schema `familiar.benchmark-run/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunResult {
    pub schema: &'static str,
    pub benchmark: String,
    pub detector: String,
    /// The least similarity of a clone, where the detector gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether the pairs stand in a system.
    pub injected: bool,
    pub by_kind: BTreeMap<&'static str, Share>,
    /// By languages and kind, such as `java type4`.
    pub by_language: BTreeMap<String, Share>,
    /// By prompt and kind.
    pub by_prompt: BTreeMap<String, Share>,
    /// True pairs of one language under 75 % by lines.
    pub semantic: Share,
    /// Of a system: pairs that were reported in all, and how many of them are of the benchmark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reported: Option<[u64; 2]>,
    /// Wall time of the search in seconds, where it was run here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// How many of how many pairs were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    pub found: u64,
    pub all: u64,
}

/// A pair, and whether it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'p> {
    pub kind: Kind,
    pub lang1: &'p str,
    pub lang2: &'p str,
    pub prompt: &'p str,
    pub is_found: bool,
}

impl Share {
    fn add(&mut self, is_found: bool) {
        self.found += u64::from(is_found);
        self.all += 1;
    }

    /// From 0 to 1; none of nothing.
    pub fn value(self) -> Option<f64> {
        (self.all > 0).then(|| self.found as f64 / self.all as f64)
    }

    /// The 95 % interval after Wilson (1927).
    pub fn interval(self) -> [f64; 2] {
        const Z: f64 = 1.96;
        let Some(share) = self.value() else { return [0.0, 1.0] };
        let all = self.all as f64;
        let middle = share + Z * Z / (2.0 * all);
        let reach = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        [middle - reach, middle + reach].map(|it| (it / (1.0 + Z * Z / all)).clamp(0.0, 1.0))
    }
}

impl RunResult {
    pub(super) const SCHEMA: &'static str = "familiar.benchmark-run/1";

    pub(super) fn new(benchmark: &str, detector: &str, injected: bool) -> Self {
        Self {
            schema: Self::SCHEMA,
            benchmark: benchmark.to_owned(),
            detector: detector.to_owned(),
            similarity: None,
            injected,
            by_kind: BTreeMap::new(),
            by_language: BTreeMap::new(),
            by_prompt: BTreeMap::new(),
            semantic: Share::default(),
            reported: None,
            seconds: None,
        }
    }

    pub(super) fn add(&mut self, pair: &Found<'_>) {
        let kind = pair.kind.name();
        self.by_kind.entry(kind).or_default().add(pair.is_found);
        if pair.kind == Kind::Control {
            return;
        }
        let languages = if pair.lang1 == pair.lang2 {
            pair.lang1.to_owned()
        } else {
            format!("{}-{}", pair.lang1, pair.lang2)
        };
        self.by_language.entry(format!("{languages} {kind}")).or_default().add(pair.is_found);
        self.by_prompt.entry(format!("{} {kind}", pair.prompt)).or_default().add(pair.is_found);
        if matches!(pair.kind, Kind::Type3 | Kind::Type4) {
            self.semantic.add(pair.is_found);
        }
    }

    /// For people: recall with its interval.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let place = if self.injected { ", in a system" } else { "" };
        let least = self.similarity.map(|it| format!(" from {it}")).unwrap_or_default();
        writeln!(out, "{} on {}{least}{place}", self.detector, self.benchmark)?;
        writeln!(out, "{:<40} {:>8} {:>8} {:>9}   95 %", "", "found", "of", "share")?;
        row(out, "true semantic clones of one language", self.semantic)?;
        for (name, share) in &self.by_kind {
            row(out, name, *share)?;
        }
        for (name, share) in self.by_language.iter().chain(&self.by_prompt) {
            row(out, &format!("  {name}"), *share)?;
        }
        if let Some([all, ours]) = self.reported {
            writeln!(out, "{all} pairs reported, {ours} of them of the benchmark")?;
        }
        Ok(())
    }

    /// Rows for a table of several detectors.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "detector,group,found,all,share")?;
        for (name, share) in self.rows() {
            let value = share.value().map(|it| it.to_string()).unwrap_or_default();
            writeln!(out, "{},{name},{},{},{value}", quoted(&self.detector), share.found, share.all)?;
        }
        Ok(())
    }

    /// A table for a paper.
    pub fn write_latex(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\\begin{{tabular}}{{lrrr}}\n & found & of & share \\\\ \\hline")?;
        for (name, share) in self.rows() {
            let value = share.value().map_or_else(|| "--".to_owned(), |it| format!("{it:.3}"));
            writeln!(out, "{} & {} & {} & {value} \\\\", escaped(&name), share.found, share.all)?;
        }
        writeln!(out, "\\end{{tabular}}")
    }

    fn rows(&self) -> Vec<(String, Share)> {
        let mut rows = vec![("semantic".to_owned(), self.semantic)];
        rows.extend(self.by_kind.iter().map(|(name, share)| ((*name).to_owned(), *share)));
        let parts = self.by_language.iter().chain(&self.by_prompt);
        rows.extend(parts.map(|(name, share)| (name.clone(), *share)));
        rows
    }
}

fn row(out: &mut dyn Write, name: &str, share: Share) -> io::Result<()> {
    let value = share.value().map_or_else(|| "-".to_owned(), |it| format!("{:.1} %", it * 100.0));
    let [low, high] = share.interval().map(|it| it * 100.0);
    writeln!(out, "{name:<40} {:>8} {:>8} {value:>9}   {low:.1} to {high:.1}", share.found, share.all)
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn escaped(text: &str) -> String {
    text.replace('_', "\\_").replace('#', "\\#").replace('%', "\\%").replace('&', "\\&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_share() {
        let share = Share { found: 8, all: 10 };
        let [low, high] = share.interval();
        assert!((low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        assert_eq!(Share::default().interval(), [0.0, 1.0]);
    }
}
