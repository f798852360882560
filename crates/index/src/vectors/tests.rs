//! Neighbors and pairs are those of brute force, a file gives them back, and whatever it holds, reading fails at most with an
//! error.

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::file::{LAYOUT, section};
use super::*;
use crate::blocks::{self, Blocks, SegmentError};

const DIMENSIONS: usize = 32;

/// Vectors around one center for every fifty, with noise in twenty dimensions.
fn clustered(count: usize, seed: u64) -> Vec<Vec<f32>> {
    let directions = |of: u64| made(of, DIMENSIONS * 21);
    let vector = |number: u64| {
        let center = directions(number % (count as u64 / 50));
        let mut vector = center[..DIMENSIONS].to_vec();
        let noise = made(seed + number, 20);
        for (direction, share) in center[DIMENSIONS..].chunks(DIMENSIONS).zip(noise) {
            vector.iter_mut().zip(direction).for_each(|(value, along)| *value += share * 0.2 * along);
        }
        vector
    };
    (0..count as u64).map(vector).collect()
}

/// Numbers from -1 to 1.
fn made(seed: u64, count: usize) -> Vec<f32> {
    let number = |at: usize| xxhash_rust::xxh3::xxh3_64_with_seed(&at.to_le_bytes(), seed);
    (0..count).map(|at| (number(at) >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

/// All that have a direction, by brute force.
fn all_by_cosine(vectors: &[Vec<f32>], query: &[f32]) -> Vec<(u32, f64)> {
    let numbered = (0..).zip(vectors).map(|(number, vector)| (number, cosine(vector, query)));
    let mut all: Vec<(u32, f64)> = numbered.filter(|it| !it.1.is_nan()).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all
}

fn built(vectors: &[Vec<f32>], graph_from: usize) -> VectorIndex {
    let mut builder = VectorIndexBuilder::new(vectors.first().map_or(1, Vec::len), "of a test");
    builder.graph_from = graph_from;
    for vector in vectors {
        builder.push(vector).expect("as many dimensions");
    }
    builder.build()
}

static VECTORS: LazyLock<Vec<Vec<f32>>> = LazyLock::new(|| clustered(2000, 1 << 20));
static GRAPH: LazyLock<VectorIndex> = LazyLock::new(|| built(&VECTORS, 0));

#[test]
fn a_graph_finds_98_of_100_nearest_vectors() {
    let queries = &clustered(2000, 1 << 30)[..100];
    let right = queries.iter().map(|query| {
        let truth: HashSet<u32> = all_by_cosine(&VECTORS, query)[..10].iter().map(|it| it.0).collect();
        GRAPH.nearest(query, 10).iter().filter(|it| truth.contains(&it.number)).count()
    });
    let right: usize = right.sum();
    assert!(right >= 980, "{right} of 1,000");
}

#[test]
fn a_graph_finds_98_of_100_pairs() {
    let exact: HashSet<(u32, u32)> =
        built(&VECTORS, usize::MAX).pairs(0.9, 10).iter().map(|it| (it.0, it.1)).collect();
    let found = GRAPH.pairs(0.9, 10);
    assert!(found.is_sorted_by_key(|it| (it.0, it.1)) && found.iter().all(|it| it.0 < it.1 && it.2 >= 0.9));
    let right = found.iter().filter(|it| exact.contains(&(it.0, it.1))).count();
    assert!(exact.len() > 1000 && right * 100 >= exact.len() * 98, "{right} of {}", exact.len());
}

#[test]
fn threads_change_nothing() {
    let on_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let index = built(&VECTORS[..1200], 0);
            (file_of(&index), index.pairs(0.8, 5))
        })
    };
    assert!(on_threads(1) == on_threads(4));
}

#[test]
fn a_file_gives_the_index_back() {
    for index in [&*GRAPH, &built(&VECTORS[..100], usize::MAX), &built(&[], usize::MAX)] {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = folder.path().join("a");
        index.write(&path).expect("there is space");
        let opened = VectorIndex::open(&path, "of a test").expect("just written");
        assert_eq!(file_of(&opened), std::fs::read(&path).expect("just written"));
        assert_eq!((opened.len(), opened.dimensions()), (index.len(), index.dimensions()));
        for query in &VECTORS[..5] {
            assert_eq!(opened.nearest(query, 7), index.nearest(query, 7));
        }
    }
}

#[test]
fn what_has_no_direction_matches_nothing() {
    let zero = vec![0.0; 4];
    let infinite = vec![1.0, f32::INFINITY, 0.0, 0.0];
    let unknown = vec![f32::NAN, 1.0, 0.0, 0.0];
    let one = vec![1.0, 2.0, 0.0, 0.0];
    let index = built(&[zero.clone(), zero.clone(), one.clone(), infinite, unknown, one.clone()], usize::MAX);
    let found: Vec<u32> = index.nearest(&one, 10).iter().map(|it| it.number).collect();
    assert_eq!((index.len(), found), (6, vec![2, 5]));
    assert_eq!(index.nearest(&zero, 10), []);
    assert_eq!(index.nearest(&[1.0], 10), []);
    assert_eq!(index.pairs(-1.0, 10).iter().map(|it| (it.0, it.1)).collect::<Vec<_>>(), [(2, 5)]);
}

#[test]
fn vectors_of_other_dimensions_are_refused() {
    let mut builder = VectorIndexBuilder::new(3, "of a test");
    let error = builder.push(&[1.0]).expect_err("one dimension of three");
    assert_eq!(
        error.to_string(),
        "a vector has 1 dimensions instead of 3 (1 to 4096 are possible); use the vectors of one encoder only"
    );
}

