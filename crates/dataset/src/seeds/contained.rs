//! Does a function stand by itself? It does if it uses nothing but what it declares, what values have, what the language has, and what its
//! file imports of the standard library; and if it uses no field of its object.

use std::collections::BTreeSet;

use familiar_source::{Language, Token, TokenClass};
use familiar_syntax::tree::Node;
use familiar_transform::{Program, ProgramError};

use super::known::{Known, MEMORY, imports_others};

/// Annotations of Python run, unless this stands before them.
const UNREAD_ANNOTATIONS: &str = "from __future__ import annotations";

/// What stands around the functions of a file.
#[derive(Debug)]
pub(super) struct Surroundings {
    language: Language,
    known: Known,
}

impl Surroundings {
    /// Those of a file with this text and these tokens.
    pub(super) fn of(language: Language, text: &[u8], tokens: &[Token]) -> Self {
        Self { language, known: Known::of(language, text, tokens) }
    }

    /// The imports that a function of the file needs before it; none where it does not stand by itself, whatever is imported. Only Python
    /// takes imports anywhere. `tokens` are those of the function, in `text`, and `code` is its text alone.
    pub(super) fn imports(&self, text: &[u8], tokens: &[Token], code: &str) -> Option<BTreeSet<&str>> {
        if self.uses_object(text, tokens) || self.calls_overload(text, tokens) {
            return None;
        }
        match Program::parse(self.language, code.as_bytes(), MEMORY) {
            Ok(program) if self.language == Language::Python => self.imports_of_python(&program),
            Ok(program) => program.outside().iter().all(|it| self.known.has(it)).then(BTreeSet::new),
            // No scopes of this language are known.
            Err(ProgramError::Language(_)) => self.names_suffice(text, tokens).then(BTreeSet::new),
            Err(_) => None,
        }
    }

    fn imports_of_python(&self, program: &Program) -> Option<BTreeSet<&str>> {
        let used = program.outside();
        if imports_others(program)
            || program.root().descendants().any(|it| it.kind() == "global_statement")
            || !used.iter().all(|it| self.known.has(it))
        {
            return None;
        }
        let mut imports: BTreeSet<&str> = used.iter().flat_map(|it| self.known.imports(it)).collect();
        let annotations = program.root().descendants().filter(|it| it.kind() == "type");
        for name in annotations.flat_map(Node::subtree).filter(|it| it.kind() == "identifier") {
            imports.extend(self.known.imports(program.of(name)));
            if !self.known.has(program.of(name)) {
                imports.insert(UNREAD_ANNOTATIONS);
            }
        }
        Some(imports)
    }

    fn uses_object(&self, text: &[u8], tokens: &[Token]) -> bool {
        let is_python = self.language == Language::Python;
        let next = |at: usize| tokens.get(at + 1);
        (0..tokens.len()).any(|at| match tokens[at].text(text) {
            b"self" | b"cls" if is_python => true,
            b"super" | b"base" => {
                next(at).is_some_and(|it| matches!(it.text(text), b"." | b"(" | b"::" | b"["))
            }
            // `this` before a type marks the first parameter of an extension in C#.
            b"this" => {
                !next(at).is_some_and(|it| matches!(it.class, TokenClass::Identifier | TokenClass::Type))
            }
            b"self" => next(at).is_some_and(|it| matches!(it.text(text), b"." | b"->" | b"[")),
            _ => false,
        })
    }

    /// Whether a function of Java or C# calls one of its own name that takes another number of arguments.
    fn calls_overload(&self, text: &[u8], tokens: &[Token]) -> bool {
        let is_called = |at: usize| {
            let is_annotation = at > 0 && tokens[at - 1].text(text) == b"@";
            tokens[at].class == TokenClass::Identifier
                && !is_annotation
                && tokens.get(at + 1).is_some_and(|it| it.text(text) == b"(")
        };
        let Some(name) = (0..tokens.len()).find(|&at| is_called(at)) else { return false };
        let header = tokens[name..].iter().take_while(|it| it.text(text) != b"{");
        let is_variadic = header.clone().any(|it| matches!(it.text(text), b"..." | b"params" | b"="));
        let parameters = arguments(text, &tokens[name + 1..], true);
        matches!(self.language, Language::Java | Language::CSharp)
            && !is_variadic
            && (name + 1..tokens.len()).any(|at| {
                is_called(at)
                    && tokens[at].text(text) == tokens[name].text(text)
                    && tokens[at - 1].text(text) != b"."
                    && arguments(text, &tokens[at + 1..], false) != parameters
            })
    }

