//! What a transformation makes of a program is a program again, and it is the same each time.
#![no_main]

use familiar_source::Language;
use familiar_transform::{ApplyError, Program, Where, apply, catalog};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(program) = Program::parse(Language::Python, bytes, 64 << 20) else { return };
    assert_eq!(program.bytes(), bytes);
    for transformation in catalog::transformations() {
        match apply(&program, transformation, Where::All, 1) {
            Ok(variant) => {
                let again = apply(&program, transformation, Where::All, 1).expect("it was applied before");
                assert_eq!(variant.program.bytes(), again.program.bytes());
            }
            Err(ApplyError::NotApplicable(_)) => {}
            Err(fault) => panic!("{fault}"),
        }
    }
});
