//! What an archive unpacks to stays within the limits and below its own folder, whatever it says of itself.
#![no_main]

mod common;

use common::{LIMITS, items};
use familiar_corpus::archive::Archive;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (mut total, mut count) = (0, 0);
    items(
        "a.whl",
        bytes,
        |file| Box::new(Archive { file, exclude: Vec::new() }),
        |item| {
            total += item.bytes.len() as u64;
            count += 1;
            let path = &item.occurrence.path;
            assert!(!path.starts_with('/') && path.split('/').all(|part| !part.is_empty() && part != ".."));
        },
    );
    assert!(total <= LIMITS.archive_bytes && count <= LIMITS.archive_entries);
});
