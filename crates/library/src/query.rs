//! Code that is looked for: read as a corpus reads it.

use familiar_report::find::{FINGERPRINT_SCHEMA, FingerprintRow, HashRow};
use familiar_search::find::{BlobFingerprinter, Hashed, Hashes, Query, fingerprint};
use familiar_source::{Language, LineIndex, Lines, Span};
use familiar_syntax::{Limits, Parsed, Parser, Want, decode, detect as tell, languages, normal, regions};

use crate::{parse, vectors};

/// A query with what the user needs to know of it.
#[derive(Clone, Debug)]
pub struct CodeQuery {
    /// As the user named it.
    pub path: String,
    pub language: Language,
    /// Which lines of the file it is.
    pub lines: Lines,
    /// Whether only these lines were asked for.
    pub is_part: bool,
    pub query: Query,
    /// The functions that may be looked for by what they do, where that is wanted.
    pub functions: Vec<QueryFunction>,
}

/// A function that is looked for by what it does.
#[derive(Clone, Debug)]
pub struct QueryFunction {
    /// Its tokens in the query.
    pub tokens: Span,
    pub text: Vec<u8>,
}

/// Most tokens of a file that is known by its fingerprints.
const MOST_TOKENS: u64 = 1 << 24;

/// Why some code cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoQuery {
    #[error("{path}: it is a binary file")]
    Binary { path: String },
    #[error("{path}: its language is not known; name it with --lang")]
    Language { path: String },
    #[error("{path}: there is no code {}", lines.map_or_else(|| "in it".to_owned(), |it| format!("on lines {} to {}", it.start, it.end)))]
    Nothing {
        path: String,
        /// Those that were asked for, where not all were.
        lines: Option<Lines>,
    },
    #[error("{path}: the file is too large for this --memory; raise it")]
    TooLarge { path: String },
    #[error("{path}: {reason}; make the fingerprints with `familiar fingerprint` of the same version")]
    Fingerprint { path: String, reason: String },
}

impl NoQuery {
    /// The same without the path.
    pub fn reason(&self) -> String {
        let whole = self.to_string();
        let (Self::Binary { path }
        | Self::Language { path }
        | Self::Nothing { path, .. }
        | Self::TooLarge { path }
        | Self::Fingerprint { path, .. }) = self;
        whole
            .strip_prefix(path.as_str())
            .and_then(|rest| rest.strip_prefix(": "))
            .unwrap_or(&whole)
            .to_owned()
    }
}

impl CodeQuery {
    /// What of the query can be told without its tokens.
    pub fn fingerprint(&self) -> FingerprintRow {
        let row = |hashed: &Hashed| {
            let Hashed { tokens, key, blind, exact } = *hashed;
            HashRow(tokens.start, tokens.len(), key, format!("{blind:016x}"), format!("{exact:016x}"))
        };
        let hashes = self.query.hashes();
        let lines = self.query.details.lines.chunk_by(|a, b| a.0 == b.0);
        FingerprintRow {
            schema: FINGERPRINT_SCHEMA.to_owned(),
            version: fingerprint::VERSION,
            path: self.path.clone(),
            language: self.language.name().to_owned(),
            start_line: self.lines.start,
            end_line: self.lines.end,
            lines: lines.map(|line| (line[0].0, line.len() as u32)).collect(),
            runs: hashes.runs.iter().map(row).collect(),
            functions: hashes.functions.iter().map(row).collect(),
        }
    }

    /// The query that a file makes which is read already; none without code. `symbols` are those of its tokens, and `parsed` has
    /// its functions and statements.
    pub fn of_file(
        path: &str,
        language: Language,
        text: &[u8],
        parsed: &Parsed<'_>,
        symbols: &[u32],
    ) -> Option<Self> {
        if symbols.is_empty() {
            return None;
        }
        let index = LineIndex::new(text);
        let details = parse::details(parsed.tokens, parsed.fragments, &index);
        Some(Self {
            path: path.to_owned(),
            language,
            lines: Lines { start: 1, end: index.count(text.len()).max(1) },
            is_part: false,
            query: Query::new(symbols.into(), details, &mut BlobFingerprinter::default()),
            functions: Vec::new(),
        })
    }

    /// The query that fingerprints stand for.
    pub fn of_fingerprint(row: &FingerprintRow) -> Result<Self, NoQuery> {
        let wrong = |reason: &str| NoQuery::Fingerprint { path: row.path.clone(), reason: reason.to_owned() };
        if row.schema != FINGERPRINT_SCHEMA || row.version != fingerprint::VERSION {
            return Err(wrong("the fingerprints were made by another version"));
        }
        let language =
            Language::from_name(&row.language).ok_or_else(|| wrong("its language is not known"))?;
        let tokens: u64 = row.lines.iter().map(|line| u64::from(line.1)).sum();
        if tokens > MOST_TOKENS {
            return Err(wrong("it has more tokens than a file can have"));
        }
        let hashed = |HashRow(start, len, key, blind, exact): &HashRow| {
            let end = start.checked_add(*len).filter(|&end| u64::from(end) <= tokens)?;
            let hash = |text: &str| u64::from_str_radix(text, 16).ok();
            Some(Hashed {
                tokens: Span::new(*start, end),
                key: *key,
                blind: hash(blind)?,
                exact: hash(exact)?,
            })
        };
        let list = |rows: &[HashRow]| {
            let list: Option<Vec<Hashed>> = rows.iter().map(hashed).collect();
            list.ok_or_else(|| wrong("a fingerprint is malformed"))
        };
        let hashes = Hashes { runs: list(&row.runs)?, functions: list(&row.functions)? };
        let lines =
            row.lines.iter().flat_map(|&(line, count)| std::iter::repeat_n((line, line), count as usize));
        Ok(Self {
            path: row.path.clone(),
            language,
            lines: Lines { start: row.start_line, end: row.end_line },
            is_part: false,
            query: Query::of_hashes(hashes, lines.collect()),
            functions: Vec::new(),
        })
    }
}

