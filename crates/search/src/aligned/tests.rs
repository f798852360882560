//! Tests of the measure on small programs, and of the search on functions with planted edits.

use familiar_index::{Collection, FileEntry, FragmentEntry, Side, TokenStore};
use familiar_source::TokenClass;
use familiar_syntax::normal::{self, Renamer, Renaming, Symbol};
use proptest::prelude::*;

use super::bound::{Outlines, may_reach};
use super::prepared::Preparer;
use super::{Aligned, align};
use crate::Link;
use crate::equal::{self, Equal, EqualSettings};
use crate::similar::{Sequence, SimilarSettings, Similarity};
use crate::testing::{self, brute_force};

const COPY: &str = "void copy ( File in , File out ) throws IOException {
int n ;
byte [ ] buf = new byte [ 1024 ] ;
FileInputStream i = new FileInputStream ( in ) ;
FileOutputStream o = new FileOutputStream ( out ) ;
while ( ( n = i . read ( buf ) ) > 0 ) {
o . write ( buf , 0 , n ) ;
}
i . close ( ) ;
o . close ( ) ;
}";

/// A program whose words are set apart by spaces.
struct Code {
    symbols: Vec<u32>,
    line_starts: Vec<u32>,
}

impl Code {
    fn new(text: &str) -> Self {
        let mut code = Self { symbols: Vec::new(), line_starts: Vec::new() };
        for line in text.lines() {
            code.line_starts.push(code.symbols.len() as u32);
            let words = line.split_whitespace();
            code.symbols.extend(words.map(|word| Symbol::new(class(word), word.as_bytes()).0));
        }
        code
    }

    fn sequence(&self) -> Sequence<'_> {
        Sequence { symbols: &self.symbols, line_starts: &self.line_starts }
    }
}

fn class(word: &str) -> TokenClass {
    match word {
        "new" | "while" | "for" | "return" | "throws" | "def" | "if" => TokenClass::Keyword,
        "int" | "void" | "byte" | "long" => TokenClass::Type,
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => TokenClass::Number,
        _ if word.starts_with('"') => TokenClass::String,
        _ if word.starts_with(|c: char| c.is_ascii_alphabetic()) => TokenClass::Identifier,
        _ => TokenClass::Operator,
    }
}

fn similarity(left: &str, right: &str) -> f64 {
    Aligned.of(Code::new(left).sequence(), Code::new(right).sequence())
}

#[test]
fn a_renamed_copy_is_equal() {
    let renamed = COPY.replace("buf", "buffer").replace("1024", "4096").replace("int n", "long n");
    assert_eq!(similarity(COPY, &renamed).to_bits(), 1f64.to_bits());
}

#[test]
fn an_inserted_statement_splits_the_run_and_layout_does_not_matter() {
    let edited = COPY.replace("i . close", "log ( \"done\" ) ;\ni . close");
    let score = similarity(COPY, &edited);
    assert!(score > 0.8 && score < 1.0, "{score}");
    let (left, right) = (Code::new(COPY), Code::new(&edited));
    let runs = align(left.sequence(), right.sequence());
    let tail = |code: &Code, tokens: u32| (code.symbols.len() as u32 - tokens, code.symbols.len() as u32 - 1);
    assert_eq!(runs.len(), 2);
    assert_eq!((runs[1].left.start, runs[1].left.end), tail(&left, 13));
    assert_eq!((runs[1].right.start, runs[1].right.end), tail(&right, 13));
    let wrapped = edited.replace(" = new", " =\nnew").replace(";\no", "; o");
    assert_eq!(score.to_bits(), similarity(COPY, &wrapped).to_bits());
}

#[test]
fn what_is_contained_is_not_equal_and_shape_alone_is_not_enough() {
    assert!(similarity(COPY, "void f ( File in ) {\nint n ;\nbyte [ ] buf = new byte [ 1024 ] ;\n}") < 0.5);
    let sum = "int sum ( int [ ] xs ) {\nint s = 0 ;\nfor ( int x : xs ) {\ns += x ;\n}\nreturn s ;\n}";
    assert!(similarity(COPY, sum) < 0.3);
    assert!(similarity(COPY, "") < 1e-9);
}

