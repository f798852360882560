//! Whatever the text, its tokens are all of it, and each inner node of its simplified tree has more than one child.
//!
//! The first byte chooses the language; `FAMILIAR_FUZZ_LANGUAGE=java` fixes it.
#![no_main]

use std::sync::LazyLock;

use familiar_source::Language;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/represent/tests/it/holds.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod holds;

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let fixed = std::env::var("FAMILIAR_FUZZ_LANGUAGE").ok().and_then(|name| Language::from_name(&name));
    fixed.map_or_else(|| Language::all().collect(), |language| vec![language])
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, text)) = bytes.split_first() else { return };
    let language = LANGUAGES[usize::from(first) % LANGUAGES.len()];
    holds::tokens(language, text);
    holds::tree(language, &String::from_utf8_lossy(text));
});
