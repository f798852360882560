//! Writes the pairs that were drawn, as `familiar clones --format ndjson` writes pairs.

use std::fs;
use std::io;
use std::path::Path;

use familiar_detectors::{Region, Reported};
use familiar_report::{CloneReport, Format, PairRow, PairSource, Style};
use familiar_source::Language;
use familiar_syntax::{Parser, Want, detect};
use serde_json::{Value, json};

use super::matcher::Matcher;
use crate::error::DatasetError;
use crate::lines;

/// Some pairs of a result.
struct Drawn(Vec<PairRow>);

impl PairSource for Drawn {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        self.0.iter().try_for_each(visit)
    }
}

/// Writes pairs of our own result.
pub(super) fn write_ours(
    mut report: CloneReport,
    pairs: Vec<PairRow>,
    path: &Path,
) -> Result<(), DatasetError> {
    report.all_pairs = Box::new(Drawn(pairs));
    let style = Style { color: false, width: 0, show: None };
    let mut text = Vec::new();
    familiar_report::write(&report, Format::Ndjson, style, &mut text)
        .map_err(|source| DatasetError::Write { path: path.to_owned(), source })?;
    let mut writer = lines::Writer::create(path)?;
    writer.text(&text)?;
    writer.finish()
}

/// Writes pairs that another detector reported. What it did not say, such as the similarity, is left out.
pub(super) fn write_theirs(
    matcher: &Matcher,
    folder: &Path,
    pairs: &[Reported],
    path: &Path,
) -> Result<(), DatasetError> {
    let mut parser = Parser::default();
    let mut side = |region: &Region| fragment(matcher, folder, region, &mut parser);
    let row = |pair: &Reported| Ok(json!({ "left": side(&pair.left)?, "right": side(&pair.right)? }));
    let rows = pairs.iter().map(row).collect::<Result<Vec<Value>, DatasetError>>()?;
    lines::write(path, &rows)
}

/// A region with the keys that a fragment has.
fn fragment(
    matcher: &Matcher,
    folder: &Path,
    region: &Region,
    parser: &mut Parser,
) -> Result<Value, DatasetError> {
    let name = matcher.names(&region.path).find(|name| folder.join(name).is_file()).unwrap_or(&region.path);
    let file = folder.join(name);
    let text = fs::read(&file).map_err(|source| DatasetError::Read { path: file.clone(), source })?;
    let mut starts = vec![0];
    starts.extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    // The byte where a line begins; lines count from 1.
    let start_of = |line: u32| starts.get(line.saturating_sub(1) as usize).copied().unwrap_or(text.len());
    let (start, end) = (start_of(region.start), start_of(region.end.saturating_add(1)));
    let language = detect::by_name(name).unwrap_or(Language::Other);
    let tokens = parser.parse(language, &text[start..end.max(start)], Want::default()).tokens.len();
    Ok(json!({
        "project": folder.to_string_lossy(), "path": name, "root": 0, "language": language.name(), "kind": "run", "name": "",
        "start_line": region.start, "end_line": region.end, "start_byte": start, "end_byte": end, "tokens": tokens,
    }))
}
