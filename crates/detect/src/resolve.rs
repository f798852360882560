//! Items back to source: names, lines and bytes, and the verification that equal items are equal in their text.
//!
//! Detection works on numbers, of which each holds 29 bits of a token's hash. Here every file that holds an item is
//! read once more; equality is checked again on 128-bit hashes of the tokens' texts, and a file that is no longer what
//! it was is left out.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use familiar_files::Skip;
use familiar_index::Collection;
use familiar_license::is_license_text;
use familiar_search::Item;
use familiar_source::{FragmentKind, LineIndex, Lines, Span, words};
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parser, Want, decode, regions};
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use crate::ingest::FileInfo;
use crate::matching::Detected;
use crate::parses::{Parse, Parses};
use crate::reading::Reading;
use familiar_files::input::Input;

/// What the source says of an item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) lines: Lines,
    /// Bytes in the file, a byte order mark included.
    pub(crate) bytes: Span,
    /// Hash of the tokens' texts.
    exact: u128,
    /// Hash of the Type-2 form, from which fingerprints are made.
    pub(crate) form: u64,
    /// Hash of its bytes; 0 where nobody asks.
    pub(crate) content: u64,
    /// Whether it is the text of a license.
    pub(crate) is_license: bool,
    /// Which lines the item's tokens stand on; empty where nobody asks.
    pub(crate) token_lines: Box<[TokenLines]>,
}

impl Text {
    /// The lines of some of the item's tokens, counted from its first.
    pub(crate) fn lines_of(&self, tokens: Span) -> Lines {
        let at = |token: u32| {
            let after = self.token_lines.partition_point(|lines| lines.first <= token);
            &self.token_lines[after.saturating_sub(1)].lines
        };
        Lines { start: at(tokens.start).start, end: at(tokens.end.max(tokens.start + 1) - 1).end }
    }
}

/// Tokens in a row that stand on the same lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenLines {
    /// The first of them, counted from the item's first token.
    first: u32,
    lines: Lines,
}

/// Where items stand in files.
pub(crate) struct Sources<'s> {
    pub(crate) input: &'s Input,
    pub(crate) files: &'s [FileInfo],
    pub(crate) collection: &'s Collection,
    pub(crate) reading: &'s Reading,
    pub(crate) renaming: Renaming,
    /// Whether the lines of the tokens of linked items are wanted.
    pub(crate) token_lines: bool,
    /// Whether a hash of each item's bytes is wanted, so that its text can be read again.
    pub(crate) contents: bool,
    /// What was parsed lately, where that is kept.
    pub(crate) parses: Option<&'s Parses>,
}

/// A hash of the bytes of an item.
pub(crate) fn content(text: &[u8]) -> u64 {
    xxh3_64(text)
}

/// Reads the text of every item, drops the items of files that changed and the runs below `min_lines`, and splits
/// nodes whose items turn out to differ.
pub(crate) fn resolve(
    found: Detected,
    sources: &Sources<'_>,
    min_lines: u32,
    skips: &mut Vec<Skip>,
) -> (Detected, Vec<Text>) {
    let ranges = by_file(&found.items);
    let mut linked = vec![false; found.twins.len()];
    for link in found.links.iter().filter(|_| sources.token_lines) {
        linked[link.left as usize] = true;
        linked[link.right as usize] = true;
    }
    let texts: Vec<Result<Vec<Text>, Skip>> = ranges
        .par_iter()
        .map_init(
            || sources.reading.parser(),
            |parser, range| {
                let is_linked = |at: usize| linked[found.nodes[range.start + at] as usize];
                sources.texts(&found.items[range.clone()], is_linked, parser)
            },
        )
        .collect();
    let mut kept: Vec<Option<Text>> = Vec::with_capacity(found.items.len());
    for (range, texts) in ranges.iter().zip(texts) {
        match texts {
            Ok(texts) => kept.extend(texts.into_iter().map(Some)),
            Err(skip) => {
                skips.push(skip);
                kept.extend(range.clone().map(|_| None));
            }
        }
    }
    for (text, item) in kept.iter_mut().zip(&found.items) {
        if item.kind == FragmentKind::Run && text.as_ref().is_some_and(|text| text.lines.count() < min_lines)
        {
            *text = None;
        }
    }
    verified(found, kept)
}

/// The ranges of items that share a file.
fn by_file(items: &[Item]) -> Vec<Range<usize>> {
    let mut at = 0;
    items
        .chunk_by(|a, b| a.place.file == b.place.file)
        .map(|chunk| {
            let range = at..at + chunk.len();
            at = range.end;
            range
        })
        .collect()
}

