//! What begins the lines of a comment in languages that use a word for it, which would stand in the middle of a license's sentences.

use std::borrow::Cow;

use memchr::memmem;

/// What begins a comment: of Fortran, of Texinfo, of J, of batch files, of m4.
const PREFIXES: [&str; 12] =
    ["C", "c", "@c", "@comment", "NB.", "COMMENT", "REM", "Rem", "rem", "@REM", "@rem", "dnl"];
/// What prints a line of text.
const PRINTS: [&str; 7] = ["print", "echo", "puts", "log", "write", "cout", "say"];
/// Longest stretch before the quote of what is printed.
const CALL: usize = 60;
/// Fewest lines one after another that begin so: a single line may be a list's, or a sentence's.
const LINES: usize = 3;

/// The text with blanks in the place of such words, and of the calls that print a notice line by line; what stands where stays the
/// same. The `%2B` of an address is a plus.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let may = |prefix: &str| {
        memmem::find_iter(bytes, prefix).any(|at| {
            let starts = at == 0 || bytes[at - 1] == b'\n';
            starts && word_of(&text[at..]).is_some()
        })
    };
    let prints = |name: &&str| memmem::find_iter(bytes, *name).nth(LINES - 1).is_some();
    let text = match memmem::find(bytes, b"%2B") {
        Some(_) => Cow::Owned(text.replace("%2B", "+  ")),
        None => Cow::Borrowed(text),
    };
    if !PREFIXES.iter().any(|prefix| may(prefix)) && !PRINTS.iter().any(prints) {
        return text;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let prefixes: Vec<Option<&str>> =
        lines.iter().map(|line| word_of(line).or_else(|| call_of(line))).collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for same in prefixes.chunk_by(|one, next| one == next) {
        for line in &lines[at..at + same.len()] {
            match same[0].filter(|_| same.len() >= LINES) {
                Some(prefix) => {
                    kept.extend(std::iter::repeat_n(' ', prefix.len()));
                    // Otherwise the `n` would be a word.
                    kept.push_str(&line[prefix.len()..].replace("\\n", "  "));
                }
                None => kept.push_str(line),
            }
        }
        at += same.len();
    }
    Cow::Owned(kept)
}

/// What begins a line, where a blank or the end of the line follows it.
fn word_of(line: &str) -> Option<&str> {
    PREFIXES.into_iter().find(|prefix| {
        line.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    })
}

/// What begins a line that prints a text, up to the quote of the text.
fn call_of(line: &str) -> Option<&str> {
    let call = &line[..line.find(['"', '\''])?];
    let is_call = call.len() <= CALL && call.is_ascii() && PRINTS.iter().any(|name| call.contains(name));
    is_call.then_some(call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_begin_comments_are_blanks() {
        let text = "C  This is free\nC  software.\nC\n      END\nC one\n@c a\n@c b\n@c c";
        let expected = "   This is free\n   software.\n \n      END\nC one\n   a\n   b\n   c";
        assert_eq!(blanked(text), expected);
        assert!(matches!(blanked("Copyright\nC# is\n"), Cow::Borrowed(_)));
    }
}
