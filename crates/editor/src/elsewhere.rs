//! Functions of a file that corpora have, too: who had them first, under which license, and in how many places.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use familiar_library::{CorpusError, FindOptions, Library, QueryReader};
use familiar_report::find::{FindReport, OccurrenceRow};
use familiar_source::Lines;
use familiar_source::words::counted;
use xxhash_rust::xxh3::xxh3_128;

/// Least share of a function that a blob of a corpus has.
const LEAST_COVERAGE: f64 = 0.7;

/// Blobs that are listed; others are counted.
const LISTED: usize = 20;

/// Functions whose answers are kept.
const KEPT: usize = 20_000;

/// How long a corpus is taken for what it was.
const FRESH: Duration = Duration::from_millis(500);

/// A function that stands in a corpus, too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elsewhere {
    pub(crate) lines: Lines,
    pub(crate) known: Arc<Known>,
}

/// What a corpus knows of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    corpus: String,
    clone_type: u8,
    similarity: f64,
    /// The earliest occurrence, or the first of the best blob where times say nothing.
    place: OccurrenceRow,
    /// Whether times say that it is the earliest.
    is_origin: bool,
    /// What that rests on.
    reason: String,
    license: Option<String>,
    places: u64,
    /// Whether there are more places than were counted.
    more: bool,
}

impl Known {
    /// What the diagnostic says.
    pub(crate) fn message(&self) -> String {
        let places = self.places_in_words();
        let first = if self.is_origin { "first seen" } else { "for example" };
        let license = self.license.as_deref().unwrap_or("no known license");
        format!(
            "this function exists elsewhere: {places} in {}; {first} in {}: {} ({license})",
            self.corpus, self.place.project, self.place.path
        )
    }

    fn places_in_words(&self) -> String {
        let more = if self.more { "at least " } else { "" };
        format!("{more}{}", counted(self.places, "place"))
    }

    pub(crate) fn code(&self) -> String {
        format!("elsewhere-type-{}", self.clone_type)
    }

    /// What the hover shows, in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let place = &self.place;
        let title = if self.is_origin { "Earliest known occurrence" } else { "One occurrence" };
        let like = match self.clone_type {
            1 => "the same code".to_owned(),
            2 => "the same code, except for names and values".to_owned(),
            _ => format!("an edited copy, {} % alike", (self.similarity * 100.0).floor()),
        };
        let mut rows = vec![format!("**{title}** ({like})"), String::new()];
        let mut row = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                rows.push(format!("- {name}: {}", escaped(value)));
            }
        };
        row("Project", Some(&place.project));
        row("Package", place.purl.as_deref());
        row("Version", place.revision.as_deref());
        row("Path", Some(&place.path));
        row("Author", place.author.as_deref());
        let date = place.first_seen.as_deref().map(|time| time.get(..10).unwrap_or(time));
        let date = date.map(|date| format!("{date} ({})", place.evidence.replace('-', " ")));
        row("Date", date.as_deref());
        row("License", Some(self.license.as_deref().unwrap_or("unknown")));
        row("Found in", Some(&format!("{} in the corpus {}", self.places_in_words(), self.corpus)));
        row("Origin", Some(&self.reason).filter(|reason| !reason.is_empty()).map(String::as_str));
        row("Link", place.link.as_deref());
        rows.join("\n")
    }
}

/// Text without the signs that Markdown reads.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!' => {
                escaped.extend(['\\', letter]);
            }
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// What tells that the manifest of a corpus was replaced.
type Stamp = Option<(u64, SystemTime)>;

/// A corpus that is asked as soon as it can be opened.
struct Corpus {
    name: String,
    folder: PathBuf,
    library: Option<Library>,
    manifest: Stamp,
}

impl Corpus {
    /// Opens the corpus as it is now, and else keeps what was open; why it cannot be opened.
    fn open(&mut self) -> Result<(), String> {
        // Before it is opened: what changes meanwhile is seen the next time.
        self.manifest = stamp(&self.folder);
        let library = Library::open(&self.folder);
        let library =
            library.map_err(|error| format!("the corpus {} cannot be asked: {error}", self.name))?;
        self.library = Some(library);
        Ok(())
    }
}

fn stamp(folder: &Path) -> Stamp {
    let manifest = folder.join("manifest.json").metadata().ok()?;
    Some((manifest.len(), manifest.modified().ok()?))
}