#[test]
fn lines_end_statements_where_no_semicolon_does() {
    let python = "def f ( a ) :\nb = g ( a )\nc = b + 1\nreturn h ( c )";
    let edited = "def f ( a ) :\nb = g ( a )\nif a :\nc = b + 1\nreturn h ( c )";
    let (left, right) = (Code::new(python), Code::new(edited));
    let runs = align(left.sequence(), right.sequence());
    assert_eq!(runs.iter().map(|run| run.left.len()).collect::<Vec<_>>(), [12, 10]);
    assert_eq!(runs[1].right.start, 15);
}

#[test]
fn a_consistent_renaming_counts_as_the_same_names() {
    let python =
        "def f ( ) :\nrows = load ( path )\nrows . sort ( key )\nrows . drop ( 3 )\ncheck ( rows , 1 , 2 )";
    let renamed = python.replace("rows", "table").replace("( 3 )", "( 3 , True )");
    let scattered =
        "def f ( ) :\na = load ( path )\nb . sort ( key )\nc . drop ( 3 , True )\ncheck ( d , 1 , 2 )";
    assert!(similarity(python, &renamed) > similarity(python, scattered) + 0.02);
}

#[test]
fn giant_functions_are_aligned_in_pieces() {
    let line = |n: usize| format!("call{n} ( x , {n} )\n");
    let same = |_: usize| "x = x + 1\n".to_owned();
    let left: String = (0..3000).map(line).chain((0..3000).map(same)).collect();
    let right: String = (0..3000).filter(|n| n % 10 != 3).map(line).chain((0..2900).map(same)).collect();
    let score = similarity(&left, &right);
    assert!(score > 0.9 && score < 0.97, "{score}");
}

/// A function of random statements over a small vocabulary.
fn function() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "rows", "self", "path"]);
    let call = prop::sample::select(vec!["load", "sort", "check"]);
    let statement = (name.clone(), call, name, 0..4u8, 0..5u8).prop_map(|(a, f, b, n, form)| match form {
        0 => format!("{a} = {f} ( {b} , {n} )"),
        1 => format!("if {a} . {f} ( {b} ) :"),
        2 => format!("return {a} [ {n} ] + {b}"),
        3 => format!("{a} . {f} = {b} . {f}"),
        _ => format!("for {a} in {b} :"),
    });
    prop::collection::vec(statement, 0..12).prop_map(|statements| statements.join("\n"))
}

proptest! {
    #[test]
    fn similarity_is_symmetric_bounded_and_one_for_equal_blind_forms(left in function(), right in function()) {
        let score = similarity(&left, &right);
        prop_assert!((0.0..=1.0).contains(&score));
        prop_assert_eq!(score.to_bits(), similarity(&right, &left).to_bits());
        let (a, b) = (Code::new(&left), Code::new(&right));
        let blind = |code: &Code| code.symbols.iter().map(|&s| Symbol(s).blind().0).collect::<Vec<_>>();
        if blind(&a) == blind(&b) {
            prop_assert_eq!(score.to_bits(), 1f64.to_bits());
        } else {
            let mut outlines = Outlines::default();
            let mut preparer = Preparer::new();
            outlines.push(&preparer.prepare(a.sequence()));
            outlines.push(&preparer.prepare(b.sequence()));
            prop_assert!(may_reach(outlines.get(0), outlines.get(1), score as f32, &mut Vec::new()));
        }
    }
}

/// Functions of 24 lines; each of `families` has an original and copies with some lines replaced.
fn planted(families: u32, copies: u32) -> Vec<String> {
    let line = |seed: u32| {
        let n = seed.wrapping_mul(0x9E37_79B1) >> 7;
        let name = |k: u32| ["a", "rows", "path", "key", "value", "item"][((n >> k) % 6) as usize];
        match n % 5 {
            0 => format!("{} = f{} ( {} , {} )", name(2), n % 97, name(5), n % 7),
            1 => format!("if {} . g{} ( {} ) :", name(3), n % 89, name(1)),
            2 => format!("{} [ {} ] = {} + {}", name(4), n % 7, name(6), name(8)),
            3 => format!("for {} in h{} ( {} , \"{}\" ) :", name(3), n % 83, name(9), n % 11),
            _ => format!("return {} ( {} ) . m{}", name(7), name(2), n % 79),
        }
    };
    let mut out = Vec::new();
    for family in 0..families {
        for copy in 0..copies {
            let lines = (0..24).map(|at| {
                let replaced = copy > 0 && (at * 7 + copy * 5) % 24 < copy * 2;
                line(family * 1000 + at + if replaced { copy * 100_000 } else { 0 })
            });
            out.push(lines.collect::<Vec<_>>().join("\n"));
        }
    }
    out
}

