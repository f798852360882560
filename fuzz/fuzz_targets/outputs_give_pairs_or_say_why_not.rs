//! What is said to be the output of a detector gives pairs of lines, or an error.
#![no_main]

use familiar_detectors::{Format, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (number, text) = bytes.split_first().unwrap_or((&0, &[]));
    let (_, format) = Format::ALL[usize::from(*number) % Format::ALL.len()];
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (statistics, pairs) = (folder.path().join("a.stats"), folder.path().join("a.pairs"));
    let (first, second) = text.split_at(text.len() / 2);
    std::fs::write(&statistics, first).expect("it is written");
    std::fs::write(&pairs, if format == Format::SourcererCc { second } else { text }).expect("it is written");
    let path = if format == Format::SourcererCc { folder.path() } else { pairs.as_path() };
    let mut count = 0u32;
    let _ = read(format, path, &mut |_| count += 1);
});
