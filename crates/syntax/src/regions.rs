//! Code inside other files: the cells of a notebook, scripts and styles in HTML, Vue and Svelte.
//!
//! A region keeps its place: offsets and lines are those of the file that holds it.

use std::borrow::Cow;

use familiar_source::{Language, Span};

/// A file taken apart: for each region the language that reads it.
#[derive(Debug)]
pub struct Regions<'s> {
    /// As long as the file, with the same lines; what is no code may be blanked out.
    pub code: Cow<'s, [u8]>,
    /// In order, without overlap.
    pub list: Vec<(Language, Span)>,
}

/// The regions of a file that holds several languages; `None` where one language reads all of it.
pub fn split(language: Language, source: &[u8]) -> Option<Regions<'_>> {
    match language {
        Language::Notebook => Some(notebook(source)),
        Language::Html | Language::Vue | Language::Svelte => Some(markup(language, source)),
        _ => None,
    }
}

/// Scripts and styles, with the markup between them.
fn markup(language: Language, source: &[u8]) -> Regions<'_> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some((inner, body)) = next_element(source, at) {
        list.push((language, Span::new(at as u32, body.start)));
        list.push((inner, body));
        at = body.end as usize;
    }
    list.push((language, Span::new(at as u32, source.len() as u32)));
    list.retain(|(_, span)| !span.is_empty());
    Regions { code: Cow::Borrowed(source), list }
}

/// The language and the body of the next `<script>` or `<style>` element from `from` on.
fn next_element(source: &[u8], from: usize) -> Option<(Language, Span)> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'<', &source[at..])? + 1;
        let rest = &source[at..];
        let (language, close): (_, &[u8]) = if starts_tag(rest, b"script") {
            (Language::JavaScript, b"</script")
        } else if starts_tag(rest, b"style") {
            (Language::Css, b"</style")
        } else {
            continue;
        };
        let head_end = memchr::memchr(b'>', rest)? + 1;
        let head = rest[..head_end].to_ascii_lowercase();
        let body = &rest[head_end..];
        let end = find_ignoring_case(body, close).unwrap_or(body.len());
        let start = at + head_end;
        return Some((refined(language, &head), Span::new(start as u32, (start + end) as u32)));
    }
}

fn starts_tag(rest: &[u8], name: &[u8]) -> bool {
    rest.len() > name.len()
        && rest[..name.len()].eq_ignore_ascii_case(name)
        && matches!(rest[name.len()], b'>' | b' ' | b'\t' | b'\n' | b'\r')
}

/// The language that the tag's attributes tell: `lang="ts"`, a template's type.
fn refined(language: Language, head: &[u8]) -> Language {
    let has = |needle: &str| memchr::memmem::find(head, needle.as_bytes()).is_some();
    match language {
        Language::JavaScript if has("\"ts\"") || has("\"tsx\"") || has("'ts'") || has("typescript") => {
            Language::TypeScript
        }
        Language::JavaScript if has("json") => Language::Json,
        Language::JavaScript if has("type=\"text/") && !has("javascript") => Language::Html,
        other => other,
    }
}

fn find_ignoring_case(body: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(body, b"</").find(|&at| {
        body.len() >= at + needle.len() && body[at..at + needle.len()].eq_ignore_ascii_case(needle)
    })
}

/// The code cells of a Jupyter notebook (nbformat 3 and 4), all else blanked out.
fn notebook(source: &[u8]) -> Regions<'static> {
    let mut code = vec![b' '; source.len()];
    for (at, byte) in source.iter().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r')) {
        code[at] = *byte;
    }
    let mut scan = Json { source, at: 0 };
    let mut in_code_cell = false;
    let mut key: &[u8] = b"";
    while let Some(text) = scan.next_string() {
        if scan.skip_colon() {
            key = &source[text.range()];
            if matches!(key, b"source" | b"input") && in_code_cell {
                copy_strings(&mut scan, &mut code);
            }
        } else if key == b"cell_type" {
            in_code_cell = &source[text.range()] == b"code";
        }
    }
    let whole = Span::new(0, source.len() as u32);
    Regions { code: Cow::Owned(code), list: vec![(Language::Python, whole)] }
}

