//! Properties of the front end over what nobody would write.

use std::time::Instant;

use familiar_source::{Fragment, FragmentKind, Language, LineIndex, TokenClass};
use proptest::prelude::*;

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

/// Tokens in order and inside of the source; fragments inside of one another or apart.
fn check(source: &[u8]) {
    for language in [Language::JavaScript, Language::TypeScript] {
        let (mut out, _) = parse(language, source);
        let mut end = 0;
        for token in out.tokens.iter() {
            assert!(end <= token.start && token.start < token.end, "{token:?} after {end}");
            end = token.end;
        }
        assert!(end as usize <= source.len());
        crate::finder::sort_fragments(&mut out.fragments);
        let mut open: Vec<Fragment> = Vec::new();
        for fragment in &out.fragments {
            while open.last().is_some_and(|outer| outer.bytes.end <= fragment.bytes.start) {
                open.pop();
            }
            assert!(open.last().is_none_or(|outer| outer.bytes.contains(fragment.bytes)), "{fragment:?}");
            assert!(!fragment.tokens.is_empty() && fragment.tokens.end as usize <= out.tokens.len());
            open.push(*fragment);
        }
    }
}

/// Cuts, repeats and overwrites pieces of a fixture.
fn mutate(text: &str, edits: &[(usize, usize, usize)]) -> Vec<u8> {
    const PIECES: [&[u8]; 24] = [
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b"`",
        b"${",
        b"<",
        b">",
        b"=>",
        b"/",
        b"'",
        b"\"",
        b":",
        b"?",
        b";",
        b"\n",
        b"class ",
        b"function ",
        b"<div>",
        b"</div>",
        b"\0",
        b"\xff",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for &(at, length, piece) in edits {
        let at = at % bytes.len().max(1);
        let end = bytes.len().min(at + length);
        bytes.splice(at..end, PIECES[piece % PIECES.len()].iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_give_tokens_in_order(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn damaged_code_gives_nested_fragments(
        which in 0..FIXTURES.len(),
        edits in proptest::collection::vec((0usize..3000, 0usize..12, 0usize..24), 1..12),
    ) {
        check(&mutate(FIXTURES[which], &edits));
    }
}

#[test]
fn fixtures_are_read_with_confidence() {
    for (at, text) in FIXTURES.iter().enumerate() {
        let language = if at < 4 { Language::JavaScript } else { Language::TypeScript };
        let (_, confidence) = parse(language, text.as_bytes());
        let expected = if at == 3 { Confidence::Unsure } else { Confidence::Sure };
        assert_eq!(confidence, expected, "fixture {at}");
        check(text.replace('\n', "\r\n").as_bytes());
        check(text.replace('\n', "\r").as_bytes());
    }
}

#[test]
fn hostile_files_take_linear_time() {
    let pieces: [&str; 22] = [
        "(",
        "[",
        "{",
        "`${",
        "<a>",
        "<a ",
        "x=>",
        "a<",
        "/[",
        "=/[",
        "(a):",
        "<T>(",
        "=<T>",
        "a?(b):",
        "class ",
        "function(",
        "</",
        "<!--",
        "/*/",
        "?(a):b<",
        "{a:",
        "\u{0}\\",
    ];
    for piece in pieces {
        let source = piece.repeat(200_000);
        let start = Instant::now();
        check(source.as_bytes());
        assert!(start.elapsed().as_secs() < 20, "{piece} took {:?}", start.elapsed());
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
