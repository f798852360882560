//! A file of vectors answers or is damaged, whatever its sections hold and whether its checksums are right or not; with links
//! where it has none, too.
#![no_main]

mod common;

use std::sync::LazyLock;

use common::container;
use common::corpus::{Change, change};
use familiar_index::vectors::{VectorIndex, VectorIndexBuilder};
use libfuzzer_sys::fuzz_target;

const DIMENSIONS: usize = 8;
const VECTORS: usize = 20;

/// As many links as each vector has, and the place in the head that says that there are some.
const LINKS: usize = 32;
const HAS_GRAPH: usize = 12;

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut builder = VectorIndexBuilder::new(DIMENSIONS, "fuzzed");
    for number in 0..VECTORS {
        builder.push(&question(number)).expect("as many dimensions");
    }
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    builder.build().write(&path).expect("there is space");
    std::fs::read(&path).expect("just made")
});

fn question(number: usize) -> Vec<f32> {
    (0..DIMENSIONS).map(|at| ((number * 7 + at * at * 3) % 11) as f32 - 5.0).collect()
}

fuzz_target!(|input: (u8, Vec<Change>)| {
    let (choice, changes) = input;
    let mut sections = container::sections(&FILE);
    if choice & 1 == 0 {
        sections[0][HAS_GRAPH] = 1;
        let links =
            (0..(VECTORS * LINKS) as u32).map(|at| if at % 5 < 3 { at % VECTORS as u32 } else { u32::MAX });
        sections[5] = links.flat_map(u32::to_le_bytes).collect();
    }
    if choice & 2 == 0 {
        for (section, at, with) in &changes {
            let section = usize::from(*section) % sections.len();
            change(&mut sections[section], *at, with);
        }
    }
    let mut bytes = container::file(&FILE, &sections);
    if choice & 2 != 0 {
        changes.iter().for_each(|(_, at, with)| change(&mut bytes, *at, with));
    }
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("a");
    std::fs::write(&path, &bytes).expect("just made");
    match VectorIndex::open(&path, "fuzzed") {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(index) => {
            let found = index.nearest(&question(3), 5);
            assert!(found.iter().all(|it| (it.number as usize) < index.len() && it.cosine.abs() <= 1.0));
            let pairs = index.pairs(0.5, 5);
            assert!(pairs.iter().all(|it| it.0 <= it.1 && it.2 >= 0.5));
        }
    }
});
