//! What stands between tokens: white space, line ends and comments.
//!
//! A front end has told already what is a token, so whatever is no white space in a gap is a comment.

use std::ops::Range;

use familiar_source::Language;

use super::directives::has_preprocessor;
use super::model::{Class, Extras};

/// How comments over lines start and end, and whether they stand in each other.
type Block = (&'static [u8], &'static [u8], bool);

const PLAIN: Block = (b"/*", b"*/", false);
const NESTED: Block = (b"/*", b"*/", true);

/// How a language writes what stands between its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    blocks: &'static [Block],
    /// Whether a backslash before a line end joins the next line to a comment.
    joins_lines: bool,
}

impl Style {
    pub(super) fn of(language: Language) -> Self {
        let blocks: &'static [Block] = match language {
            Language::Rust | Language::Kotlin | Language::Scala | Language::Swift | Language::Dart => {
                &[NESTED]
            }
            Language::D => &[PLAIN, (b"/+", b"+/", true)],
            Language::Html
            | Language::Vue
            | Language::Svelte
            | Language::Astro
            | Language::Xml
            | Language::Markdown => &[(b"<!--", b"-->", false)],
            Language::Lua => &[(b"--[[", b"]]", false)],
            Language::Haskell | Language::Elm | Language::Idris | Language::Agda | Language::Dhall => {
                &[(b"{-", b"-}", true)]
            }
            Language::PureScript => &[(b"{-", b"-}", false)],
            Language::OCaml | Language::FSharp | Language::Coq | Language::AppleScript => {
                &[(b"(*", b"*)", true)]
            }
            Language::Pascal => &[(b"(*", b"*)", false), (b"{", b"}", false)],
            Language::Lean => &[(b"/-", b"-/", true)],
            Language::WebAssembly => &[(b"(;", b";)", true)],
            Language::XQuery => &[(b"(:", b":)", true)],
            Language::Lisp => &[(b"#|", b"|#", true)],
            Language::Nim => &[(b"#[", b"]#", true), (b"##[", b"]##", true)],
            Language::Julia => &[(b"#=", b"=#", true)],
            Language::Ruby => &[(b"=begin", b"\n=end", false)],
            Language::PowerShell => &[(b"<#", b"#>", false)],
            Language::CoffeeScript => &[(b"###", b"###", false)],
            Language::Matlab => &[(b"%{", b"%}", true)],
            _ => &[PLAIN],
        };
        Self { blocks, joins_lines: has_preprocessor(language) }
    }
}

#[cfg(test)]
impl Style {
    /// The comments over lines that may stand in each other.
    pub(super) fn nested(self) -> impl Iterator<Item = [String; 2]> {
        let nested = self.blocks.iter().filter(|(.., nests)| *nests);
        nested.map(|(open, close, _)| [open, close].map(|sign| String::from_utf8_lossy(sign).into_owned()))
    }
}

/// Gives what is asked for of `gap`: its class, and where it starts and ends.
pub(super) fn read(
    text: &[u8],
    gap: Range<u32>,
    style: Style,
    extras: Extras,
    give: &mut dyn FnMut(Class, u32, u32),
) {
    let end = gap.end as usize;
    let mut at = gap.start as usize;
    while at < end {
        let rest = &text[at..end];
        let blank = blank(rest, extras);
        let (class, wanted, length) = if blank > 0 {
            (Class::Whitespace, extras.whitespace, blank)
        } else if let Some(length) = line_break(rest) {
            (Class::Newline, extras.newlines, length)
        } else if let Some(length) = joint(rest) {
            (Class::Continuation, extras.continuations, length)
        } else if let Some(length) = block(rest, style) {
            (Class::BlockComment, extras.comments, length)
        } else {
            (Class::LineComment, extras.comments, line(rest, style))
        };
        if wanted {
            give(class, at as u32, (at + length) as u32);
        }
        at += length;
    }
}

/// Length of the white space that `rest` starts with, up to what is a token of its own.
fn blank(rest: &[u8], extras: Extras) -> usize {
    let mut at = 0;
    while at < rest.len() {
        at += match line_break(&rest[at..]) {
            Some(_) if extras.newlines => break,
            Some(length) => length,
            None => match joint(&rest[at..]) {
                Some(_) if extras.continuations => break,
                Some(length) => length,
                None if rest[at] <= b' ' || rest[at] == 0x7f => 1,
                None => break,
            },
        };
    }
    at
}

fn line_break(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n' | b'\r', ..] => Some(1),
        _ => None,
    }
}

/// A backslash with the line end behind it.
fn joint(rest: &[u8]) -> Option<usize> {
    rest.strip_prefix(b"\\").and_then(line_break).map(|length| length + 1)
}

/// Length of the comment over lines that `rest` starts with; to its end where nothing ends the comment.
fn block(rest: &[u8], style: Style) -> Option<usize> {
    let &(open, close, nests) = style.blocks.iter().find(|(open, ..)| rest.starts_with(open))?;
    let mut at = open.len();
    if !nests {
        let end = memchr::memmem::find(&rest[at..], close);
        return Some(end.map_or(rest.len(), |end| at + end + close.len()));
    }
    let mut depth = 1_usize;
    while at < rest.len() && depth > 0 {
        if rest[at..].starts_with(close) {
            at += close.len();
            depth -= 1;
        } else if rest[at..].starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    Some(at)
}

/// Length of the comment up to the end of its line that `rest` starts with.
fn line(rest: &[u8], style: Style) -> usize {
    let mut from = 0;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &rest[from..]) {
        let at = from + found;
        if !style.joins_lines || at == 0 || rest[at - 1] != b'\\' {
            return at.max(1);
        }
        from = at + line_break(&rest[at..]).unwrap_or(1);
    }
    rest.len()
}
