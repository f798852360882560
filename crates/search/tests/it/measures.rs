//! Measures of similarity: what holds of all of them, and that their links are what comparing all pairs gives.

use familiar_search::equal::{EqualSettings, group};
use familiar_search::similar::{Sequence, SimilarSettings};
use familiar_search::{Link, Measure};
use familiar_syntax::normal::Renaming;
use proptest::prelude::*;

use crate::common::{Given, collection, functions, in_order, shuffled};

fn sequence(file: &Given) -> Sequence<'_> {
    Sequence { symbols: &file.symbols, line_starts: &file.starts }
}

fn settings(percent: u32) -> SimilarSettings<'static> {
    let similarity = f64::from(percent) / 100.0;
    SimilarSettings { similarity, cross_families: false, memory: 1 << 20, evidence: None }
}

/// The links between files, of which no two are equal once renamed.
fn links(measure: Measure, files: &[Given], settings: &SimilarSettings<'_>) -> Vec<Link> {
    let collection = collection(files, Renaming::Blind);
    let all: Vec<u32> = (0..files.len() as u32).collect();
    let equal = EqualSettings { type_2: true, renaming: Renaming::Blind, cross_families: true };
    let equal = group(&collection, &all, equal).expect("tokens are in memory");
    measure.similarity().links(&collection, &equal, settings).expect("tokens are in memory")
}

/// Files of which no two are equal once renamed: each is a node and a twin group of its own.
fn different() -> impl Strategy<Value = Vec<Given>> {
    functions().prop_map(|files| {
        let collection = collection(&files, Renaming::Blind);
        let mut seen = std::collections::BTreeSet::new();
        let is_new = |number: &usize| seen.insert(collection.fragments[*number].renamed);
        let new: Vec<usize> = (0..files.len()).filter(is_new).collect();
        in_order(&files, &new)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_measure_is_symmetric_and_1_for_what_is_equal(files in functions()) {
        for measure in Measure::ALL {
            let of = |a: &Given, b: &Given| measure.similarity().of(sequence(a), sequence(b));
            for pair in files.chunks(2) {
                let similarity = of(&pair[0], &pair[1]);
                prop_assert!((0.0..=1.0).contains(&similarity), "{similarity}");
                prop_assert_eq!(similarity, of(&pair[1], &pair[0]), "{}", measure.name());
                prop_assert_eq!(of(&pair[0], &pair[0]), 1.0, "{}", measure.name());
            }
        }
    }

    /// The default measure looks at those fragments alone that have enough n-grams in common.
    #[test]
    fn links_are_what_comparing_all_pairs_gives(files in different(), percent in 40u32..=100) {
        for measure in Measure::ALL {
            let settings = settings(percent);
            let found = links(measure, &files, &settings);
            let mut expected = Vec::new();
            for (left, a) in (0u32..).zip(&files) {
                for (right, b) in (0u32..).zip(&files).skip(left as usize + 1) {
                    let similarity = measure.similarity().of(sequence(a), sequence(b));
                    let asked = a.family == b.family && a.side.pairs_with(b.side);
                    if asked && similarity >= settings.similarity {
                        expected.push(Link::edited(left, right, similarity));
                    }
                }
            }
            if measure == Measure::Aligned {
                expected.retain(|link| found.contains(link));
            }
            prop_assert_eq!(found, expected, "{}", measure.name());
        }
    }

    #[test]
    fn the_order_of_the_files_does_not_matter_and_less_memory_changes_nothing(
        (files, order) in shuffled(different()),
        percent in 40u32..=100,
    ) {
        for measure in Measure::ALL {
            let expected = links(measure, &files, &settings(percent));
            let number = |node: u32| order[node as usize] as u32;
            let moved = |link: Link| {
                let (a, b) = (number(link.left), number(link.right));
                Link { left: a.min(b), right: a.max(b), ..link }
            };
            let other = links(measure, &in_order(&files, &order), &settings(percent));
            let mut found: Vec<Link> = other.into_iter().map(moved).collect();
            found.sort_by_key(|link| (link.left, link.right));
            prop_assert_eq!(&found, &expected, "{}", measure.name());
            let little = SimilarSettings { memory: 0, ..settings(percent) };
            prop_assert_eq!(links(measure, &files, &little), expected, "{}", measure.name());
        }
    }

    #[test]
    fn a_stricter_threshold_finds_a_part(files in different(), percent in 40u32..100, more in 1u32..60) {
        for measure in Measure::ALL {
            let stricter = settings((percent + more).min(100));
            let mut expected = links(measure, &files, &settings(percent));
            expected.retain(|link| link.similarity >= stricter.similarity);
            prop_assert_eq!(links(measure, &files, &stricter), expected, "{}", measure.name());
        }
    }
}
