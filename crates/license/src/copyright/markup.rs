//! How text is written down: comment leaders, escapes, addresses, and the signs of copyright.

/// Bytes of a word, and of what stands before the words of a line, that are read at most.
pub(super) const MOST_WORD: usize = 200;
pub(super) const MOST_LEADER: usize = 200;

/// The bytes of the sign of copyright at the start of the text, however it is written.
pub(super) fn sign(text: &str) -> Option<usize> {
    let signs = [
        "\u{a9}",
        "&copy;",
        "&copy ",
        "&#169;",
        "&#xa9;",
        "&#xA9;",
        "\\u00a9",
        "\\u00A9",
        "\\xa9",
        "\\xA9",
        "\\251",
        "\\(co",
        "|copy|",
        "{c}",
        "[c]",
        "[C]",
        "@copyright{}",
        "\\copyright",
        "(co ",
    ];
    signs.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len())
}

pub(super) fn ends_comment(text: &str) -> bool {
    ["*/", "-->", "*)", "\"\"\"", "'''", "--}}", "#}", "?>", "%>", "]]>"]
        .iter()
        .any(|end| text.starts_with(end))
}

/// The bytes of the word at the start of the text; a word of a link holds what no other does.
pub(super) fn word_length(text: &str, link: bool) -> usize {
    let ends = |at: usize, char: char| {
        let rest = &text[at..];
        char.is_whitespace()
            || matches!(char, '"' | '<' | '>' | '`' | '\u{a9}' | '\\')
            || (link && matches!(char, ')' | ']' | '\''))
            || (!link && matches!(char, '=' | '(' | '{'))
            || (char == '&'
                && ["&lt;", "&gt;", "&copy;", "&nbsp;", "&quot;"]
                    .iter()
                    .any(|escape| rest.starts_with(escape)))
            || (char == '*' && rest.starts_with("*/"))
            || (char == '-' && rest.starts_with("-->"))
            || (char == ']' && (rest.starts_with("](") || rest.starts_with("][")))
            || (char == ',' && !text[..at].ends_with(|before: char| before.is_ascii_digit()))
            || at >= MOST_WORD
    };
    let length =
        text.char_indices().find(|&(at, char)| at > 0 && ends(at, char)).map_or(text.len(), |(at, _)| at);
    length.min(near(text).len())
}

/// Whether it tells where somebody is found, however the address is disguised.
pub(super) fn is_contact(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let disguised =
        [" at ", "(at)", "[at]", " dot ", "_at_", "#at#", "-at-"].iter().any(|at| lower.contains(at));
    let link = lower.contains("://") || lower.starts_with("www.");
    let host =
        lower.contains('.') && !lower.contains(' ') && lower.len() > 4 && lower.contains(char::is_alphabetic);
    disguised || link || (lower.contains('@') && lower.len() > 2) || (host && !lower.ends_with('.'))
}

/// As much of the text as a word is long at most.
pub(super) fn near(text: &str) -> &str {
    let mut end = MOST_WORD.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What stands between the two on the line, where that is short.
pub(super) fn enclosed<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = near(&text[open.len()..]);
    let inner = &inner[..inner.find('\n').unwrap_or(inner.len())];
    inner.find(close).map(|end| &inner[..end])
}

/// The bytes before the words of a line: white space, and what comments begin with in whatever language.
pub(super) fn leader(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < MOST_LEADER {
        let rest = &bytes[at..];
        let escaped =
            rest.len() > 1 && rest[0] == b'\\' && matches!(rest[1], b'(' | b'x' | b'u' | b'2' | b'n');
        match rest.first() {
            Some(b'\n') | None => return at,
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(byte) if b"#/*;-%!\"'|>.\\~=+_:,{".contains(byte) && !escaped => at += 1,
            _ if rest.starts_with(b"<!--") => at += 4,
            _ if rest.starts_with(b"(*") => at += 2,
            _ => match ["dnl", "rem", "REM", "Rem", "@c", "@comment"].iter().find(|word| {
                let after = rest.strip_prefix(word.as_bytes()).and_then(<[u8]>::first);
                after.is_some_and(|after| matches!(after, b' ' | b'\t'))
            }) {
                Some(word) => at += word.len(),
                None => return at,
            },
        }
    }
    at
}
