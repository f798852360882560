//! C#'s strings that a regular expression cannot read: raw and interpolated ones.

use memchr::{memchr, memchr2, memchr3};

/// A string that was opened and not yet closed.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// How many braces open a hole; none where there are no holes.
    dollars: usize,
    /// How many quotes end it: one, or three and more where it is raw.
    quotes: usize,
    verbatim: bool,
    /// In a hole: how many braces are open there, its own included.
    braces: usize,
}

/// Byte offset after the string that opens at the start of `source`, such as `$@"` or `"""`; `None` where it has no end.
///
/// Takes linear time and no recursion, however strings and holes nest.
pub(super) fn end(source: &[u8]) -> Option<usize> {
    let (mut now, mut at) = open(source)?;
    let mut outer: Vec<Open> = Vec::new();
    loop {
        if now.braces == 0 {
            let (next, closed) = text(source, at, &mut now)?;
            at = next;
            if closed {
                match outer.pop() {
                    Some(open) => now = open,
                    None => return Some(at),
                }
            }
        } else {
            at += next_in_hole(&source[at..])?;
            match source[at] {
                b'{' => (now.braces, at) = (now.braces + 1, at + 1),
                b'}' => (now.braces, at) = (now.braces - 1, at + 1),
                b'\'' => at = after_char(source, at),
                _ => match open(&source[at..]) {
                    Some((inner, len)) => {
                        outer.push(std::mem::replace(&mut now, inner));
                        at += len;
                    }
                    None => at += prefix(&source[at..]).max(1),
                },
            }
        }
    }
}

/// The next byte that means something in a hole.
fn next_in_hole(rest: &[u8]) -> Option<usize> {
    rest.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\'' | b'"' | b'$' | b'@'))
}

/// Length of the `$` and `@` at the start of `source`.
fn prefix(source: &[u8]) -> usize {
    source.iter().take_while(|&&byte| matches!(byte, b'$' | b'@')).count()
}

/// The string that opens at the start of `source`, and the length of what opens it.
fn open(source: &[u8]) -> Option<(Open, usize)> {
    let prefix = prefix(source);
    if source.get(prefix) != Some(&b'"') {
        return None;
    }
    let dollars = memchr::memchr_iter(b'$', &source[..prefix]).count();
    let verbatim = dollars < prefix;
    let quotes = run(&source[prefix..], b'"');
    let quotes = if verbatim || quotes < 3 { 1 } else { quotes };
    Some((Open { dollars, quotes, verbatim, braces: 0 }, prefix + quotes))
}

/// How often `byte` stands at the start of `source`.
fn run(source: &[u8], byte: u8) -> usize {
    source.iter().take_while(|&&next| next == byte).count()
}

/// Reads the text of `now` from `at` up to its end or to a hole; says where that is, and whether it is the end.
fn text(source: &[u8], mut at: usize, now: &mut Open) -> Option<(usize, bool)> {
    loop {
        let rest = &source[at..];
        at += if now.quotes > 1 || now.verbatim {
            memchr2(b'"', b'{', rest)?
        } else {
            rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'\\' | b'\n' | b'\r'))?
        };
        match source[at] {
            b'"' if now.quotes > 1 => {
                let quotes = run(&source[at..], b'"');
                at += quotes;
                if quotes >= now.quotes {
                    return Some((at, true));
                }
            }
            b'"' if now.verbatim && source.get(at + 1) == Some(&b'"') => at += 2,
            b'"' => return Some((at + 1, true)),
            b'{' => {
                let braces = run(&source[at..], b'{');
                at += braces;
                let opens = if now.quotes > 1 { braces >= now.dollars } else { braces % 2 == 1 };
                if now.dollars > 0 && opens {
                    now.braces = now.dollars;
                    return Some((at, false));
                }
            }
            b'\\' => at = (at + 2).min(source.len()),
            // A line end ends no string that is neither verbatim nor raw: this one has no end.
            _ => return None,
        }
    }
}

/// Byte offset after the character at `at`, which is a `'`.
fn after_char(source: &[u8], at: usize) -> usize {
    let rest = &source[at + 1..];
    let rest = &rest[..rest.len().min(12)];
    if rest.first() == Some(&b'\\') {
        return at + 1 + rest.get(2..).and_then(|rest| memchr(b'\'', rest)).map_or(0, |end| end + 3);
    }
    // One character has at most four bytes; what ends the hole or starts a string ends the search.
    let len = memchr3(b'\'', b'"', b'}', rest.get(1..5.min(rest.len())).unwrap_or(&[]));
    match len {
        Some(len) if rest[len + 1] == b'\'' => at + len + 3,
        _ => at + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn strings_end_where_they_end() {
        for string in [
            r#"$"a""#,
            r#"$"""#,
            r#"$"{a}""#,
            r#"$"{{ {a:X2} }}""#,
            r#"$"{f("}")} {c == '"'} {'}'} {'\''}""#,
            r#"$@"a ""quoted"" \ {x["k"]} ""#,
            r#"@$"{$"{@"""}"}"}""#,
            "\"\"\"a \"\" b\"\"\"",
            "\"\"\"\"a \"\"\" b\"\"\"\"",
            "$$\"\"\"a {b} {{c}} {{{d}}} \"\"\"",
            "$@\"a\n{b}\n\"",
            "$\"{a.Select(x => new { y = 1 })}\"",
        ] {
            let code = format!("{string} + \"x\"");
            assert_eq!(end(code.as_bytes()), Some(string.len()), "{string}");
        }
    }

    #[test]
    fn strings_without_an_end_have_none() {
        for string in ["$\"a", "$\"a\n\"", "$\"{a", "$@\"a", "\"\"\"a\"\"", "$\"{'", "$\"{'\\", "$\"\\"] {
            assert_eq!(end(string.as_bytes()), None, "{string}");
        }
    }
}
