//! What the lexers of several languages share: comments, line ends, the byte order mark.

use std::sync::LazyLock;

use logos::{Lexer, Logos, Skip};
use memchr::memchr2;
use memchr::memmem::Finder;

/// What ends a block comment. Made once: most comments are shorter than what making it costs.
static BLOCK_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("*/"));

/// Length of the line that `rest` starts with, without its end.
pub(super) fn line_length(rest: &[u8]) -> usize {
    memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

/// Length of the block comment whose text after `/*` is `rest`, that opening not counted.
pub(super) fn block_length(rest: &[u8]) -> usize {
    block_end(rest).unwrap_or(rest.len())
}

/// Where the block comment that `rest` is in ends, if it does.
pub(super) fn block_end(rest: &[u8]) -> Option<usize> {
    BLOCK_END.find(rest).map(|at| at + 2)
}

/// Whether a line ends between the end of one token and the start of another.
pub(super) fn breaks_between(source: &[u8], end: u32, start: u32) -> bool {
    memchr2(b'\n', b'\r', &source[end as usize..start as usize]).is_some()
}

/// Length of the byte order mark that `source` starts with.
pub(super) fn byte_order_mark(source: &[u8]) -> usize {
    if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Takes a comment to the line's end.
pub(super) fn line_comment<'s, K: Logos<'s, Source = [u8]>>(lexer: &mut Lexer<'s, K>) -> Skip {
    lexer.bump(line_length(lexer.remainder()));
    Skip
}

/// Takes a comment to its `*/`, or to the end of the file.
pub(super) fn block_comment<'s, K: Logos<'s, Source = [u8]>>(lexer: &mut Lexer<'s, K>) -> Skip {
    lexer.bump(block_length(lexer.remainder()));
    Skip
}
