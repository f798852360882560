//! The result as columns: files, fragments, classes, pairs, and the head that says how many.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use serde::Serialize;

use super::columns::{Column, Strings};
use super::explanations::Explanations;
use super::files::Files;
use super::safe::to_json;
use super::sink::Sink;
use super::source::Read;
use super::view::ResultView;
use crate::share::ten_thousandths;
use crate::{PairSource, Settings, Skipped, Summary, Tool, Unanswered};

/// The format of the data chunks.
pub const SCHEMA: &str = "familiar.report/1";

/// Pairs of one chunk.
const PAIRS: u32 = 1 << 16;

#[derive(Serialize)]
struct FileTable<'r> {
    paths: Vec<String>,
    languages: Vec<&'r str>,
    language: Column,
    lines: Column,
    /// The pack that holds the text, plus one; 0 where it is missing.
    pack: Column,
    missing: BTreeMap<u32, &'r str>,
}

pub(crate) fn put_files(
    report: &ResultView<'_>,
    files: &Files,
    read: &[Read],
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let first = |range: Range<usize>| report.fragments[range.start];
    put_paths(files.ranges().map(first).map(|row| (report.path(row), row.language)), read, sink)
}

/// Puts files by their paths and languages, and what became of each.
pub(crate) fn put_paths<'r>(
    files: impl Iterator<Item = (String, &'r str)>,
    read: &[Read],
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut languages = Strings::default();
    let (mut language, mut lines, mut pack) = (Column::default(), Column::default(), Column::default());
    let (mut paths, mut missing) = (Vec::new(), BTreeMap::new());
    for (number, ((path, name), read)) in (0u32..).zip(files.zip(read)) {
        paths.push(path);
        language.push(languages.number(name));
        match read {
            Read::Packed { pack: at, lines: count } => {
                lines.push(*count);
                pack.push(at + 1);
            }
            Read::Missing(reason) => {
                lines.push(0);
                pack.push(0);
                missing.insert(number, reason.as_str());
            }
        }
    }
    let table = FileTable { paths, languages: languages.list, language, lines, pack, missing };
    sink.put("files", &to_json(&table)?)
}

#[derive(Serialize, Default)]
struct FragmentTable<'r> {
    names: Vec<&'r str>,
    kinds: Vec<&'r str>,
    file: Column,
    kind: Column,
    name: Column,
    start: Column,
    /// Number of lines.
    lines: Column,
    tokens: Column,
}

/// A fragment as a row of the table.
pub(crate) struct Stretch<'r> {
    pub(crate) file: u32,
    pub(crate) kind: &'r str,
    pub(crate) name: &'r str,
    pub(crate) start: u32,
    pub(crate) lines: u32,
    pub(crate) tokens: u32,
}

pub(crate) fn put_fragments(report: &ResultView<'_>, files: &Files, sink: &mut dyn Sink) -> io::Result<()> {
    let of_file = |(file, range): (u32, Range<usize>)| {
        report.fragments[range].iter().map(move |row| Stretch {
            file,
            kind: row.kind,
            name: &row.name,
            start: row.start_line,
            lines: row.lines(),
            tokens: row.tokens,
        })
    };
    put_stretches((0u32..).zip(files.ranges()).flat_map(of_file), sink)
}

/// Puts fragments, which come by file and start.
pub(crate) fn put_stretches<'r>(
    rows: impl Iterator<Item = Stretch<'r>>,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let (mut names, mut kinds) = (Strings::default(), Strings::default());
    let mut table = FragmentTable::default();
    for row in rows {
        table.file.push_rise(row.file);
        table.kind.push(kinds.number(row.kind));
        table.name.push(names.number(row.name));
        table.start.push(row.start);
        table.lines.push(row.lines);
        table.tokens.push(row.tokens);
    }
    (table.names, table.kinds) = (names.list, kinds.list);
    sink.put("fragments", &to_json(&table)?)
}

#[derive(Serialize, Default)]
pub(crate) struct ClassTable {
    #[serde(rename = "type")]
    clone_type: Column,
    /// Number of members.
    size: Column,
    /// The members of all classes, one after another, the representative first.
    members: Column,
}

impl ClassTable {
    pub(crate) fn push(&mut self, clone_type: u8, members: &[u32]) {
        self.clone_type.push(u32::from(clone_type));
        self.size.push(members.len() as u32);
        for &member in members {
            self.members.push_change(member);
        }
    }

    pub(crate) fn put(&self, sink: &mut dyn Sink) -> io::Result<()> {
        sink.put("classes", &to_json(self)?)
    }
}

pub(crate) fn put_classes(report: &ResultView<'_>, sink: &mut dyn Sink) -> io::Result<()> {
    let mut table = ClassTable::default();
    for class in report.classes {
        table.push(class.clone_type, &class.members);
    }
    table.put(sink)?;
    let fingerprints: String = match report.audit {
        // What is said of a finding is kept under the name by which an audit knows it again.
        Some(audit) => audit.findings.iter().map(|finding| finding.fingerprint.as_str()).collect(),
        None => report.classes.iter().map(|class| class.fingerprint.as_str()).collect(),
    };
    sink.put("fingerprints-classes", &to_json(&fingerprints)?)
}

#[derive(Serialize, Default)]
struct PairTable {
    left: Column,
    /// How much more than `left`.
    right: Column,
    #[serde(rename = "type")]
    clone_type: Column,
    /// In ten thousandths.
    similarity: Column,
}

