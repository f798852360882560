//! A tree that is kept in memory and asked about one file after another while files change.
//!
//! A search through a whole tree takes seconds. After a change of one file only its pairs are asked for: [`LiveTree::around`] searches
//! this file and those that may share something with it, and judges what it finds by what is common in the whole tree. So it finds
//! what the search through all files finds for this file, in some milliseconds.
//!
//! # Files
//!
//! `lookup` leads from a number to the files that have it, `lookups` says by which numbers files find one another, and `candidates`
//! chooses the files that are searched. `recent` keeps what was found for a file until it holds no more: after an edit most of it does.

mod candidates;
mod lookup;
mod lookups;
mod recent;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_files::input::Input;
use familiar_files::{Document, TreePath};
use familiar_index::Side;
use familiar_report::CloneReport;
use familiar_search::evidence::Commonness;
use familiar_search::runs::FileFingerprints;
use familiar_search::similar::Sequence;
use familiar_source::{FragmentKind, Lines, Progress, Silent};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::TooMuch;
use crate::ingest::{FileData, Ingested, Outcome, Worker};
use crate::memory::Memory;
use crate::parses::Parses;
use crate::reading::Reading;
use crate::search::{Scope, Search};
use crate::whole::Whole;
use crate::{Baseline, CloneOptions, DetectError};
use candidates::{Choice, Found, Part};
use lookup::Sample;
use lookups::{Keys, Lookups};
use recent::{Change, Recent};

/// In a tree of fewer tokens all files are searched: that takes no longer than choosing some.
const FEW_TOKENS: u64 = 1 << 16;

/// A tree in memory.
pub struct LiveTree {
    options: CloneOptions,
    reading: Reading,
    pool: Arc<ThreadPool>,
    /// By slot. A file that is gone leaves its slot empty.
    files: Vec<File>,
    slots: BTreeMap<(u32, TreePath), u32>,
    lookups: Lookups,
    commonness: Option<Arc<Commonness>>,
    tokens: u64,
    /// In a tree of at most so many tokens all files are searched.
    few_tokens: u64,
    parses: Arc<Parses>,
    recent: Recent,
    /// The slot of a file that is edited and therefore not among the lookups: it does not look for itself.
    left_out: Option<u32>,
}

/// What is known of a file.
struct File {
    document: Document,
    outcome: Outcome,
    /// Its text, where that is not what the disk has.
    edited: Option<Arc<[u8]>>,
}

impl File {
    fn data(&self) -> Option<&FileData> {
        match &self.outcome {
            Outcome::File(data) => Some(data),
            Outcome::Skip(_) | Outcome::NotCode => None,
        }
    }
}

