//! Whatever the bytes: no panic, tokens in order, fragments properly nested, time linear.

use familiar_source::LineIndex;
use proptest::prelude::*;

use super::Go;
use crate::{Confidence, FrontEnd, Output, Tokens, Want};

const FIXTURES: [&[u8]; 4] = [
    include_bytes!("../../../fixtures/go/bodies.go"),
    include_bytes!("../../../fixtures/go/numbers.go"),
    include_bytes!("../../../fixtures/go/ends.go"),
    include_bytes!("../../../fixtures/go/broken.go"),
];

fn parse(source: &[u8]) -> (Output, Confidence) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    let confidence = Go.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    (out, confidence)
}

fn check(source: &[u8]) {
    check_output(source, parse(source).0);
    let limited = Tokens::with_limit(source.len() / 10);
    let mut out = Output { tokens: limited, lines: LineIndex::new(source), ..Output::default() };
    Go.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    check_output(source, out);
}

fn check_output(source: &[u8], out: Output) {
    let mut end = 0;
    for token in out.tokens.iter() {
        assert!(end <= token.start && token.start < token.end, "{token:?} after {end}");
        end = token.end;
    }
    assert!(end as usize <= source.len());
    let mut fragments = out.fragments;
    crate::finder::sort_fragments(&mut fragments);
    let mut open = Vec::new();
    for fragment in fragments {
        while open.last().is_some_and(|&end| end <= fragment.bytes.start) {
            open.pop();
        }
        let around = open.last().copied().unwrap_or(end);
        assert!(fragment.bytes.end <= around, "{fragment:?} reaches over {around}");
        open.push(fragment.bytes.end);
    }
}

proptest! {
    #[test]
    fn random_bytes(source in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&source);
    }

    #[test]
    fn random_pieces(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        check(&pieces.into_iter().flat_map(|piece| PIECES[piece].bytes()).collect::<Vec<_>>());
    }

    #[test]
    fn mutated_fixtures(
        which in 0..FIXTURES.len(),
        cut in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..PIECES.len()), 0..8),
    ) {
        let mut source = FIXTURES[which].to_vec();
        source.truncate(cut.index(source.len()) + 1);
        for (at, piece) in changes {
            let at = at.index(source.len());
            source.splice(at..=at, PIECES[piece].bytes());
        }
        check(&source);
    }
}

const PIECES: [&str; 44] = [
    "func ",
    "type ",
    "struct ",
    "interface ",
    "if ",
    "else ",
    "for ",
    "range ",
    "switch ",
    "select ",
    "case ",
    "map",
    "import ",
    "return",
    "x",
    "T",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "\r",
    " ",
    "//",
    "/*",
    "*/",
    "\"",
    "'",
    "`",
    "\\",
    "*",
    ".",
    "<-",
    "1",
    "0x",
    "e+",
    "++",
    "~",
    "=",
];

/// Inputs that would take minutes if anything were quadratic or recursive.
#[test]
fn hostile_inputs_take_linear_time() {
    let pieces = [
        "(",
        "{[",
        ")",
        "}",
        "func() ",
        "func(",
        "func f(",
        "type T[A B] ",
        "struct {",
        "if x {",
        "[]T{}",
        "for []",
        "'",
        "`x",
        "/*",
        "a.",
        "a.b{",
        "if []a.b{}",
        "else ",
        "\n",
        "case x: {",
    ];
    for piece in pieces {
        check(piece.repeat(1_000_000 / piece.len()).as_bytes());
    }
}

#[test]
fn real_code_is_sure_and_broken_code_is_not() {
    assert_eq!(
        FIXTURES.map(|source| parse(source).1),
        [Confidence::Sure, Confidence::Sure, Confidence::Sure, Confidence::Unsure]
    );
}
