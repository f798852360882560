//! What a language reads in a text: its tokens, the outermost functions, and whether the grammar takes it.

use std::ops::Range;

use familiar_source::{FragmentKind, Language, Span, Token};
use familiar_syntax::{Parser, Want};
use xxhash_rust::xxh3::Xxh3;

use crate::grammar;

/// What PHP begins with in a file.
const SIGN: &str = "<?php\n";

/// A function that stands in no other function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) bytes: Span,
    pub(super) name: Span,
    /// Whether it is in a class.
    pub(super) in_class: bool,
}

/// A text as the front end of a language reads it, which costs a tenth of what its tree costs.
pub(super) struct Code<'c> {
    pub(super) language: Language,
    pub(super) text: &'c str,
    pub(super) tokens: Vec<Token>,
    /// The outermost functions, in their order.
    pub(super) functions: Vec<Function>,
    /// Whether the tokens are all of the text's.
    is_complete: bool,
}

/// A text that the grammar of its language reads without an error.
pub(super) struct Program<'c> {
    pub(super) code: Code<'c>,
    /// Where the outermost statements stand, in their order.
    statements: Vec<Range<usize>>,
}

impl Program<'_> {
    /// Whether no statement begins before `at` and ends after it.
    pub(super) fn parts_at(&self, at: usize) -> bool {
        let behind = self.statements.partition_point(|it| it.start < at);
        behind == 0 || self.statements[behind - 1].end <= at
    }
}

impl<'c> Code<'c> {
    pub(super) fn read(parser: &mut Parser, language: Language, text: &'c str) -> Self {
        let is_bare = language == Language::Php && !text.contains("<?");
        let want = Want { fragments: true, ..Want::default() };
        let (shift, parsed) = if is_bare {
            (SIGN.len() as u32, parser.parse(language, format!("{SIGN}{text}").as_bytes(), want))
        } else {
            (0, parser.parse(language, text.as_bytes(), want))
        };
        let moved = |span: Span| Span::new(span.start.saturating_sub(shift), span.end.saturating_sub(shift));
        let of = |kind| parsed.fragments.iter().filter(move |it| it.kind == kind);
        let within =
            |inner: Span, outer: Span| inner != outer && outer.start <= inner.start && inner.end <= outer.end;
        let mut functions = Vec::new();
        for function in of(FragmentKind::Function) {
            if of(FragmentKind::Function).any(|it| within(function.bytes, it.bytes)) {
                continue;
            }
            let in_class = of(FragmentKind::Class).any(|it| within(function.bytes, it.bytes));
            functions.push(Function { bytes: moved(function.bytes), name: moved(function.name), in_class });
        }
        let tokens = parsed.tokens.iter().filter(|it| it.start >= shift);
        let tokens = tokens.map(|it| Token { start: it.start - shift, end: it.end - shift, ..*it }).collect();
        let is_complete = parsed.ignored_lines == 0 && !parsed.overflowed && !parsed.gave_up;
        Self { language, text, tokens, functions, is_complete }
    }

    pub(super) fn of(&self, token: &Token) -> &'c str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The text as a program, if the grammar of the language reads it without an error.
    pub(super) fn program(self) -> Option<Program<'c>> {
        if self.is_cut() {
            return None;
        }
        let statements = statements(self.language, self.text)?;
        Some(Program { code: self, statements })
    }

    /// Whether a bracket has no partner, which no grammar allows. `false` for text between directives of C, of which a compiler may take one
    /// half, and for languages in whose strings code stands.
    fn is_cut(&self) -> bool {
        let directive = |line: &str| line.trim_start().starts_with('#') && !line.contains("#include");
        match self.language {
            _ if !self.is_complete => return false,
            Language::JavaScript | Language::TypeScript | Language::Ruby => return false,
            Language::C | Language::Cpp | Language::CSharp if self.text.lines().any(directive) => {
                return false;
            }
            _ => {}
        }
        let mut open = Vec::new();
        for token in &self.tokens {
            match self.of(token) {
                "(" => open.push(")"),
                // An attribute of PHP.
                "[" | "#[" => open.push("]"),
                "{" => open.push("}"),
                closing @ (")" | "]" | "}") if open.pop() != Some(closing) => return true,
                _ => {}
            }
        }
        !open.is_empty()
    }

    /// A hash of tokens: two texts with the same tokens differ in comments and layout alone.
    pub(super) fn hash<'t>(&self, tokens: impl IntoIterator<Item = &'t Token>) -> u128 {
        let mut hash = Xxh3::new();
        for token in tokens {
            hash.update(self.of(token).as_bytes());
            hash.update(&[0]);
        }
        hash.digest128()
    }

    /// The tokens that begin in a range of the text.
    pub(super) fn tokens_in(&self, range: &Range<usize>) -> &[Token] {
        let [from, to] =
            [range.start, range.end].map(|end| self.tokens.partition_point(|it| (it.start as usize) < end));
        &self.tokens[from..to]
    }
}

/// Where the outermost statements of a text stand, if the grammar of a language reads it without an error.
pub(super) fn statements(language: Language, code: &str) -> Option<Vec<Range<usize>>> {
    let clean = || grammar::statements(language, code, &(0..code.len()));
    // Methods and members stand in a class elsewhere.
    let around = match language {
        Language::Java
        | Language::CSharp
        | Language::Cpp
        | Language::Kotlin
        | Language::Scala
        | Language::Swift
        | Language::Dart => ("class Wrapped {\n", "\n}\n"),
        Language::Php if !code.contains("<?") => (SIGN, ""),
        _ => return clean(),
    };
    let clean_within = || {
        let start = around.0.len();
        let found = grammar::statements(
            language,
            &[around.0, code, around.1].concat(),
            &(start..start + code.len()),
        )?;
        Some(found.into_iter().map(|it| it.start - start..it.end - start).collect())
    };
    // In C#, a member by itself is an error more often than not.
    let is_member = language == Language::CSharp && !code.contains("class ");
    if is_member { clean_within().or_else(clean) } else { clean().or_else(clean_within) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_without_their_class() {
        for (language, code) in [
            (Language::Java, "public static int f(int a) { return a; }"),
            (Language::CSharp, "private static string F(string a) => a + \"x\";"),
            (Language::Cpp, "int f(const std::string& a) { return a.size(); }"),
            (Language::Php, "function f($a) { return $a; }"),
            (Language::Python, "def f(a):\n    return a\n"),
            (Language::JavaScript, "const f = (a) => { return a; };"),
            (Language::Php, "<?php #[Pure] function f($a) { return $a; }"),
        ] {
            let code = Code::read(&mut Parser::default(), language, code);
            assert_eq!(code.functions.len(), 1, "{language:?}");
            let program = code.program().unwrap_or_else(|| panic!("a program of {language:?}"));
            assert!(program.parts_at(0) && !program.parts_at(1), "{language:?}");
            assert!(program.parts_at(program.code.text.trim_end().len()), "{language:?}");
        }
        for (language, code) in [
            (Language::Python, "def f(a)\n    return a\n"),
            (Language::Python, "def f(a):\n"),
            (Language::Java, "int f(int a) { return a;"),
            (Language::Java, "} int f(int a) { return a; } {"),
            (Language::Css, "a {}"),
        ] {
            assert!(Code::read(&mut Parser::default(), language, code).program().is_none(), "{language:?}");
        }
    }
}
