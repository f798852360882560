//! The places of a text where a statement of copyright may begin.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// A place where a statement may begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The byte where it begins.
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// `copyright`, however it is capitalized.
    Word,
    /// `SPDX-FileCopyrightText:` and `SPDX-SnippetCopyrightText:`.
    Tag,
    /// `©`, however it is escaped.
    Sign,
    /// `(c)`.
    Letter,
    /// The macro `.Co` of manual pages.
    Macro,
}

/// What is looked for. Only the word needs its surroundings seen before it is read on.
const NEEDLES: [(&str, MarkKind); 10] = [
    ("opyright", MarkKind::Word),
    ("OPYRIGHT", MarkKind::Word),
    ("opyRight", MarkKind::Word),
    ("\u{a9}", MarkKind::Sign),
    ("&copy;", MarkKind::Sign),
    ("&#169;", MarkKind::Sign),
    ("\\(co", MarkKind::Sign),
    ("(c)", MarkKind::Letter),
    ("(C)", MarkKind::Letter),
    ("\n.Co ", MarkKind::Macro),
];

static FINDERS: LazyLock<[Finder<'static>; NEEDLES.len()]> =
    LazyLock::new(|| NEEDLES.map(|(needle, _)| Finder::new(needle)));

/// The marks of a text in its order.
pub(super) struct Marks<'a> {
    text: &'a str,
    /// For each needle, where it stands next.
    next: [Option<usize>; NEEDLES.len()],
}

impl<'a> Marks<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, next: std::array::from_fn(|needle| FINDERS[needle].find(text.as_bytes())) }
    }

    fn advance(&mut self) -> Option<(usize, usize)> {
        let (needle, at) = (self.next.iter().enumerate())
            .filter_map(|(needle, at)| at.map(|at| (needle, at)))
            .min_by_key(|&(_, at)| at)?;
        let on = at + 1;
        let rest = &self.text.as_bytes()[on..];
        self.next[needle] = FINDERS[needle].find(rest).map(|found| on + found);
        Some((needle, at))
    }
}

impl Iterator for Marks<'_> {
    type Item = Mark;

    fn next(&mut self) -> Option<Mark> {
        loop {
            let (needle, at) = self.advance()?;
            let mark = match NEEDLES[needle].1 {
                MarkKind::Word => word(self.text, at),
                MarkKind::Letter => letter(self.text, at),
                MarkKind::Macro => Some(Mark { at: at + 1 }),
                MarkKind::Sign | MarkKind::Tag => Some(Mark { at }),
            };
            if mark.is_some() {
                return mark;
            }
        }
    }
}

/// The word of which `opyright` stands at `at`, unless it is part of an identifier.
fn word(text: &str, at: usize) -> Option<Mark> {
    let bytes = text.as_bytes();
    let start = at.checked_sub(1).filter(|&start| bytes[start].eq_ignore_ascii_case(&b'c'))?;
    let rest = &text[at + "opyright".len()..];
    if rest.starts_with("Text:") {
        let tag = ["SPDX-File", "SPDX-Snippet"].into_iter().find(|tag| text[..start].ends_with(tag))?;
        return Some(Mark { at: start - tag.len() });
    }
    let escaped = text[..start].ends_with("\\n") || text[..start].ends_with("\\t");
    let within = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !escaped && start > 0 && within(bytes[start - 1]) {
        return None;
    }
    let ending = ["ed", "ED", "s", "S"].into_iter().find(|end| rest.starts_with(end)).map_or(0, str::len);
    let follows = rest.as_bytes().get(ending).copied().unwrap_or(b' ');
    let annotates = text[..start].ends_with('@');
    if follows == b'(' && !annotates && is_call(&rest[ending + 1..], bytes[start] == b'c') {
        return None;
    }
    (!follows.is_ascii_alphabetic() && follows != b'_').then_some(Mark { at: start })
}

/// Whether a function or a type of that name is called or defined: `Copyright(Expression, Name)`, but neither `Copyright(c) Holder`
/// nor `Copyright(2004) Holder` nor `COPYRIGHT("2004 Holder")`. `rest` stands behind the parenthesis.
fn is_call(rest: &str, is_small: bool) -> bool {
    let inner = rest.split([')', '\n']).next().unwrap_or_default().trim();
    let unsigned = inner.strip_prefix(['c', 'C', '\u{a9}']).unwrap_or(inner);
    let signed = rest.starts_with("c)") || rest.starts_with("C)");
    if is_small || signed {
        return !signed;
    }
    if unsigned.is_empty()
        || unsigned.starts_with(|first: char| !first.is_alphabetic() && !"\"'_".contains(first))
    {
        return inner.is_empty();
    }
    let behind = rest.split_once(')').map_or("", |(_, behind)| behind).trim_start();
    let is_plain = !inner.contains(['"', '\'', '=', '[', '{']);
    if inner.eq_ignore_ascii_case("by")
        || begins_with_year(behind)
        || is_plain && inner.split([' ', ',', '-']).any(begins_with_year)
    {
        return false;
    }
    let quotes = inner.bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
    let states =
        quotes == 2 && inner.ends_with(['"', '\'']) && inner.bytes().any(|byte| byte.is_ascii_digit());
    let single = !inner.contains(char::is_whitespace);
    !states && (single || inner.contains([',', '"', '\'', '=', ':', '.', '(', '[', '{']))
}

fn begins_with_year(text: &str) -> bool {
    text.len() >= 4
        && (text.starts_with("19") || text.starts_with("20"))
        && text.bytes().take(4).all(|byte| byte.is_ascii_digit())
}

/// `(c)` that is no argument and no cast: nothing is called by it, and it is followed by a year, a name or `copyright`.
fn letter(text: &str, at: usize) -> Option<Mark> {
    let before = at.checked_sub(1).map_or(b' ', |before| text.as_bytes()[before]);
    let called = before.is_ascii_alphanumeric() || matches!(before, b'_' | b')' | b']' | b'(');
    (!called).then_some(Mark { at })
}