    /// Whether each name is known or declared here, by the words alone.
    fn names_suffice(&self, text: &[u8], tokens: &[Token]) -> bool {
        let spelled = |at: usize| tokens.get(at).map(|token| token.text(text)).unwrap_or_default();
        let is_name = |at: usize| tokens.get(at).is_some_and(|it| it.class == TokenClass::Identifier);
        let before = |at: usize| at.checked_sub(1).map(spelled).unwrap_or_default();
        // A type, or what ends one, stands before the name that is declared, and a value or the next name after it.
        let is_declared = |at: usize| {
            let is_type = |at: usize| {
                is_name(at) || tokens[at].class == TokenClass::Type || matches!(spelled(at), b"var" | b"val")
            };
            let follows = at > 0 && (is_type(at - 1) || matches!(before(at), b">" | b"]" | b"?"));
            follows
                && matches!(spelled(at + 1), b"=" | b";" | b"," | b")" | b"in" | b"(" | b"<")
                && before(at) != b"?"
                || follows && before(at) == b"?" && matches!(spelled(at + 1), b"=" | b";" | b"," | b")")
        };
        let is_parameter = |at: usize| matches!(spelled(at + 1), b"=>" | b"->");
        // `return a > Limit(a)`: what is called after a sign is not declared.
        let is_called =
            |at: usize| matches!(before(at), b">" | b"]" | b"?") && matches!(spelled(at + 1), b"(" | b"<");
        let own: BTreeSet<&[u8]> = (0..tokens.len())
            .filter(|&at| is_name(at) && (is_parameter(at) || is_declared(at) && !is_called(at)))
            .map(spelled)
            .collect();
        let is_of_types = |word: &[u8]| {
            word.len() == 1 && word[0].is_ascii_uppercase()
                || word[0] == b'T' && word[1..].first().is_some_and(u8::is_ascii_uppercase)
        };
        (0..tokens.len()).filter(|&at| is_name(at)).all(|at| {
            let word = spelled(at);
            let is_member = matches!(before(at), b"." | b"->" | b"::" | b"?.");
            let is_label = spelled(at + 1) == b":" && matches!(before(at), b"(" | b",");
            is_member
                || is_label
                || is_of_types(word)
                || own.contains(word)
                || self.known.has(&String::from_utf8_lossy(word))
        })
    }
}

/// How many arguments stand in the parentheses with which these tokens begin; of parameters, types may have commas of their own.
fn arguments(text: &[u8], tokens: &[Token], are_parameters: bool) -> usize {
    let (mut depth, mut angles, mut commas) = (0usize, 0usize, 0);
    for token in tokens {
        match token.text(text) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" if depth == 1 => break,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            b"<" if are_parameters => angles += 1,
            b">" => angles = angles.saturating_sub(1),
            b">>" => angles = angles.saturating_sub(2),
            b"," if depth == 1 && angles == 0 => commas += 1,
            _ => {}
        }
    }
    let is_empty = tokens.get(1).is_none_or(|it| it.text(text) == b")");
    commas + usize::from(!is_empty)
}

#[cfg(test)]
mod tests {
    use familiar_syntax::{Parser, Want};

    use super::*;

    /// Whether the code after the blank line stands by itself in a file that begins with what is before it.
    fn stands(language: Language, file: &str) -> bool {
        let from = file.find("\n\n").map_or(0, |at| at + 2);
        let mut parser = Parser::default();
        let parsed = parser.parse(language, file.as_bytes(), Want::default());
        let surroundings = Surroundings::of(language, file.as_bytes(), parsed.tokens);
        let first = parsed.tokens.iter().position(|it| it.start as usize >= from).unwrap_or_default();
        surroundings.imports(file.as_bytes(), &parsed.tokens[first..], &file[from..]).is_some()
    }