/// How many pairs there are, and in how many chunks.
pub(crate) struct Pairs {
    count: u64,
    chunks: u32,
    /// How many of them have an explanation.
    explanations: u32,
}

/// Puts the pairs as they come, and what explains them; a chunk of each is in memory at a time.
pub(crate) fn put_pairs(rows: &dyn PairSource, sink: &mut dyn Sink) -> io::Result<Pairs> {
    let mut pairs = Pairs { count: 0, chunks: 0, explanations: 0 };
    let mut explanations = Explanations::default();
    let (mut table, mut fingerprints, mut held) = (PairTable::default(), String::new(), 0);
    let flush = |table: &mut PairTable, fingerprints: &mut String, chunk: &mut u32, sink: &mut dyn Sink| {
        sink.put(&format!("pairs-{chunk}"), &to_json(table)?)?;
        sink.put(&format!("fingerprints-{chunk}"), &to_json(fingerprints)?)?;
        *chunk += 1;
        *table = PairTable::default();
        fingerprints.clear();
        io::Result::Ok(())
    };
    rows.for_each(&mut |pair| {
        table.left.push_rise(pair.left);
        table.right.push(pair.right - pair.left);
        table.clone_type.push(u32::from(pair.clone_type));
        table.similarity.push(u32::from(ten_thousandths(pair.similarity)));
        fingerprints.push_str(&pair.fingerprint);
        if let Some(explanation) = &pair.explanation {
            explanations.push(pairs.count as u32, explanation, sink)?;
        }
        held += 1;
        pairs.count += 1;
        if held == PAIRS {
            held = 0;
            flush(&mut table, &mut fingerprints, &mut pairs.chunks, sink)?;
        }
        Ok(())
    })?;
    if held > 0 {
        flush(&mut table, &mut fingerprints, &mut pairs.chunks, sink)?;
    }
    pairs.explanations = explanations.finish(sink)?;
    Ok(pairs)
}

pub(crate) fn put_skipped(skipped: &[Skipped], sink: &mut dyn Sink) -> io::Result<()> {
    let rows: Vec<(u32, &str, &str)> =
        skipped.iter().map(|skip| (skip.root, skip.path.as_str(), skip.reason.as_str())).collect();
    sink.put("skipped", &to_json(&rows)?)
}

#[derive(Serialize)]
struct Head<'r> {
    schema: &'static str,
    tool: Tool,
    settings: &'r Settings,
    summary: Numbers<'r>,
    counts: Counts,
    /// Only of an audit: how many of the settings' roots are PATH's.
    #[serde(skip_serializing_if = "Option::is_none")]
    audited: Option<u32>,
    /// Only of a search in a corpus: how many of the settings' roots were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<u32>,
}

/// The summary without its list.
#[derive(Serialize)]
struct Numbers<'r> {
    files: u64,
    bytes: u64,
    lines: u64,
    fragments: u64,
    tokens: u64,
    duplicated_lines: u64,
    duplication: f64,
    ignored_lines: u64,
    generated: u64,
    not_code: u64,
    accepted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<u64>,
    skipped: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unanswered: &'r [Unanswered],
}

/// How long the tables are.
#[derive(Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) files: usize,
    pub(crate) fragments: usize,
    pub(crate) classes: usize,
    pub(crate) pairs: u64,
    pub(crate) pair_chunks: u32,
    /// Whether there is the chunk `decisions`, and of how many.
    pub(crate) decisions: usize,
    /// Whether there is the chunk `explanations`, and of how many pairs.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) explanations: u32,
}

impl Counts {
    pub(crate) fn with_pairs(self, pairs: &Pairs) -> Self {
        let (explanations, pair_chunks) = (pairs.explanations, pairs.chunks);
        Self { pairs: pairs.count, pair_chunks, explanations, ..self }
    }
}

/// Whether there are none; serde asks by reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u32) -> bool {
    *count == 0
}

/// Whose the first of the settings' roots are, where others follow.
#[derive(Clone, Copy)]
pub(crate) enum FirstRoots {
    All,
    Audited(u32),
    Asked(u32),
}

pub(crate) fn put_head(
    report: &ResultView<'_>,
    files: &Files,
    pairs: &Pairs,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let counts = Counts {
        files: files.len(),
        fragments: report.fragments.len(),
        classes: report.classes.len(),
        decisions: report.decisions.standing().count(),
        ..Counts::default()
    };
    let own = report.audit.map_or(FirstRoots::All, |audit| FirstRoots::Audited(audit.audited));
    put_numbers(report.settings, report.summary, counts.with_pairs(pairs), own, sink)
}

/// Puts the head.
pub(crate) fn put_numbers(
    settings: &Settings,
    summary: &Summary,
    counts: Counts,
    own: FirstRoots,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let head = Head {
        schema: SCHEMA,
        tool: Tool::default(),
        settings,
        summary: Numbers {
            files: summary.files,
            bytes: summary.bytes,
            lines: summary.lines,
            fragments: summary.fragments,
            tokens: summary.tokens,
            duplicated_lines: summary.duplicated_lines,
            duplication: summary.duplication,
            ignored_lines: summary.ignored_lines,
            generated: summary.generated,
            not_code: summary.not_code,
            accepted: summary.accepted,
            gone: summary.gone,
            skipped: summary.skipped.len(),
            unanswered: &summary.unanswered,
        },
        counts,
        audited: if let FirstRoots::Audited(roots) = own { Some(roots) } else { None },
        asked: if let FirstRoots::Asked(roots) = own { Some(roots) } else { None },
    };
    sink.put("head", &to_json(&head)?)
}
