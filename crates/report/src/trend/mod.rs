//! The result of `familiar trend` (`familiar.trend/1`, `docs/formats/trend.md`): how much is duplicated, tag by tag.
//!
//! `model` is the schema. `text` and `svg` are formats, as are JSON and CSV, which stand here.

use std::io;

use serde::Serialize;

use crate::formats::field;
use crate::{Settings, Tool};

mod model;
mod svg;
mod text;

pub use model::{Point, SCHEMA, SkippedTag, TrendReport};

/// How a trend is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    Text,
    /// `familiar.trend/1`.
    Json,
    /// One tag a line, with a header.
    Csv,
    /// A picture.
    Svg,
}

impl Format {
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Csv, Self::Svg];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Svg => "svg",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Writes `report` in `format`.
pub fn write(report: &TrendReport, format: Format, out: &mut dyn io::Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, out),
        Format::Json => json(report, out),
        Format::Csv => csv(report, out),
        Format::Svg => svg::write(report, out),
    }
}

fn json(report: &TrendReport, out: &mut dyn io::Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema: &'static str,
        tool: Tool,
        settings: &'r Settings,
        shallow: bool,
        points: &'r [Point],
        skipped: &'r [SkippedTag],
    }
    let TrendReport { settings, shallow, points, skipped } = report;
    let tool = Tool::default();
    let document = Document { schema: SCHEMA, tool, settings, shallow: *shallow, points, skipped };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn csv(report: &TrendReport, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "tag,commit,time,files,lines,duplicated_lines,duplication,classes,skipped")?;
    for point in &report.points {
        writeln!(
            out,
            "{},{},{},{},{},{},{:.4},{},{}",
            field(&point.tag),
            point.commit,
            point.time.as_deref().unwrap_or_default(),
            point.files,
            point.lines,
            point.duplicated_lines,
            point.duplication,
            point.classes,
            point.skipped,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(tag: &str, time: Option<&str>, lines: u64, duplicated_lines: u64) -> Point {
        Point {
            tag: tag.to_owned(),
            commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            time: time.map(|day| format!("{day}T12:00:00Z")),
            files: lines / 100,
            lines,
            duplicated_lines,
            duplication: duplicated_lines as f64 / lines.max(1) as f64,
            classes: duplicated_lines / 20,
            skipped: 1,
        }
    }

    fn report(points: Vec<Point>) -> TrendReport {
        let settings = Settings {
            granularity: vec!["function", "run"],
            types: vec![1, 2, 3],
            measure: "aligned",
            similarity: 0.7,
            renaming: "blind",
            min_tokens: 50,
            min_bits: None,
            min_lines: 5,
            max_gap_tokens: 10,
            changed_since: None,
            encoder: None,
            confidence: None,
            test_callbacks: None,
            validate: None,
            roots: vec![".".to_owned()],
        };
        let skipped = SkippedTag { tag: "old\u{1b}".to_owned(), reason: "object x is missing".to_owned() };
        TrendReport { settings, shallow: false, points, skipped: vec![skipped] }
    }

    fn hostile() -> TrendReport {
        report(vec![
            point("v1", None, 0, 0),
            point("</text><script>alert(1)</script>", Some("2024-01-31"), 9_800, 300),
            point("a,\"b\"&\u{202e}\u{1b}[31m", Some("2024-03-02"), 12_000, 1_100),
            point(
                "r\u{e9}l\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}se-of-a-very-long-name-2.0",
                Some("2025-12-24"),
                24_500,
                1_900,
            ),
        ])
    }

    fn written(report: &TrendReport, format: Format) -> String {
        let mut out = Vec::new();
        write(report, format, &mut out).expect("memory takes everything");
        String::from_utf8(out).expect("results are UTF-8")
    }

    #[test]
    fn every_format_survives_hostile_names() {
        for format in Format::ALL {
            let text = written(&hostile(), format);
            // What machines read has names as they are.
            let is_data = matches!(format, Format::Json | Format::Csv);
            assert!(is_data || !text.contains(['\u{1b}', '\u{202e}']), "{text}");
            insta::assert_snapshot!(format.name(), text);
        }
    }

    #[test]
    fn a_picture_has_a_place_for_one_point_and_for_many() {
        let one = written(&report(vec![point("v1", Some("2024-01-31"), 100, 0)]), Format::Svg);
        assert!(one.contains("v1") && !one.contains("NaN") && !one.contains("inf"), "{one}");
        let many =
            (0..500).map(|at| point(&format!("v{at}"), Some("2024-01-31"), 100 + at, at / 2)).collect();
        let many = written(&report(many), Format::Svg);
        let labels = many.matches("class=\"tag\"").count();
        assert!((10..60).contains(&labels), "{labels} labels");
        assert_eq!(many.matches("<circle").count(), 500);
    }
}
