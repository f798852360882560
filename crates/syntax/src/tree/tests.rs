//! The grammars name kinds that exist; a file costs no more than its budget.

use familiar_source::{FragmentKind, Language, LineIndex};

use super::*;
use crate::{Limits, Parser};

fn grammar(language: Language) -> Option<&'static Grammar> {
    crate::languages::definition(language).tree
}

fn parse(front_end: &TreeFrontEnd, source: &[u8]) -> Output {
    let mut out = Output { lines: LineIndex::new(source), ..Output::default() };
    front_end.parse(source, Want { fragments: true, line_starts: true }, &mut out);
    assert!(out.tokens.windows(2).all(|pair| pair[0].end <= pair[1].start));
    assert!(out.tokens.iter().all(|token| token.start < token.end && token.end as usize <= source.len()));
    assert!(out.fragments.iter().all(|fragment| fragment.bytes.end as usize <= source.len()));
    out
}

#[test]
fn a_file_beyond_the_budget_gives_tokens_and_no_fragments() {
    let line = b"def a\n  b(1)\nend\n";
    let long = line.repeat((17 << 20) / line.len());
    let out = parse(&TreeFrontEnd(grammar(Language::Ruby).expect("Ruby has a grammar")), &long);
    assert!(out.tokens.len() > 1_000_000);
    assert!(out.fragments.is_empty());
}

#[test]
fn a_tree_beyond_the_memory_gives_tokens_and_no_fragments_and_says_so() {
    let source = b"def a\n  b(1)\nend\n".repeat(100);
    let want = Want { fragments: true, line_starts: false };
    for (tree, gives_up) in [(source.len() * 100, false), (source.len() * 100 - 1, true)] {
        let mut parser = Parser::within(Limits { tree, ..Limits::default() });
        let parsed = parser.parse(Language::Ruby, &source, want);
        assert_eq!((parsed.gave_up, parsed.tokens.len()), (gives_up, 700));
        assert_eq!(parsed.fragments.len(), if gives_up { 1 } else { 101 });
    }
}

#[test]
fn the_variant_that_reads_the_file_is_taken() {
    let grammar = grammar(Language::TypeScript).expect("TypeScript has a grammar");
    for source in ["const f = () => { return <div>{a}</div>; };", "const g = () => { return <T>a; };"] {
        let reading = read(grammar, source.as_bytes()).expect("the file is short");
        assert!(reading.clean, "{source}");
        assert_eq!(reading.fragments.iter().filter(|f| f.kind == FragmentKind::Function).count(), 1);
    }
}

/// A misspelt kind would silently mean nothing.
#[test]
fn the_outermost_nodes_of_a_part_are_found() {
    let java = |source: &str, part: Range<usize>| {
        outermost(grammar(Language::Java).expect("Java has a grammar"), source.as_bytes(), &part, 1 << 20)
    };
    assert_eq!(java("class A {}\n/* b */\nclass B { int c; }\n", 0..37), Some(vec![0..10, 11..18, 19..37]));
    let source = "class A {\nint b;\nvoid c() { int d; }\n}\n";
    assert_eq!(java(source, 10..36), Some(vec![10..16, 17..36]));
    assert_eq!(java(source, 20..30), Some(vec![22..23, 23..25, 26..27]));
    assert_eq!(java("class A {", 0..9), None);
    assert_eq!(java("", 0..0), Some(vec![]));
}

#[test]
fn every_kind_exists_in_its_grammar() {
    for language in Language::all() {
        let Some(grammar) = grammar(language) else { continue };
        let known = (grammar.language)();
        let lists = [
            grammar.functions,
            grammar.classes,
            grammar.bodies,
            grammar.always_bodied,
            grammar.blocks,
            grammar.not_statements,
            grammar.statement_lists,
            grammar.lists,
            grammar.lines,
            grammar.comments,
            grammar.identifiers,
            grammar.keywords,
            grammar.types,
            grammar.numbers,
            grammar.strings,
            grammar.chars,
            grammar.imports,
        ];
        for kind in lists.into_iter().flatten() {
            let exists = (0..known.node_kind_count() as u16)
                .any(|id| known.node_kind_is_named(id) && known.node_kind_for_id(id) == Some(kind));
            assert!(exists, "{} has no node {kind}", language.name());
        }
    }
}
