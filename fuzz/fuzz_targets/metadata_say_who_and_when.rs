//! A submission in CodeNet's layout is read whatever the metadata of its problem hold.
#![no_main]

mod common;

use common::LIMITS;
use familiar_corpus::codenet::CodeNet;
use familiar_corpus::{Found, Source};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let root = folder.path().to_owned();
    for inner in ["data/p1/Python", "metadata"] {
        std::fs::create_dir_all(root.join(inner)).expect("just made");
    }
    std::fs::write(root.join("data/p1/Python/s1.py"), "x = 1\n").expect("just made");
    let columns = b"submission_id,user_id,date,language\ns1,".iter().chain(bytes).copied();
    std::fs::write(root.join("metadata/p1.csv"), columns.collect::<Vec<u8>>()).expect("just made");
    let mut items = 0;
    let read = CodeNet { root }.read(&LIMITS, &mut |found| {
        if let Found::Item(item) = found {
            items += 1;
            // As it is shown.
            let _ = item.occurrence.first_seen.map(familiar_source::time::utc);
        }
        ControlFlow::Continue(())
    });
    assert!(read.is_ok() && items == 1);
});
