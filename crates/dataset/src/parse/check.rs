//! What a language reads in a text: its tokens, the outermost functions, and whether the grammar takes it.

use std::ops::Range;

use familiar_source::{FragmentKind, Language, Span, Token};
use familiar_syntax::{Parser, Want};
use xxhash_rust::xxh3::Xxh3;

use crate::grammar;

/// What PHP begins with in a file.
const SIGN: &str = "<?php\n";

/// A function that stands in no other function, or a variable of Python that holds a `lambda`.
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
    /// The names of the outermost classes, in their order.
    pub(super) classes: Vec<Span>,
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
        let of = |kind| {
            let mut spans: Vec<(Span, Span)> =
                parsed.fragments.iter().filter(|it| it.kind == kind).map(|it| (it.bytes, it.name)).collect();
            spans.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
            spans
        };
        let (all_functions, all_classes) = (of(FragmentKind::Function), of(FragmentKind::Class));
        let mut before = all_classes.iter().map(|(bytes, _)| *bytes).peekable();
        let (mut functions, mut function_end, mut class_end) = (Vec::new(), 0, 0);
        for (bytes, name) in all_functions {
            while let Some(class) = before.next_if(|class| class.start <= bytes.start) {
                class_end = class_end.max(class.end);
            }
            if bytes.end > function_end {
                function_end = bytes.end;
                let in_class = bytes.end <= class_end;
                functions.push(Function { bytes: moved(bytes), name: moved(name), in_class });
            }
        }
        let (mut classes, mut class_end) = (Vec::new(), 0);
        for (bytes, name) in all_classes.iter().map(|(bytes, name)| (moved(*bytes), moved(*name))) {
            let before = functions.partition_point(|it: &Function| it.bytes.start <= bytes.start);
            let is_local = before > 0 && functions[before - 1].bytes.end >= bytes.end;
            if bytes.end > class_end && !is_local {
                class_end = bytes.end;
                classes.push(name);
            }
        }
        let tokens = parsed.tokens.iter().filter(|it| it.start >= shift);
        let tokens = tokens.map(|it| Token { start: it.start - shift, end: it.end - shift, ..*it }).collect();
        let is_complete = parsed.ignored_lines == 0 && !parsed.overflowed && !parsed.gave_up;
        let mut code = Self { language, text, tokens, functions, classes, is_complete };
        if language == Language::Python {
            let variables = code.variables();
            code.functions.extend(variables);
            code.functions.sort_by_key(|it| it.bytes.start);
        }
        code
    }

    /// The variables at the margin that hold a `lambda`.
    fn variables(&self) -> Vec<Function> {
        let at = |number: usize| self.tokens.get(number).map_or("", |it| self.of(it));
        let at_margin =
            |token: &Token| self.text[..token.start as usize].chars().next_back().is_none_or(|it| it == '\n');
        let mut found = Vec::new();
        for (number, token) in self.tokens.iter().enumerate() {
            if at(number + 1) == "=" && at(number + 2) == "lambda" && at_margin(token) {
                let rest = &self.tokens[number + 1..];
                // What closes a bracket may stand at the margin.
                let is_next = |it: &Token| at_margin(it) && !matches!(self.of(it), ")" | "]" | "}");
                let last = rest.iter().take_while(|it| !is_next(it)).last().unwrap_or(token);
                let (bytes, name) = (Span::new(token.start, last.end), Span::new(token.start, token.end));
                found.push(Function { bytes, name, in_class: false });
            }
        }
        found
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

/// Whether the grammar of a language reads a text, as a part of a file; `true` where there is no grammar.
pub(crate) fn reads(language: Language, code: &str) -> bool {
    !has_grammar(language) || statements(language, code).is_some()
}

pub(super) fn has_grammar(language: Language) -> bool {
    familiar_syntax::languages::definition(language).tree.is_some()
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
