//! What of some files is wanted, and which of them count.

use std::borrow::Cow;
use std::io;

use familiar_files::input::Input;
use familiar_search::information::Limit;
use familiar_search::runs::RunSettings;
use familiar_source::{Fragment, FragmentKind, Language};
use familiar_syntax::generated::{self, Artifact};
use familiar_syntax::normal::Renaming;
use familiar_syntax::{Limits, Parser, Want, carried, decode, detect as tell, languages};

use crate::searches::run_searches;
use crate::{CloneOptions, fixture};

/// Of a file that tests read: input, or what is expected of it.
const FIXTURE: &str = "a fixture of tests, alike on purpose: --include-idioms reads it";

/// What of the files is wanted, as far as reading them goes.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    languages: Vec<Language>,
    include_generated: bool,
    pub(crate) want: Want,
    kinds: Vec<FragmentKind>,
    pub(crate) renaming: Renaming,
    limit: Limit,
    min_lines: u32,
    pub(crate) judges_files: bool,
    /// Whether files are told that are kept alike. They stand on one side of a search then, so the search has no sides of its own.
    tells_alike: bool,
    /// Whether all of it is one project's own. Who else has the same library is a question of corpora and of several projects.
    is_one_tree: bool,
    /// How runs are sampled, for each search for them.
    pub(crate) runs: Vec<RunSettings>,
    /// Largest file, in bytes, and what one may take while it is parsed, by the memory setting.
    max_bytes: u64,
    pub(crate) limits: Limits,
}

impl Reading {
    pub(crate) fn new(options: &CloneOptions) -> Self {
        let runs = options.wants(FragmentKind::Run);
        Self {
            languages: options.languages.clone(),
            include_generated: options.include_generated,
            // Without types 3 or fragments, or for a measure that reads none, positions of statements would be kept in vain.
            want: Want {
                // Runs are cut where functions end, whether functions are asked for or not.
                fragments: options.wants_fragments() || runs,
                line_starts: options.counts_statements()
                    || runs
                    || options.wants_fragments()
                        && options.wants_type(3)
                        && options.measure.similarity().reads_lines(),
            },
            kinds: options.granularity.clone(),
            renaming: options.renaming(),
            limit: options.limit(),
            min_lines: options.min_lines,
            judges_files: options.judges_files(),
            tells_alike: options.judges_files() && options.query.is_empty() && options.beside.is_empty(),
            is_one_tree: options.corpora.is_empty() && !options.between_projects,
            runs: run_searches(options, 0),
            max_bytes: options.max_file_bytes(),
            limits: Limits::of_memory(options.memory),
        }
    }

    /// A parser for one thread.
    pub(crate) fn parser(&self) -> Parser {
        Parser::within(self.limits)
    }

    /// The bytes of a document.
    pub(crate) fn read(&self, input: &Input, number: u32) -> Result<Vec<u8>, ReadError> {
        self.check_size(input.documents[number as usize].bytes)?;
        Ok(input.read(number)?)
    }

    /// Fails for a document of so many bytes that is too large.
    pub(crate) fn check_size(&self, bytes: u64) -> Result<(), ReadError> {
        if bytes > self.max_bytes {
            return Err(ReadError::TooLarge { mebibytes: self.max_bytes >> 20 });
        }
        Ok(())
    }

    /// Whether a fragment is worth comparing; `symbols` are those of its file.
    pub(crate) fn takes(&self, f: &Fragment, symbols: &[u32]) -> bool {
        self.kinds.contains(&f.kind)
            && f.lines.count() >= self.min_lines
            && self.limit.allows(&symbols[f.tokens.range()], &[])
    }

    /// Why a document does not count, as far as its path says; `known` is its language where that is known.
    pub(crate) fn of_path(&self, path: &str, known: Option<Language>) -> Option<LeftOut> {
        let by_name = known.or_else(|| tell::by_name(path));
        if by_name.is_some_and(|language| self.languages.is_empty() && languages::others::is_data(language)) {
            return Some(LeftOut::NotCode);
        }
        if self.judges_files && fixture::is_fixture(path) {
            return Some(LeftOut::Skipped(FIXTURE.to_owned()));
        }
        if !self.include_generated && generated::is_called_so(path) {
            return Some(LeftOut::Skipped(Artifact::Generated.reason().to_owned()));
        }
        None
    }

    /// The text of a document that counts, and its language; `path` is one that [`Self::of_path`] lets pass.
    pub(crate) fn text<'b>(
        &self,
        path: &str,
        known: Option<Language>,
        bytes: &'b [u8],
    ) -> Result<(Language, Cow<'b, [u8]>), LeftOut> {
        let Ok(text) = decode::decode(bytes).map(|decoded| decoded.text) else {
            return Err(LeftOut::Skipped("binary".to_owned()));
        };
        let language = self.language(path, known, &text).ok_or(LeftOut::NotCode)?;
        if !self.include_generated
            && let Some(artifact) = generated::artifact(language, &text)
        {
            return Err(LeftOut::Skipped(artifact.reason().to_owned()));
        }
        Ok((language, text))
    }

    /// Whether a file is like others on purpose, so that it is compared only with what is not: a document of one version, a page
    /// among documents, which have their frame in common and are often made by a program, or a library of others.
    pub(crate) fn is_kept_alike(&self, path: &str, language: Language, text: &[u8]) -> bool {
        let is_version = || languages::others::is_markup(language) && fixture::is_kept_version(path);
        let is_page = || language == Language::Html && fixture::is_document(path);
        self.tells_alike
            && (is_version() || self.is_one_tree && (is_page() || carried::is_library(language, path, text)))
    }

    /// The language of a document that counts; text in no known language counts where `other` is asked for.
    fn language(&self, path: &str, known: Option<Language>, text: &[u8]) -> Option<Language> {
        let told = || tell::language(path, text);
        let other = self.languages.contains(&Language::Other).then_some(Language::Other);
        let language = known.or_else(told).or(other)?;
        let asked = if self.languages.is_empty() {
            !languages::others::is_data(language)
        } else {
            self.languages.contains(&language)
        };
        asked.then_some(language)
    }
}

/// Why the bytes of a document cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("larger than {mebibytes} MiB, the limit for one file with this --memory")]
    TooLarge { mebibytes: u64 },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Why a text has no fragments that count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// It is prose or data, or in a language that is not asked for.
    #[error("no code in a language that is asked for")]
    NotCode,
    #[error("{0}")]
    Skipped(String),
}
