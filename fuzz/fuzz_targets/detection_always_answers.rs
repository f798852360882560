//! Any name and any content give a language or none, the same each time; content refines what the name
//! tells and takes nothing away.
#![no_main]

use familiar_syntax::detect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (String, Vec<u8>)| {
    let (name, source) = input;
    let found = detect::language(&name, &source);
    assert_eq!(found, detect::language(&name, &source));
    assert!(detect::by_name(&name).is_none() || found.is_some());
});
