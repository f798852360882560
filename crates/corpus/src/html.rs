//! The `<pre>` blocks of HTML, whole pages and fragments, well formed or not.
//!
//! One pass over the text, linear in its length. Markup inside a block is dropped, character references are resolved.

use familiar_source::Language;

use crate::Told;
use crate::block::Block;
use crate::content::language_called;

/// Elements whose content is not text.
const RAW: [&str; 3] = ["script", "style", "textarea"];

/// All `<pre>` blocks with code in them, in order. A class of the block, of the `<code>` in it or of the elements right
/// around it names the language.
pub(crate) fn pre_blocks(html: &str) -> Vec<Block> {
    let mut scanner = Scanner { html, at: 0, line: 1 };
    let mut blocks = Vec::new();
    // Classes of the elements that were opened since the last text.
    let mut around: Vec<&str> = Vec::new();
    while let Some(piece) = scanner.next() {
        match piece {
            Piece::Text(text) if text.trim().is_empty() => {}
            Piece::Open { name, class } if name.eq_ignore_ascii_case("pre") => {
                around.push(class);
                blocks.extend(pre_block(&mut scanner, &around));
                around.clear();
            }
            Piece::Open { class, .. } => around.push(class),
            Piece::Text(_) | Piece::Close(_) => around.clear(),
        }
    }
    blocks
}

/// The block that the scanner stands in.
fn pre_block(scanner: &mut Scanner<'_>, around: &[&str]) -> Option<Block> {
    let first_line = scanner.line;
    let mut language = around.iter().rev().find_map(|class| language_of_class(class));
    let mut code = String::new();
    while let Some(piece) = scanner.next() {
        match piece {
            Piece::Text(text) => resolve(text, &mut code),
            Piece::Close(name) if name.eq_ignore_ascii_case("pre") => break,
            Piece::Open { name, .. } if name.eq_ignore_ascii_case("br") => code.push('\n'),
            Piece::Open { name, class } if name.eq_ignore_ascii_case("code") => {
                language = language_of_class(class).or(language);
            }
            Piece::Open { .. } | Piece::Close(_) => {}
        }
    }
    Block::new(&code, first_line, language.unwrap_or(Told::BLOCK))
}

/// `lang-py`, `language-python`, `highlight-source-python`, `sourceCode python`; `lang-none` says that it is none, and Sphinx's
/// `highlight-default` that it may be Python.
fn language_of_class(class: &str) -> Option<Told> {
    class.split_ascii_whitespace().find_map(|word| {
        let prefixes = ["language-", "lang-", "highlight-source-", "highlight-"];
        match prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)) {
            Some("default") => {
                let likely = word.starts_with("highlight-").then_some(Language::Python);
                Some(Told::Block { likely })
            }
            Some(name) => Some(Told::called(name)),
            None => language_called(word).map(Told::Language),
        }
    })
}

enum Piece<'h> {
    Text(&'h str),
    Open { name: &'h str, class: &'h str },
    Close(&'h str),
}

struct Scanner<'h> {
    html: &'h str,
    at: usize,
    /// The line that `at` stands on.
    line: u32,
}

impl<'h> Scanner<'h> {
    fn next(&mut self) -> Option<Piece<'h>> {
        loop {
            let rest = &self.html[self.at..];
            if rest.is_empty() {
                return None;
            }
            let Some(tag) = rest.strip_prefix('<') else {
                return Some(Piece::Text(self.take(rest.find('<').unwrap_or(rest.len()))));
            };
            if let Some(comment) = tag.strip_prefix("!--") {
                self.take(comment.find("-->").map_or(rest.len(), |end| end + "<!---->".len()));
            } else if tag.starts_with(['!', '?']) {
                self.take(tag.find('>').map_or(rest.len(), |end| end + 2));
            } else if tag.starts_with(|first: char| first == '/' || first.is_ascii_alphabetic()) {
                return Some(self.tag());
            } else {
                return Some(Piece::Text(self.take(1)));
            }
        }
    }

    /// The tag that starts here, and the raw content of one that has such.
    fn tag(&mut self) -> Piece<'h> {
        let rest = &self.html[self.at..];
        let text = self.take(tag_end(rest));
        let inner = text.trim_start_matches('<').trim_end_matches('>');
        if let Some(name) = inner.strip_prefix('/') {
            return Piece::Close(name.trim());
        }
        let end = inner.find(|c: char| c.is_ascii_whitespace() || c == '/').unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(end);
        if RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)) && !attributes.ends_with('/') {
            self.take(raw_end(&self.html[self.at..], name));
        }
        Piece::Open { name, class: class_of(attributes) }
    }

    fn take(&mut self, bytes: usize) -> &'h str {
        let taken = &self.html[self.at..self.at + bytes];
        self.at += bytes;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count() as u32;
        taken
    }
}

