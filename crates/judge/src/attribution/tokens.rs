//! The words of comments that follow each other, with what stands between them.

use super::address::Address;
use super::comments::Line;
use super::names::squashed;

/// A word of a comment.
#[derive(Debug)]
pub(super) struct Token {
    /// In lower case.
    pub(super) text: String,
    /// From 1.
    pub(super) line: u32,
    /// Whether it begins with a capital.
    pub(super) is_capital: bool,
    /// Whether it is the first of its line's comment.
    pub(super) is_first: bool,
    /// Whether a sentence or a comment begins with it.
    pub(super) begins: bool,
    /// What stands between it and the word before, if that is one character that is no space.
    pub(super) glue: Option<char>,
    /// Whether nothing but space stands between it and the word before.
    pub(super) is_spaced: bool,
    /// What follows at once: `:`, `(`, `,` or a quote.
    pub(super) next: Option<char>,
}

impl Token {
    /// Whether it is a version: `4.17.21`, `v2`, `1`.
    pub(super) fn is_version(&self) -> bool {
        let digits = self.text.strip_prefix('v').unwrap_or(&self.text);
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.len() < 20
    }

    /// Whether it is one of some words, with spaces between.
    pub(super) fn is_one_of(&self, words: &str) -> bool {
        words.split(' ').any(|word| word == self.text)
    }

    /// Without what is no letter or digit.
    pub(super) fn squashed(&self) -> String {
        squashed(&self.text)
    }
}

/// What stands for an address.
pub(super) const ADDRESS: &str = "http";

/// Words without a point behind which a sentence goes on.
const SHORT: &str = "al c cf co dr eg etc g inc jr ltd mr ms no prof st v ver vs";

/// Reads the comments of lines that are in order; what stands on lines that do not follow each other is not one sentence.
pub(super) fn tokens(lines: &[Line<'_>]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut last: Option<u32> = None;
    // Whether what comes next begins a sentence.
    let mut begins = true;
    for line in lines {
        let comment = line.comment.as_str();
        let is_empty = !comment.contains(char::is_alphanumeric);
        begins |= is_empty || begins_anew(comment) || last.is_none_or(|last| last + 1 != line.number);
        last = Some(line.number);
        read_line(&without_addresses(comment), line.number, begins, &mut tokens);
        if !is_empty {
            begins = ends_sentence(comment, tokens.last());
        }
    }
    tokens
}

/// Whether a line does not go on with the sentence above: `@param x`, `- an item`, `>>> code`.
fn begins_anew(comment: &str) -> bool {
    let words = comment.trim_start_matches(|c: char| c.is_whitespace() || "/*#!;%".contains(c));
    words.starts_with(['@', '\\', ':'])
        || ["- ", "* ", ">>>", "..."].iter().any(|start| words.starts_with(start))
}

/// Parts of addresses are no words.
fn without_addresses(comment: &str) -> String {
    if !comment.contains(['/', ':']) {
        return comment.to_owned();
    }
    let mut kept = String::with_capacity(comment.len());
    for part in comment.split_inclusive(|c: char| c.is_whitespace() || "<>()[]\"'`,".contains(c)) {
        let end =
            part.chars().next_back().filter(|c| !c.is_alphanumeric() && *c != '/').map_or(0, char::len_utf8);
        let (word, behind) = part.split_at(part.len() - end);
        if Address::read(word.trim_end_matches(['.', ';', ':'])).is_some() {
            kept.push_str(ADDRESS);
        } else {
            kept.push_str(word);
        }
        kept.push_str(behind);
    }
    kept
}

fn ends_sentence(comment: &str, last: Option<&Token>) -> bool {
    let end = comment.trim_end().chars().next_back();
    match end {
        Some('!' | '?' | ';') => true,
        Some('.') => last.is_none_or(|last| !last.is_one_of(SHORT)),
        _ => false,
    }
}

fn read_line(comment: &str, line: u32, mut begins: bool, tokens: &mut Vec<Token>) {
    let mut is_first = true;
    let mut between = String::from(" ");
    let mut rest = comment;
    while let Some(start) = rest.find(is_of_word) {
        between.push_str(&rest[..start]);
        let word = &rest[start..start + length(&rest[start..])];
        rest = &rest[start + word.len()..];
        let is_end = |c: char| matches!(c, '.' | '!' | '?' | ';');
        let before = tokens.last();
        let closes = between.contains(is_end) && between.ends_with(char::is_whitespace) && !is_first;
        begins |= closes && before.is_none_or(|last| !(between.contains('.') && last.is_one_of(SHORT)));
        let is_spaced = between.chars().all(char::is_whitespace);
        let mut glue = between.chars();
        let glue = match (glue.next(), glue.next()) {
            (Some(one), None) if !one.is_whitespace() && !is_first => Some(one),
            _ => None,
        };
        tokens.push(Token {
            text: word.to_lowercase(),
            line,
            is_capital: word.starts_with(char::is_uppercase),
            is_first,
            begins,
            glue,
            is_spaced,
            next: rest.chars().next().filter(|c| !c.is_whitespace()),
        });
        (is_first, begins) = (false, false);
        between.clear();
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the word that `text` begins with; a point stays between digits.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let of_word =
        |&(at, c): &(usize, char)| is_of_word(c) || c == '.' && at > 0 && digit(at - 1) && digit(at + 1);
    text.char_indices().take_while(of_word).map(|(at, c)| at + c.len_utf8()).last().unwrap_or(0)
}