/// The corpora that are asked.
pub(crate) struct Corpora {
    all: Vec<Corpus>,
    looked: Instant,
    reader: QueryReader,
    options: FindOptions,
    /// By a hash of the function and the name of its file.
    answers: HashMap<u128, Option<Arc<Known>>>,
}

impl Corpora {
    /// Opens corpora; those that cannot be opened come back as messages.
    pub(crate) fn open(corpora: &[(String, PathBuf)], memory: usize) -> (Self, Vec<String>) {
        let (mut all, mut failed) = (Vec::new(), Vec::new());
        for (name, folder) in corpora.iter().cloned() {
            let mut corpus = Corpus { name, folder, library: None, manifest: None };
            failed.extend(corpus.open().err());
            all.push(corpus);
        }
        let (min_coverage, limit) = (LEAST_COVERAGE, LISTED);
        let options = FindOptions { min_coverage, limit, licenses: false, ..FindOptions::default() };
        let (looked, reader) = (Instant::now(), QueryReader::new(memory));
        (Self { all, looked, reader, options, answers: HashMap::new() }, failed)
    }

    /// Opens those anew that changed since; those that cannot be opened come back as messages.
    pub(crate) fn follow(&mut self) -> Vec<String> {
        if self.looked.elapsed() < FRESH {
            return Vec::new();
        }
        self.looked = Instant::now();
        let mut failed = Vec::new();
        for corpus in self.all.iter_mut().filter(|corpus| corpus.manifest != stamp(&corpus.folder)) {
            self.answers.clear();
            failed.extend(corpus.open().err());
        }
        failed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What the corpora know of some lines of a file, whose text is `bytes`. The corpus that has it in most places counts.
    pub(crate) fn ask(
        &mut self,
        file: &Path,
        bytes: &[u8],
        lines: Lines,
    ) -> Result<Option<Elsewhere>, CorpusError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let key = xxh3_128(&[stretch(bytes, lines), name.as_bytes()].concat());
        if let Some(known) = self.answers.get(&key) {
            return Ok(known.clone().map(|known| Elsewhere { lines, known }));
        }
        let mut best: Option<Known> = None;
        if let Ok(query) = self.reader.read(&name, bytes, None, Some(lines)) {
            for corpus in &self.all {
                let Some(library) = &corpus.library else { continue };
                let found = known(&corpus.name, library, &library.find(&query, &self.options)?)?;
                if let Some(found) =
                    found.filter(|found| best.as_ref().is_none_or(|best| best.places < found.places))
                {
                    best = Some(found);
                }
            }
        }
        let best = best.map(Arc::new);
        if self.answers.len() >= KEPT {
            self.answers.clear();
        }
        self.answers.insert(key, best.clone());
        Ok(best.map(|known| Elsewhere { lines, known }))
    }
}

/// The bytes of some lines.
fn stretch(bytes: &[u8], lines: Lines) -> &[u8] {
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let mut end_of = |line: usize| if line == 0 { Some(0) } else { ends.nth(line - 1) };
    let start = end_of(lines.start as usize - 1).unwrap_or(bytes.len());
    let end = end_of(lines.count() as usize).unwrap_or(bytes.len());
    &bytes[start.min(end)..end]
}

/// What an answer says, if the corpus has the code.
fn known(corpus: &str, library: &Library, report: &FindReport) -> Result<Option<Known>, CorpusError> {
    let rows = || report.blobs.iter().flat_map(|row| std::iter::once(&row.found).chain(&row.versions));
    let origin = &report.origin;
    let of_origin = origin.blob.as_ref().zip(origin.occurrence.as_ref()).filter(|_| origin.known);
    let of_best = || rows().next().and_then(|best| Some((&best.blob, best.occurrences.first()?)));
    let (Some(best), Some((blob, place))) = (rows().next(), of_origin.or_else(of_best)) else {
        return Ok(None);
    };
    let license = match blob.parse() {
        Ok(blob) => library.licenses().of_place(&blob, place)?,
        Err(_) => None,
    };
    Ok(Some(Known {
        corpus: corpus.to_owned(),
        clone_type: best.clone_type,
        similarity: best.similarity,
        license: license.or_else(|| place.license.clone()),
        place: place.clone(),
        is_origin: of_origin.is_some(),
        reason: origin.reason.clone(),
        places: rows().map(|found| found.occurrences.len() as u64).sum(),
        more: report.more_blobs > 0,
    }))
}
