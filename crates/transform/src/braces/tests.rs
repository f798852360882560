//! What is known of types and effects, on answers that were written by hand.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::effects::{self, deed};
use super::types::{self, Type};
use super::{grammar, limits};
use crate::Program;

/// A function with these statements, of which the last one is `return` with an expression.
fn program(language: Language, statements: &str) -> Program {
    let code = match language {
        Language::Java => {
            format!("class A {{ long f(int n, String s, int[] a, Integer b) {{ {statements} }} }}")
        }
        Language::C | Language::Cpp => format!("long f(int n, char *s, int *a, T b) {{ {statements} }}"),
        Language::Go => format!("package p\nfunc f(n int, s string, a []int, b T) int {{ {statements} }}"),
        _ => format!("function f(n, s, a, b) {{ {statements} }}"),
    };
    Program::parse(language, code.as_bytes(), usize::MAX).expect("a test's own code")
}

fn returned(program: &Program) -> Node<'_> {
    let last = program.root().descendants().rfind(|it| it.kind() == "return_statement");
    let value = last.and_then(|it| it.named().next()).and_then(grammar::only);
    value.expect("a test's own code")
}

const TYPES: &[(Language, &str, Type)] = &[
    (Language::Java, "return n + 1;", Type::Int),
    (Language::Java, "return n + 1L;", Type::Long),
    (Language::Java, "return n * 2.0;", Type::Double),
    (Language::Java, "return s + n;", Type::Text),
    (Language::Java, "return s.length();", Type::Int),
    (Language::Java, "return s.charAt(0);", Type::Narrow),
    (Language::Java, "return s.charAt(0) - '0';", Type::Int),
    (Language::Java, "return a.length;", Type::Int),
    (Language::Java, "return a[0];", Type::Unknown),
    (Language::Java, "return b + 1;", Type::Unknown),
    (Language::Java, "var x = 1; return x;", Type::Unknown),
    (Language::Java, "byte x = 1; return x;", Type::Narrow),
    (Language::Java, "return n > 1 && s == null;", Type::Bool),
    (Language::Java, "return (long) n;", Type::Long),
    (Language::Java, "int[] x = a; return x;", Type::Array),
    (Language::C, "unsigned x = 1; return x + n;", Type::Unsigned),
    (Language::C, "return n > 1;", Type::Int),
    (Language::C, "long long x = 1; return x + n;", Type::Long),
    (Language::C, "return s;", Type::Pointer),
    (Language::C, "long double x = 1; return x;", Type::Unknown),
    (Language::C, "char x = 'a'; return x + 1;", Type::Int),
    (Language::Cpp, "return b < n;", Type::Unknown),
    (Language::Cpp, "return n < 3;", Type::Bool),
    (Language::Cpp, "auto x = 1; return x;", Type::Unknown),
    (Language::Cpp, "int& x = n; return x;", Type::Unknown),
    (Language::JavaScript, "let i = 0; i++; return i;", Type::Double),
    (Language::JavaScript, "let i = 0; i += s; return i;", Type::Unknown),
    (Language::JavaScript, "let i; i = 1; return i;", Type::Unknown),
    (Language::JavaScript, "if (n) { var i = 0; } return i;", Type::Unknown),
    (Language::JavaScript, "const i = 1n; return i;", Type::Unknown),
    (Language::JavaScript, "return n + '';", Type::Text),
    (Language::JavaScript, "return n + 1;", Type::Unknown),
    (Language::TypeScript, "const x: number = s; return x;", Type::Unknown),
    (Language::Go, "x := len(s); return x + n", Type::Int),
    (Language::Go, "x := 1.5; return x", Type::Double),
    (Language::Go, "var x uint8 = 1; return x", Type::Sized),
    (Language::Go, "return b", Type::Unknown),
    (Language::Go, "x := n > 1; return x", Type::Bool),
    (Language::Go, "x := 1.0 << 3; return x", Type::Unknown),
    (Language::Go, "return n << 3", Type::Int),
    (Language::JavaScript, "let b = true; b &= true; return b;", Type::Unknown),
    (Language::JavaScript, "let b = true; b++; return b;", Type::Unknown),
];

#[test]
fn types_are_known_by_declarations_and_literals() {
    for (language, code, expected) in TYPES {
        let program = program(*language, code);
        assert_eq!(types::of(&program, returned(&program)), *expected, "{language:?}: {code}");
    }
}

