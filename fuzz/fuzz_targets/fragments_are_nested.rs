//! Whatever the bytes, every language gives ordered tokens and fragments inside of one another or apart, twice the
//! same. The first byte chooses the language; `FAMILIAR_FUZZ_LANGUAGE=java` fixes it.
#![no_main]

use familiar_source::Language;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/syntax/tests/it/hostile/check.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod check;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, source)) = bytes.split_first() else { return };
    let languages: Vec<Language> = Language::all().collect();
    let fixed = std::env::var("FAMILIAR_FUZZ_LANGUAGE").ok().and_then(|name| Language::from_name(&name));
    let language = fixed.unwrap_or(languages[first as usize % languages.len()]);
    check::any_language(language, source);
});