/// Each program a file with one fragment; `side` tells the side of each.
fn collection(programs: &[String], side: impl Fn(usize) -> Side) -> (Collection, Equal) {
    let store = || TokenStore::new(1 << 20, std::env::temp_dir());
    let mut all = Collection {
        tokens: store(),
        line_starts: store(),
        scopes: store(),
        files: Vec::new(),
        fragments: Vec::new(),
    };
    let mut renamed = Vec::new();
    for (file, program) in programs.iter().enumerate() {
        let code = Code::new(program);
        Renamer::default().rename(&code.symbols, Renaming::Blind, &mut renamed);
        all.files.push(FileEntry { family: 0, side: side(file), tests_from: u32::MAX, is_markup: false });
        all.fragments.push(FragmentEntry {
            file: file as u32,
            ordinal: 0,
            kind: 0,
            test_callback: false,
            name: 0,
            first: 0,
            tokens: code.symbols.len() as u32,
            lines: (1, 24),
            exact: normal::hash(&code.symbols),
            renamed: normal::hash(&renamed),
        });
        all.tokens.push(&code.symbols).expect("fits");
        all.line_starts.push(&code.line_starts).expect("fits");
    }
    let selected: Vec<u32> = (0..programs.len() as u32).collect();
    let settings = EqualSettings { type_2: true, renaming: Renaming::Blind, cross_families: false };
    let equal = equal::group(&all, &selected, settings).expect("in memory");
    (all, equal)
}

fn settings(memory: usize) -> SimilarSettings<'static> {
    SimilarSettings { similarity: 0.55, cross_families: false, memory, evidence: None }
}

fn links(all: &(Collection, Equal), memory: usize) -> Vec<Link> {
    Aligned.links(&all.0, &all.1, &settings(memory)).expect("in memory")
}

proptest! {
    #[test]
    fn no_link_is_made_up(given in testing::fragments()) {
        let all = testing::collection(&given);
        let expected = brute_force(&Aligned, &all.0, &all.1, &settings(1 << 20));
        for link in links(&all, 1 << 20) {
            prop_assert!(expected.contains(&link));
        }
    }
}

#[test]
fn the_search_finds_what_comparing_all_pairs_finds() {
    let all = collection(&planted(12, 4), |_| Side::Both);
    let expected = brute_force(&Aligned, &all.0, &all.1, &settings(64 << 20));
    assert!(expected.len() > 60, "{}", expected.len());
    assert_eq!(links(&all, 64 << 20), expected);
    // So little memory that the fragments are taken in many parts.
    assert_eq!(links(&all, 64 << 10), expected);
    // So little that the grams by which earlier parts look themselves up are made anew, too.
    assert_eq!(links(&all, 8 << 10), expected);
}

#[test]
fn only_pairs_across_the_sides_are_linked() {
    let programs = planted(10, 4);
    let whole = links(&collection(&programs, |_| Side::Both), 64 << 20);
    let side = |file: usize| if file.is_multiple_of(4) { Side::Query } else { Side::Against };
    let across = links(&collection(&programs, side), 64 << 20);
    assert!(!across.is_empty() && across.len() < whole.len());
    assert!(across.iter().all(|link| link.left.is_multiple_of(4) && !link.right.is_multiple_of(4)));
}

#[test]
fn in_a_crowd_all_are_linked_with_the_largest() {
    let line = |n: usize| format!("item . add{n} ( key , {n} )\n");
    let crowd: Vec<String> = (0..150usize)
        .map(|n| {
            let form = |digit: usize| ["if key :\n", "a = b\n", "for a in b :\n", "return key\n"][digit];
            let own: String = (0..4).map(|at| form(n >> (2 * at) & 3)).collect();
            (0..4).map(line).collect::<String>() + &own
        })
        .collect();
    let all = collection(&crowd, |_| Side::Both);
    let found = links(&all, 64 << 20);
    let mut of_node = vec![0u32; all.1.nodes.len()];
    for link in &found {
        of_node[link.left as usize] += 1;
        of_node[link.right as usize] += 1;
    }
    assert!(of_node.iter().any(|&links| links as usize == all.1.nodes.len() - 1));
    assert!(found.len() <= all.1.nodes.len() * super::links::LINKS);
}