/// Reads one query after another, keeping its memory.
#[derive(Debug)]
pub struct QueryReader {
    parser: Parser,
    fingerprinter: BlobFingerprinter,
    functions: bool,
}

impl QueryReader {
    /// A reader within a memory setting, in bytes.
    pub fn new(memory: usize) -> Self {
        let limits = Limits::of_memory(memory);
        let fingerprinter = BlobFingerprinter::default();
        Self { parser: Parser::within(limits), fingerprinter, functions: false }
    }

    /// The same reader, which also gives the functions that may be looked for by what they do.
    pub fn with_functions(self, functions: bool) -> Self {
        Self { functions, ..self }
    }

    /// The query that a file, or some `lines` of it, makes; in `language`, or the one that its name and content tell. Of `-`,
    /// which is standard input and no name, content alone tells, as of the blocks of texts.
    pub fn read(
        &mut self,
        path: &str,
        bytes: &[u8],
        language: Option<Language>,
        lines: Option<Lines>,
    ) -> Result<CodeQuery, NoQuery> {
        let path = || path.to_owned();
        let text = decode::decode(bytes).map_err(|_| NoQuery::Binary { path: path() })?.text;
        let detected = || match path().as_str() {
            "-" => parse::of_block(&text, None),
            path => tell::language(path, &text).filter(|&l| !languages::others::is_data(l)),
        };
        let language = language.or_else(detected).ok_or_else(|| NoQuery::Language { path: path() })?;
        let parsed = self.parser.parse(language, &text, Want { fragments: true, line_starts: true });
        if parsed.overflowed {
            return Err(NoQuery::TooLarge { path: path() });
        }
        let index = LineIndex::new(&text);
        let all = Lines { start: 1, end: index.count(text.len()).max(1) };
        let asked = lines;
        let lines = asked.unwrap_or(all);
        let lines = Lines { start: lines.start, end: lines.end.min(all.end).max(lines.start) };
        let text = regions::code(language, &text);
        let mut symbols = normal::symbols(&text, parsed.tokens);
        let mut details = parse::details(parsed.tokens, parsed.fragments, &index);
        let mut functions: Vec<QueryFunction> = Vec::new();
        if self.functions {
            let does =
                parsed.fragments.iter().filter(|f| vectors::is_distinctive(language, &text, &parsed, f));
            functions.extend(
                does.map(|f| QueryFunction { tokens: f.tokens, text: text[f.bytes.range()].to_vec() }),
            );
        }
        if lines != all {
            let first = details.lines.partition_point(|line| line.0 < lines.start);
            let end = details.lines.partition_point(|line| line.0 <= lines.end).max(first);
            symbols = symbols[first..end].into();
            let (first, end) = (first as u32, end as u32);
            functions.retain(|function| first <= function.tokens.start && function.tokens.end <= end);
            for QueryFunction { tokens, .. } in &mut functions {
                *tokens = Span::new(tokens.start - first, tokens.end - first);
            }
            details.keep(first..end);
        }
        if symbols.is_empty() {
            return Err(NoQuery::Nothing { path: path(), lines: asked });
        }
        Ok(CodeQuery {
            path: path(),
            language,
            lines,
            is_part: asked.is_some(),
            query: Query::new(symbols, details, &mut self.fingerprinter),
            functions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_the_file_ends() {
        let code = b"def f(a):\n    return a + 1\n";
        let read =
            |start, end| QueryReader::new(1 << 30).read("a.py", code, None, Some(Lines { start, end }));
        assert_eq!(read(2, 99_999).expect("there is code").lines, Lines { start: 2, end: 2 });
        let error = read(7, 9).expect_err("there is none").to_string();
        assert!(error.ends_with("no code on lines 7 to 9"), "{error}");
    }

    #[test]
    fn fingerprints_come_back_as_they_were_and_others_are_refused() {
        let code = b"def f(a):\n    b = a + 1\n    c = b * 2\n    return b - c\n".repeat(4);
        let code_query = QueryReader::new(1 << 30).read("a.py", &code, None, None).expect("it is code");
        let row = code_query.fingerprint();
        assert!(!row.functions.is_empty() && !row.runs.is_empty());
        let again = CodeQuery::of_fingerprint(&row).expect("just made");
        assert_eq!(again.fingerprint(), row);
        let refused = |row: FingerprintRow| CodeQuery::of_fingerprint(&row).is_err();
        assert!(refused(FingerprintRow { version: 0, ..row.clone() }));
        assert!(refused(FingerprintRow { lines: vec![(1, 3)], ..row.clone() }));
        assert!(refused(FingerprintRow { lines: vec![(1, u32::MAX); 9], ..row.clone() }));
        let run = HashRow(u32::MAX, 20, 1, "0".to_owned(), "0".to_owned());
        assert!(refused(FingerprintRow { runs: vec![run], ..row }));
    }
}
