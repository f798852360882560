//! A corpus opens or is damaged, whatever its manifest says and whether its checksum is right or not; nothing outside the
//! folder is read, written or removed.
#![no_main]

mod common;

use common::corpus::{Change, change, world};
use familiar_library as corpus;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_128;

fuzz_target!(|input: (u8, Vec<Change>)| {
    let (choice, changes) = input;
    let world = world();
    let folder = world.folder();
    let path = folder.join("manifest.json");
    let mut text = std::fs::read(&path).expect("it is there");
    if choice & 1 == 0 {
        let end = text.windows(14).position(|part| part == b",\n  \"checksum\"").expect("it has one");
        text.truncate(end);
    }
    changes.iter().for_each(|(_, at, with)| change(&mut text, *at, with));
    if choice & 1 == 0 {
        let checksum = xxh3_128(&text);
        text.extend(format!(",\n  \"checksum\": \"{checksum:032x}\"\n}}").bytes());
    }
    world.with(&path, &text, || {
        world.find(&world.query);
        let _ = corpus::info(&folder);
        let _ = corpus::skips(&folder, |_, _| {});
        let _ = corpus::verify(&folder);
        if choice & 6 == 0 {
            world.merge();
        }
    });
});
