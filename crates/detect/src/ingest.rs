//! Files to the collection that detection works on: read, decode, tell the language, parse, reduce to numbers.
//!
//! Files are read in parallel, in batches, and added in the order of the listing, so that the result does not depend on
//! the number of threads.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use familiar_files::input::Input;
use familiar_files::{Document, Skip};
use familiar_index::{Collection, FileEntry, FragmentEntry, Side, TokenStore};
use familiar_search::runs::{FileFingerprints, Fingerprinter};
use familiar_source::{Fragment, FragmentKind, Language, LineIndex, Progress, Span, line_starts, words};
use familiar_syntax::normal::{self, Renamer};
use familiar_syntax::{Parsed, Parser, Want, languages, regions, test_code};
use rayon::prelude::*;

use crate::memory::Memory;
use crate::naming;
use crate::parses::Parses;
use crate::reading::{LeftOut, Reading};

/// Files of one batch; enough to keep all threads busy.
const BATCH_FILES: usize = 1024;

/// What is known of each file of the collection besides its tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileInfo {
    /// Position in the listing's documents.
    pub(crate) document: u32,
    pub(crate) language: Language,
    /// A hash of its name without case, signs and extension.
    pub(crate) name: u32,
}

/// The collection, and what was counted on the way.
#[derive(Debug)]
pub(crate) struct Ingested {
    pub(crate) collection: Collection,
    pub(crate) files: Vec<FileInfo>,
    pub(crate) skips: Vec<Skip>,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) ignored_lines: u64,
    /// Files that no language claims, data and prose among them.
    pub(crate) not_code: u64,
    /// Files that are compared only with what is not kept alike.
    pub(crate) kept_alike: u64,
    /// For each search for runs the samples of every file; none where they would take too much memory.
    pub(crate) samples: Vec<Option<Vec<FileFingerprints>>>,
    samples_left: usize,
    /// Files, bytes and lines on the query's side, where there is one.
    pub(crate) query: (u64, u64, u64),
}

/// Of a file that is searched for runs alone.
const GAVE_UP: &str =
    "searched without its functions, because parsing needs more than this --memory, or too much work";

/// Of a file whose functions are not known.
pub(crate) const NO_FUNCTIONS: &str = "parsing needs more than this --memory, or too much work";

/// Of a file that has too many tokens.
pub(crate) const OVERFLOWED: &str = "more tokens than this --memory allows";

/// What one file gives.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Skip(String),
    NotCode,
    File(Box<FileData>),
}

impl From<LeftOut> for Outcome {
    fn from(left: LeftOut) -> Self {
        match left {
            LeftOut::Skipped(reason) => Self::Skip(reason),
            LeftOut::NotCode => Self::NotCode,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FileData {
    pub(crate) language: Language,
    pub(crate) bytes: u64,
    pub(crate) lines: u32,
    pub(crate) ignored_lines: u32,
    pub(crate) gave_up: bool,
    /// Whether it is compared only with what is not kept alike.
    pub(crate) is_kept_alike: bool,
    pub(crate) symbols: Box<[u32]>,
    pub(crate) line_starts: Box<[u32]>,
    pub(crate) tests_from: u32,
    pub(crate) scopes: Box<[u32]>,
    pub(crate) samples: Vec<FileFingerprints>,
    pub(crate) fragments: Vec<FragmentEntry>,
}

/// A file that counts, as it is read.
pub struct ReadFile<'f> {
    /// Position in the input's documents.
    pub number: u32,
    pub language: Language,
    pub text: &'f [u8],
    pub parsed: &'f Parsed<'f>,
    /// The symbols of its tokens.
    pub symbols: &'f [u32],
}

/// What is called with each file that counts, as soon as it is read, by any of the threads; and whether to go on.
pub(crate) type Seen<'s> = dyn Fn(&ReadFile<'_>) -> ControlFlow<()> + Sync + 's;

/// Documents that are read: those of `input` from number `first` on.
#[derive(Clone, Copy)]
pub(crate) struct Part<'i> {
    pub(crate) input: &'i Input,
    pub(crate) first: usize,
    pub(crate) seen: Option<&'i Seen<'i>>,
}

/// How many of the documents are read before they are added: few enough to bound what waits for that.
fn batch_length(rest: &[Document], most: usize) -> usize {
    let mut bytes = 0;
    let fits = |document: &&Document| {
        bytes += document.bytes;
        bytes <= most as u64
    };
    rest.iter().take(BATCH_FILES).take_while(fits).count().max(1)
}