/// Whether the expression behind the last `return` is quiet.
const QUIET: &[(Language, &str, bool)] = &[
    (Language::Java, "return n + 1;", true),
    (Language::Java, "return n / 2;", true),
    (Language::Java, "return 2 / n;", false),
    (Language::Java, "return a[0];", false),
    (Language::Java, "return b + 1;", false),
    (Language::Java, "return b;", true),
    (Language::Java, "return g(n);", false),
    (Language::Java, "return x;", false),
    (Language::Java, "n = 1; Runnable r = () -> g(n); return n;", false),
    (Language::C, "return n++;", false),
    (Language::C, "int *p = &n; return n;", false),
    (Language::C, "return *s;", false),
    (Language::C, "return INT_MAX;", false),
    (Language::Cpp, "return b;", false),
    (Language::Cpp, "int& r = n; return n;", false),
    (Language::JavaScript, "return n;", true),
    (Language::JavaScript, "return n + 1;", false),
    (Language::JavaScript, "return n === s;", true),
    (Language::JavaScript, "return n == s;", false),
    (Language::JavaScript, "let i = 0; return i / 0;", true),
    (Language::JavaScript, "arguments[0] = 1; return n;", false),
    (Language::JavaScript, "return a.length;", false),
    (Language::Go, "return n / 2", true),
    (Language::Go, "return n << n", false),
    (Language::Go, "go func() { n++ }(); return n", false),
];

#[test]
fn quiet_expressions_are_those_that_only_give_a_value() {
    for (language, code, expected) in QUIET {
        let program = program(*language, code);
        assert_eq!(effects::is_quiet(&program, returned(&program)), *expected, "{language:?}: {code}");
    }
}

/// The first statement: whether it only gives values to private variables; `None` where nothing is known of it.
const DEEDS: &[(Language, &str, Option<bool>)] = &[
    (Language::Java, "int x = n + 1; return 0;", Some(true)),
    (Language::Java, "int x = b; return 0;", Some(false)),
    (Language::Java, "n += 2; return 0;", Some(true)),
    (Language::Java, "n /= a[0]; return 0;", Some(false)),
    (Language::Java, "a[0] = 1; return 0;", Some(false)),
    (Language::Java, "if (n > 1) n = 2; return 0;", None),
    (Language::Cpp, "T x = b; return 0;", Some(false)),
    (Language::Cpp, "static int x = 1; return 0;", Some(false)),
    (Language::JavaScript, "'use strict'; return 0;", None),
    (Language::JavaScript, "await g(); return 0;", None),
    (Language::JavaScript, "let x = n; return 0;", Some(true)),
    (Language::Go, "x := n; return 0", Some(true)),
    (Language::Go, "x := g(n); return 0", Some(false)),
];

#[test]
fn deeds_are_known_or_left_alone() {
    for (language, code, expected) in DEEDS {
        let code = if code.contains("await") {
            code.replace("await g()", "await (g())")
        } else {
            (*code).to_owned()
        };
        let program = program(*language, &code);
        let block =
            program.root().descendants().find(|it| grammar::is_block(*it)).expect("a test's own code");
        let first = grammar::statements(block)[0];
        assert_eq!(deed(&program, first).map(|it| it.is_quiet), *expected, "{language:?}: {code}");
    }
}

/// Whether the first block may be rewritten.
const LIMITS: &[(Language, &str, bool)] = &[
    (Language::C, "#define N 100\nint f(void) { return N; }", true),
    (Language::C, "#define ll long long\nll f(void) { return 1; }", true),
    (Language::C, "#define SQUARE(x) x * x\nint f(void) { return SQUARE(2); }", false),
    (Language::C, "#define SQUARE(x) x * x\nint f(void) { return 2; }", true),
    (Language::C, "#define END return 1;\nint f(void) { END; }", false),
    (Language::C, "#define int long long\nint f(void) { return 2; }", false),
    (Language::C, "int f(void) {\n#ifdef X\nreturn 1;\n#endif\nreturn 2; }", false),
    (Language::C, "int f(void) { goto end; end: return 2; }", false),
    (Language::C, "int f(void) { __asm__(\"nop\"); return 2; }", false),
    (Language::Java, "class A { void f() { end: for (;;) { break end; } } void g() {} }", false),
    (Language::JavaScript, "function f() { return eval('x'); }", false),
    (Language::JavaScript, "function f() { with (x) { y; } }", false),
    (Language::Go, "package p\nfunc f() {\nL:\n\tfor {\n\t\tbreak L\n\t}\n}", false),
];

#[test]
fn code_whose_meaning_is_hidden_is_left_alone() {
    for (language, code, expected) in LIMITS {
        let program = Program::parse(*language, code.as_bytes(), usize::MAX).expect("a test's own code");
        let block =
            program.root().descendants().find(|it| grammar::is_block(*it)).expect("a test's own code");
        assert_eq!(limits::check(&program, block).is_ok(), *expected, "{code}");
    }
}
