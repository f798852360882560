//! The result in numbers, and the rows that only count or quote.

use std::collections::BTreeMap;

use familiar_corpus::Skip;
use familiar_report::{ClassRow, Excerpt, Skipped, Summary};
use familiar_search::Matches;
use familiar_search::classes::Class;
use familiar_source::{LineIndex, Lines};
use familiar_syntax::{decode, generated::Artifact};

use crate::ingest::Ingested;
use crate::resolve::Text;
use familiar_corpus::input::Input;

/// Everything of the summary that does not depend on the classes.
pub(crate) fn of_input(ingested: &Ingested) -> Summary {
    let is_artifact = |skip: &&Skip| {
        [Artifact::Generated, Artifact::Minified].iter().any(|artifact| artifact.reason() == skip.reason)
    };
    Summary {
        files: ingested.files.len() as u64,
        bytes: ingested.bytes,
        lines: ingested.lines,
        fragments: ingested.collection.fragments.len() as u64,
        tokens: ingested.collection.tokens.total(),
        ignored_lines: ingested.ignored_lines,
        generated: ingested.skips.iter().filter(is_artifact).count() as u64,
        not_code: ingested.not_code,
        ..Summary::default()
    }
}

/// The skips, in order.
pub(crate) fn skipped(mut skips: Vec<Skip>) -> Vec<Skipped> {
    skips.sort();
    skips
        .into_iter()
        .map(|skip| Skipped {
            root: skip.root,
            path: skip.path.as_str().to_owned(),
            path_bytes: skip.path.raw_bytes().map(<[u8]>::to_vec),
            reason: skip.reason,
        })
        .collect()
}

/// Counts what was found: its classes, and the lines that they cover.
pub(crate) fn count_findings(
    summary: &mut Summary,
    matches: &Matches,
    texts: &[Text],
    classes: &[Class],
    rows: &[ClassRow],
) {
    summary.classes = rows.len() as u64;
    summary.nested = rows.iter().map(|class| class.nested.len() as u64).sum();
    summary.duplicated_lines = duplicated_lines(matches, texts, classes);
    summary.duplication = summary.duplicated_lines as f64 / summary.lines.max(1) as f64;
}

/// How many lines the members of classes cover, each line counted once.
fn duplicated_lines(matches: &Matches, texts: &[Text], classes: &[Class]) -> u64 {
    let mut by_file: BTreeMap<u32, Vec<Lines>> = BTreeMap::new();
    for &item in classes.iter().flat_map(|class| &class.members) {
        let file = matches.items()[item as usize].place.file;
        by_file.entry(file).or_default().push(texts[item as usize].lines);
    }
    by_file.into_values().map(covered).sum()
}

fn covered(mut ranges: Vec<Lines>) -> u64 {
    ranges.sort_unstable();
    let mut next = 0;
    let mut lines = 0;
    for range in ranges {
        let start = range.start.max(next);
        if range.end >= start {
            lines += u64::from(range.end - start + 1);
            next = range.end + 1;
        }
    }
    lines
}

/// The first `most` lines of a fragment; none where its file cannot be read any more.
pub(crate) fn excerpt(
    input: &Input,
    document: u32,
    fragment: u32,
    lines: Lines,
    most: u32,
) -> Option<Excerpt> {
    let bytes = input.read(document).ok()?;
    let text = decode::decode(&bytes).ok()?.text;
    let index = LineIndex::new(&text);
    let shown = lines.count().min(most);
    let line = |number: u32| {
        let start = index.start_of(number) as usize;
        let rest = &text[start..];
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    };
    Some(Excerpt {
        fragment,
        first_line: lines.start,
        lines: (lines.start..lines.start + shown).map(line).collect(),
        omitted: lines.count() - shown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_ranges_share_count_once() {
        let ranges =
            vec![Lines::new(5, 9), Lines::new(1, 3), Lines::new(2, 4), Lines::new(9, 10), Lines::new(6, 7)];
        assert_eq!(covered(ranges), 10);
    }
}
