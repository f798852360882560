//! `licenses`: what blobs say of their own license, where the text that says it is not kept.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use familiar_source::BlobId;

use super::Table;

#[derive(Clone, Debug, PartialEq)]
pub struct LicenseRow {
    pub blob: BlobId,
    /// What of the blob speaks: a tag, a notice.
    pub layer: String,
    /// SPDX license expression.
    pub expression: Option<String>,
    pub evidence: String,
    /// First and last line, from 1.
    pub lines: Option<(u32, u32)>,
    /// How much of the rule was found and how sure the rule is, in [0, 1].
    pub score: Option<f64>,
    pub rule: Option<String>,
}

#[derive(Debug, Default)]
pub struct Licenses {
    text: [StringBuilder; TEXT.len()],
    lines: [UInt32Builder; LINES.len()],
    score: Float64Builder,
}

/// Names of the columns of text, and whether each may be empty.
const TEXT: [(&str, bool); 5] =
    [("blob", false), ("layer", false), ("expression", true), ("evidence", false), ("rule", true)];
const LINES: [&str; 2] = ["start_line", "end_line"];
const SCORE: &str = "score";

impl Table for Licenses {
    const NAME: &'static str = "licenses";
    type Row = LicenseRow;

    fn fields() -> Vec<Field> {
        let text = TEXT.iter().map(|&(name, empty)| Field::new(name, DataType::Utf8, empty));
        let lines = LINES.iter().map(|&name| Field::new(name, DataType::UInt32, true));
        text.chain(lines).chain([Field::new(SCORE, DataType::Float64, true)]).collect()
    }

    fn push(&mut self, row: &LicenseRow) {
        let blob = row.blob.to_string();
        let text = [
            Some(blob.as_str()),
            Some(&row.layer),
            row.expression.as_deref(),
            Some(&row.evidence),
            row.rule.as_deref(),
        ];
        self.text.iter_mut().zip(text).for_each(|(column, value)| column.append_option(value));
        let lines = [row.lines.map(|lines| lines.0), row.lines.map(|lines| lines.1)];
        self.lines.iter_mut().zip(lines).for_each(|(column, line)| column.append_option(line));
        self.score.append_option(row.score);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        let text = self.text.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let mut columns: Vec<ArrayRef> = text.collect();
        columns.extend(self.lines.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.score.finish()));
        columns
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(LicenseRow)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let line = |name| batch.column_by_name(name)?.as_primitive_opt::<UInt32Type>();
        let [blob, layer, evidence] = [text("blob")?, text("layer")?, text("evidence")?];
        let [expression, rule] = [text("expression")?, text("rule")?];
        let [start, end] = [line(LINES[0])?, line(LINES[1])?];
        let score = batch.column_by_name(SCORE)?.as_primitive_opt::<Float64Type>()?;
        for at in 0..batch.num_rows() {
            let optional = |column: &arrow_array::StringArray| {
                (!column.is_null(at)).then(|| column.value(at).to_owned())
            };
            let has_lines = !start.is_null(at) && !end.is_null(at);
            row(LicenseRow {
                blob: blob.value(at).parse().ok()?,
                layer: layer.value(at).to_owned(),
                expression: optional(expression),
                evidence: evidence.value(at).to_owned(),
                lines: has_lines.then(|| (start.value(at), end.value(at))),
                score: (!score.is_null(at)).then(|| score.value(at)),
                rule: optional(rule),
            });
        }
        Some(())
    }

    fn bytes(row: &LicenseRow) -> usize {
        let optional = [&row.expression, &row.rule];
        80 + row.evidence.len() + optional.into_iter().flatten().map(String::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were_pushed() {
        let full = LicenseRow {
            blob: BlobId([7; 20]),
            layer: "file-notice".to_owned(),
            expression: Some("MIT OR Apache-2.0".to_owned()),
            evidence: "a notice".to_owned(),
            lines: Some((2, 9)),
            score: Some(0.875),
            rule: Some("mit_12".to_owned()),
        };
        let bare = LicenseRow { expression: None, lines: None, score: None, rule: None, ..full.clone() };
        let mut table = Licenses::default();
        table.push(&full);
        table.push(&bare);
        let schema = Arc::new(arrow_schema::Schema::new(Licenses::fields()));
        let batch = RecordBatch::try_new(schema, table.columns()).expect("columns of the fields");
        let mut read = Vec::new();
        Licenses::rows(&batch, &mut |row| read.push(row)).expect("all columns");
        assert_eq!(read, [full, bare]);
    }
}
