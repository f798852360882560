//! Snippets of code that are compared by themselves: parsed whole, with no least size.

use familiar_search::similar::Sequence;
use familiar_source::{Language, LineIndex};
use familiar_syntax::decode::{self, NotText};
use familiar_syntax::normal::{self, Renamer, Renaming, Symbol};
use familiar_syntax::{Parser, Want, regions};

use crate::Measure;

/// A snippet as the measures see it.
#[derive(Clone, Debug)]
pub struct Snippet {
    symbols: Box<[u32]>,
    line_starts: Box<[u32]>,
    /// Hash of the blindly renamed form.
    renamed: u64,
    lines: u32,
}

impl Snippet {
    /// Number of tokens.
    pub fn tokens(&self) -> u32 {
        self.symbols.len() as u32
    }

    /// Number of lines as written.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Whether the two are equal once renamed: Type-1 or Type-2 clones.
    pub fn is_renamed(&self, other: &Self) -> bool {
        self.renamed == other.renamed && self.symbols.len() == other.symbols.len()
    }

    /// Makes all names alike and all literals alike; keywords, operators and imports stay.
    pub fn blind(&mut self) {
        for symbol in &mut self.symbols {
            *symbol = Symbol(*symbol).blind().0;
        }
    }

    fn sequence(&self) -> Sequence<'_> {
        Sequence { symbols: &self.symbols, line_starts: &self.line_starts }
    }
}

/// Reads one snippet after another, keeping its memory. One for each thread.
#[derive(Debug, Default)]
pub struct SnippetReader {
    parser: Parser,
    renamer: Renamer,
    renamed: Vec<u32>,
}

impl SnippetReader {
    /// The snippet that all of `code` is. Fails where that is no text.
    pub fn read(&mut self, language: Language, code: &[u8]) -> Result<Snippet, NotText> {
        let text = decode::decode(code)?.text;
        let parsed = self.parser.parse(language, &text, Want { fragments: false, line_starts: true });
        let text = regions::code(language, &text);
        let symbols = normal::symbols(&text, parsed.tokens);
        let starts = (0u32..).zip(parsed.tokens).filter(|(_, token)| token.starts_line);
        self.renamer.rename(&symbols, Renaming::Blind, &mut self.renamed);
        Ok(Snippet {
            line_starts: starts.map(|(at, _)| at).collect(),
            renamed: normal::hash(&self.renamed),
            lines: LineIndex::new(&text).count(text.len()),
            symbols,
        })
    }
}

/// How similar two snippets are: 1 for Type-1 and Type-2 clones, else what the measure says.
pub fn similarity(measure: Measure, left: &Snippet, right: &Snippet) -> f64 {
    if left.is_renamed(right) {
        return 1.0;
    }
    measure.similarity().of(left.sequence(), right.sequence())
}
