//! Single rules of the front end; whole files in `fixtures/javascript` and `fixtures/typescript`.

use familiar_source::{FragmentKind, Language, LineIndex, TokenClass};

use crate::{Confidence, Output, Want, languages};

const FIXTURES: [&str; 7] = [
    include_str!("../../../fixtures/javascript/lexing.js"),
    include_str!("../../../fixtures/javascript/functions.js"),
    include_str!("../../../fixtures/javascript/elements.jsx"),
    include_str!("../../../fixtures/javascript/broken.js"),
    include_str!("../../../fixtures/typescript/types.ts"),
    include_str!("../../../fixtures/typescript/classes.ts"),
    include_str!("../../../fixtures/typescript/elements.tsx"),
];

fn parse(language: Language, source: &[u8]) -> (Output, Confidence) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    let want = Want { fragments: true, line_starts: true };
    let confidence = languages::definition(language).front_end.parse(source, want, &mut out);
    (out, confidence)
}

#[test]
fn fixtures_are_read_with_confidence() {
    for (at, text) in FIXTURES.iter().enumerate() {
        let language = if at < 4 { Language::JavaScript } else { Language::TypeScript };
        let (_, confidence) = parse(language, text.as_bytes());
        let expected = if at == 3 { Confidence::Unsure } else { Confidence::Sure };
        assert_eq!(confidence, expected, "fixture {at}");
    }
}

#[test]
fn imports_are_marked_without_fragments_too() {
    let mut out = Output::default();
    let source = b"import a, { b } from 'c'\nimport('d')";
    languages::definition(Language::JavaScript).front_end.parse(source, Want::default(), &mut out);
    let marked = out.tokens.iter().filter(|token| token.class == TokenClass::Import).count();
    assert_eq!((marked, out.tokens.len()), (8, 12));
}

#[test]
fn names_come_from_what_is_assigned() {
    let source = b"const f: F = () => 1; x = { g: function () {} }; class A { h = () => 2 }";
    let (out, _) = parse(Language::TypeScript, source);
    let names: Vec<_> = out
        .fragments
        .iter()
        .filter(|fragment| fragment.kind == FragmentKind::Function)
        .map(|fragment| &source[fragment.name.range()])
        .collect();
    assert_eq!(names, [b"f", b"g", b"h"]);
}
