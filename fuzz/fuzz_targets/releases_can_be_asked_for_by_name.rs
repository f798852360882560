//! The version that is chosen from a registry's answer, of a kind that the first byte chooses, can be asked for by its name;
//! pip's and npm's configurations are read whatever they hold.
#![no_main]

use familiar_corpus::{registry, spec};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, answer)) = bytes.split_first() else { return };
    let kind = kind % 6;
    let found = registry::read_for_fuzzing(kind, answer);
    for version in found {
        let name = match kind {
            0 | 1 => format!("pypi:a=={version}"),
            2 => format!("npm:a@{version}"),
            3 => format!("crate:a@{version}"),
            _ => continue,
        };
        assert_eq!(spec::canonical(&name).expect("a release"), name);
    }
});
