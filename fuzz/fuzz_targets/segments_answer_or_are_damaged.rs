//! A segment or a file of places answers or is damaged, whatever its sections hold and whether its checksums are right or
//! not; merging it too.
#![no_main]

mod common;

use common::container;
use common::corpus::{Change, change, world};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<Change>)| {
    let (choice, changes) = input;
    let world = world();
    let files = world.files_of("segment");
    let (path, whole) = files[usize::from(choice & 1) % files.len()];
    let bytes = if choice & 2 == 0 {
        let mut sections = container::sections(whole);
        for (section, at, with) in &changes {
            let section = usize::from(*section) % sections.len();
            change(&mut sections[section], *at, with);
        }
        container::file(whole, &sections)
    } else {
        let mut bytes = whole.clone();
        changes.iter().for_each(|(_, at, with)| change(&mut bytes, *at, with));
        bytes
    };
    world.with(path, &bytes, || {
        world.find(&world.query);
        if choice & 12 == 0 {
            world.merge();
        }
    });
});
