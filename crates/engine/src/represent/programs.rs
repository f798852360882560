//! Programs out of what sources hold.

use std::borrow::Cow;

use familiar_corpus::{Found, Item, LanguageHint};
use familiar_library::of_block;
use familiar_source::Language;
use familiar_syntax::{decode, detect, languages, regions};

/// One program.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// Path of the file, or id of the row.
    pub id: &'p str,
    /// The group of the row, or the first folder of the file's path.
    pub group: Option<&'p str>,
    pub language: Language,
    /// Its text, decoded.
    pub text: &'p [u8],
}

impl<'p> Program<'p> {
    /// Its code, where one language reads all of it: of a notebook what is in its cells.
    pub fn code(&self) -> Cow<'p, [u8]> {
        match self.language {
            Language::Notebook => {
                regions::split(self.language, self.text).map_or(Cow::Borrowed(self.text), |it| it.code)
            }
            _ => Cow::Borrowed(self.text),
        }
    }

    /// The language of its code.
    pub fn code_language(&self) -> Language {
        if self.language == Language::Notebook { Language::Python } else { self.language }
    }
}

/// Something that a source holds.
enum Entry {
    Item(Box<Item>),
    Skip { path: String, reason: String },
}

/// Some things that follow each other in the sources.
#[derive(Default)]
pub(super) struct Stretch {
    entries: Vec<Entry>,
    bytes: usize,
}

impl Stretch {
    pub(super) fn add(&mut self, found: Found) {
        match found {
            Found::Item(item) => {
                self.bytes += item.bytes.len();
                self.entries.push(Entry::Item(Box::new(item)));
            }
            Found::Skip { path, reason } => self.entries.push(Entry::Skip { path, reason }),
            _ => {}
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// What became of a stretch.
#[derive(Default)]
pub(super) struct Report {
    pub(super) programs: u64,
    /// Paths of what was left out, with the reason.
    pub(super) left_out: Vec<(String, String)>,
}

/// The programs of a stretch.
pub struct Programs<'o> {
    stretch: Stretch,
    languages: &'o [Language],
    report: Report,
}

impl<'o> Programs<'o> {
    pub(super) fn new(stretch: Stretch, languages: &'o [Language]) -> Self {
        Self { stretch, languages, report: Report::default() }
    }

    /// Calls `add` with each program in its order. What it does not take is left out for the reason that it gives; it then has to undo
    /// what it did.
    pub fn each(&mut self, mut add: impl FnMut(&Program<'_>) -> Result<(), String>) {
        for entry in std::mem::take(&mut self.stretch.entries) {
            let (path, outcome) = match entry {
                Entry::Skip { path, reason } => (path, Err(reason)),
                Entry::Item(item) => {
                    let outcome = self.program(&item, &mut add);
                    (item.occurrence.path, outcome)
                }
            };
            match outcome {
                Ok(count) => self.report.programs += count,
                Err(reason) => self.report.left_out.push((path, reason)),
            }
        }
    }

    /// How many programs the item is: one, or none where it is data or in a language that is not asked for.
    fn program(
        &self,
        item: &Item,
        add: &mut impl FnMut(&Program<'_>) -> Result<(), String>,
    ) -> Result<u64, String> {
        let path = item.occurrence.path.as_str();
        let is_data = languages::others::is_data;
        let is_file = item.language == LanguageHint::Unspecified;
        if is_file && detect::by_name(path).is_some_and(is_data) {
            return Ok(0);
        }
        let decoded = decode::decode(&item.bytes).map_err(|error| error.to_string())?;
        let text = &*decoded.text;
        let language = match item.language {
            LanguageHint::Language(language) => Some(language),
            LanguageHint::Unspecified => detect::language(path, text).filter(|&language| !is_data(language)),
            LanguageHint::Block { likely } => of_block(text, likely),
            LanguageHint::Other | LanguageHint::Declaration => None,
        };
        let asked = |language: &Language| self.languages.is_empty() || self.languages.contains(language);
        let Some(language) = language else { return item.no_language().map_or(Ok(0), Err) };
        if !asked(&language) {
            return Ok(0);
        }
        let id = item.row_id.as_deref().unwrap_or(path);
        let group = path.split_once('/').map(|(first, _)| first);
        add(&Program { id, group, language, text }).map(|()| 1)
    }

    pub(super) fn finish(self) -> Report {
        self.report
    }
}
