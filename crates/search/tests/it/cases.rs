//! The clone cases of `testdata/clones` as fragments: equal ones, twins, and edited ones by the default measure.

use familiar_cases::{Case, Suite};
use familiar_index::{Collection, FileEntry, FragmentEntry, Side};
use familiar_search::equal::{Equal, EqualSettings, group};
use familiar_search::similar::SimilarSettings;
use familiar_search::{Link, Measure};
use familiar_source::{FragmentKind, Language, line_starts};
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parser, Want};

use crate::common::store;

/// Both sides of a case as a collection: the functions of the left and of the right file.
fn parsed(case: &Case) -> Collection {
    let mut collection = Collection {
        tokens: store(),
        line_starts: store(),
        scopes: store(),
        files: Vec::new(),
        fragments: Vec::new(),
    };
    let mut parser = Parser::default();
    for (number, (language, text)) in
        (0u32..).zip(case.languages().into_iter().zip([&case.left, &case.right]))
    {
        let language = Language::from_name(language).expect("cases name languages");
        let parsed = parser.parse(language, text.as_bytes(), Want { fragments: true, line_starts: true });
        let symbols = normal::symbols(text.as_bytes(), parsed.tokens);
        collection.tokens.push(&symbols).expect("it fits the memory");
        collection.line_starts.push(&line_starts(parsed.tokens)).expect("it fits the memory");
        collection.scopes.push(&[]).expect("it fits the memory");
        let family = language.family().0;
        collection.files.push(FileEntry { family, side: Side::Both, tests_from: u32::MAX, is_markup: false });
        for fragment in parsed.fragments.iter().filter(|fragment| fragment.kind == FragmentKind::Function) {
            let mut renamed = Vec::new();
            let tokens = &symbols[fragment.tokens.range()];
            Renamer::default().rename(tokens, Renaming::Blind, &mut renamed);
            collection.fragments.push(FragmentEntry {
                file: number,
                ordinal: 0,
                kind: fragment.kind as u8,
                test_callback: false,
                name: 0,
                first: fragment.tokens.start,
                tokens: fragment.tokens.len(),
                lines: (fragment.lines.start, fragment.lines.end),
                exact: normal::hash(tokens),
                renamed: normal::hash(&renamed),
            });
        }
    }
    collection
}

fn grouped(collection: &Collection) -> Equal {
    let all: Vec<u32> = (0..collection.fragments.len() as u32).collect();
    let settings = EqualSettings { type_2: true, renaming: Renaming::Blind, cross_families: false };
    group(collection, &all, settings).expect("tokens are in memory")
}

/// The nodes of the functions on these lines of the left and of the right side.
fn nodes(collection: &Collection, equal: &Equal, [a, b, c, d]: [u32; 4]) -> Option<(u32, u32)> {
    let on = |file: u32, lines: (u32, u32)| {
        let is = |&number: &u32| {
            let fragment = &collection.fragments[number as usize];
            (fragment.file, fragment.lines) == (file, lines)
        };
        let node = equal.nodes.iter().position(|node| node.iter().any(is));
        node.map(|node| node as u32)
    };
    on(0, (a, b)).zip(on(1, (c, d)))
}

#[test]
fn equal_functions_are_nodes_and_renamed_ones_twins() {
    for (suite, clone_type) in [(Suite::Type1, 1), (Suite::Type2, 2)] {
        let cases = suite.load().expect("the cases are valid");
        let mut functions = 0;
        for case in cases.iter().filter(|case| case.known.is_empty()) {
            let collection = parsed(case);
            let equal = grouped(&collection);
            for &lines in &case.lines {
                let Some((left, right)) = nodes(&collection, &equal, lines) else { continue };
                functions += 1;
                let twins = equal.twins[left as usize] == equal.twins[right as usize];
                assert_eq!((left == right, twins), (clone_type == 1, true), "{}", case.name);
            }
        }
        assert!(functions * 3 >= cases.len() * 2, "{functions} functions in {} cases", cases.len());
    }
}

#[test]
fn edited_functions_are_linked_and_others_are_neither() {
    let links = |collection: &Collection, equal: &Equal| -> Vec<Link> {
        let similarity = Measure::Aligned.default_similarity();
        let settings = SimilarSettings { similarity, cross_families: false, memory: 1 << 20, evidence: None };
        Measure::Aligned.similarity().links(collection, equal, &settings).expect("tokens are in memory")
    };
    for case in Suite::Type3.load().expect("the cases are valid") {
        let collection = parsed(&case);
        let equal = grouped(&collection);
        let (first, last) = (case.lines[0], case.lines[case.lines.len() - 1]);
        let Some((left, right)) = nodes(&collection, &equal, [first[0], last[1], first[2], last[3]]) else {
            continue;
        };
        assert_ne!(equal.twins[left as usize], equal.twins[right as usize], "{}", case.name);
        let linked = links(&collection, &equal)
            .iter()
            .any(|link| (link.left, link.right) == (left.min(right), left.max(right)));
        assert!(linked || !case.known.is_empty(), "{}", case.name);
    }
    for case in Suite::None.load().expect("the cases are valid") {
        let collection = parsed(&case);
        let equal = grouped(&collection);
        for node in &equal.nodes {
            let both = node.iter().any(|&it| collection.fragments[it as usize].file == 0)
                && node.iter().any(|&it| collection.fragments[it as usize].file == 1);
            assert!(!both, "{}", case.name);
        }
    }
}
