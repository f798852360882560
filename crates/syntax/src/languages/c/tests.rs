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
