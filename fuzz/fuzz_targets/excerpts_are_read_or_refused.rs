//! An excerpt is read within its limits or refused as a whole, whatever it holds, and in every section the same way.
#![no_main]

mod common;

use common::{LIMITS, items};
use familiar_corpus::excerpt::Excerpt;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for section in [0, 1, u32::MAX] {
        let mut total = 0;
        items(
            "a.excerpt",
            bytes,
            |file| Box::new(Excerpt { file, section }),
            |item| {
                total += item.bytes.len() as u64;
                assert!(item.occurrence.first_line > 0);
            },
        );
        assert!(total <= LIMITS.archive_bytes);
    }
});