impl Sources<'_> {
    /// The texts of items of one file; with the lines of their tokens for those, by position, that are linked.
    fn texts(
        &self,
        items: &[Item],
        is_linked: impl Fn(usize) -> bool,
        parser: &mut Parser,
    ) -> Result<Vec<Text>, Skip> {
        let file = items[0].place.file;
        let number = self.files[file as usize].document;
        let document = &self.input.documents[number as usize];
        let skip = |reason: &str| Skip::new(document.root, document.path.clone(), reason);
        let bytes = self.reading.read(self.input, number).map_err(|error| skip(&words::unread(&error)))?;
        let decoded = decode::decode(&bytes).map_err(|error| skip(&words::unread(&error)))?;
        let want = Want { fragments: items.iter().any(|item| item.ordinal.is_some()), line_starts: false };
        let language = self.files[file as usize].language;
        let parsed = match self.parses {
            Some(parses) => parses.get(parser, language, &decoded.text, want),
            None => Arc::new(Parse::of(&parser.parse(language, &decoded.text, want), want)),
        };
        let text = regions::code(language, &decoded.text);
        let symbols = normal::symbols(&text, &parsed.tokens);
        let mut buffer = Vec::new();
        match self.collection.tokens.file(file, &mut buffer) {
            Ok(before) if *before == *symbols => {}
            Ok(_) => return Err(skip("changed during the search")),
            Err(error) => return Err(skip(&words::unread(&error))),
        }
        let lines = LineIndex::new(&decoded.text);
        let source =
            Source { text: &text, parsed: &parsed, lines: &lines, symbols: &symbols, shift: decoded.shift };
        let mut renamer = Renamer::default();
        let mut form = Vec::new();
        let text_of = |(at, item): (usize, &Item)| {
            renamer.rename(&symbols[item.place.tokens.range()], self.renaming, &mut form);
            let token_lines = if is_linked(at) { source.token_lines(item) } else { Box::default() };
            let mut text = Text { form: normal::hash(&form), token_lines, ..source.text_of(item) };
            if self.contents {
                let (start, end) = (text.bytes.start - decoded.shift, text.bytes.end - decoded.shift);
                text.content = content(&decoded.text[start as usize..end as usize]);
            }
            text
        };
        Ok(items.iter().enumerate().map(text_of).collect())
    }
}

/// One file, read again.
struct Source<'s> {
    text: &'s [u8],
    parsed: &'s Parse,
    lines: &'s LineIndex,
    symbols: &'s [u32],
    shift: u32,
}

impl Source<'_> {
    fn text_of(&self, item: &Item) -> Text {
        debug_assert!(item.place.tokens.end as usize <= self.symbols.len());
        let tokens = &self.parsed.tokens[item.place.tokens.range()];
        let fragment = item.ordinal.and_then(|ordinal| self.parsed.fragments.get(ordinal as usize));
        let (name, bytes, lines) = if let Some(f) = fragment {
            (String::from_utf8_lossy(&self.text[f.name.range()]).into_owned(), f.bytes, f.lines)
        } else {
            let bytes = Span::new(tokens[0].start, tokens[tokens.len() - 1].end);
            (String::new(), bytes, self.lines.lines(bytes))
        };
        let mut hasher = Xxh3Default::new();
        for token in tokens {
            hasher.update(token.text(self.text));
            hasher.update(&[0]);
        }
        let is_license = item.kind == FragmentKind::Run && is_license_text(&self.text[bytes.range()]);
        let bytes = Span::new(bytes.start + self.shift, bytes.end + self.shift);
        Text { name, lines, bytes, is_license, exact: hasher.digest128(), ..Text::default() }
    }

    fn token_lines(&self, item: &Item) -> Box<[TokenLines]> {
        let mut all: Vec<TokenLines> = Vec::new();
        for (first, token) in (0u32..).zip(&self.parsed.tokens[item.place.tokens.range()]) {
            let lines = self.lines.lines(Span::new(token.start, token.end));
            if all.last().is_none_or(|last| last.lines != lines) {
                all.push(TokenLines { first, lines });
            }
        }
        all.into()
    }
}

/// Keeps the items that have a text, and splits each node by the texts of its items.
fn verified(found: Detected, texts: Vec<Option<Text>>) -> (Detected, Vec<Text>) {
    let mut result = Detected { links: found.links, twins: found.twins, ..Detected::default() };
    let mut kept = Vec::new();
    // The first text of each node keeps the node's number; others get numbers after all, with the same twin group.
    let mut first_text: Vec<Option<u128>> = vec![None; result.twins.len()];
    let mut split: BTreeMap<(u32, u128), u32> = BTreeMap::new();
    for ((item, node), text) in found.items.into_iter().zip(found.nodes).zip(texts) {
        let Some(text) = text else { continue };
        let first = *first_text[node as usize].get_or_insert(text.exact);
        // Periodic runs are equal up to the number of repetitions.
        let number = if first == text.exact || item.period > 0 {
            node
        } else {
            *split.entry((node, text.exact)).or_insert_with(|| {
                let twin = result.twins[node as usize];
                result.twins.push(twin);
                result.twins.len() as u32 - 1
            })
        };
        result.items.push(item);
        result.nodes.push(number);
        kept.push(text);
    }
    (result, kept)
}
