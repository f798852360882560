//! Tokens with the classes that Project CodeNet names.
//!
//! [`Tokenizer::tokens`] reads one program. It takes the tokens of the language's front end as they are, joins and parts them where
//! a language's own tokenizer would, and says the class, the line and the column of each. Comments and white space are read from the
//! gaps between tokens, where they are asked for ([`Extras`]).
//!
//! `model` holds what tokens are, and `classes` says which class one has, by the reserved words in `words`. `directives` finds the
//! lines of the preprocessor, `gaps` reads what stands between tokens, `json` and `csv` write what CodeNet's tokenizers write, and `table`
//! makes rows.

mod classes;
pub mod csv;
mod directives;
mod gaps;
pub mod json;
mod model;
mod reserved;
pub mod table;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;

use familiar_source::{Language, Token as Raw};
use familiar_syntax::{Limits, Output, Want, languages, regions};

pub(crate) use classes::Reserved;
use classes::Rules;
use directives::Directives;
use gaps::Style;

pub use model::{Class, Extras, Token, Tokens, TooManyTokens};

/// Reads the tokens of one program after another, reusing its memory.
#[derive(Debug, Default)]
pub struct Tokenizer {
    extras: Extras,
    output: Output,
    list: Vec<Token>,
}

impl Tokenizer {
    /// One of which no program may take more than `limits`.
    pub fn new(extras: Extras, limits: Limits) -> Self {
        Self { extras, output: Output::within(limits), list: Vec::new() }
    }

    /// The tokens of `text`, which [`familiar_syntax::decode`] made from a file's bytes.
    pub fn tokens<'t>(&'t mut self, language: Language, text: &'t [u8]) -> Result<Tokens<'t>, TooManyTokens> {
        self.list.clear();
        let Some(regions) = regions::split(language, text) else {
            self.read(language, text, 0)?;
            self.place(text);
            return Ok(Tokens { text: Cow::Borrowed(text), list: &self.list });
        };
        for (language, span) in regions.list {
            self.read(language, &regions.code[span.range()], span.start)?;
        }
        self.place(&regions.code);
        Ok(Tokens { text: regions.code, list: &self.list })
    }

    /// Adds the tokens of `text`, which stands at `shift` in the program, without their places.
    fn read(&mut self, language: Language, text: &[u8], shift: u32) -> Result<(), TooManyTokens> {
        self.output.tokens.clear();
        self.output.fragments.clear();
        languages::definition(language).front_end.parse(text, Want::default(), &mut self.output);
        if self.output.tokens.is_full() {
            return Err(TooManyTokens);
        }
        let first = self.list.len();
        let mut reader = Reader {
            rules: Rules::of(language),
            directives: Directives::of(language),
            extras: self.extras.any().then_some(self.extras),
            style: Style::of(language),
            text,
            end: 0,
            list: &mut self.list,
        };
        let raw = self.output.tokens.as_slice();
        reader.list.reserve(raw.len());
        let mut at = 0;
        while at < raw.len() {
            at += reader.take(&raw[at..]);
        }
        reader.fill(text.len() as u32);
        if shift > 0 {
            for token in &mut self.list[first..] {
                token.start += shift;
                token.end += shift;
            }
        }
        Ok(())
    }

    /// Says the line and the column of each token.
    fn place(&mut self, text: &[u8]) {
        let mut ends = memchr::memchr2_iter(b'\n', b'\r', text).filter(|&at| {
            // The line ends behind the second byte of `\r\n`.
            text[at] == b'\n' || text.get(at + 1) != Some(&b'\n')
        });
        let (mut line, mut line_start) = (1, 0);
        let mut next = ends.next().map_or(u32::MAX, |at| at as u32);
        for token in &mut self.list {
            while next < token.start {
                line += 1;
                line_start = next + 1;
                next = ends.next().map_or(u32::MAX, |at| at as u32);
            }
            token.line = line;
            token.column = token.start - line_start;
        }
    }
}

/// Makes tokens of what a front end gives.
struct Reader<'r> {
    rules: Rules,
    directives: Option<Directives>,
    extras: Option<Extras>,
    style: Style,
    text: &'r [u8],
    /// The end of what was read.
    end: u32,
    list: &'r mut Vec<Token>,
}

impl Reader<'_> {
    /// Takes the first of `raw`, or several that are one token; how many.
    #[inline]
    fn take(&mut self, raw: &[Raw]) -> usize {
        let (token, before) = (raw[0], self.end);
        if self.extras.is_some() {
            self.fill(token.start);
        }
        let joined = if self.rules.joins_shifts() { joined_shifts(self.text, raw) } else { 1 };
        let end = raw[joined - 1].end;
        let directive = match &mut self.directives {
            Some(directives) => directives.hold(self.text, before, token.start, end),
            None => false,
        };
        let text = &self.text[token.start as usize..end as usize];
        if directive && text.len() > 1 && text[0] == b'<' && text[text.len() - 1] == b'>' {
            self.parts(token.start, end);
        } else {
            let class = self.rules.class(token.class, text);
            self.push(token.start, end, class, directive);
        }
        self.end = end;
        joined
    }

    #[inline]
    fn push(&mut self, start: u32, end: u32, class: Class, directive: bool) {
        self.list.push(Token { start, end, line: 0, column: 0, class, directive });
    }

    /// The name of an included file, word by word and sign by sign.
    fn parts(&mut self, start: u32, end: u32) {
        let mut at = start as usize;
        while at < end as usize {
            let rest = &self.text[at..end as usize];
            let word = rest.iter().take_while(|&&byte| classes::is_word(byte)).count();
            let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if blank > 0 {
                self.end = at as u32;
                at += blank;
                self.fill(at as u32);
                continue;
            }
            let length = word.max(1);
            let class = self.rules.class_of_text(&rest[..length]);
            self.push(at as u32, (at + length) as u32, class, true);
            at += length;
        }
    }

    /// Gives what is asked for of what stands before `start`.
    fn fill(&mut self, start: u32) {
        let Some(extras) = self.extras else { return };
        let (from, text) = (self.end, self.text);
        if from >= start {
            return;
        }
        let directives = self.directives.as_ref();
        let list = &mut *self.list;
        gaps::read(text, from..start, self.style, extras, &mut |class, start, end| {
            let directive = directives.is_some_and(|it| it.holds(start));
            list.push(Token { start, end, line: 0, column: 0, class, directive });
        });
        self.end = start;
    }
}

/// How many of `raw` are one `>>` or `>>>`: front ends part them, since they may close type arguments.
#[inline]
fn joined_shifts(text: &[u8], raw: &[Raw]) -> usize {
    let is_angle = |token: &Raw| token.end == token.start + 1 && text[token.start as usize] == b'>';
    if !is_angle(&raw[0]) {
        return 1;
    }
    let follows = |pair: &&[Raw]| pair[0].end == pair[1].start && is_angle(&pair[1]);
    1 + raw.windows(2).take(2).take_while(follows).count()
}
