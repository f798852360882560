//! Tests of the C and C++ front end: single rules here, whole files in `fixtures/c` and `fixtures/cpp`.

use familiar_source::{FragmentKind, LineIndex, TokenClass};

use super::Fast;
use crate::{Confidence, FrontEnd, Output, Want};

fn parse<const CPP: bool>(source: &[u8]) -> (Output, Confidence) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    let confidence = Fast::<CPP>.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    (out, confidence)
}

fn names<const CPP: bool>(kind: FragmentKind, source: &str) -> Vec<(String, u32, u32)> {
    let (mut out, _) = parse::<CPP>(source.as_bytes());
    crate::finder::sort_fragments(&mut out.fragments);
    let found = out.fragments.iter().filter(|fragment| fragment.kind == kind);
    found.map(|f| (source[f.name.range()].to_owned(), f.lines.start, f.lines.end)).collect()
}

fn functions<const CPP: bool>(source: &str) -> Vec<(String, u32, u32)> {
    names::<CPP>(FragmentKind::Function, source)
}

fn one(name: &str, start: u32, end: u32) -> Vec<(String, u32, u32)> {
    vec![(name.to_owned(), start, end)]
}

fn texts(source: &str, class: Option<TokenClass>) -> Vec<&str> {
    let (out, _) = parse::<true>(source.as_bytes());
    let tokens = out.tokens.iter().filter(|token| class.is_none_or(|class| token.class == class));
    tokens.map(|token| &source[token.start as usize..token.end as usize]).collect()
}

