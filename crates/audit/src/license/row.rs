//! What is known of one file, as it is reported.

use std::collections::BTreeSet;

use familiar_license::infer::{conclude_file, file_layers_at};
use familiar_license::{Conclusion, Declarations, Detector, Layer, LayerKind, copyrights, text};
use familiar_report::license::{CopyrightRow, LayerRow, LicensedFile, PageText};
use familiar_syntax::decode;

use crate::surroundings::Surroundings;
use crate::tree_declarations;

/// What it takes to make the row of a file.
pub(super) struct RowMaker<'a> {
    pub(super) declarations: &'a Declarations,
    pub(super) surroundings: &'a Surroundings,
    /// Whether lines that say something are given, too.
    pub(super) text: bool,
    /// Whether files come with their text.
    pub(super) page_text: bool,
}

/// The row of a file, and why its content was not read.
pub(super) struct FileOutcome {
    pub(super) file: Option<LicensedFile>,
    pub(super) skip: Option<String>,
}

impl RowMaker<'_> {
    /// Reads the file at `path`; `more` is what else speaks for it. What is declared of a file without text counts as well.
    pub(super) fn file(
        &self,
        path: &str,
        path_bytes: Option<&[u8]>,
        bytes: &[u8],
        more: Option<Layer>,
    ) -> FileOutcome {
        match decode::decode(bytes) {
            Ok(decoded) => {
                let text = text::of(&decoded.text);
                FileOutcome { file: Some(self.row(path, path_bytes, Some(&text), more)), skip: None }
            }
            Err(reason) => self.without_text(path, path_bytes, reason.to_string()),
        }
    }

    /// What others say of a file that is not read.
    pub(super) fn without_text(&self, path: &str, path_bytes: Option<&[u8]>, reason: String) -> FileOutcome {
        let mut row = self.row(path, path_bytes, None, None);
        row.page_text = self.page_text.then(|| PageText::Missing(reason.clone()));
        FileOutcome { file: Some(row).filter(|row| row.by != LayerKind::None.name()), skip: Some(reason) }
    }

    fn row(
        &self,
        path: &str,
        path_bytes: Option<&[u8]>,
        text: Option<&str>,
        more: Option<Layer>,
    ) -> LicensedFile {
        let mut layers =
            text.map_or_else(Vec::new, |text| file_layers_at(path, text, &Detector::embedded().detect(text)));
        layers.extend(tree_declarations::layers(self.declarations, self.surroundings, path));
        layers.extend(more);
        layers.sort_by_key(|layer| layer.kind);
        let concluded = conclude_file(&layers);
        let copyrights = text.map_or_else(Vec::new, copyright_rows);
        let of_file = layers.iter().filter(|layer| layer.kind.is_of_file());
        let ids: BTreeSet<String> = of_file
            .filter_map(|layer| layer.expression.as_ref())
            .flat_map(familiar_license::Expression::ids)
            .collect();
        if layers.is_empty() {
            layers.push(nothing());
        }
        LicensedFile {
            path: path.to_owned(),
            path_bytes: path_bytes.map(<[u8]>::to_vec),
            expression: concluded.expression.as_ref().map(ToString::to_string),
            by: concluded.by.name(),
            ids: ids.into_iter().collect(),
            layers: layers.iter().map(|layer| self.layer(path, text, layer, &concluded)).collect(),
            page_text: text
                .filter(|_| self.page_text)
                .map(|text| PageText::of(text, last_line(&layers, &copyrights))),
            copyrights,
        }
    }

    fn layer(&self, path: &str, text: Option<&str>, layer: &Layer, concluded: &Conclusion) -> LayerRow {
        let is_in_text = is_in_text(layer.kind);
        let lines = layer.lines.filter(|_| self.text && is_in_text);
        LayerRow {
            layer: layer.kind.name(),
            expression: layer.expression.as_ref().map(ToString::to_string),
            evidence: layer.evidence.clone(),
            path: layer.path.clone().or_else(|| is_in_text.then(|| path.to_owned())),
            start_line: layer.lines.map(|lines| lines.0),
            end_line: layer.lines.map(|lines| lines.1),
            score: layer.score.map(|score| (f64::from(score) * 10_000.0).round() / 10_000.0),
            rule: layer.rule.clone(),
            disagrees: concluded.disagreements.contains(layer),
            text: Option::zip(text, lines).map(|(text, lines)| lines_of(text, lines)),
        }
    }
}

/// The last line of the file itself that says something, from 1; 0 where none does.
fn last_line(layers: &[Layer], copyrights: &[CopyrightRow]) -> u32 {
    let of_file = layers.iter().filter(|layer| is_in_text(layer.kind)).filter_map(|layer| layer.lines);
    let ends = of_file.map(|lines| lines.1).chain(copyrights.iter().map(|row| row.end_line));
    ends.max().unwrap_or(0)
}

/// Whether it speaks by lines of the file itself.
fn is_in_text(kind: LayerKind) -> bool {
    matches!(kind, LayerKind::SnippetTag | LayerKind::FileTag | LayerKind::FileNotice)
}

/// The layer of a file for which nothing speaks.
fn nothing() -> Layer {
    let (expression, path, lines, score, rule) = (None, None, None, None, None);
    let evidence = "nothing speaks for the license of this file".to_owned();
    Layer { kind: LayerKind::None, expression, evidence, path, lines, score, rule }
}

fn copyright_rows(text: &str) -> Vec<CopyrightRow> {
    let row = |found: familiar_license::Copyright| CopyrightRow {
        statement: found.statement,
        holder: found.holder,
        start_line: found.lines.0,
        end_line: found.lines.1,
    };
    copyrights(text).into_iter().map(row).collect()
}

fn lines_of(text: &str, (start, end): (u32, u32)) -> String {
    let (start, end) = (start.max(1) as usize - 1, end as usize);
    text.lines().skip(start).take(end.saturating_sub(start)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(lines_of("a\r\nb\nc\n", (2, 3)), "b\nc");
        assert_eq!(lines_of("a", (1, 9)), "a");
        assert_eq!(lines_of("a", (3, 9)), "");
    }
}
