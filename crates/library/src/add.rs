//! `corpus add`: sources in, a part of the corpus out for each.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::time::{SystemTime, UNIX_EPOCH};

use familiar_corpus::{Before, Fetched, Kept, Limits, Source, spec};
use familiar_license::infer::declares;
use familiar_source::{BlobId, Occurrence};
use familiar_store::tables::{Blobs, LicenseFiles, Occurrences};
use familiar_store::{Corpus, Manifest, PartWriter, StoreError, Writer};
use rustc_hash::FxHashSet;

use crate::CorpusError;
use crate::known_blobs::KnownBlobs;
use crate::memory;
use crate::merge::{self, Merge};
use crate::outcome::{Added, Outcome};
use crate::parse;
use crate::prefetch::{self, Turn};
use crate::segments::Segments;
use crate::source_reader::{Reading, SharedBlobs, SourceReader, read, write};
use familiar_source::Progress;

/// What goes into which corpus.
pub struct AddOptions {
    /// The corpus; made where there is none.
    pub folder: PathBuf,
    /// Each source by its name, which stands for it from now on.
    pub sources: Vec<(String, Box<dyn Source>)>,
    /// Names of those that were handed out: code that stands there too says nothing about who copied.
    pub base: BTreeSet<String>,
    /// Globs of the paths that the sources leave out, which updates leave out too.
    pub exclude: Vec<String>,
    /// Whether a new corpus keeps source text.
    pub text: bool,
    pub reading: Reading,
}

/// What the manifest says of a source beside what it gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) base: bool,
    pub(crate) without: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) no_ignore: bool,
    /// How it is read, if not as the others.
    pub(crate) limits: Option<Limits>,
}

/// What is read into an open corpus.
pub(crate) struct FillOptions<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) sources: &'a [(String, Box<dyn Source>)],
    /// By the name of the source; nothing is said of others.
    pub(crate) marks: BTreeMap<String, Marks>,
    pub(crate) reading: Reading,
}

/// So many small parts are merged at the end, and so many while sources are added: thousands of packages come one by one.
const FEW: usize = 8;
const MANY: usize = 64;

/// Adds sources to a corpus, one after another; a source that is there already is read anew. Every source counts once it
/// is read whole: an error, or a killed process, leaves those before it.
pub fn add(options: &AddOptions, progress: &dyn Progress) -> Result<Outcome, CorpusError> {
    let writer = Writer::open(&options.folder, options.text)?;
    let marks = |(name, source): &(String, Box<dyn Source>)| {
        let base = options.base.contains(name);
        // Of a source that takes no globs nothing is left out.
        let exclude = if source.exclude().is_empty() { Vec::new() } else { options.exclude.clone() };
        let marks = Marks { base, exclude, no_ignore: source.no_ignore(), ..Marks::default() };
        (name.clone(), marks)
    };
    let given = FillOptions {
        folder: &options.folder,
        sources: &options.sources,
        marks: options.sources.iter().map(marks).collect(),
        reading: options.reading,
    };
    fill(writer, &given, progress)
}

/// Reads sources into the corpus that `writer` has open.
pub(crate) fn fill(
    mut writer: Writer,
    given: &FillOptions<'_>,
    progress: &dyn Progress,
) -> Result<Outcome, CorpusError> {
    let Reading { limits, threads, memory } = given.reading;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| CorpusError::Threads { threads, source })?;
    writer.set_row_group(memory::row_group(memory));
    pool.install(|| merge::merge_parts(given.folder, &mut writer, Merge::GaveUp, memory, progress))?;
    let most = memory::known_blobs(memory);
    let known = RwLock::new(known_blobs(given.folder, writer.manifest(), most)?);
    let sources: BTreeSet<String> =
        writer.manifest().sources.iter().map(|entry| entry.source.clone()).collect();
    let names = sources.clone();
    let mut adder = Adder { given, progress, pool, writer, known, names, outcome: Outcome::default() };
    let read = prefetch::each(given.sources, &sources, &limits, |name, turn| match turn {
        Turn::Here(source) => adder.source(name, source, None),
        Turn::Fetched(fetched) => adder.fetched(name, &fetched),
        Turn::Failed(error) => {
            adder.outcome.failed.push(error);
            Ok(())
        }
    });
    match read.and_then(|()| adder.merge(FEW)) {
        Ok(()) => Ok(adder.outcome),
        Err(source) if adder.outcome.added.is_empty() => Err(source),
        Err(source) => {
            let (outcome, source) = (Box::new(adder.outcome), Box::new(source));
            Err(CorpusError::After { outcome, source })
        }
    }
}

