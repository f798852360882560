//! What holds for every file, whatever its bytes. The fuzz targets use this file too.

use familiar_source::{Fragment, FragmentKind, Language, LineIndex, Lines, Span, Token};
use familiar_syntax::{Limits, Output, Parser, Want, finder, languages};

const ALL: Want = Want { fragments: true, line_starts: true };

/// Lets the front end alone, without tree-sitter to fall back to, parse a large `source` once.
pub(crate) fn large(language: Language, source: &[u8]) {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    languages::definition(language).front_end.parse(source, ALL, &mut out);
    tokens_are_ordered(source, &out.tokens);
    let file = Fragment {
        kind: FragmentKind::File,
        name: Span::default(),
        bytes: Span::new(0, source.len() as u32),
        lines: Lines::new(1, out.lines.count(source.len()).max(1)),
        tokens: Span::new(0, out.tokens.len() as u32),
    };
    finder::sort_fragments(&mut out.fragments);
    out.fragments.insert(0, file);
    fragments_are_nested(&out.fragments);
}

/// Parses `source` once, with all front ends that may have a say.
pub(crate) fn once(language: Language, source: &[u8]) {
    let mut parser = Parser::default();
    let parsed = parser.parse(language, source, ALL);
    tokens_are_ordered(source, parsed.tokens);
    fragments_are_nested(parsed.fragments);
}

/// Parses `source` in all the ways there are and panics where one breaks a promise.
pub(crate) fn any_language(language: Language, source: &[u8]) {
    let mut parser = Parser::default();
    let parsed = parser.parse(language, source, ALL);
    assert!(!parsed.overflowed && !parsed.tokens.iter().any(|token| token.hidden));
    tokens_are_ordered(source, parsed.tokens);
    fragments_are_nested(parsed.fragments);
    let (tokens, fragments) = (parsed.tokens.to_vec(), parsed.fragments.to_vec());

    let again = parser.parse(language, source, ALL);
    assert_eq!(tokens, again.tokens, "the same file gave other tokens");
    assert_eq!(fragments, again.fragments, "the same file gave other fragments");

    let bare = parser.parse(language, source, Want::default());
    assert!(bare.fragments.is_empty());
    assert!(places(&tokens).eq(places(bare.tokens)), "tokens depend on what else is wanted");

    for limit in [0, tokens.len() / 3] {
        let mut limited = Parser::within(Limits { tokens: limit, tree: source.len() * 50 });
        let cut = limited.parse(language, source, ALL);
        assert!(cut.tokens.len() <= limit && (cut.overflowed || cut.gave_up || tokens.len() <= limit));
        tokens_are_ordered(source, cut.tokens);
        fragments_are_nested(cut.fragments);
    }
}

fn places(tokens: &[Token]) -> impl Iterator<Item = (u32, u32, u8)> {
    tokens.iter().map(|token| (token.start, token.end, token.class as u8))
}

/// Tokens hold something, follow one another and end inside the source.
pub(crate) fn tokens_are_ordered(source: &[u8], tokens: &[Token]) {
    let mut end = 0;
    for token in tokens {
        assert!(end <= token.start && token.start < token.end, "{token:?} after {end}");
        end = token.end;
    }
    assert!(end as usize <= source.len());
}

/// The file comes first; all else is in order, inside the source, and inside of one another or apart.
pub(crate) fn fragments_are_nested(fragments: &[Fragment]) {
    let Some((file, inner)) = fragments.split_first() else { panic!("the file itself is missing") };
    assert_eq!(file.kind, FragmentKind::File);
    let mut open: Vec<&Fragment> = vec![file];
    let mut last = Span::default();
    for fragment in inner {
        assert!(!fragment.tokens.is_empty(), "{fragment:?} holds nothing");
        assert!(last.start <= fragment.bytes.start, "{fragment:?} is out of order");
        last = fragment.bytes;
        while open.last().is_some_and(|outer| outer.bytes.end <= fragment.bytes.start) {
            open.pop();
        }
        let around = open.last().unwrap_or(&file);
        assert!(around.bytes.contains(fragment.bytes), "{fragment:?} reaches over {around:?}");
        assert!(around.tokens.contains(fragment.tokens), "{fragment:?} reaches over {around:?}");
        assert!(file.lines.contains(fragment.lines), "{fragment:?} has lines past {file:?}");
        assert!(file.bytes.contains(fragment.name), "{fragment:?} has its name elsewhere");
        open.push(fragment);
    }
}
