//! What compilers take and a grammar of tree-sitter does not read.

use familiar_source::Language;
use familiar_syntax::tree::Nodes;

use crate::braces;

/// A text in which blanks stand for the part of C and C++ that their grammars do not know: what follows the first name in
/// `offsetof(struct box, items[3].size)`. Nothing else moves, so the tree of this text is the tree of the other one.
/// `None` where there is no such thing.
pub(crate) fn readable(language: Language, text: &str) -> Option<String> {
    const WORD: &str = "offsetof";
    if !braces::is_c(language) || !text.contains(WORD) {
        return None;
    }
    let (mut bytes, mut from, mut is_changed) = (text.as_bytes().to_vec(), 0, false);
    while let Some(at) = text[from..].find(WORD) {
        from += at + WORD.len();
        let Some(range) = designators(&text[from..]) else { continue };
        bytes[from + range.start..from + range.end].fill(b' ');
        is_changed = true;
    }
    String::from_utf8(bytes).ok().filter(|_| is_changed)
}

/// The text as a grammar may read it, and what it makes of that.
pub(crate) fn parse(language: Language, text: &str, parse: impl Fn(&str) -> Option<Nodes>) -> Option<Nodes> {
    let nodes = parse(text)?;
    if nodes.first_error().is_none() {
        return Some(nodes);
    }
    let other = readable(language, text).and_then(|it| parse(&it));
    Some(other.filter(|it| it.first_error().is_none()).unwrap_or(nodes))
}

/// Where `.x` and `[3]` stand behind the name of a member, if the text begins with `(type, member.x[3])`. A word in brackets
/// has to be a constant by its capitals: nobody would rename it.
fn designators(text: &str) -> Option<std::ops::Range<usize>> {
    let inside = text.trim_start().strip_prefix('(')?;
    let begin = text.len() - inside.len();
    let comma = begin + inside.find([',', ')', '\n']).filter(|at| inside.as_bytes()[*at] == b',')?;
    let end =
        comma + text[comma..].find([')', ';', '\n']).filter(|at| text.as_bytes()[comma + at] == b')')?;
    let start = comma + 1 + text[comma + 1..end].find(['.', '['])?;
    let (name, rest) = (&text[comma + 1..start], &text[start..end]);
    let is_word = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let constant = |it: &str| !it.contains(|it: char| it.is_ascii_lowercase());
    let mut parts = rest.split_inclusive(['.', '[', ']']).map(str::trim);
    let fits = parts.all(|part| {
        let word = part.trim_end_matches(['.', '[', ']']).trim();
        word.is_empty() || is_word(word) && (!part.ends_with(']') || constant(word))
    });
    (is_word(name.trim()) && fits).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_stand_for_designators() {
        let cases = [
            ("x = offsetof(struct a, b[3]);", Some("x = offsetof(struct a, b   );")),
            ("offsetof(A, b.c) + offsetof (A, b[N].c)", Some("offsetof(A, b  ) + offsetof (A, b     )")),
            ("offsetof(A, b)", None),
            ("offsetof(A, b[i])", None),
            ("offsetof(A, f(b.c))", None),
            ("my_offsetof; x(b[3])", None),
        ];
        for (text, expected) in cases {
            assert_eq!(readable(Language::C, text).as_deref(), expected, "{text}");
        }
        assert_eq!(readable(Language::Java, cases[0].0), None);
    }
}