    /// What the function after the blank line needs of the imports before it.
    fn needed(language: Language, file: &str) -> Vec<String> {
        let from = file.find("\n\n").map_or(0, |at| at + 2);
        let mut parser = Parser::default();
        let parsed = parser.parse(language, file.as_bytes(), Want::default());
        let surroundings = Surroundings::of(language, file.as_bytes(), parsed.tokens);
        let first = parsed.tokens.iter().position(|it| it.start as usize >= from).unwrap_or_default();
        let found = surroundings.imports(file.as_bytes(), &parsed.tokens[first..], &file[from..]);
        found.unwrap_or_default().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn functions_that_use_their_project_do_not_stand_by_themselves() {
        let python = |code| stands(Language::Python, code);
        assert!(python("def f(x, key):\n    return sorted(x, key=lambda y: key(y.strip()))\n"));
        assert!(python("def f(n):\n    return n and f(n - 1)\n"));
        assert!(!python("def f(x):\n    return load_settings(x)\n"));
        assert!(!python("def f(self):\n    return self.x\n"));
        assert!(!python("def f(self):\n    return super().f()\n"));
        assert!(!python(
            "import re\n_WORD = re.compile('x')\n\ndef f(text):\n    return _WORD.split(text)\n"
        ));
        assert!(!python("def f(x):\n    from project.tools import g\n    return g(x)\n"));
        assert!(python("def f(x):\n    import math\n    return math.sqrt(x)\n"));
        assert!(!python("def f(self, other):\n    self -= other\n"));
        let java = |code| stands(Language::Java, code);
        assert!(java("int f(Map<String, Integer> a, int n) { return n == 0 ? 1 : f(a, n - 1); }"));
        assert!(!java("int f(String a) { return f(a, 0, a.length()); }"));
        assert!(java("int f(List<Integer> a) { return new ArrayList<>(a).size(); }"));
        assert!(!java("int f() { return this.a; }"));
        assert!(!java("int f() { return Math.max(standard.length(), 1); }"));
        assert!(!java("boolean f(CharSet a) { return true; }"));
        assert!(!java("void f(Object a) { Validate.notNull(a); }"));
        assert!(!stands(Language::C, "int f(int a) { return lookup(a); }"));
        assert!(!stands(Language::C, "int f(int a) { return a > LIMIT; }"));
        assert!(!stands(Language::Cpp, "int f(int a) { return Config::of(a); }"));
        assert!(!stands(Language::Cpp, "int A::f(int a) { return a; }"));
        assert!(!stands(Language::C, "int f(int a) { return next(a); }"));
        assert!(!java("Object f() { return this; }"));
        assert!(java(
            "int f(Map<String, Integer> m) { int n = 0; for (Map.Entry<String, Integer> e : m.entrySet()) n += e.getValue(); return n; }"
        ));
        assert!(stands(
            Language::C,
            "int f(const char *a) { size_t n = strlen(a); return n > INT_MAX ? -1 : (int)n; }"
        ));
    }

    #[test]
    fn what_is_imported_of_the_standard_library_is_at_hand() {
        let python = "import zlib, os.path as p\nimport datetime\nfrom datetime import datetime\nfrom collections import (OrderedDict,\n    abc as a)\nfrom .tools import g\n\n";
        let with = |code: &str| stands(Language::Python, &format!("{python}{code}"));
        assert!(with("def f(x):\n    return zlib.crc32(p.join(x)), OrderedDict(), a.Set\n"));
        assert!(!with("def f(x):\n    return g(x)\n"));
        let imports = needed(
            Language::Python,
            &format!("{python}def f(x):\n    return zlib.crc32(p.join(x)), OrderedDict(), a.Set\n"),
        );
        let expected = [
            "from collections import OrderedDict",
            "from collections import abc as a",
            "import os.path as p",
            "import zlib",
        ];
        assert_eq!(imports, expected);
        assert!(!stands(
            Language::Python,
            "from .compat import json\n\ndef f(x):\n    return json.dumps(x)\n"
        ));
        let lines = "import os; import re\nimport xml.etree.ElementTree\nimport xml.sax\nfrom os \\\n    import path\n\n";
        let of = |code: &str| needed(Language::Python, &format!("{lines}{code}"));
        assert_eq!(of("def f(x):\n    return f\"{re.escape(x)}\", x.path\n"), ["import re"]);
        assert_eq!(
            of("def f(x):\n    return xml.sax.parse(x)\n"),
            ["import xml.etree.ElementTree", "import xml.sax"]
        );
        assert_eq!(
            of("def f(x: Part) -> int:\n    return path.join(x)\n"),
            [UNREAD_ANNOTATIONS, "from os import path"]
        );
        assert!(!with("def f():\n    global COUNT\n    COUNT += 1\n"));
        assert!(!stands(
            Language::Python,
            "time = 5\ndef hash(x):\n    pass\n\ndef f(x):\n    return hash(x)\n"
        ));
        let java = "package a;\nimport java.util.Calendar;\nimport static java.lang.Math.abs;\nimport org.x.Part;\n\n";
        assert!(stands(Language::Java, &format!("{java}int f(Calendar a) {{ return abs(a.hashCode()); }}")));
        assert!(!stands(Language::Java, &format!("{java}int f(Part a) {{ return 1; }}")));
        let go = "package a\nimport (\n\t\"net/url\"\n\t\"example.org/x/part\"\n)\n\n";
        assert!(stands(Language::Go, &format!("{go}func f(a string) string {{ return url.PathEscape(a) }}")));
        assert!(!stands(Language::Go, &format!("{go}func f(a string) string {{ return part.Of(a) }}")));
        let go = "package a\nimport (\n\tsort \"example.org/x/sort\"\n\tr \"math/rand/v2\"\n)\n\n";
        assert!(stands(
            Language::Go,
            &format!("{go}func f[T any](m map[string]T) int {{ for _, _ = range m {{ }}; return r.Int() }}")
        ));
        assert!(!stands(Language::Go, &format!("{go}func f(a []int) {{ sort.Ints(a) }}")));
    }

    #[test]
    fn words_tell_where_no_scopes_are_known() {
        let csharp = |code| stands(Language::CSharp, code);
        assert!(csharp(
            "static int F(List<int> all) { var n = 0; foreach (var x in all) { n += Math.Abs(x); } return n; }"
        ));
        assert!(csharp("static T F<T>(T[] all, Func<T, bool> fits) { return all.First(x => fits(x)); }"));
        assert!(csharp("static int F(this string s, int? n = null) { return s.Length; }"));
        assert!(!csharp("int F(int a) { return a > Limit(a) ? 1 : 0; }"));
        assert!(!csharp("int F(int a) { return count + a; }"));
        assert!(!csharp("int F() { return _count; }"));
        assert!(!csharp("int F(int a) { return Helper.Of(a); }"));
        assert!(!csharp("int F(int a) { return cache[a]; }"));
    }
}