#[test]
fn literals_are_one_token() {
    assert_eq!(
        texts(r#"L"a\"b" u8'\'' 1'000.5e+3f R"x()")x" .5 "open"#, None),
        [r#"L"a\"b""#, r"u8'\''", "1'000.5e+3f", r#"R"x()")x""#, ".5", "\"open"]
    );
}

#[test]
fn includes_and_using_are_imports() {
    let source =
        "#include <a/b.h>\n#include \"c.h\" // d\nusing std::x;\nusing T = int;\nimport m;\nint import;\n";
    let imports = [
        "#", "include", "<a/b.h>", "#", "include", "\"c.h\"", "using", "std", "::", "x", ";", "import", "m",
        ";",
    ];
    assert_eq!(texts(source, Some(TokenClass::Import)), imports);
}

#[test]
fn words_of_cpp_are_names_in_c() {
    assert_eq!(functions::<false>("int class(int new) { return new; }"), one("class", 1, 1));
}

#[test]
fn branches_that_share_a_body_count_once() {
    let source = "#ifdef A\nint f(int a)\n#else\nint f(void)\n#endif\n{\n}\nint g() {}\n";
    assert_eq!(functions::<false>(source), [one("f", 2, 7), one("g", 8, 8)].concat());
}

#[test]
fn old_style_definitions_are_told_from_macros() {
    let source = "int f(a, b) int a; char *b; { }\nM(x) int y;\nint g(void) {}\n";
    assert_eq!(functions::<false>(source), [one("f", 1, 1), one("g", 3, 3)].concat());
}

#[test]
fn names_are_what_reads_best() {
    for (source, name) in [
        ("A::~A() {}", "~A"),
        ("bool A<T>::operator()(int) {}", "operator()"),
        ("A::operator bool() const {}", "operator bool"),
        ("void *operator new[](size_t n) {}", "operator new[]"),
        ("int (*f(int a))(int) {}", "f"),
        ("template <> int f<3>(int a) {}", "f"),
        ("std::function<void(int)> A::b() const && noexcept(true) {}", "b"),
    ] {
        assert_eq!(functions::<true>(source), one(name, 1, 1), "{source}");
    }
}

#[test]
fn initialisers_are_no_bodies() {
    let source = "A::A(int a) : b{a}, c<int>{1}, d(2) { x(); y(); z(); }\nint v{3};\nauto l = [] { a(); b(); c(); };\n";
    assert_eq!(functions::<true>(source), one("A", 1, 1));
    assert_eq!(names::<true>(FragmentKind::Block, source).len(), 1);
}

#[test]
fn lost_braces_make_it_unsure() {
    assert_eq!(parse::<false>(b"int f() { {").1, Confidence::Unsure);
    assert_eq!(parse::<false>(b"int f() { }").1, Confidence::Sure);
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn check<const CPP: bool>(source: &[u8]) {
    let (mut out, _) = parse::<CPP>(source);
    let mut last = 0;
    for token in out.tokens.iter() {
        assert!(last <= token.start && token.start < token.end && token.end as usize <= source.len());
        last = token.end;
    }
    crate::finder::sort_fragments(&mut out.fragments);
    let mut open: Vec<u32> = Vec::new();
    for fragment in &out.fragments {
        let (start, end) = (fragment.bytes.start, fragment.bytes.end);
        assert!(
            start < end && end as usize <= source.len() && fragment.tokens.end as usize <= out.tokens.len()
        );
        while open.last().is_some_and(|&outer| outer <= start) {
            open.pop();
        }
        assert!(open.last().is_none_or(|&outer| end <= outer), "fragments overlap");
        open.push(end);
    }
}

#[test]
fn any_bytes_give_ordered_tokens_and_nested_fragments() {
    const PIECES: [&str; 48] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ";",
        ":",
        "::",
        ",",
        "=",
        "~",
        "->",
        "#if A\n",
        "#else\n",
        "#endif\n",
        "#define X \\\n",
        "\n",
        "\r",
        " int ",
        " f",
        " g",
        "class ",
        "template",
        "operator",
        "requires",
        "struct ",
        "namespace ",
        "enum ",
        "try",
        "catch",
        "if",
        "do ",
        "while",
        "case ",
        "R\"x(",
        ")x\"",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "\\",
        "extern \"C\"",
        "CAPS(x)",
        "\0\u{e9}",
    ];
    let mut random = Random(7);
    for _ in 0..4000 {
        let count = random.below(60);
        let mut source = Vec::new();
        for _ in 0..count {
            source.extend_from_slice(PIECES[random.below(PIECES.len())].as_bytes());
        }
        if count.is_multiple_of(4) {
            source.extend((0..count).map(|_| random.below(256) as u8));
        }
        check::<false>(&source);
        check::<true>(&source);
    }
}

#[test]
fn mutated_fixtures_give_ordered_tokens_and_nested_fragments() {
    let fixtures: [&[u8]; 4] = [
        include_bytes!("../../../fixtures/c/branches.c"),
        include_bytes!("../../../fixtures/c/definitions.c"),
        include_bytes!("../../../fixtures/cpp/classes.cpp"),
        include_bytes!("../../../fixtures/cpp/bodies.cpp"),
    ];
    let mut random = Random(11);
    for round in 0..400 {
        let mut source = fixtures[round % fixtures.len()].to_vec();
        for _ in 0..=random.below(6) {
            let at = random.below(source.len());
            match random.below(3) {
                0 => drop(source.remove(at)),
                1 => source.insert(at, b"{}()<>;:#\"'\n\\"[random.below(13)]),
                _ => drop(source.drain(at..(at + random.below(200)).min(source.len()))),
            }
        }
        check::<false>(&source);
        check::<true>(&source);
    }
}

/// A quadratic step would keep this from ending.
#[test]
fn hostile_input_ends() {
    const PIECES: [&str; 22] = [
        "{",
        "(",
        "}",
        ")",
        "[](",
        "template<",
        "requires ",
        "operator",
        "struct a{",
        "f(a)int a;",
        "M(x)\n",
        "R\"(",
        "#if A\n{\n",
        "#if A\n#else\n",
        "x{1},",
        "class A:",
        "case ",
        "do if(",
        "a<",
        "->",
        "/*",
        "f(){",
    ];
    for piece in PIECES {
        let source = piece.repeat(100_000);
        check::<true>(source.as_bytes());
        check::<false>(source.as_bytes());
    }
}
