//! The functions of a file.

use familiar_source::{BlobId, FragmentKind, Language, Token, TokenClass};
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parser, Want, decode};

use super::contained::Surroundings;

/// A function that may be a seed.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) language: Language,
    pub(super) blob: BlobId,
    pub(super) name: String,
    pub(super) code: String,
    pub(super) first_line: u32,
    pub(super) lines: u32,
    /// A hash of its form with names and literals made alike.
    pub(super) form: u64,
    /// Whether it uses nothing of its own project.
    pub(super) is_contained: bool,
    /// Whether it does anything: a declaration with an empty body does not.
    pub(super) has_body: bool,
}

/// The functions of a file that stand in no other function, in their order.
pub(super) fn of(language: Language, bytes: &[u8], blob: BlobId) -> Vec<Function> {
    let Ok(decoded) = decode::decode(bytes) else { return Vec::new() };
    let text = &decoded.text;
    let mut parser = Parser::default();
    let parsed = parser.parse(language, text, Want { fragments: true, ..Want::default() });
    let surroundings = Surroundings::of(language, text, parsed.tokens);
    let symbols = normal::symbols(text, parsed.tokens);
    let (mut renamer, mut renamed) = (Renamer::default(), Vec::new());
    let mut end = 0;
    let mut functions = Vec::new();
    for fragment in parsed.fragments.iter().filter(|it| it.kind == FragmentKind::Function) {
        if fragment.bytes.start < end {
            continue;
        }
        end = fragment.bytes.end;
        let tokens = &parsed.tokens[fragment.tokens.range()];
        renamer.rename(&symbols[fragment.tokens.range()], Renaming::Blind, &mut renamed);
        let mut code = dedented(text, fragment.bytes.range());
        let has_names = tokens.iter().any(|it| it.class == TokenClass::Identifier);
        let imports = surroundings.imports(text, tokens, &code).filter(|_| has_names);
        let is_contained = imports.is_some();
        let imports: Vec<&str> = imports.into_iter().flatten().collect();
        if !imports.is_empty() {
            code = format!("{}\n\n\n{code}", imports.join("\n"));
        }
        functions.push(Function {
            language,
            blob,
            name: String::from_utf8_lossy(&text[fragment.name.range()]).into_owned(),
            lines: fragment.lines.end + 1 - fragment.lines.start,
            first_line: fragment.lines.start,
            form: normal::hash(&renamed),
            is_contained,
            has_body: has_body(language, text, tokens),
            code,
        });
    }
    functions
}

/// Whether something stands in the body: in a stub of Python there is nothing but a docstring, `...` or `pass`.
fn has_body(language: Language, text: &[u8], tokens: &[Token]) -> bool {
    let words: Vec<&[u8]> = tokens.iter().filter(|it| !it.hidden).map(|token| token.text(text)).collect();
    if language != Language::Python {
        let opens = words.iter().filter(|it| **it == b"{").count();
        return opens != 1 || !words.ends_with(&[b"{", b"}"]);
    }
    // The colon of the header is the first one outside of parentheses.
    let mut depth = 0usize;
    let colon = words.iter().position(|word| {
        match *word {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *word == b":"
    });
    let body = colon.map_or(&[][..], |at| &words[at + 1..]);
    !matches!(body, [] | [b"..." | b"pass"])
}

/// A stretch of a text without the indentation that its first line has.
fn dedented(text: &[u8], range: std::ops::Range<usize>) -> String {
    let line_start = text[..range.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let before = &text[line_start..range.start];
    let code = String::from_utf8_lossy(&text[range]);
    if before.is_empty() || !before.iter().all(u8::is_ascii_whitespace) {
        return code.into_owned();
    }
    let indentation = String::from_utf8_lossy(before);
    let mut lines = code.split('\n');
    let mut dedented = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        dedented.push('\n');
        dedented.push_str(line.strip_prefix(indentation.as_ref()).unwrap_or(line));
    }
    dedented
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_functions_without_their_indentation() {
        let code = b"class A:\n    def f(self, x):\n        def g():\n            return x\n        return g()\n\ndef h():\n    pass\n";
        let found = of(Language::Python, code, BlobId([0; 20]));
        let texts: Vec<&str> = found.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(
            texts,
            ["def f(self, x):\n    def g():\n        return x\n    return g()", "def h():\n    pass"]
        );
        let bodies = "def f(x):\n    try:\n        g()\n    except OSError:\n        pass\n\ndef f(x):\n    \"\"\"Doc.\"\"\"\n\ndef f(x: int) -> int: ...\n";
        let all = |code: &str| of(Language::Python, code.as_bytes(), BlobId([0; 20]));
        assert_eq!(all(bodies).iter().map(|it| it.has_body).collect::<Vec<_>>(), [true, false, false]);
        let code = b"import gc\nimport re\n\ndef f():\n    return gc.get_objects()\n";
        assert_eq!(
            of(Language::Python, code, BlobId([0; 20]))[0].code,
            "import gc\n\n\ndef f():\n    return gc.get_objects()"
        );
        assert_eq!((found[0].has_body, found[1].has_body), (true, false));
        assert_eq!((found[0].name.as_str(), found[0].first_line, found[0].lines), ("f", 2, 4));
    }
}
