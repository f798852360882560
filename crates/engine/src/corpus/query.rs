//! Code that is looked for: read as a corpus reads it.

use familiar_search::find::{BlobFingerprinter, Query};
use familiar_source::{Language, LineIndex, Lines};
use familiar_syntax::{Limits, Parser, Want, decode, detect as tell, languages, normal};

use super::parse;
use crate::memory;

/// A query with what the user needs to know of it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As the user named it.
    pub path: String,
    pub language: Language,
    /// Which lines of the file it is.
    pub lines: Lines,
    pub query: Query,
}

/// Why some code cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoQuery {
    #[error("{path}: binary")]
    Binary { path: String },
    #[error("{path}: no known language; name one with --lang")]
    Language { path: String },
    #[error("{path}: no code on lines {start} to {end}")]
    Nothing { path: String, start: u32, end: u32 },
    #[error("{path}: more tokens than this --memory allows")]
    TooLarge { path: String },
}

/// Reads one query after another, keeping its memory.
#[derive(Debug)]
pub struct QueryReader {
    parser: Parser,
    fingerprinter: BlobFingerprinter,
}

impl QueryReader {
    /// A reader within a memory setting, in bytes.
    pub fn new(memory: usize) -> Self {
        let limits: Limits = memory::parse_limits(memory);
        Self { parser: Parser::within(limits), fingerprinter: BlobFingerprinter::default() }
    }

    /// The query that a file, or some `lines` of it, makes; in `language`, or the one that its name and content tell.
    pub fn read(
        &mut self,
        path: &str,
        bytes: &[u8],
        language: Option<Language>,
        lines: Option<Lines>,
    ) -> Result<Asked, NoQuery> {
        let path = || path.to_owned();
        let text = decode::decode(bytes).map_err(|_| NoQuery::Binary { path: path() })?.text;
        let told = || tell::language(&path(), &text).filter(|&l| !languages::others::is_data(l));
        let language = language.or_else(told).ok_or_else(|| NoQuery::Language { path: path() })?;
        let parsed = self.parser.parse(language, &text, Want { fragments: true, line_starts: true });
        if parsed.overflowed {
            return Err(NoQuery::TooLarge { path: path() });
        }
        let index = LineIndex::new(&text);
        let all = Lines { start: 1, end: index.count(text.len()).max(1) };
        let lines = lines.unwrap_or(all);
        let mut symbols = normal::symbols(&text, parsed.tokens);
        let mut details = parse::details(parsed.tokens, parsed.fragments, &index);
        if lines != all {
            let first = details.lines.partition_point(|line| line.0 < lines.start);
            let end = details.lines.partition_point(|line| line.0 <= lines.end).max(first);
            symbols = symbols[first..end].into();
            details.keep(first as u32..end as u32);
        }
        if symbols.is_empty() {
            return Err(NoQuery::Nothing { path: path(), start: lines.start, end: lines.end });
        }
        Ok(Asked { path: path(), language, lines, query: Query::new(symbols, details, &mut self.fingerprinter) })
    }
}