impl Ingested {
    /// Reads documents into the collection; `side` tells the side of each. Ends with the batch in which somebody who looks on
    /// does not want to go on.
    pub(crate) fn read(
        &mut self,
        Part { input, first, seen }: Part<'_>,
        side: impl Fn(&Document) -> Side + Sync,
        reading: &Reading,
        memory: Memory,
        progress: &dyn Progress,
    ) -> io::Result<()> {
        let documents = &input.documents;
        progress.stage("reading", documents[first..].iter().map(|document| document.bytes).sum());
        let stopped = AtomicBool::new(false);
        let worker = || Worker { seen: seen.map(|seen| (seen, &stopped)), ..Worker::new(reading) };
        let read = |batch: Range<usize>| -> Vec<Outcome> {
            let numbers = (batch.start as u32..batch.end as u32).into_par_iter();
            numbers.map_init(worker, |worker, number| worker.file(input, number, progress)).collect()
        };
        let mut add = |batch: Range<usize>, outcomes: Vec<Outcome>| {
            batch.zip(outcomes).try_for_each(|(number, outcome)| {
                let document = &documents[number];
                self.add(reading, number as u32, document, outcome, side(document))
            })
        };
        // One batch is added while the next is read.
        let (mut before, mut outcomes) = (first..first, Vec::new());
        while before.end < documents.len() && !stopped.load(Ordering::Relaxed) {
            let batch = before.end..before.end + batch_length(&documents[before.end..], memory.batch());
            let (next, added) = rayon::join(|| read(batch.clone()), || add(before, outcomes));
            added?;
            (before, outcomes) = (batch, next);
        }
        add(before, outcomes)
    }

    /// A collection without files.
    pub(crate) fn new(reading: &Reading, memory: Memory) -> Self {
        let tokens = TokenStore::new(memory.tokens(), std::env::temp_dir());
        let line_starts = TokenStore::new(memory.line_starts(), std::env::temp_dir());
        let scopes = TokenStore::new(memory.scopes(), std::env::temp_dir());
        Self {
            collection: Collection { tokens, line_starts, scopes, files: Vec::new(), fragments: Vec::new() },
            files: Vec::new(),
            skips: Vec::new(),
            bytes: 0,
            lines: 0,
            ignored_lines: 0,
            not_code: 0,
            kept_alike: 0,
            samples: reading.runs.iter().map(|_| Some(Vec::new())).collect(),
            samples_left: memory.samples(),
            query: (0, 0, 0),
        }
    }

    /// Adds what a document gave.
    pub(crate) fn add(
        &mut self,
        reading: &Reading,
        number: u32,
        document: &Document,
        outcome: Outcome,
        side: Side,
    ) -> io::Result<()> {
        match outcome {
            Outcome::Skip(reason) => self.skips.push(Skip::new(document.root, document.path.clone(), reason)),
            Outcome::NotCode => self.not_code += 1,
            Outcome::File(data) => {
                let file = self.files.len() as u32;
                let name = naming::key_of_file(document.path.as_str());
                self.files.push(FileInfo { document: number, language: data.language, name });
                self.bytes += data.bytes;
                self.lines += u64::from(data.lines);
                if matches!(side, Side::Query) {
                    let (files, bytes, lines) = self.query;
                    self.query = (files + 1, bytes + data.bytes, lines + u64::from(data.lines));
                }
                self.ignored_lines += u64::from(data.ignored_lines);
                self.kept_alike += u64::from(side == Side::Both && data.is_kept_alike);
                if data.gave_up {
                    self.skips.push(Skip::new(document.root, document.path.clone(), GAVE_UP.to_owned()));
                }
                let is_markup = reading.judges_files && languages::others::is_markup(data.language);
                let entry = FileEntry {
                    family: data.language.family().0,
                    // What stands on one side is never compared with what stands there, too.
                    side: if side == Side::Both && data.is_kept_alike { Side::Against } else { side },
                    tests_from: data.tests_from,
                    is_markup,
                };
                self.collection.files.push(entry);
                self.collection.tokens.push(&data.symbols)?;
                self.collection.line_starts.push(&data.line_starts)?;
                self.collection.scopes.push(&data.scopes)?;
                self.keep_samples(data.samples);
                let fragments = data.fragments.into_iter().map(|fragment| FragmentEntry { file, ..fragment });
                self.collection.fragments.extend(fragments);
            }
        }
        Ok(())
    }

    /// Keeps the samples of a file, until all together take too much memory: then they are made anew when needed.
    fn keep_samples(&mut self, samples: Vec<FileFingerprints>) {
        for (all, samples) in self.samples.iter_mut().zip(samples) {
            let bytes = samples.bytes();
            match all {
                Some(kept) if bytes <= self.samples_left => {
                    self.samples_left -= bytes;
                    kept.push(samples);
                }
                all => *all = None,
            }
        }
    }
}

/// Reads one file after another, keeping its memory.
pub(crate) struct Worker<'r> {
    reading: &'r Reading,
    /// Who looks on, and whether they want to go on no longer.
    seen: Option<(&'r Seen<'r>, &'r AtomicBool)>,
    /// Where what it finds is kept for whoever reads the text once more.
    parses: Option<&'r Parses>,
    fingerprinters: Vec<Fingerprinter>,
    parser: Parser,
    renamer: Renamer,
    renamed: Vec<u32>,
}

impl<'r> Worker<'r> {
    pub(crate) fn new(reading: &'r Reading) -> Self {
        let fingerprinters = reading.runs.iter().map(Fingerprinter::new).collect();
        Self {
            reading,
            seen: None,
            parses: None,
            fingerprinters,
            parser: reading.parser(),
            renamer: Renamer::default(),
            renamed: Vec::new(),
        }
    }

