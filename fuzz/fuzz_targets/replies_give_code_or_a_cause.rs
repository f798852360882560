//! Whatever a model answers, each text of it is an implementation that the grammar reads, or is dropped with a cause.
#![no_main]

use familiar_dataset::{Reply, Seed, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (number, text) = bytes.split_first().unwrap_or((&0, &[]));
    let langs = ["python", "java", "c", "csharp", "javascript", "go"];
    let lang = langs[usize::from(*number) % langs.len()];
    let seed = Seed::of_code(lang, "int f(int a) { return a; }");
    let reply = Reply {
        seed_id: seed.seed_id.clone(),
        targets: vec![lang.to_owned()],
        is_code: number & 64 != 0,
        cut: number & 128 != 0,
        reply: String::from_utf8_lossy(text).into_owned(),
        ..Reply::default()
    };
    let (candidates, dropped) = parse::one(&reply, &seed);
    assert!(!candidates.is_empty() || !dropped.is_empty(), "a reply is lost");
    for candidate in &candidates {
        assert!(!candidate.code.trim().is_empty());
        assert_eq!(candidate.lang, lang);
    }
});
