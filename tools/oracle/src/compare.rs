//! One file: the line ranges of both sides, and what only one of them has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use familiar_source::{Fragment, FragmentKind, Language, LineIndex};
use familiar_syntax::tree::{self, Grammar};
use familiar_syntax::{Confidence, Output, Want, languages};

/// Who found a fragment that the other did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    TreeSitter,
}

/// A fragment that only one side has.
pub(crate) struct Difference {
    pub(crate) path: PathBuf,
    pub(crate) side: Side,
    pub(crate) lines: (u32, u32),
    pub(crate) name: String,
    pub(crate) cause: String,
    pub(crate) first_line: String,
}

/// The sums over all files, of one kind of fragment.
pub(crate) struct Tally {
    pub(crate) kind: FragmentKind,
    pub(crate) both: usize,
    pub(crate) only_tree: usize,
    pub(crate) only_ours: usize,
    pub(crate) differences: Vec<Difference>,
}

impl Tally {
    /// Fragments that both have, in percent of those that either has.
    pub(crate) fn agreement(&self) -> f64 {
        let all = self.both + self.only_tree + self.only_ours;
        if all == 0 { 100.0 } else { self.both as f64 * 100.0 / all as f64 }
    }
}

/// The sums over all files.
pub(crate) struct Counts {
    pub(crate) files: usize,
    pub(crate) bytes: usize,
    pub(crate) clean: usize,
    /// Files that tree-sitter took too long for.
    pub(crate) given_up: usize,
    /// Clean files that the fast path was unsure of.
    pub(crate) unsure: usize,
    pub(crate) tallies: Vec<Tally>,
}

impl Counts {
    pub(crate) fn of(kinds: &[FragmentKind]) -> Self {
        let tally = |&kind| Tally { kind, both: 0, only_tree: 0, only_ours: 0, differences: Vec::new() };
        let tallies = kinds.iter().map(tally).collect();
        Self { files: 0, bytes: 0, clean: 0, given_up: 0, unsure: 0, tallies }
    }
}

/// Adds the comparison of one file to `counts`.
pub(crate) fn file(
    language: Language,
    grammar: &'static Grammar,
    path: &Path,
    source: &[u8],
    counts: &mut Counts,
) {
    counts.files += 1;
    counts.bytes += source.len();
    let Some(reading) = tree::read(grammar, source) else {
        counts.given_up += 1;
        return;
    };
    if !reading.clean {
        return;
    }
    counts.clean += 1;
    let mut ours = Output { lines: LineIndex::new(source), ..Output::default() };
    let want = Want { fragments: true, line_starts: false };
    let confidence = languages::definition(language).front_end.parse(source, want, &mut ours);
    counts.unsure += usize::from(confidence == Confidence::Unsure);
    for tally in &mut counts.tallies {
        kind(path, source, &reading.fragments, &ours.fragments, tally);
    }
}

/// Adds the comparison of one file's fragments of one kind.
fn kind(path: &Path, source: &[u8], theirs: &[Fragment], ours: &[Fragment], counts: &mut Tally) {
    let theirs = ranges(theirs, counts.kind);
    let ours = ranges(ours, counts.kind);
    for (&lines, both) in &theirs {
        let mine = ours.get(&lines).map_or(0, Vec::len);
        counts.both += mine.min(both.len());
        counts.only_tree += both.len().saturating_sub(mine);
        let odd = Odd { path, source, side: Side::TreeSitter, others: &ours };
        counts.differences.extend(both.iter().skip(mine).map(|fragment| odd.difference(fragment)));
    }
    for (lines, mine) in &ours {
        let tree = theirs.get(lines).map_or(0, Vec::len);
        counts.only_ours += mine.len().saturating_sub(tree);
        let odd = Odd { path, source, side: Side::Ours, others: &theirs };
        counts.differences.extend(mine.iter().skip(tree).map(|fragment| odd.difference(fragment)));
    }
}

type Ranges = BTreeMap<(u32, u32), Vec<Fragment>>;

fn ranges(fragments: &[Fragment], kind: FragmentKind) -> Ranges {
    let mut ranges = Ranges::new();
    for fragment in fragments.iter().filter(|fragment| fragment.kind == kind) {
        ranges.entry((fragment.lines.start, fragment.lines.end)).or_default().push(*fragment);
    }
    ranges
}

struct Odd<'f> {
    path: &'f Path,
    source: &'f [u8],
    side: Side,
    others: &'f Ranges,
}

impl Odd<'_> {
    fn difference(&self, fragment: &Fragment) -> Difference {
        let text = |range: std::ops::Range<usize>| String::from_utf8_lossy(&self.source[range]).into_owned();
        let start = fragment.bytes.start as usize;
        let rest = &self.source[start..];
        let end = start
            + rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len()).min(110);
        Difference {
            path: self.path.to_path_buf(),
            side: self.side,
            lines: (fragment.lines.start, fragment.lines.end),
            name: text(fragment.name.range()),
            cause: self.cause(fragment),
            first_line: text(start..end),
        }
    }

    /// A guess at why the other side lacks `fragment`.
    fn cause(&self, fragment: &Fragment) -> String {
        let lines = fragment.lines;
        if let Some((range, _)) = self.others.range((lines.start, 0)..=(lines.start, u32::MAX)).next() {
            return format!("the other ends on line {}", range.1);
        }
        let same_end = self.others.keys().find(|range| range.1 == lines.end);
        if let Some(range) = same_end {
            return format!("the other starts on line {}", range.0);
        }
        let named = self.others.iter().find(|(range, fragments)| {
            range.0 <= lines.end
                && lines.start <= range.1
                && fragments.iter().any(|other| other.name == fragment.name && !other.name.is_empty())
        });
        match named {
            Some((range, _)) => format!("the other has lines {}-{}", range.0, range.1),
            None => "the other has nothing there".to_owned(),
        }
    }
}
