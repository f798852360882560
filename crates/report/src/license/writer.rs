//! Writes the licenses of files one after another, so that no result is too large.

use std::io::{self, Write};

use serde::Serialize;

use super::counts::Counts;
use super::{LayerRow, LicensedFile, NotRead, PackageRow, SCHEMA, text};
use crate::formats::csv::field;
use crate::{Format, Tool};

const HEADER: &str =
    "path,expression,layer,layer_expression,layer_path,start_line,end_line,score,rule,disagrees,evidence";

/// Writes a result in text, JSON, one file a line, or one layer a line.
pub struct LicenseWriter<'o> {
    format: Format,
    out: &'o mut dyn Write,
    counts: Counts,
}

/// From this number of files on, a text begins with a summary, too.
const LONG: u64 = 20;

/// What is known of a result once all of it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub files: u64,
    /// What a long text shall begin with.
    pub head: Option<String>,
}

#[derive(Serialize)]
struct Summary<'c> {
    files: u64,
    /// Files of which some layer says something else than what counts.
    disagreeing: u64,
    expressions: Vec<Count<'c>>,
}

#[derive(Serialize)]
struct Count<'c> {
    expression: Option<&'c str>,
    files: u64,
}

impl<'o> LicenseWriter<'o> {
    pub fn start(format: Format, out: &'o mut dyn Write) -> io::Result<Self> {
        match format {
            Format::Json => {
                write!(out, "{{\"schema\": \"{SCHEMA}\", \"tool\": ")?;
                serde_json::to_writer(&mut *out, &Tool::default())?;
                write!(out, ", \"files\": [")?;
            }
            Format::Csv => writeln!(out, "{HEADER}")?,
            _ => {}
        }
        Ok(Self { format, out, counts: Counts::default() })
    }

    /// Writes a file; they come in the order of their paths.
    pub fn file(&mut self, file: &LicensedFile) -> io::Result<()> {
        match self.format {
            Format::Json => {
                self.out.write_all(if self.counts.files == 0 { b"\n" } else { b",\n" })?;
                serde_json::to_writer(&mut *self.out, file)?;
            }
            Format::Ndjson => {
                serde_json::to_writer(&mut *self.out, file)?;
                writeln!(self.out)?;
            }
            Format::Csv => file.layers.iter().try_for_each(|layer| self.row(file, layer))?,
            _ => text::file(file, self.out)?,
        }
        self.counts.files += 1;
        self.counts.disagreeing += u64::from(file.layers.iter().any(|layer| layer.disagrees));
        *self.counts.expressions.entry(file.expression.clone()).or_default() += 1;
        Ok(())
    }

    fn row(&mut self, file: &LicensedFile, layer: &LayerRow) -> io::Result<()> {
        let text = |text: &Option<String>| field(text.as_deref().unwrap_or_default()).into_owned();
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let columns = [
            field(&file.path).into_owned(),
            text(&file.expression),
            layer.layer.to_owned(),
            text(&layer.expression),
            text(&layer.path),
            number(layer.start_line),
            number(layer.end_line),
            layer.score.map(|score| score.to_string()).unwrap_or_default(),
            text(&layer.rule),
            layer.disagrees.to_string(),
            field(&layer.evidence).into_owned(),
        ];
        writeln!(self.out, "{}", columns.join(","))
    }

    /// Writes what is told of all files together.
    pub fn end(self, packages: &[PackageRow], skipped: &[NotRead]) -> io::Result<Ended> {
        let ended = Ended {
            files: self.counts.files,
            head: (self.format == Format::Text && self.counts.files > LONG).then(|| text::head(&self.counts)),
        };
        self.write_end(packages, skipped)?;
        Ok(ended)
    }

    fn write_end(self, packages: &[PackageRow], skipped: &[NotRead]) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let expressions = self.counts.ordered().into_iter();
                let expressions =
                    expressions.map(|(expression, files)| Count { expression, files }).collect();
                let (files, disagreeing) = (self.counts.files, self.counts.disagreeing);
                write!(self.out, "\n], \"packages\": ")?;
                serde_json::to_writer(&mut *self.out, packages)?;
                write!(self.out, ",\n\"skipped\": ")?;
                serde_json::to_writer(&mut *self.out, skipped)?;
                write!(self.out, ",\n\"summary\": ")?;
                serde_json::to_writer(&mut *self.out, &Summary { files, disagreeing, expressions })?;
                writeln!(self.out, "}}")
            }
            Format::Text => text::end(&self.counts, packages, skipped, self.out),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: Format) -> String {
        let layer = |layer, expression: &str, disagrees| LayerRow {
            layer,
            expression: Some(expression.to_owned()),
            evidence: "a, \u{1b}notice".to_owned(),
            path: Some("a.c".to_owned()),
            start_line: Some(1),
            end_line: Some(2),
            score: Some(1.0),
            rule: Some("mit.RULE".to_owned()),
            disagrees,
            text: None,
        };
        let file = LicensedFile {
            path: "a.c".to_owned(),
            path_bytes: None,
            expression: Some("MIT".to_owned()),
            by: "file-notice",
            ids: vec!["MIT".to_owned()],
            layers: vec![layer("file-notice", "MIT", false), layer("license-file", "ISC", true)],
            copyrights: Vec::new(),
            page_text: None,
        };
        let none = LicensedFile {
            path: "b,c".to_owned(),
            expression: None,
            by: "none",
            ids: Vec::new(),
            layers: vec![LayerRow { layer: "none", ..LayerRow::default() }],
            ..file.clone()
        };
        let package = PackageRow {
            purl: "pkg:cargo/a@1".to_owned(),
            name: "a".to_owned(),
            version: Some("1".to_owned()),
            path: String::new(),
            expression: Some("MIT".to_owned()),
        };
        let skipped = NotRead { path: "x.bin".to_owned(), path_bytes: None, reason: "binary".to_owned() };
        let mut out = Vec::new();
        let mut writer = LicenseWriter::start(format, &mut out).expect("memory");
        for file in [file, none] {
            writer.file(&file).expect("memory");
        }
        writer.end(&[package], &[skipped]).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn text_shows_every_layer_and_sums_up() {
        insta::assert_snapshot!(written(Format::Text));
    }

    #[test]
    fn csv_has_a_layer_a_line() {
        insta::assert_snapshot!(written(Format::Csv));
    }

    #[test]
    fn json_is_one_document_and_ndjson_one_a_file() {
        let whole: serde_json::Value = serde_json::from_str(&written(Format::Json)).expect("valid");
        assert_eq!(whole["summary"]["files"], 2);
        let lines = written(Format::Ndjson);
        let rows: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("valid")).collect();
        assert_eq!(serde_json::Value::from(rows), whole["files"]);
    }
}
