//! What begins the lines of a comment in languages that use a word for it, which would stand in the middle of a license's sentences.

use std::borrow::Cow;

use memchr::memmem;

/// What begins a comment: of Fortran, of Texinfo, of J.
const PREFIXES: [&str; 6] = ["C", "c", "@c", "@comment", "NB.", "COMMENT"];
/// Fewest lines one after another that begin so: a single line may be a list's, or a sentence's.
const LINES: usize = 3;

/// The text with blanks in the place of such words; what stands where stays the same.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let may = |prefix: &str| {
        memmem::find_iter(text.as_bytes(), prefix).any(|at| {
            let starts = at == 0 || text.as_bytes()[at - 1] == b'\n';
            starts && prefix_of(&text[at..]).is_some()
        })
    };
    if !PREFIXES.iter().any(|prefix| may(prefix)) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let prefixes: Vec<Option<&str>> = lines.iter().map(|line| prefix_of(line)).collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for same in prefixes.chunk_by(|one, next| one == next) {
        for line in &lines[at..at + same.len()] {
            match same[0].filter(|_| same.len() >= LINES) {
                Some(prefix) => {
                    kept.extend(std::iter::repeat_n(' ', prefix.len()));
                    kept.push_str(&line[prefix.len()..]);
                }
                None => kept.push_str(line),
            }
        }
        at += same.len();
    }
    Cow::Owned(kept)
}

/// What begins a line, where a blank or the end of the line follows it.
fn prefix_of(line: &str) -> Option<&'static str> {
    PREFIXES.into_iter().find(|prefix| {
        line.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    })
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
