//! What a transformation makes of a program is a program again, and it is the same each time.
//!
//! The first byte chooses the language. `FAMILIAR_FUZZ_LANGUAGE=java` fixes it.
#![no_main]

use std::sync::LazyLock;

use familiar_source::Language;
use familiar_transform::{ApplyError, Program, Where, apply, catalog};
use libfuzzer_sys::fuzz_target;

const LANGUAGES: [Language; 7] = [
    Language::Python,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::JavaScript,
    Language::TypeScript,
    Language::Go,
];

static FIXED: LazyLock<Option<Language>> =
    LazyLock::new(|| Language::from_name(&std::env::var("FAMILIAR_FUZZ_LANGUAGE").ok()?));

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let language = FIXED.unwrap_or(LANGUAGES[usize::from(*first) % LANGUAGES.len()]);
    let Ok(program) = Program::parse(language, bytes, 64 << 20) else { return };
    assert_eq!(program.bytes(), bytes);
    for transformation in catalog::transformations().filter(|it| it.languages().contains(&language)) {
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
