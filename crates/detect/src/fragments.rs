//! The fragments of one text at a time, as a search finds them, with what tells equal ones: for whoever compares them elsewhere.

use std::borrow::Cow;

use familiar_source::{Fragment, FragmentKind, Language, Lines, Span, line_starts};
use familiar_syntax::normal::{self, Renamer};
use familiar_syntax::{Parsed, Parser, regions};
use xxhash_rust::xxh3::Xxh3Default;

use crate::CloneOptions;
use crate::ingest::{NO_FUNCTIONS, OVERFLOWED};
pub use crate::reading::LeftOut;
use crate::reading::Reading;

/// Reads one text after another, keeping its memory.
#[derive(Debug)]
pub struct FragmentReader {
    reading: Reading,
    parser: Parser,
    renamer: Renamer,
}

/// The fragments of one text that are worth comparing, in the order of the front end.
#[derive(Clone, Debug)]
pub struct FileFragments {
    pub language: Language,
    pub fragments: Vec<FileFragment>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct FileFragment {
    pub kind: FragmentKind,
    /// Position among all fragments of the file.
    pub ordinal: u32,
    pub name: String,
    pub lines: Lines,
    /// Where it stands among the tokens of its file.
    pub tokens: Span,
    /// A hash of the family of languages and of the tokens' classes and texts: the same for fragments that are equal (Type-1),
    /// and different for others. Languages of one family may class a word differently: `new` is a name in C.
    pub exact: u128,
    /// The same of the renamed form (Type-2).
    pub renamed: u128,
    /// Its Type-1 form.
    pub symbols: Box<[u32]>,
    /// Positions among these at which statements start; none where the measure reads none.
    pub line_starts: Box<[u32]>,
}

impl FragmentReader {
    /// `options` name no input.
    pub fn new(options: &CloneOptions) -> Self {
        let reading = Reading::new(options);
        let parser = reading.parser();
        Self { reading, parser, renamer: Renamer::default() }
    }

    /// The language of a text that takes part, and the text in UTF-8; `path` and `language` are as for [`Self::read`].
    pub fn open<'b>(
        &self,
        path: &str,
        language: Option<Language>,
        bytes: &'b [u8],
    ) -> Result<(Language, Cow<'b, [u8]>), LeftOut> {
        self.reading.open(path, language, bytes)
    }

    /// The fragments of a text; `path` is what it is called, and `language` is told from name and text where it is not given.
    pub fn read(
        &mut self,
        path: &str,
        language: Option<Language>,
        bytes: &[u8],
    ) -> Result<FileFragments, LeftOut> {
        let (language, text) = self.open(path, language, bytes)?;
        self.fragments(language, &text)
    }

    /// The fragments of what [`Self::open`] gives.
    pub fn fragments(&mut self, language: Language, text: &[u8]) -> Result<FileFragments, LeftOut> {
        let Self { reading, parser, renamer } = self;
        let parsed = parser.parse(language, text, reading.want);
        if parsed.overflowed {
            return Err(LeftOut::Skipped(OVERFLOWED.to_owned()));
        }
        if parsed.gave_up {
            return Err(LeftOut::Skipped(NO_FUNCTIONS.to_owned()));
        }
        let text = &*regions::code(language, text);
        let symbols = normal::symbols(text, parsed.tokens);
        let starts = if reading.want.line_starts { line_starts(parsed.tokens) } else { Vec::new() };
        let mut renamed = Vec::new();
        let taken = parsed.fragments.iter().enumerate().filter(|(_, f)| reading.takes(f, &symbols));
        let fragments = taken.map(|(ordinal, f)| {
            let form = &symbols[f.tokens.range()];
            renamer.rename(form, reading.renaming, &mut renamed);
            FileFragment {
                kind: f.kind,
                ordinal: ordinal as u32,
                name: String::from_utf8_lossy(&text[f.name.range()]).into_owned(),
                lines: f.lines,
                tokens: f.tokens,
                exact: exact(language, text, &parsed, f),
                renamed: hash(language, f.kind, renamed.iter().map(|symbol| symbol.to_le_bytes())),
                symbols: form.into(),
                line_starts: within(&starts, f.tokens),
            }
        });
        Ok(FileFragments { language, fragments: fragments.collect() })
    }
}

impl Reading {
    /// The text of a document that takes part, and its language.
    fn open<'b>(
        &self,
        path: &str,
        language: Option<Language>,
        bytes: &'b [u8],
    ) -> Result<(Language, Cow<'b, [u8]>), LeftOut> {
        if let Some(left) = self.of_path(path, language) {
            return Err(left);
        }
        self.check_size(bytes.len() as u64).map_err(|error| LeftOut::Skipped(error.to_string()))?;
        self.text(path, language, bytes)
    }
}

/// The positions of all that lie in a span, counted from its start.
fn within(positions: &[u32], span: Span) -> Box<[u32]> {
    let from = positions.partition_point(|&at| at < span.start);
    positions[from..].iter().take_while(|&&at| at < span.end).map(|at| at - span.start).collect()
}

fn exact(language: Language, text: &[u8], parsed: &Parsed<'_>, f: &Fragment) -> u128 {
    let mut hasher = hasher(language, f.kind);
    for token in &parsed.tokens[f.tokens.range()] {
        hasher.update(&[token.class as u8]);
        hasher.update(token.text(text));
        hasher.update(&[0]);
    }
    hasher.digest128()
}

fn hash(language: Language, kind: FragmentKind, parts: impl Iterator<Item = [u8; 4]>) -> u128 {
    let mut hasher = hasher(language, kind);
    for part in parts {
        hasher.update(&part);
    }
    hasher.digest128()
}

fn hasher(language: Language, kind: FragmentKind) -> Xxh3Default {
    let mut hasher = Xxh3Default::new();
    hasher.update(&[language.family().0, kind as u8]);
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_whose_tokens_have_other_classes_are_not_equal() {
        let options = CloneOptions {
            granularity: vec![FragmentKind::Function],
            min_tokens: Some(10),
            min_lines: 1,
            ..CloneOptions::default()
        };
        let mut reader = FragmentReader::new(&options);
        let mut hashes = |path, name: &str| {
            let text = format!("int f(int a) {{\n  int {name} = a + 1;\n  return {name} * a;\n}}\n");
            let file = reader.read(path, None, text.as_bytes()).expect("it takes part");
            file.fragments.iter().map(|it| (it.exact, it.renamed)).collect::<Vec<_>>()
        };
        assert_eq!(hashes("a.c", "b").len(), 1);
        assert_eq!(hashes("a.c", "b"), hashes("a.cpp", "b"));
        let (one, other) = (hashes("a.c", "new"), hashes("a.cpp", "new"));
        assert!(one[0].1 != other[0].1 && one[0].0 != other[0].0);
    }

    #[test]
    fn a_text_whose_functions_are_not_known_is_left_out_with_the_reason() {
        let options = CloneOptions { memory: CloneOptions::LEAST_MEMORY, ..CloneOptions::default() };
        let mut reader = FragmentReader::new(&options);
        let mut read = |times| reader.read("a.rb", None, &b"def a\n  b(1)\nend\n".repeat(times)).map(|_| ());
        assert_eq!(read(10), Ok(()));
        assert_eq!(read(30_000), Err(LeftOut::Skipped(NO_FUNCTIONS.to_owned())));
    }
}