    /// The same worker, which keeps what it parses.
    pub(crate) fn keeping(self, parses: &'r Parses) -> Self {
        Self { parses: Some(parses), ..self }
    }

    fn file(&mut self, input: &Input, number: u32, progress: &dyn Progress) -> Outcome {
        let outcome = self.outcome(input, number);
        progress.advance(input.documents[number as usize].bytes);
        outcome
    }

    /// What a document gives.
    pub(crate) fn outcome(&mut self, input: &Input, number: u32) -> Outcome {
        let (path, known) = (input.documents[number as usize].path.as_str(), input.language(number));
        if let Some(left) = self.reading.of_path(path, known) {
            return left.into();
        }
        let bytes = match self.reading.read(input, number) {
            Ok(bytes) => bytes,
            Err(error) => return Outcome::Skip(words::unread(&error)),
        };
        let (language, text) = match self.reading.text(path, known, &bytes) {
            Ok(read) => read,
            Err(left) => return left.into(),
        };
        let wanted = self.reading.want;
        // Whoever looks on wants all of it.
        let all = self.seen.map(|_| Want { fragments: true, line_starts: true });
        let wants = all.unwrap_or(wanted);
        let parsed = self.parser.parse(language, &text, wants);
        if parsed.overflowed {
            return Outcome::Skip(OVERFLOWED.to_owned());
        }
        if let Some(parses) = self.parses {
            parses.keep(language, &text, &parsed, wants);
        }
        let is_kept_alike = self.reading.is_kept_alike(path, language, &text);
        let text = regions::code(language, &text);
        let symbols = normal::symbols(&text, parsed.tokens);
        if let Some((seen, stopped)) = self.seen
            && seen(&ReadFile { number, language, text: &text, parsed: &parsed, symbols: &symbols })
                .is_break()
        {
            stopped.store(true, Ordering::Relaxed);
        }
        let in_test = test_code::is_test(path);
        let tests_from = if in_test { 0 } else { test_code::tests_from(language, &text, parsed.tokens) };
        let is_callback = |f: &Fragment| test_code::is_callback(in_test, &text, parsed.tokens, f);
        let (renamer, renamed) = (&mut self.renamer, &mut self.renamed);
        let name = |f: &Fragment| naming::key(&text[f.name.range()]);
        let told = |f: &Fragment| (is_callback(f), name(f));
        let fragments = fragments(self.reading, &parsed, &symbols, told, renamer, renamed);
        Outcome::File(Box::new(FileData {
            language,
            bytes: bytes.len() as u64,
            lines: line_count(&text),
            ignored_lines: parsed.ignored_lines,
            gave_up: parsed.gave_up,
            is_kept_alike,
            line_starts: if wanted.line_starts { line_starts(parsed.tokens).into() } else { Box::default() },
            tests_from,
            scopes: if wanted.fragments { scopes(&parsed) } else { Box::default() },
            samples: self.fingerprinters.iter_mut().map(|f| f.file(&symbols)).collect(),
            symbols,
            fragments,
        }))
    }
}

/// The fragments of a file that are worth comparing, with their hashes and with what is `told` of them: whether they are callbacks of
/// tests, and their names.
fn fragments(
    reading: &Reading,
    parsed: &Parsed<'_>,
    symbols: &[u32],
    told: impl Fn(&Fragment) -> (bool, u32),
    renamer: &mut Renamer,
    renamed: &mut Vec<u32>,
) -> Vec<FragmentEntry> {
    let entry = |(ordinal, f): (usize, &Fragment)| {
        let form = &symbols[f.tokens.range()];
        renamer.rename(form, reading.renaming, renamed);
        let (test_callback, name) = told(f);
        FragmentEntry {
            file: 0,
            ordinal: ordinal as u32,
            kind: f.kind as u8,
            test_callback,
            name,
            first: f.tokens.start,
            tokens: f.tokens.len(),
            lines: (f.lines.start, f.lines.end),
            exact: normal::hash(form),
            renamed: normal::hash(renamed),
        }
    };
    parsed.fragments.iter().enumerate().filter(|(_, f)| reading.takes(f, symbols)).map(entry).collect()
}

/// The first token and the end of each function and class, outer ones first.
fn scopes(parsed: &Parsed<'_>) -> Box<[u32]> {
    let is_scope = |f: &&Fragment| matches!(f.kind, FragmentKind::Function | FragmentKind::Class);
    let mut all: Vec<Span> = parsed.fragments.iter().filter(is_scope).map(|f| f.tokens).collect();
    all.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    all.dedup();
    all.iter().flat_map(|span| [span.start, span.end]).collect()
}

fn line_count(text: &[u8]) -> u32 {
    if memchr::memchr(b'\r', text).is_some() {
        return LineIndex::new(text).count(text.len());
    }
    let ends = memchr::memchr_iter(b'\n', text).count() as u32;
    ends + u32::from(!text.is_empty() && text.last() != Some(&b'\n'))
}