impl LiveTree {
    /// Reads the documents of a tree; `options.paths` are its roots.
    ///
    /// Types that need an encoder are not looked for, and neither is what changed since a revision asked for. Fails where the options
    /// do not go together, and where the tree needs more memory than they allow.
    pub fn read(
        options: CloneOptions,
        documents: Vec<Document>,
        pool: Arc<ThreadPool>,
        progress: &dyn Progress,
    ) -> Result<Self, DetectError> {
        let mut options = CloneOptions { encoder: None, validate: None, changed_since: None, ..options };
        options.types.retain(|clone_type| *clone_type < 4);
        options.check()?;
        let reading = Reading::new(&options);
        progress.stage("reading", documents.iter().map(|document| document.bytes).sum());
        let input = Input::of_files(documents);
        let numbers = 0..input.documents.len() as u32;
        let outcomes: Vec<Outcome> = pool.install(|| {
            let read = |worker: &mut Worker<'_>, number: u32| {
                let outcome = worker.outcome(&input, number);
                progress.advance(input.documents[number as usize].bytes);
                outcome
            };
            numbers.into_par_iter().map_init(|| Worker::new(&reading), read).collect()
        });
        let of_files = input.documents.into_iter().zip(outcomes);
        let files: Vec<File> =
            of_files.map(|(document, outcome)| File { document, outcome, edited: None }).collect();
        let key = |file: &File| (file.document.root, file.document.path.clone());
        let slots = files.iter().map(key).zip(0..).collect();
        progress.stage("indexing", 0);
        let data: Vec<Option<&FileData>> = files.iter().map(File::data).collect();
        let tokens = data.iter().flatten().map(|data| data.symbols.len() as u64).sum();
        let counts = || Arc::new(counted(tokens, data.iter().flatten().copied()));
        let commonness = options.judges_anything().then(counts);
        let keys = keys(&options, &reading, commonness.as_deref());
        let (lookups, few_tokens) = (pool.install(|| Lookups::new(keys, &data)), FEW_TOKENS);
        let tree = Self {
            options,
            reading,
            pool,
            files,
            slots,
            lookups,
            commonness,
            tokens,
            few_tokens,
            parses: Arc::default(),
            recent: Recent::default(),
            left_out: None,
        };
        tree.check_memory()?;
        Ok(tree)
    }

    fn check_memory(&self) -> Result<(), DetectError> {
        let of_file = |data: &FileData| {
            let samples: usize = data.samples.iter().map(FileFingerprints::bytes).sum();
            size_of::<FileData>()
                + 4 * (data.symbols.len() + data.line_starts.len())
                + samples
                + size_of_val(data.fragments.as_slice())
        };
        let held =
            self.files.iter().filter_map(File::data).map(of_file).sum::<usize>() + self.lookups.bytes();
        if held > self.options.memory || self.files.len() >= Sample::SLOTS as usize {
            return Err(TooMuch { what: "files", needed: 2 * held }.into());
        }
        Ok(())
    }

    /// The roots of the tree.
    pub fn roots(&self) -> &[PathBuf] {
        &self.options.paths
    }

    /// Files that are searched.
    pub fn files(&self) -> usize {
        self.files.iter().filter(|file| file.data().is_some()).count()
    }

    /// Where a file lies, if that is below a root: the number of the root, and the path from there.
    pub fn place(&self, file: &Path) -> Option<(u32, TreePath)> {
        let below = |(_, root): &(u32, &PathBuf)| file.starts_with(root);
        let roots = (0u32..).zip(&self.options.paths).filter(below);
        let (number, root) = roots.max_by_key(|(_, root)| root.as_os_str().len())?;
        Some((number, TreePath::below(root, file)))
    }

    /// Whether the tree has a file, searched or not.
    pub fn has(&self, file: &Path) -> bool {
        self.place(file).is_some_and(|place| self.slots.contains_key(&place))
    }

    /// Why a file of the tree is not searched, if it is not.
    pub fn skipped(&self, file: &Path) -> Option<&str> {
        let slot = *self.slots.get(&self.place(file)?)?;
        match &self.files[slot as usize].outcome {
            Outcome::Skip(reason) => Some(reason),
            Outcome::NotCode => Some("no code"),
            Outcome::File(_) => None,
        }
    }

    /// The lines of the functions of a file that are large enough to be clones, without those within others.
    pub fn functions(&self, file: &Path) -> Vec<Lines> {
        let slot = self.place(file).and_then(|place| self.slots.get(&place));
        let Some(data) = slot.and_then(|&slot| self.files[slot as usize].data()) else { return Vec::new() };
        let functions =
            data.fragments.iter().filter(|fragment| fragment.kind == FragmentKind::Function as u8);
        let mut lines: Vec<Lines> = functions.map(|f| Lines::new(f.lines.0, f.lines.1)).collect();
        lines.sort_unstable_by_key(|lines| (lines.start, std::cmp::Reverse(lines.end)));
        let mut end = 0;
        lines.retain(|lines| {
            let is_outer = lines.end > end;
            end = end.max(lines.end);
            is_outer
        });
        lines
    }

    /// The text of a file: as somebody edits it, or as it lies on the disk.
    pub fn text(&self, file: &Path) -> std::io::Result<Arc<[u8]>> {
        let slot = self.place(file).and_then(|place| self.slots.get(&place));
        let edited = slot.and_then(|&slot| self.files[slot as usize].edited.clone());
        edited.map_or_else(|| std::fs::read(file).map(Into::into), Ok)
    }

    /// The files of the tree that are searched, in the order of results.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.slots.values().map(|&slot| &self.files[slot as usize]);
        files.filter(|file| file.data().is_some()).map(|file| file.document.file.as_path())
    }

    /// All files of the tree, searched or not, in the order of results.
    pub fn all_files(&self) -> impl Iterator<Item = &Path> {
        self.slots.values().map(|&slot| self.files[slot as usize].document.file.as_path())
    }

    /// Takes a file as it is now: `edited` where somebody edits it, and else as it lies on the disk. A file below no root changes nothing.
    pub fn set(&mut self, file: &Path, edited: Option<Arc<[u8]>>) {
        let Some(place) = self.place(file) else { return };
        let on_disk = || std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        let bytes = edited.as_ref().map_or_else(on_disk, |text| text.len() as u64);
        let (root, path) = place.clone();
        let document = Document { root, path, file: file.to_owned(), bytes };
        let held = edited.iter().map(|text| (0, text.clone())).collect();
        let input = Input::of_files(vec![document.clone()]).with_edited(held);
        let outcome = Worker::new(&self.reading).keeping(&self.parses).outcome(&input, 0);
        let slot = self.slots.get(&place).copied().unwrap_or(self.files.len() as u32);
        if slot as usize == self.files.len() {
            self.slots.insert(place, slot);
            self.files.push(File { document: document.clone(), outcome: Outcome::NotCode, edited: None });
        }
        self.replace(slot, File { document, outcome, edited });
    }

    /// Forgets a file that is gone.
    pub fn remove(&mut self, file: &Path) {
        let Some(slot) = self.place(file).and_then(|place| self.slots.remove(&place)) else { return };
        let document = self.files[slot as usize].document.clone();
        self.replace(slot, File { document, outcome: Outcome::NotCode, edited: None });
    }

    fn keys(&self) -> Keys<'_> {
        keys(&self.options, &self.reading, self.commonness.as_deref())
    }

    fn replace(&mut self, slot: u32, file: File) {
        let (is_edited, keys) = (file.edited.is_some(), all_keys(&self.options, &self.reading));
        if self.left_out == Some(slot) {
            self.left_out = None;
        } else if let Some(data) = self.files[slot as usize].data() {
            self.lookups.remove(keys, slot, data);
        }
        if is_edited {
            self.complete_but(slot);
        }
        let before = std::mem::replace(&mut self.files[slot as usize], file);
        let (old, new) = (before.data(), self.files[slot as usize].data());
        let count = |data: Option<&FileData>| data.map_or(0, |data| data.symbols.len() as u64);
        self.tokens = self.tokens - count(old) + count(new);
        let mut fits = true;
        if let Some(commonness) = self.commonness.as_mut().map(Arc::make_mut) {
            let change = Change::of(old, new, commonness);
            fits = commonness.resize(self.tokens);
            if let Some(data) = old {
                commonness.remove(sequence(data));
            }
            if let Some(data) = new {
                commonness.add(sequence(data));
            }
            self.recent.changed(slot, &change, commonness);
        } else {
            self.recent.forget();
        }
        if is_edited {
            self.left_out = Some(slot);
        } else if let Some(data) = new {
            self.lookups.add(all_keys(&self.options, &self.reading), slot, data);
        }
        if !fits {
            let all = counted(self.tokens, self.files.iter().filter_map(File::data));
            self.commonness = Some(Arc::new(all));
            self.recent.forget();
        }
    }

    /// Puts the file that was left out back, unless that is the file of a slot.
    fn complete_but(&mut self, slot: u32) {
        if let Some(before) = self.left_out.filter(|&before| before != slot) {
            if let Some(data) = self.files[before as usize].data() {
                self.lookups.add(all_keys(&self.options, &self.reading), before, data);
            }
            self.left_out = None;
        }
    }

    /// The pairs that have a side in a file, as a search through the tree finds them. None where the file is not searched.
    pub fn around(
        &mut self,
        file: &Path,
        accepted: Option<&Baseline>,
    ) -> Result<Option<CloneReport>, DetectError> {
        let Some(slot) = self.place(file).and_then(|place| self.slots.get(&place).copied()) else {
            return Ok(None);
        };
        self.complete_but(slot);
        let Some(data) = self.files[slot as usize].data() else { return Ok(None) };
        let parts = if self.tokens <= self.few_tokens {
            self.slots.values().map(|&slot| (slot, None)).collect()
        } else {
            let found = self.candidates(slot, data);
            self.recent.keep(slot, found.known);
            let found = found.parts.into_iter();
            found.map(|(slot, part)| (slot, Some(part))).chain([(slot, None)]).collect()
        };
        self.search(&parts, Some(slot), accepted).map(Some)
    }

    /// The files that may share something with one.
    fn candidates(&self, slot: u32, data: &FileData) -> Found {
        let edited = self.options.types.contains(&3) && !data.fragments.is_empty();
        let data_of = |slot: u32| self.files[slot as usize].data();
        let choice = Choice {
            keys: self.keys(),
            lookups: &self.lookups,
            commonness: self.commonness.as_deref(),
            limit: self.options.limit_among(self.tokens),
            similarity: edited.then(|| self.options.threshold()),
            judges_runs: self.options.judges_runs(),
            known: self.recent.of(slot),
            data: &data_of,
        };
        self.pool.install(|| choice.of(slot, data))
    }

    /// All pairs of the tree, as `familiar clones` finds them.
    pub fn all(&self, accepted: Option<&Baseline>) -> Result<CloneReport, DetectError> {
        let all = self.slots.values().map(|&slot| (slot, None)).collect();
        self.search(&all, None, accepted)
    }

    /// Searches files, of some of which a part is enough.
    fn search(
        &self,
        parts: &BTreeMap<u32, Option<Part>>,
        about: Option<u32>,
        accepted: Option<&Baseline>,
    ) -> Result<CloneReport, DetectError> {
        let order = |slot: &u32| {
            let document = &self.files[*slot as usize].document;
            (document.root, &document.path)
        };
        let has_data = |slot: &u32| self.files[*slot as usize].data().is_some();
        let mut slots: Vec<u32> = parts.keys().copied().filter(has_data).collect();
        slots.sort_by(|a, b| order(a).cmp(&order(b)));
        let documents: Vec<Document> =
            slots.iter().map(|&slot| self.files[slot as usize].document.clone()).collect();
        let memory = Memory::new(self.options.memory, &documents);
        let edited = (0u32..).zip(&slots);
        let edited =
            edited.filter_map(|(number, &slot)| Some((number, self.files[slot as usize].edited.clone()?)));
        let input = Input::of_files(documents).with_edited(edited.collect());
        let ingested = self.pool.install(|| self.ingested(&input, (&slots, parts), about, memory))?;
        let about = about.and_then(|about| slots.iter().position(|&slot| slot == about));
        let (commonness, tokens) = (self.commonness.clone(), self.tokens);
        let (about, parses) = (about.map(|at| at as u32), self.parses.clone());
        let whole = Whole { commonness, tokens, parses, about };
        let search = Search::of_part(&self.options, (input, ingested), self.reading.clone(), memory, whole);
        let roots = self.options.paths.clone();
        let search = search.within(Scope { trees: roots.len(), roots, ..Scope::default() });
        self.pool.install(|| search.report(accepted, &Silent, self.pool.clone()))
    }

    /// A collection of some files. Where it is made for one of them, the others are not compared among themselves.
    fn ingested(
        &self,
        input: &Input,
        (slots, parts): (&[u32], &BTreeMap<u32, Option<Part>>),
        about: Option<u32>,
        memory: Memory,
    ) -> Result<Ingested, DetectError> {
        let is_kept_alike =
            |slot: u32| self.files[slot as usize].data().is_some_and(|data| data.is_kept_alike);
        let others = match about {
            Some(about) if !is_kept_alike(about) => Side::Against,
            _ => Side::Both,
        };
        let mut ingested = Ingested::new(&self.reading, memory);
        for (number, &slot) in (0u32..).zip(slots) {
            let side = if about == Some(slot) { Side::Both } else { others };
            let document = &input.documents[number as usize];
            let Some(data) = self.files[slot as usize].data() else { continue };
            let part = parts.get(&slot).and_then(Option::as_ref);
            let outcome =
                Outcome::File(Box::new(part.map_or_else(|| data.clone(), |part| part_of(data, part))));
            ingested.add(&self.reading, number, document, outcome, side)?;
        }
        Ok(ingested)
    }
}

