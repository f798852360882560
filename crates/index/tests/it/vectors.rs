//! Vectors: limits cut an ordered list, the order of pushing only numbers the vectors, and damage is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use familiar_index::vectors::{
    EncodedFragment, FragmentVectors, VectorError, VectorIndex, VectorIndexBuilder,
};
use proptest::prelude::*;

use crate::damage::{Asked, Whole, told};

const ENCODER: &str = "of a test";
const DIMENSIONS: usize = 8;

/// Small whole numbers, which a byte holds exactly: so there are many equal cosines.
fn vector() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec((-2i8..=2).prop_map(f32::from), DIMENSIONS)
}

fn built(vectors: &[Vec<f32>]) -> VectorIndex {
    let mut builder = VectorIndexBuilder::new(DIMENSIONS, ENCODER).exact();
    for vector in vectors {
        builder.push(vector).expect("as many dimensions");
    }
    builder.build()
}

/// Numbers and cosines, these as text: they are compared as they are.
fn nearest(index: &VectorIndex, query: &[f32], most: usize) -> Vec<(u32, String)> {
    index.nearest(query, most).into_iter().map(|it| (it.number, format!("{}", it.cosine))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn limits_cut_what_is_found(
        vectors in prop::collection::vec(vector(), 0..40),
        query in vector(),
        most in 0usize..50,
        least in -1.0f32..1.0,
    ) {
        let index = built(&vectors);
        let all = nearest(&index, &query, usize::MAX);
        prop_assert!(all.len() <= vectors.len());
        prop_assert_eq!(nearest(&index, &query, most), &all[..most.min(all.len())]);
        let pairs = index.pairs(-1.0, usize::MAX);
        prop_assert!(pairs.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)) && pairs.iter().all(|it| it.0 < it.1));
        let alike: Vec<_> = pairs.iter().copied().filter(|it| it.2 >= least).collect();
        prop_assert_eq!(index.pairs(least, usize::MAX), alike.clone());
        // Of each vector the nearest few; each pair is one of the nearest of one of its two.
        let found = index.pairs(least, most);
        prop_assert!(found.iter().all(|it| alike.contains(it)));
        for number in 0..vectors.len() as u32 {
            let of = |pairs: &[(u32, u32, f32)]| -> Vec<f32> {
                let mut cosines: Vec<f32> =
                    pairs.iter().filter(|it| it.0 == number || it.1 == number).map(|it| it.2).collect();
                cosines.sort_by(|a, b| b.total_cmp(a));
                cosines
            };
            let (found, all) = (of(&found), of(&alike));
            prop_assert_eq!(&found[..most.min(all.len())], &all[..most.min(all.len())]);
        }
    }

    #[test]
    fn the_order_of_pushing_only_numbers_the_vectors(
        (vectors, order) in prop::collection::vec(vector(), 1..30).prop_flat_map(|vectors| {
            let order = Just((0..vectors.len()).collect::<Vec<usize>>()).prop_shuffle();
            (Just(vectors), order)
        }),
        query in vector(),
    ) {
        let index = built(&vectors);
        let other = built(&order.iter().map(|&at| vectors[at].clone()).collect::<Vec<_>>());
        let renumbered = nearest(&other, &query, usize::MAX).into_iter();
        let mut found: Vec<_> = renumbered.map(|(number, cosine)| (order[number as usize] as u32, cosine)).collect();
        let mut expected = nearest(&index, &query, usize::MAX);
        let cosines = |found: &[(u32, String)]| found.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
        prop_assert_eq!(cosines(&found), cosines(&expected));
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (left, right, _) in other.pairs(0.4, usize::MAX) {
            let (a, b) = (order[left as usize] as u32, order[right as usize] as u32);
            pairs.push((a.min(b), a.max(b)));
        }
        pairs.sort_unstable();
        let expected: Vec<(u32, u32)> = index.pairs(0.4, usize::MAX).iter().map(|it| (it.0, it.1)).collect();
        prop_assert_eq!(pairs, expected);
    }

    #[test]
    fn fragments_are_found_by_blob_and_number(
        given in prop::collection::btree_map((0u8..4, 0u32..4), vector(), 0..12),
        wanted in prop::collection::btree_set(0u8..4, 0..4),
        split in 0usize..12,
    ) {
        let given: Vec<((u8, u32), Vec<f32>)> = given.into_iter().collect();
        let split = split.min(given.len());
        let index = |part: &[((u8, u32), Vec<f32>)]| {
            let mut notes = Vec::new();
            for (number, ((blob, ordinal), _)) in (0..).zip(part) {
                let fragment = EncodedFragment { number, blob: [*blob; 20], ordinal: *ordinal };
                fragment.write(&mut notes);
            }
            built(&part.iter().map(|(_, vector)| vector.clone()).collect::<Vec<_>>()).with_notes(notes)
        };
        let indexes = vec![index(&given[..split]), index(&given[split..])];
        for index in &indexes {
            let all: Vec<_> = EncodedFragment::all(index.notes()).collect();
            for number in 0..13 {
                let of = EncodedFragment::of(index.notes(), number).collect::<Vec<_>>();
                prop_assert_eq!(of, all.iter().copied().filter(|it| it.number == number).collect::<Vec<_>>());
            }
        }
        let blobs: BTreeSet<[u8; 20]> = wanted.iter().map(|&blob| [blob; 20]).collect();
        let vectors = FragmentVectors::of(indexes, &blobs);
        let given: BTreeMap<_, _> = given.into_iter().collect();
        for blob in 0..5u8 {
            for ordinal in 0..5 {
                let found = vectors.find([blob; 20], ordinal);
                let expected = given.get(&(blob, ordinal)).filter(|_| wanted.contains(&blob));
                prop_assert_eq!(found.is_some(), expected.is_some());
                if let (Some((index, number)), Some(vector)) = (found, expected) {
                    let is_zero = vector.iter().all(|&value| value == 0.0);
                    let cosine = index.nearest(vector, usize::MAX).iter().find(|it| it.number == number).map(|it| it.cosine);
                    prop_assert!(is_zero || cosine.is_some_and(|cosine| cosine > 0.9999));
                }
            }
        }
    }
}

#[test]
fn no_damaged_byte_changes_an_answer() {
    let vectors: Vec<Vec<f32>> =
        (0..3u8).map(|number| (0..DIMENSIONS as u8).map(|at| f32::from(at * number % 5)).collect()).collect();
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("vectors");
    built(&vectors).with_notes(b"whose".to_vec()).write(&path).expect("there is space");
    let ask = |path: &Path| -> Asked<VectorError> {
        let index = VectorIndex::open(path, ENCODER)?;
        let mut answers = vec![told(Ok((index.len(), index.pairs(0.0, 9), index.notes().to_vec())))];
        answers.extend(vectors.iter().map(|vector| told(Ok(nearest(&index, vector, 9)))));
        Ok((answers, Ok(())))
    };
    Whole::new(&path, ask).finds_all_damage();
}
