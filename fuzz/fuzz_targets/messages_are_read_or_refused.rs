//! Whatever a client of the language server writes, each of its messages is read, or is refused with a reason, and reading ends.
#![no_main]

use std::io::Cursor;

use familiar_editor::{Incoming, read_message};
use libfuzzer_sys::fuzz_target;

/// Most bytes of a message here, so that some are too large.
const MOST: u64 = 512;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Cursor::new(bytes);
    let mut before = 0;
    while let Ok(Some(incoming)) = read_message(&mut input, MOST) {
        if let Incoming::Broken(_, reason) = &incoming {
            assert!(!reason.is_empty());
        }
        assert!(input.position() > before, "a message of no bytes");
        before = input.position();
    }
});