/// How many bytes a tag takes; quoted values may hold `>`.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            None if byte == b'>' => return at + 1,
            // Quotes count after `=` only, so that a stray one does not swallow the rest.
            None if matches!(byte, b'"' | b'\'') && text[..at].trim_end().ends_with('=') => {
                quote = Some(byte);
            }
            _ => {}
        }
    }
    text.len()
}

/// Where the end tag of an element with raw content starts.
fn raw_end(text: &str, name: &str) -> usize {
    let is_end = |at: &usize| {
        let after = text.as_bytes().get(at + 2..at + 2 + name.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(name.as_bytes()))
    };
    text.match_indices("</").map(|(at, _)| at).find(is_end).unwrap_or(text.len())
}

/// The value of the attribute `class`, without quotes.
fn class_of(attributes: &str) -> &str {
    let Some(at) = attributes.find("class=") else { return "" };
    let value = &attributes[at + "class=".len()..];
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next().unwrap_or(""),
        _ => value.split_ascii_whitespace().next().unwrap_or(""),
    }
}

/// Appends text with its character references resolved; what is no known reference stays as it is.
fn resolve(text: &str, code: &mut String) {
    const LONGEST: usize = 10;
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        code.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        let resolved = end.and_then(|end| Some((character(&rest[1..end])?, end + 1)));
        let (character, used) = resolved.unwrap_or(('&', 1));
        code.push(character);
        rest = &rest[used..];
    }
    code.push_str(rest);
}

fn character(reference: &str) -> Option<char> {
    Some(match reference {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        // In code it stands for a space.
        "nbsp" | "#160" | "#xA0" | "#xa0" => ' ',
        _ => {
            let number = reference.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            return char::from_u32(number.ok()?).filter(|&c| c != '\0');
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[(&str, u32, Told)]) {
        let blocks = pre_blocks(html);
        let found: Vec<_> =
            blocks.iter().map(|block| (block.code.as_str(), block.first_line, block.language)).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn code_is_what_a_browser_shows() {
        check(
            "<p>x</p>\n<pre><code>if a &lt; b:\n  f(&quot;&amp;amp;&#39;&#x41;&unknown;&)\n</code></pre>",
            &[("if a < b:\n  f(\"&amp;'A&unknown;&)\n", 2, Told::BLOCK)],
        );
        check(
            "<PRE>\n<span class=\"k\">def</span> <b>f</b>()<br>x</PRE>",
            &[("def f()\nx\n", 2, Told::BLOCK)],
        );
    }

    #[test]
    fn classes_name_the_language() {
        let python = Told::Language(Language::Python);
        check("<pre class=\"lang-py prettyprint\"><code>x</code></pre>", &[("x\n", 1, python)]);
        check("<pre><code class='language-python'>x</code></pre>", &[("x\n", 1, python)]);
        check(
            "<div class=\"highlight-python3\"><div class=\"highlight\"><pre>x</pre></div></div>",
            &[("x\n", 1, python)],
        );
        check("<div class=\"highlight-python3\">text<pre>x</pre></div>", &[("x\n", 1, Told::BLOCK)]);
        check("<pre class=\"lang-none\"><code>x</code></pre>", &[("x\n", 1, Told::Other)]);
        let likely = Told::Block { likely: Some(Language::Python) };
        check("<div class=\"highlight-default notranslate\"><pre>x</pre></div>", &[("x\n", 1, likely)]);
    }

    #[test]
    fn broken_markup_ends() {
        check("<pre>never closed", &[("never closed\n", 1, Told::BLOCK)]);
        check("<!-- <pre>x</pre>", &[]);
        check("<script>\"<pre>x</pre>\"</script>\n<pre>y</pre>", &[("y\n", 2, Told::BLOCK)]);
        check("<pre a=\"", &[]);
        check("a < b <pre title=\"a>b\">y</pre><", &[("y\n", 1, Told::BLOCK)]);
        check("<pre></pre>", &[]);
    }
}
