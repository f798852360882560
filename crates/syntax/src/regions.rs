//! Code inside other files: the cells of a notebook, scripts and styles in HTML, Vue and Svelte.
//!
//! A region keeps its place: offsets and lines are those of the file that holds it.

use std::borrow::Cow;

use familiar_source::{Language, Span};

use crate::notebook;

/// A file taken apart: for each region the language that reads it.
#[derive(Debug)]
pub struct Regions<'s> {
    /// As long as the file, with the same lines; what is no code may be blanked out.
    pub code: Cow<'s, [u8]>,
    /// In order, without overlap.
    pub list: Vec<(Language, Span)>,
}

/// The text to which the tokens of a file belong: as long as the file, with the same lines. It is the file itself, but for a notebook, whose
/// code stands in strings with escapes.
pub fn code(language: Language, source: &[u8]) -> Cow<'_, [u8]> {
    match language {
        Language::Notebook => Cow::Owned(notebook::code(source)),
        _ => Cow::Borrowed(source),
    }
}

/// The regions of a file that holds several languages; `None` where one language reads all of it.
pub fn split(language: Language, source: &[u8]) -> Option<Regions<'_>> {
    match language {
        Language::Notebook => {
            let whole = Span::new(0, source.len() as u32);
            Some(Regions { code: Cow::Owned(notebook::code(source)), list: vec![(Language::Python, whole)] })
        }
        Language::Astro => Some(astro(source)),
        Language::Html | Language::Vue | Language::Svelte => Some(markup(language, source)),
        _ => None,
    }
}

/// Scripts and styles, with the markup between them.
fn markup(language: Language, source: &[u8]) -> Regions<'_> {
    elements(language, source, 0, Vec::new())
}

/// The same, after the script between two lines of `---` at the head.
fn astro(source: &[u8]) -> Regions<'_> {
    const FENCE: &[u8] = b"---";
    let open = source.len() - source.trim_ascii_start().len();
    let fenced = source[open..].starts_with(FENCE).then(|| open + FENCE.len());
    let close = fenced
        .and_then(|start| memchr::memmem::find(&source[start..], b"\n---").map(|at| (start, start + at + 1)));
    let Some((start, end)) = close else { return markup(Language::Astro, source) };
    let script = Span::new(start as u32, end as u32);
    elements(Language::Astro, source, end + FENCE.len(), vec![(Language::TypeScript, script)])
}

fn elements(
    language: Language,
    source: &[u8],
    mut at: usize,
    mut list: Vec<(Language, Span)>,
) -> Regions<'_> {
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
        && matches!(rest[name.len()], b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

const LANGUAGES_OF_TYPES: [&str; 6] = ["\"ts\"", "\"tsx\"", "'ts'", "'tsx'", "lang=ts>", "lang=ts "];
const SCRIPTS: [&str; 4] = ["javascript", "ecmascript", "babel", "jsx"];

/// The language that the tag's attributes tell: `lang="ts"`, a template's type.
fn refined(language: Language, head: &[u8]) -> Language {
    let has = |needle: &str| memchr::memmem::find(head, needle.as_bytes()).is_some();
    match language {
        Language::JavaScript if has("typescript") || LANGUAGES_OF_TYPES.iter().any(|said| has(said)) => {
            Language::TypeScript
        }
        Language::JavaScript if has("json") => Language::Json,
        Language::JavaScript if has("type=\"text/") && !SCRIPTS.iter().any(|one| has(one)) => Language::Html,
        other => other,
    }
}

fn find_ignoring_case(body: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(body, b"</").find(|&at| {
        body.len() >= at + needle.len() && body[at..at + needle.len()].eq_ignore_ascii_case(needle)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_head_of_a_page_of_astro_is_a_script() {
        let source = b"---\nlet a = 1;\n---\n<p>{a}</p>";
        let found = split(Language::Astro, source).expect("markup has regions").list;
        assert_eq!(found[0], (Language::TypeScript, Span::new(3, 15)));
        assert_eq!(&source[found[1].1.range()], b"\n<p>{a}</p>");
        assert_eq!(split(Language::Astro, b"---\nx").expect("markup has regions").list.len(), 1);
    }

    #[test]
    fn truncated_input_ends() {
        for source in
            [&b"{\"cell_type\": \"code\", \"source\": [\"a\\"[..], b"\"", b"{\"source\":", b"<script", b"<"]
        {
            split(Language::Notebook, source);
            split(Language::Html, source);
            split(Language::Astro, source);
        }
    }
}