/// Copies the string, or the list of strings, that follows.
fn copy_strings(scan: &mut Json<'_>, code: &mut [u8]) {
    let list = scan.skip_white() == Some(b'[');
    loop {
        if scan.skip_white() == Some(b'[') || scan.skip_white() == Some(b',') {
            scan.at += 1;
            continue;
        }
        if scan.skip_white() != Some(b'"') {
            return;
        }
        let Some(text) = scan.next_string() else { return };
        unescape(scan.source, text, code);
        // The last string of a cell ends without a line end.
        if let Some(quote) = code.get_mut(text.end as usize) {
            *quote = if list { b' ' } else { b'\n' };
        }
        if !list {
            return;
        }
    }
}

/// Writes the string at `text` to the same place of `code`, line by line: what escapes save is blank at each line's end,
/// so that indentation and everything that is written together stay what they are.
fn unescape(source: &[u8], text: Span, code: &mut [u8]) {
    let (mut at, end) = (text.start as usize, text.end as usize);
    let mut to = at;
    let mut put = |bytes: &[u8], to: &mut usize| {
        code[*to..*to + bytes.len()].copy_from_slice(bytes);
        *to += bytes.len();
    };
    while at < end {
        if source[at] != b'\\' || at + 1 >= end {
            put(&source[at..=at], &mut to);
            at += 1;
            continue;
        }
        match source[at + 1] {
            b'n' => {
                while to < at + 1 {
                    put(b" ", &mut to);
                }
                put(b"\n", &mut to);
            }
            b't' => put(b"\t", &mut to),
            b'r' | b'b' | b'f' => {}
            b'u' if at + 6 <= end => {
                let digits = std::str::from_utf8(&source[at + 2..at + 6]).ok();
                let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                // Halves of surrogate pairs are no characters of their own; code has them in strings only.
                let c = number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                put(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut to);
                at += 4;
            }
            other => put(&[other], &mut to),
        }
        at += 2;
    }
    while to < end {
        put(b" ", &mut to);
    }
}

/// Walks the strings of a JSON text; never fails, whatever the text.
struct Json<'s> {
    source: &'s [u8],
    at: usize,
}

impl Json<'_> {
    /// The next string's content, without its quotes.
    fn next_string(&mut self) -> Option<Span> {
        let start = self.at + memchr::memchr(b'"', self.source.get(self.at..)?)? + 1;
        let mut end = start;
        loop {
            end += memchr::memchr2(b'"', b'\\', self.source.get(end..)?)?;
            if self.source[end] == b'"' {
                break;
            }
            end += 2;
        }
        self.at = end + 1;
        Some(Span::new(start as u32, end as u32))
    }

    fn skip_white(&mut self) -> Option<u8> {
        while self.source.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.source.get(self.at).copied()
    }

    fn skip_colon(&mut self) -> bool {
        let colon = self.skip_white() == Some(b':');
        self.at += usize::from(colon);
        colon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notebooks_keep_the_lines_and_places_of_their_code() {
        let source = br#"{"cells": [
 {"cell_type": "markdown", "source": ["no\n"]},
 {"cell_type": "code", "metadata": {"source": 1}, "source": [
  "def f():\n",
  "  return \"a\""]},
 {"cell_type": "code", "source": "x = 1\nif x:\n  y"}]}"#;
        let regions = split(Language::Notebook, source).expect("a notebook has regions");
        assert_eq!(regions.code.len(), source.len());
        let text = String::from_utf8(regions.code.into_owned()).expect("ASCII above");
        let lines: Vec<_> = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(lines[0], "   def f():");
        assert_eq!(lines[1], "     return \"a\"");
        assert_eq!(lines[2].trim(), "x = 1");
        assert_eq!(&lines[3..], ["if x:", "  y"]);
    }

    #[test]
    fn scripts_and_styles_are_regions_of_their_own() {
        let source = b"<p>a</p><script lang=\"ts\">let a</script><STYLE>b{}</style><script src=x>";
        let regions = split(Language::Vue, source).expect("markup has regions");
        let found: Vec<_> = regions
            .list
            .iter()
            .map(|(language, span)| {
                (language.name(), String::from_utf8_lossy(&source[span.range()]).into_owned())
            })
            .collect();
        let text = |at: usize| (found[at].0, found[at].1.as_str());
        assert_eq!(text(1), ("typescript", "let a"));
        assert_eq!(text(3), ("css", "b{}"));
        assert_eq!(found.iter().map(|(_, text)| text.len()).sum::<usize>(), source.len());
    }

    #[test]
    fn truncated_input_ends() {
        for source in
            [&b"{\"cell_type\": \"code\", \"source\": [\"a\\"[..], b"\"", b"{\"source\":", b"<script", b"<"]
        {
            split(Language::Notebook, source);
            split(Language::Html, source);
        }
    }
}
