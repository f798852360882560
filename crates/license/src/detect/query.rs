//! A text as the words that rules know.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::rules::{Known, Word, Words};

/// The known words of a text, with what stands between them.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub(super) tokens: Vec<Word>,
    /// The line of each token, from 1.
    pub(super) lines: Vec<u32>,
    /// Where in the text each token starts and ends.
    bytes: Vec<(u32, u32)>,
    /// How many words that no rule knows, and how many stop words, follow each token.
    unknown: Vec<u16>,
    stops: Vec<u16>,
    /// Lines that hold a tag, with what follows it.
    pub(super) tags: Vec<Tag>,
}

/// A line that declares a license by SPDX's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    /// From the first token of `SPDX License Identifier` to the last of the expression.
    pub(super) tokens: (u32, u32),
    pub(super) line: u32,
    /// Where in the text the words before the expression end.
    pub(super) after: usize,
    /// How many lines the expression takes.
    pub(super) lines: usize,
}

/// The words that start a tag.
const TAGS: [[&str; 3]; 2] = [["spdx", "license", "identifier"], ["licenses", "nuget", "org"]];
/// Most words before a tag on its line.
const BEFORE_TAG: u32 = 2;
/// Most lines of an expression that goes on: each line but the last ends within it.
const LINES: usize = 4;

impl Tag {
    /// The lines that the expression takes so far.
    pub(super) fn lines<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
        text[self.after..].lines().take(self.lines)
    }

    /// Whether the expression cannot end where its last line does: after an operator, or in parentheses.
    fn goes_on(&self, text: &str) -> bool {
        let is_operator =
            |word: &str| ["AND", "OR", "WITH"].iter().any(|operator| word.eq_ignore_ascii_case(operator));
        let (mut open, mut last) = (0, None);
        for line in self.lines(text) {
            open += line.matches('(').count();
            open = open.saturating_sub(line.matches(')').count());
            last = line.split_whitespace().next_back();
        }
        self.lines < LINES && (open > 0 || last.is_some_and(is_operator))
    }
}

impl Query {
    pub(super) fn read(text: &str, vocabulary: &FxHashMap<&str, Known>) -> Self {
        let mut query = Self::default();
        let (mut words, mut word) = (Words::new(text), String::new());
        let tag = TAGS.map(|tag| tag.map(|word| vocabulary.get(word).copied()));
        // The words of the current line, up to the first five; none stands for one that is not known.
        let mut first: [Option<Known>; 5] = [None; 5];
        let (mut line, mut in_line) = (0, 0u32);
        let mut open: Option<usize> = None;
        while let Some((at, span)) = words.next_into(&mut word) {
            if at != line {
                open = open.filter(|&tag| at == line + 1 && query.tags[tag].goes_on(text));
                if let Some(tag) = open {
                    query.tags[tag].lines += 1;
                }
                (line, in_line) = (at, 0);
            }
            let known = vocabulary.get(word.as_str()).copied();
            match known {
                Some(Known::Word(token)) => query.push(token, line, &span),
                Some(Known::Stop) => {
                    if let Some(count) = query.stops.last_mut() {
                        *count = count.saturating_add(1);
                    }
                    continue;
                }
                None => {
                    if let Some(count) = query.unknown.last_mut() {
                        *count = count.saturating_add(1);
                    }
                }
            }
            if let Some(tag) = open {
                query.tags[tag].tokens.1 = query.tokens.len() as u32;
            }
            if (in_line as usize) < first.len() {
                first[in_line as usize] = known;
                in_line += 1;
                let start = in_line.saturating_sub(3);
                let found = in_line >= 3
                    && start <= BEFORE_TAG
                    && tag.iter().any(|tag| tag[..] == first[start as usize..in_line as usize]);
                if found && open.is_none_or(|tag| query.tags[tag].line != line) {
                    open = Some(query.tags.len());
                    let end = query.tokens.len() as u32;
                    query.tags.push(Tag { tokens: (end - 3, end), line, after: span.end, lines: 1 });
                }
            }
        }
        query
    }

    fn push(&mut self, token: Word, line: u32, span: &Range<usize>) {
        self.tokens.push(token);
        self.bytes.push((span.start as u32, span.end as u32));
        self.lines.push(line);
        self.unknown.push(0);
        self.stops.push(0);
    }

    pub(super) fn len(&self) -> u32 {
        self.tokens.len() as u32
    }

    pub(super) fn unknown_after(&self, position: u32) -> u32 {
        u32::from(self.unknown[position as usize])
    }

    pub(super) fn stops_after(&self, position: u32) -> u32 {
        u32::from(self.stops[position as usize])
    }

    pub(super) fn line(&self, position: u32) -> u32 {
        self.lines[position as usize]
    }

    /// The token that starts at a byte of the text.
    pub(super) fn token_at(&self, byte: usize) -> Option<u32> {
        self.bytes.binary_search_by_key(&byte, |bytes| bytes.0 as usize).ok().map(|token| token as u32)
    }

    /// How many tokens start before a byte of the text.
    pub(super) fn tokens_before(&self, byte: usize) -> u32 {
        self.bytes.partition_point(|bytes| (bytes.0 as usize) < byte) as u32
    }

    /// Where in the text the stretch from one token to another stands.
    pub(super) fn bytes(&self, first: u32, last: u32) -> Range<usize> {
        self.bytes[first as usize].0 as usize..self.bytes[last as usize].1 as usize
    }
}
