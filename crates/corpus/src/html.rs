//! The `<pre>` blocks of HTML, whole pages and fragments, well formed or not.
//!
//! One pass over the text, linear in its length. A tokenizer (`html5gum`) reads it as browsers do. Markup inside a block
//! is dropped, and character references are resolved.

use std::mem::take;

use familiar_source::Language;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use crate::LanguageHint;
use crate::block::Block;
use familiar_source::language_called;

/// All `<pre>` blocks with code in them, in order. A class of the block, of the `<code>` in it or of the elements right
/// around it names the language.
pub(crate) fn pre_blocks(html: &str) -> Vec<Block> {
    let mut reader = Reader { html, ..Reader::default() };
    let mut emitter =
        CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| reader.take(&event, span.end));
    emitter.naively_switch_states(true);
    let tokenizer = Tokenizer::new_with_emitter(html, emitter);
    let mut blocks: Vec<Block> = tokenizer.flatten().collect();
    blocks.extend(reader.block());
    blocks
}

/// What is open where the tokenizer stands.
#[derive(Default)]
struct Reader<'h> {
    html: &'h str,
    /// How many bytes are counted in `lines`.
    counted: usize,
    /// How many lines end in those bytes.
    lines: u32,
    tag: Tag,
    /// Whether the attribute that is read next is a class.
    is_class: bool,
    class: String,
    /// The language that the classes of the elements name that were opened since the last text. The innermost counts.
    language: Option<LanguageHint>,
    open: Option<Open>,
}

/// The tags that matter.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Tag {
    Pre,
    Code,
    Break,
    #[default]
    Other,
}

/// A block that is not closed yet.
struct Open {
    first_line: u32,
    language: Option<LanguageHint>,
    code: String,
}

impl Reader<'_> {
    /// Takes what the tokenizer has read up to `end`: the block that it closes.
    fn take(&mut self, event: &CallbackEvent<'_>, end: usize) -> Option<Block> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.class.clear();
                self.is_class = false;
                self.tag = match *name {
                    b"pre" => Tag::Pre,
                    b"code" => Tag::Code,
                    b"br" => Tag::Break,
                    _ => Tag::Other,
                };
            }
            CallbackEvent::AttributeName { name } => self.is_class = *name == b"class",
            CallbackEvent::AttributeValue { value } if self.is_class => {
                self.class.push_str(&String::from_utf8_lossy(value));
            }
            CallbackEvent::CloseStartTag { .. } => self.opened(end),
            CallbackEvent::String { value } => self.text(&String::from_utf8_lossy(value)),
            CallbackEvent::EndTag { name } => {
                self.language = None;
                if *name == b"pre" {
                    return self.block();
                }
            }
            _ => {}
        }
        None
    }

    fn opened(&mut self, end: usize) {
        let language = language_of_class(&self.class);
        match &mut self.open {
            Some(open) if self.tag == Tag::Break => open.code.push('\n'),
            Some(open) if self.tag == Tag::Code => open.language = language.or(open.language),
            Some(_) => {}
            None => {
                self.language = language.or(self.language);
                if self.tag == Tag::Pre {
                    let first_line = self.line(end);
                    self.open =
                        Some(Open { first_line, language: take(&mut self.language), code: String::new() });
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.open {
            // A space that may not be broken stands for a space in code.
            Some(open) => open.code.push_str(&text.replace('\u{a0}', " ")),
            None if text.trim().is_empty() => {}
            None => self.language = None,
        }
    }

    /// The block that ends here, if one is open and has code.
    fn block(&mut self) -> Option<Block> {
        let open = self.open.take()?;
        Block::new(&open.code, open.first_line, open.language.unwrap_or(LanguageHint::BLOCK))
    }

    /// The line of an offset, counted from 1.
    fn line(&mut self, offset: usize) -> u32 {
        let offset = offset.min(self.html.len());
        let between = self.html.get(self.counted..offset).unwrap_or_default();
        self.lines += between.matches('\n').count() as u32;
        self.counted = self.counted.max(offset);
        self.lines + 1
    }
}

/// `lang-py`, `language-python`, `highlight-source-python`, `sourceCode python`; `lang-none` says that it is none, and Sphinx's
/// `highlight-default` that it may be Python.
fn language_of_class(class: &str) -> Option<LanguageHint> {
    class.split_ascii_whitespace().find_map(|word| {
        let prefixes = ["language-", "lang-", "highlight-source-", "highlight-"];
        match prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)) {
            Some("default") => {
                let likely = word.starts_with("highlight-").then_some(Language::Python);
                Some(LanguageHint::Block { likely })
            }
            Some(name) => Some(LanguageHint::of_name(name)),
            None => language_called(word).map(LanguageHint::Language),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[(&str, u32, LanguageHint)]) {
        let blocks = pre_blocks(html);
        let found: Vec<_> =
            blocks.iter().map(|block| (block.code.as_str(), block.first_line, block.language)).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn code_is_what_a_browser_shows() {
        check(
            "<p>x</p>\n<pre><code>if a &lt; b:\n  f(&quot;&amp;amp;&#39;&#x41;&unknown;&)\n</code></pre>",
            &[("if a < b:\n  f(\"&amp;'A&unknown;&)\n", 2, LanguageHint::BLOCK)],
        );
        check(
            "<PRE>\n<span class=\"k\">def</span> <b>f</b>()<br>x</PRE>",
            &[("def f()\nx\n", 2, LanguageHint::BLOCK)],
        );
    }

    #[test]
    fn classes_name_the_language() {
        let python = LanguageHint::Language(Language::Python);
        check("<pre class=\"lang-py prettyprint\"><code>x</code></pre>", &[("x\n", 1, python)]);
        check("<pre><code class='language-python'>x</code></pre>", &[("x\n", 1, python)]);
        check(
            "<div class=\"highlight-python3\"><div class=\"highlight\"><pre>x</pre></div></div>",
            &[("x\n", 1, python)],
        );
        check("<div class=\"highlight-python3\">text<pre>x</pre></div>", &[("x\n", 1, LanguageHint::BLOCK)]);
        check("<pre class=\"lang-none\"><code>x</code></pre>", &[("x\n", 1, LanguageHint::Other)]);
        let likely = LanguageHint::Block { likely: Some(Language::Python) };
        check("<div class=\"highlight-default notranslate\"><pre>x</pre></div>", &[("x\n", 1, likely)]);
    }

    #[test]
    fn broken_markup_ends() {
        check("<pre>never closed", &[("never closed\n", 1, LanguageHint::BLOCK)]);
        check("<!-- <pre>x</pre>", &[]);
        check("<script>\"<pre>x</pre>\"</script>\n<pre>y</pre>", &[("y\n", 2, LanguageHint::BLOCK)]);
        check("<pre a=\"", &[]);
        check("a < b <pre title=\"a>b\">y</pre><", &[("y\n", 1, LanguageHint::BLOCK)]);
        check("<pre></pre>", &[]);
        check("<pre>a<pre>b</pre>", &[("ab\n", 1, LanguageHint::BLOCK)]);
    }

    #[test]
    fn lines_are_those_of_the_page() {
        check("é\r\n<b>\r\n</b><pre\r\n>a&nbsp;b\r\n</pre>", &[("a b\n", 4, LanguageHint::BLOCK)]);
        check(
            "<pre>\n\na</pre>\n<pre>b</pre>",
            &[("a\n", 3, LanguageHint::BLOCK), ("b\n", 4, LanguageHint::BLOCK)],
        );
    }
}