#[test]
fn any_flipped_byte_is_found() {
    let bytes = file_of(&built(&VECTORS[..12], 0));
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(open(&flipped).is_err(), "byte {at}");
    }
    for length in [0, 10, 100, bytes.len() - 1] {
        assert!(open(&bytes[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn other_files_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    std::fs::write(&path, b"something else").expect("just made");
    let foreign = VectorIndex::open(&path, "of a test");
    assert!(matches!(foreign, Err(VectorError::Foreign { .. })));
    let index = built(&VECTORS[..12], 0);
    let mut sections = sections_of(&index);
    std::fs::remove_file(&path).expect("just made");
    index.write(&path).expect("there is space");
    let other = VectorIndex::open(&path, "another");
    assert!(matches!(other, Err(VectorError::Encoder { .. })));
    sections[0][0] = 9;
    assert!(matches!(open_sections(&sections), Err(VectorError::Version { found: 9, .. })));
    let missing = VectorIndex::open(Path::new("nowhere"), "of a test");
    assert!(matches!(missing, Err(VectorError::File(SegmentError::Read { .. }))));
}

#[test]
fn vectors_and_notes_come_back() {
    for graph_from in [0, usize::MAX] {
        let index = built(&VECTORS[..200], graph_from).with_notes(b"whose".to_vec());
        let read = open(&file_of(&index)).expect("it is whole");
        assert_eq!(read.notes(), b"whose");
        for (number, vector) in (0u32..).zip(&VECTORS[..200]) {
            let back = read.vector(number).expect("it has a direction");
            assert!(cosine(&back, vector) > 0.999 && (cosine(&back, &back) - 1.0).abs() < 1e-5);
        }
        assert_eq!(read.vector(200), None);
    }
}

#[test]
fn vectors_of_another_index_stay_as_they_are() {
    let mut vectors = VECTORS[..100].to_vec();
    vectors[7].fill(0.0);
    for index in [built(&vectors, usize::MAX), built(&vectors, 0)] {
        let mut builder = VectorIndexBuilder::new(DIMENSIONS, "of a test");
        for number in 0..100 {
            assert_eq!(builder.push_stored(&index, number).expect("as many dimensions"), number);
        }
        assert_eq!(file_of(&builder.build()), file_of(&built(&vectors, usize::MAX)));
    }
    let mut other = VectorIndexBuilder::new(DIMENSIONS + 1, "of a test");
    assert!(matches!(other.push_stored(&GRAPH, 0), Err(VectorError::Dimensions { .. })));
}

fn file_of(index: &VectorIndex) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    index.write(&path).expect("there is space");
    std::fs::read(&path).expect("just written")
}

fn open(bytes: &[u8]) -> Result<VectorIndex, VectorError> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    std::fs::write(&path, bytes).expect("there is space");
    VectorIndex::open(&path, "of a test")
}

fn sections_of(index: &VectorIndex) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    index.write(&path).expect("there is space");
    let blocks = Blocks::open(&path, &LAYOUT).expect("just written");
    (0..section::COUNT).map(|section| blocks.all(section).expect("just written").to_vec()).collect()
}

fn open_sections(sections: &[Vec<u8>]) -> Result<VectorIndex, VectorError> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    blocks::write(&path, &LAYOUT, sections).expect("there is space");
    VectorIndex::open(&path, "of a test")
}

proptest! {
    /// Numbers that a byte holds exactly, so that there are many equal cosines, too.
    #[test]
    fn small_sets_are_compared_exactly(
        vectors in prop::collection::vec(prop::collection::vec(-1..=1i8, 6), 0..150),
        query in prop::collection::vec(-1..=1i8, 6),
        most in 0..40usize,
    ) {
        let floats = |vector: &Vec<i8>| vector.iter().map(|&value| f32::from(value)).collect::<Vec<f32>>();
        let vectors: Vec<Vec<f32>> = vectors.iter().map(floats).collect();
        let index = built(&vectors, usize::MAX);
        let query = floats(&query);
        let truth = all_by_cosine(&vectors, &query);
        let found = index.nearest(&query, most);
        prop_assert_eq!(found.len(), most.min(truth.len()));
        prop_assert!(found.is_sorted_by(|a, b| (-a.cosine, a.number) < (-b.cosine, b.number)));
        for (found, truth) in found.iter().zip(&truth) {
            prop_assert!((f64::from(found.cosine) - truth.1).abs() < 1e-5);
            prop_assert!((cosine(&vectors[found.number as usize], &query) - truth.1).abs() < 1e-5);
        }
        let pairs: Vec<(u32, u32)> = index.pairs(0.7001, 200).iter().map(|it| (it.0, it.1)).collect();
        let all = (0..vectors.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let alike = all.filter(|&(left, right)| cosine(&vectors[left], &vectors[right]) >= 0.7001);
        let mut alike: Vec<(u32, u32)> = alike.map(|(left, right)| (left as u32, right as u32)).collect();
        alike.sort_unstable();
        prop_assert_eq!(pairs, alike);
    }

    #[test]
    fn whatever_sections_hold_an_index_answers_or_is_damaged(
        changes in prop::collection::vec((0..section::COUNT, any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..4),
        has_graph in any::<bool>(),
    ) {
        let mut sections = sections_of(&built(&VECTORS[..12], if has_graph { 0 } else { usize::MAX }));
        for (section, at, value, is_cut) in changes {
            let section = &mut sections[section];
            if !section.is_empty() {
                let at = at.index(section.len());
                section[at] = value;
                section.truncate(if is_cut { at } else { section.len() });
            }
        }
        if let Ok(index) = open_sections(&sections) {
            index.nearest(&VECTORS[0], 5);
            index.pairs(0.5, 5);
        }
    }
}
