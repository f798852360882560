//! JSON lines give at most one item each, whatever they are.
#![no_main]

mod common;

use common::items;
use familiar_corpus::jsonl::Jsonl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut count = 0;
    items("a.jsonl", bytes, |file| Box::new(Jsonl { file }), |_| count += 1);
    // What is compressed has lines of its own.
    let is_packed = [&[0x1f, 0x8b][..], b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd"]
        .iter()
        .any(|magic| bytes.starts_with(magic));
    let is_skippable = bytes.get(1..4) == Some(&[0x2a, 0x4d, 0x18]);
    assert!(is_packed || is_skippable || count <= bytes.split(|&byte| byte == b'\n').count());
});
