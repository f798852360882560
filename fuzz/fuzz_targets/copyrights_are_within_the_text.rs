//! Claims of copyright stand in the text, in its order: their lines are there, and so are their words.
#![no_main]

use familiar_license::copyrights;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.split('\n').count() as u32;
    let mut last = 1;
    for claim in copyrights(text) {
        assert!(
            last <= claim.lines.0 && claim.lines.0 <= claim.lines.1 && claim.lines.1 <= lines,
            "{claim:?}"
        );
        last = claim.lines.0;
        assert!(!claim.statement.is_empty() && !claim.statement.contains('\n'), "{claim:?}");
        let plain = |word: &&str| word.chars().all(char::is_alphanumeric);
        for word in claim.statement.split(|char: char| !char.is_alphanumeric()).filter(plain) {
            assert!(text.contains(word), "{claim:?}: {word}");
        }
        for word in claim.holder.iter().flat_map(|holder| holder.split_whitespace()) {
            assert!(claim.statement.contains(word.trim_matches(',')), "{claim:?}: {word}");
        }
    }
});