/// The data of a file without what need not be searched.
fn part_of(data: &FileData, part: &Part) -> FileData {
    let samples =
        if part.runs { data.samples.clone() } else { vec![FileFingerprints::default(); data.samples.len()] };
    let fragments = part.fragments.iter().map(|&number| data.fragments[number as usize]).collect();
    let (symbols, line_starts) = (data.symbols.clone(), data.line_starts.clone());
    FileData { samples, fragments, symbols, line_starts, scopes: data.scopes.clone(), ..*data }
}

fn keys<'k>(options: &CloneOptions, reading: &'k Reading, commonness: Option<&'k Commonness>) -> Keys<'k> {
    let edited = options.types.contains(&3);
    Keys { runs: reading.runs.first(), cross_families: options.cross_language, edited, commonness }
}

/// What was added is taken back by the numbers under which it was added, whatever is rare now.
fn all_keys<'k>(options: &CloneOptions, reading: &'k Reading) -> Keys<'k> {
    keys(options, reading, None)
}

/// How often the tokens and statements of files stand in them.
fn counted<'d>(tokens: u64, files: impl Iterator<Item = &'d FileData>) -> Commonness {
    let mut all = Commonness::among(tokens);
    files.for_each(|data| all.add(sequence(data)));
    all
}

fn sequence(data: &FileData) -> Sequence<'_> {
    Sequence { symbols: &data.symbols, line_starts: &data.line_starts }
}
