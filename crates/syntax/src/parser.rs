//! One file, from bytes to tokens and fragments: picks the front end, leaves out what is hidden, adds the file itself.

use familiar_source::{Fragment, FragmentKind, Language, LineIndex, Lines, Span, Token};

use crate::{Confidence, Limits, Output, Want, finder, languages, marks, regions};

/// Parses files one after another, reusing its memory. One for each thread.
#[derive(Debug, Default)]
pub struct Parser {
    output: Output,
    /// What one region of a file gives, for the files that have several.
    region: Output,
    /// For each raw token, how many visible ones stand before it.
    visible_before: Vec<u32>,
}

/// What [`Parser::parse`] found in one file; borrowed until the next call.
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'p> {
    /// The visible tokens, in order.
    pub tokens: &'p [Token],
    /// The file, then its classes, functions and blocks by start; empty unless fragments were wanted.
    pub fragments: &'p [Fragment],
    /// Line starts of the file; empty unless fragments were wanted.
    pub lines: &'p LineIndex,
    /// Lines left out by `familiar:ignore` comments.
    pub ignored_lines: u32,
    /// Whether the token limit cut the file short.
    pub overflowed: bool,
    /// Whether the front end gave up on the file's syntax: the tokens are the generic tokenizer's.
    pub gave_up: bool,
}

impl Parser {
    /// A parser of which no file may take more than `limits`.
    pub fn within(limits: Limits) -> Self {
        let output = || Output::within(limits);
        Self { output: output(), region: output(), visible_before: Vec::new() }
    }

    /// Tokens and fragments of `source`, which [`crate::decode`] made from a file's bytes.
    pub fn parse(&mut self, language: Language, source: &[u8], want: Want) -> Parsed<'_> {
        self.output.tokens.clear();
        self.output.fragments.clear();
        if want.fragments {
            self.output.lines.rebuild(source);
        }
        let gave_up = match regions::split(language, source) {
            None => front_ends(language, source, want, &mut self.output) == Confidence::GaveUp,
            Some(regions) => self.parse_regions(&regions, want),
        };
        finder::sort_fragments(&mut self.output.fragments);
        let ignored_lines = marks::hide_ignored(source, self.output.tokens.as_mut_slice());
        self.leave_out_hidden();
        if want.fragments {
            self.add_file(source);
        }
        Parsed {
            tokens: self.output.tokens.as_slice(),
            fragments: &self.output.fragments,
            lines: &self.output.lines,
            ignored_lines,
            overflowed: self.output.tokens.is_full(),
            gave_up,
        }
    }

    /// Parses each region by itself and puts what it holds in its place in the file. Whether a front end gave up.
    fn parse_regions(&mut self, regions: &regions::Regions<'_>, want: Want) -> bool {
        let mut gave_up = false;
        for &(language, span) in &regions.list {
            let code = &regions.code[span.range()];
            self.region.tokens.clear();
            self.region.fragments.clear();
            let whole_file = code.len() == regions.code.len();
            if want.fragments && whole_file {
                self.region.lines = self.output.lines.clone();
            } else if want.fragments {
                self.region.lines.rebuild(code);
            }
            gave_up |= front_ends(language, code, want, &mut self.region) == Confidence::GaveUp;
            self.append_region(span.start, want.fragments && !whole_file);
            if self.output.tokens.is_full() {
                break;
            }
        }
        gave_up
    }

    fn append_region(&mut self, shift: u32, shift_lines: bool) {
        let first_token = self.output.tokens.len() as u32;
        let lines_before = if shift_lines { self.output.lines.line(shift) - 1 } else { 0 };
        for &token in self.region.tokens.iter() {
            self.output.tokens.push(Token { start: token.start + shift, end: token.end + shift, ..token });
        }
        if self.region.tokens.is_full() {
            self.output.tokens.overflow();
        }
        let kept = self.output.tokens.len() as u32;
        let moved = |span: Span, by: u32| Span::new(span.start + by, span.end + by);
        self.output.fragments.extend(
            self.region
                .fragments
                .iter()
                .map(|f| Fragment {
                    kind: f.kind,
                    name: moved(f.name, shift),
                    bytes: moved(f.bytes, shift),
                    lines: Lines::new(f.lines.start + lines_before, f.lines.end + lines_before),
                    tokens: moved(f.tokens, first_token),
                })
                .filter(|f| f.tokens.end <= kept),
        );
    }

    /// Drops the hidden tokens and moves the fragments' token spans onto what is left.
    fn leave_out_hidden(&mut self) {
        if !self.output.tokens.iter().any(|token| token.hidden) {
            return;
        }
        self.visible_before.clear();
        let mut visible = 0;
        for token in self.output.tokens.iter() {
            self.visible_before.push(visible);
            visible += u32::from(!token.hidden);
        }
        self.visible_before.push(visible);
        for fragment in &mut self.output.fragments {
            let moved = |at: u32| self.visible_before[at as usize];
            fragment.tokens = Span::new(moved(fragment.tokens.start), moved(fragment.tokens.end));
        }
        self.output.fragments.retain(|fragment| !fragment.tokens.is_empty());
        self.output.tokens.list_mut().retain(|token| !token.hidden);
    }

    fn add_file(&mut self, source: &[u8]) {
        let lines = self.output.lines.count(source.len()).max(1);
        let file = Fragment {
            kind: FragmentKind::File,
            name: Span::default(),
            bytes: Span::new(0, source.len() as u32),
            lines: Lines::new(1, lines),
            tokens: Span::new(0, self.output.tokens.len() as u32),
        };
        self.output.fragments.insert(0, file);
    }
}

/// The language's own front end and, where that is unsure of the fragments of a file that it read whole, tree-sitter.
fn front_ends(language: Language, code: &[u8], want: Want, output: &mut Output) -> Confidence {
    let definition = languages::definition(language);
    let confidence = definition.front_end.parse(code, want, output);
    #[cfg(feature = "trees")]
    if want.fragments
        && confidence == Confidence::Unsure
        && !output.tokens.is_full()
        && let Some(grammar) = definition.tree
    {
        crate::tree::replace_fragments_where_clean(grammar, code, output);
    }
    confidence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_limit_holds_in_regions_too() {
        let cells = br#"{"cells": [{"cell_type": "code", "source": "a b c d e f g h"}]}"#;
        let page = b"<script>a; b; c</script><p>d</p><script>e; f</script>";
        for (language, source) in [(Language::Notebook, &cells[..]), (Language::Html, page)] {
            let whole = Parser::default().parse(language, source, Want::default()).tokens.len();
            for limit in 0..=whole {
                let mut parser = Parser::within(Limits { tokens: limit, ..Limits::default() });
                let parsed = parser.parse(language, source, Want { fragments: true, line_starts: true });
                assert_eq!((parsed.tokens.len(), parsed.overflowed), (limit, limit < whole));
                assert!(parser.region.tokens.len() <= limit);
            }
        }
    }
}