/// Adds one source after another.
struct Adder<'a> {
    given: &'a FillOptions<'a>,
    progress: &'a dyn Progress,
    pool: rayon::ThreadPool,
    writer: Writer,
    known: SharedBlobs,
    /// The sources that the corpus has.
    names: BTreeSet<String>,
    outcome: Outcome,
}

/// What was read of a source and does not count yet.
struct ReadSource {
    part: PartWriter,
    segments: Segments,
    added: Added,
    /// What the next reading of the source needs to know.
    state: Option<String>,
    /// Whether the part only adds to what the source gave before.
    continues: bool,
    limits: Limits,
    /// The least memory for which something of the source was left out.
    short_of_memory: Option<u64>,
}

impl Adder<'_> {
    /// Reads a source, and makes what it gave count, with the name `also` of what stands for it.
    fn source(&mut self, name: &str, source: &dyn Source, also: Option<&str>) -> Result<(), CorpusError> {
        self.progress.stage(name, 0);
        let nothing = Marks::default();
        let marks = self.given.marks.get(name).unwrap_or(&nothing);
        let reading = &self.given.reading;
        let reading = &Reading { limits: marks.limits.unwrap_or(reading.limits), ..*reading };
        let keeps_text = self.writer.manifest().text;
        let mut part = SourceReader {
            reading,
            without: &marks.without,
            progress: self.progress,
            known: &self.known,
            last: None,
            code_by_content: FxHashSet::default(),
            gave_up: BTreeSet::new(),
            short_of_memory: false,
            declared: FxHashSet::default(),
            declared_before: &|| declared(self.given.folder, name),
            keeps_text,
            state: None,
            continues: false,
            part: self.writer.part(name)?,
            segments: Segments::new(memory::segment(reading.memory), keeps_text),
            has_projects: source.has_projects(),
            added: Added { source: name.to_owned(), ..Added::default() },
        };
        let last = self.writer.manifest().sources.iter().find(|entry| entry.source == *name);
        let short_before = last.and_then(|entry| entry.short_of_memory);
        let last = last.and_then(|entry| entry.state.clone());
        let cache = self.writer.cache(name);
        let before = Before {
            state: last.as_deref(),
            // What cannot be looked up is told when the blob comes.
            holds: &|blob| read(&self.known).contains(blob).unwrap_or(false),
            // The content of license files is kept with their source.
            knows: &|blob, path| {
                let is_code = !declares(path) && parse::is_code_by_name(path) == Some(true);
                is_code && read(&self.known).contains(blob).unwrap_or(false)
            },
            name: &parse::name_number,
            anew: short_before.is_some_and(|least| least < reading.memory as u64),
            occurrences: &|each| occurrences(self.given.folder, name, each),
            cache: Some(&cache),
        };
        let outcome = self.pool.install(|| part.read(source, &before));
        let SourceReader { part, added, state, continues, segments, short_of_memory, .. } = part;
        // What an earlier reading left out is still out where this one only adds to it.
        let short_before = short_before.filter(|_| continues);
        let short_now = short_of_memory.then_some(reading.memory as u64);
        let short_of_memory = short_before.into_iter().chain(short_now).min();
        let read =
            ReadSource { part, segments, added, state, continues, limits: reading.limits, short_of_memory };
        match outcome {
            Ok(()) => self.keep(read, marks, also),
            Err(CorpusError::Source(error)) => {
                // Its tables are not named, so its blobs are none that the corpus holds.
                write(&self.known).forget();
                self.outcome.failed.push(error);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Makes what a source gave count.
    fn keep(&mut self, read: ReadSource, marks: &Marks, also: Option<&str>) -> Result<(), CorpusError> {
        let ReadSource { mut part, segments, added, state, continues, limits, short_of_memory } = read;
        let name = added.source.as_str();
        self.pool.install(|| segments.finish(part.segments()))?;
        let part = part.finish()?;
        if continues {
            self.writer.extend(part, now(), state);
        } else {
            self.writer.add(part, now());
            self.writer.keep(name, state);
        }
        if let Some(entry) = self.writer.entry(name) {
            let Limits { item_bytes, archive_bytes, archive_depth, .. } = Limits::default();
            entry.base = marks.base;
            marks.without.clone_into(&mut entry.without);
            marks.exclude.clone_into(&mut entry.exclude);
            entry.no_ignore = marks.no_ignore;
            entry.max_file = Some(limits.item_bytes).filter(|&bytes| bytes != item_bytes);
            entry.max_archive = Some(limits.archive_bytes).filter(|&bytes| bytes != archive_bytes);
            entry.max_depth = Some(limits.archive_depth).filter(|&depth| depth != archive_depth);
            entry.short_of_memory = short_of_memory;
        }
        self.names.insert(name.to_owned());
        if let Some(also) = also {
            self.note(also)?;
        }
        self.writer.commit()?;
        write(&self.known).keep();
        self.outcome.added.push(added);
        self.merge(MANY)
    }

    /// Adds what was fetched for the source `name` under the name of exactly that, once. `name` is noted too where it is
    /// another: it has nothing of its own and says what to look for when the corpus is updated.
    fn fetched(&mut self, name: &str, fetched: &Fetched) -> Result<(), CorpusError> {
        // A name with a version follows nothing, however its version is written.
        let also = Some(name).filter(|_| fetched.name != name && spec::newest_of(name).is_none());
        match &fetched.source {
            Some(source) if !self.names.contains(&fetched.name) => {
                self.source(&fetched.name, &**source, also)
            }
            _ => {
                self.outcome.held += 1;
                match also.filter(|&also| !self.names.contains(also)) {
                    Some(also) => {
                        self.note(also)?;
                        Ok(self.writer.commit()?)
                    }
                    None => Ok(()),
                }
            }
        }
    }

    /// Merges the small parts, where there are so many.
    fn merge(&mut self, many: usize) -> Result<(), CorpusError> {
        let Self { given, pool, writer, progress, .. } = self;
        let (which, memory) = (Merge::Small(many), given.reading.memory);
        pool.install(|| merge::merge_parts(given.folder, writer, which, memory, *progress))
    }

    /// Names a source that has nothing of its own.
    fn note(&mut self, name: &str) -> Result<(), CorpusError> {
        let nothing = self.writer.part(name)?.finish()?;
        self.writer.add(nothing, now());
        self.names.insert(name.to_owned());
        Ok(())
    }
}

/// The blobs that the corpus in `folder` holds, and on whose functions parsing gave up.
fn known_blobs(folder: &Path, manifest: &Manifest, most: usize) -> Result<KnownBlobs, CorpusError> {
    let mut known = KnownBlobs::open(folder, manifest, most)?;
    let parts: Vec<u64> =
        manifest.parts.iter().filter(|part| part.gave_up.is_some()).map(|part| part.number).collect();
    if !parts.is_empty() {
        let corpus = Corpus::open(folder)?;
        for number in parts {
            corpus.try_read::<Blobs, StoreError>(number, |row| {
                if row.gave_up.is_some() {
                    known.note_gave_up(row.blob);
                }
                Ok(())
            })?;
        }
    }
    Ok(known)
}

/// Calls back with every occurrence that a source gave before.
fn occurrences(
    folder: &Path,
    source: &str,
    each: &mut dyn FnMut(BlobId, Occurrence, Kept),
) -> io::Result<()> {
    let corpus = Corpus::open(folder).map_err(io::Error::other)?;
    let is_of = |name: &str| name == source;
    corpus
        .read_latest_of::<Occurrences>(is_of, |_, row| each(row.blob, row.occurrence, Kept::Code))
        .and_then(|()| {
            corpus
                .read_latest_of::<LicenseFiles>(is_of, |_, row| each(row.blob, row.occurrence, Kept::License))
        })
        .map_err(io::Error::other)
}

/// The license files that a source gave before.
fn declared(folder: &Path, source: &str) -> Result<FxHashSet<BlobId>, StoreError> {
    let mut blobs = FxHashSet::default();
    Corpus::open(folder)?.read_latest_of::<LicenseFiles>(
        |name| name == source,
        |_, row| {
            blobs.insert(row.blob);
        },
    )?;
    Ok(blobs)
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed())
}

#[cfg(test)]
mod tests {
    use familiar_corpus::{Found, Item, LanguageHint, Limits as SourceLimits, Remote, Sink, SourceError};
    use familiar_source::Occurrence;
    use familiar_store::tables::Occurrences;

    use super::*;
    use familiar_source::Silent;

    /// A package whose newest release has a version; `0` for none.
    struct Package(u32);

    struct Release(u32);

    impl Source for Package {
        fn read(&self, _: &SourceLimits, _: &mut Sink<'_>) -> Result<(), SourceError> {
            unreachable!("it is fetched")
        }

        fn remote(&self) -> Option<&dyn Remote> {
            Some(self)
        }
    }

    impl Remote for Package {
        fn fetch(&self, held: &dyn Fn(&str) -> bool, _: &SourceLimits) -> Result<Fetched, SourceError> {
            let name = format!("pypi:a=={}", self.0);
            if self.0 == 0 {
                return Err(SourceError::Remote { name, source: "not there".into() });
            }
            let source = (!held(&name)).then(|| Box::new(Release(self.0)) as Box<dyn Source>);
            Ok(Fetched { name, source })
        }
    }

    impl Source for Release {
        fn read(&self, _: &SourceLimits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
            let bytes = format!("def f(a):\n    return a + {}\n", self.0).into_bytes();
            let occurrence = Occurrence { path: "a.py".to_owned(), ..Occurrence::default() };
            let _goes_on = sink(Found::Item(Item::new(bytes, LanguageHint::Unspecified, occurrence)));
            Ok(())
        }
    }

    fn added(folder: &std::path::Path, packages: &[(&str, u32)]) -> Outcome {
        let source =
            |&(name, version): &(&str, u32)| (name.to_owned(), Box::new(Package(version)) as Box<dyn Source>);
        let options = AddOptions {
            folder: folder.to_owned(),
            sources: packages.iter().map(source).collect(),
            base: BTreeSet::new(),
            exclude: Vec::new(),
            text: true,
            reading: Reading { limits: SourceLimits::default(), threads: 1, memory: 1 << 30 },
        };
        add(&options, &Silent).expect("the corpus can be written")
    }

    #[test]
    fn a_release_is_added_once_and_a_newer_one_beside_it() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let folder = dir.path().join("corpus");
        let first = added(&folder, &[("pypi:a", 1), ("pypi:none", 0), ("pypi:a==1.0", 1)]);
        assert_eq!((first.added.len(), first.failed.len(), first.held), (1, 1, 1));
        let generation = || Corpus::open(&folder).expect("it is there").manifest().generation;
        let before = generation();
        assert_eq!(added(&folder, &[("pypi:a", 1), ("pypi:a==1", 1)]).held, 2);
        assert_eq!(generation(), before);
        assert_eq!(added(&folder, &[("pypi:a", 2)]).added[0].source, "pypi:a==2");
        let corpus = Corpus::open(&folder).expect("it is there");
        let names: Vec<_> = corpus.manifest().sources.iter().map(|entry| entry.source.as_str()).collect();
        assert_eq!(names, ["pypi:a==1", "pypi:a", "pypi:a==2"]);
        let mut places = Vec::new();
        corpus.read::<Occurrences>(|part, _| places.push(part.source.clone())).expect("sound tables");
        assert_eq!(places, ["pypi:a==1", "pypi:a==2"]);
    }
}
