//! `familiar:ignore-start` and `familiar:ignore-end` comments: the code between them takes no part.

use familiar_source::{LineIndex, Span, Token};
use memchr::memmem;

const MARK: &[u8] = b"familiar:ignore-";

/// Hides the tokens between the marks and returns how many lines that leaves out.
///
/// A mark counts only in a comment, that is, outside every token. A start without an end holds to the end of the file.
pub(crate) fn hide_ignored(source: &[u8], tokens: &mut [Token]) -> u32 {
    let mut ranges: Vec<Span> = Vec::new();
    let mut open = None;
    for at in memmem::find_iter(source, MARK) {
        let rest = &source[at + MARK.len()..];
        if inside_token(tokens, at as u32) {
            continue;
        }
        if is_word(rest, b"start") {
            open.get_or_insert(at as u32);
        } else if is_word(rest, b"end")
            && let Some(start) = open.take()
        {
            ranges.push(Span::new(start, at as u32));
        }
    }
    ranges.extend(open.map(|start| Span::new(start, source.len() as u32)));
    if ranges.is_empty() {
        return 0;
    }
    for range in &ranges {
        let first = tokens.partition_point(|token| token.start < range.start);
        for token in tokens[first..].iter_mut().take_while(|token| token.start < range.end) {
            token.hidden = true;
        }
    }
    let lines = LineIndex::new(source);
    ranges.iter().map(|&range| lines.lines(range).count()).sum()
}

/// Whether `rest` begins with the whole word.
fn is_word(rest: &[u8], word: &[u8]) -> bool {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    rest.strip_prefix(word).is_some_and(|after| !after.first().is_some_and(is_of_word))
}

fn inside_token(tokens: &[Token], at: u32) -> bool {
    let next = tokens.partition_point(|token| token.start <= at);
    next > 0 && tokens[next - 1].end > at
}
