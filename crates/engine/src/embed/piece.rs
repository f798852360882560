//! An item of a source to the pieces of code that get a vector each.

use familiar_corpus::{Item, LanguageHint};
use familiar_library::of_block;
use familiar_source::{Fragment, FragmentKind, Language, LineIndex};
use familiar_syntax::{Limits, Parser, Want, decode, detect as tell, generated, languages};

use serde::Serialize;

/// What a vector is the vector of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EmbeddedRow {
    /// Path of the file, or id of the row with its group in front of it.
    pub path: String,
    /// Name of the function; none of a row.
    pub name: Option<String>,
    pub start_line: u32,
    pub end_line: u32,
    pub language: &'static str,
}

/// A piece of code.
pub(super) struct Piece {
    pub(super) row: EmbeddedRow,
    pub(super) language: Language,
    /// Decoded text.
    pub(super) text: Vec<u8>,
}

/// What an item gives.
pub(super) enum Outcome {
    Pieces(Vec<Piece>),
    /// Data and prose, or a language that is not asked for.
    NotCode,
    Skip(String),
}

/// Reads one item after another, keeping its memory. One for each thread.
pub(super) struct PieceReader<'o> {
    parser: Parser,
    languages: &'o [Language],
}

impl<'o> PieceReader<'o> {
    pub(super) fn new(limits: Limits, languages: &'o [Language]) -> Self {
        Self { parser: Parser::within(limits), languages }
    }

    /// The functions of a file; all of what says its own language, which is a row or a block.
    pub(super) fn read(&mut self, item: &Item) -> Outcome {
        let path = item.occurrence.path.as_str();
        let is_data = languages::others::is_data;
        let is_file = item.language == LanguageHint::Unspecified;
        if is_file && tell::by_name(path).is_some_and(is_data) {
            return Outcome::NotCode;
        }
        let Ok(decoded) = decode::decode(&item.bytes) else { return Outcome::Skip("binary".to_owned()) };
        let text = decoded.text;
        let language = match item.language {
            LanguageHint::Language(language) => Some(language),
            LanguageHint::Unspecified => tell::language(path, &text).filter(|&language| !is_data(language)),
            LanguageHint::Block { likely } => of_block(&text, likely),
            LanguageHint::Other | LanguageHint::Declaration => None,
        };
        let asked = |language: &Language| self.languages.is_empty() || self.languages.contains(language);
        let Some(language) = language else {
            return item.no_language().map_or(Outcome::NotCode, Outcome::Skip);
        };
        if !asked(&language) {
            return Outcome::NotCode;
        }
        let row = |name: Option<String>, start_line, end_line| EmbeddedRow {
            path: path.to_owned(),
            name,
            start_line,
            end_line,
            language: language.name(),
        };
        if !is_file {
            let first = item.occurrence.first_line.max(1);
            let last = first + LineIndex::new(&text).count(text.len()).max(1) - 1;
            return Outcome::Pieces(vec![Piece {
                row: row(None, first, last),
                language,
                text: text.into_owned(),
            }]);
        }
        if let Some(artifact) = generated::artifact(language, &text) {
            return Outcome::Skip(artifact.reason().to_owned());
        }
        let parsed = self.parser.parse(language, &text, Want { fragments: true, line_starts: false });
        if parsed.overflowed {
            return Outcome::Skip("more tokens than this --memory allows".to_owned());
        }
        if parsed.gave_up {
            return Outcome::Skip(
                "parsing takes more than this --memory or its budget of work allows".to_owned(),
            );
        }
        let piece = |f: &Fragment| {
            let name =
                (!f.name.is_empty()).then(|| String::from_utf8_lossy(&text[f.name.range()]).into_owned());
            let row = row(name, f.lines.start, f.lines.end);
            Piece { row, language, text: text[f.bytes.range()].to_vec() }
        };
        let functions = parsed.fragments.iter().filter(|f| f.kind == FragmentKind::Function);
        Outcome::Pieces(functions.map(piece).collect())
    }
}
