//! Weights of a small encoder, changed anywhere and with a checksum that is right, give finite vectors or are refused.
#![no_main]

use std::sync::OnceLock;

use familiar_model::network::Sizes;
use familiar_model::weights::Weights;
use familiar_model::{Blends, Builtin, Code, Encoder, Unblended};
use familiar_source::Language;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

fn whole() -> &'static [u8] {
    static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let sizes = Sizes::from_values([2, 2, 1, 4, 4, 1, 2, 2, 4, 16, 4, 4]).expect("sizes of an encoder");
        let values = (0..6 * sizes.unblended()).map(|at| (at % 7) as f32 - 3.0).collect();
        let background = Unblended { languages: vec![(Language::C, 6)], values };
        let value = |at: usize| ((at * 37 % 19) as f32 - 9.0) / 9.0;
        Weights::write("small", &sizes, &Blends::UNKNOWN, &background, |weight| {
            (0..weight.rows * weight.columns).map(value).collect()
        })
    })
}

fuzz_target!(|changes: Vec<(u32, u8)>| {
    let mut bytes = whole().to_vec();
    for (at, byte) in changes {
        // Every second change is one of the head, where sizes and the name stand.
        let range = if at & 1 == 0 { 100 } else { bytes.len() };
        bytes[(at >> 1) as usize % range] = byte;
    }
    let checked = bytes.len() - 8;
    let checksum = xxh3_64(&bytes[..checked]).to_le_bytes();
    bytes[checked..].copy_from_slice(&checksum);
    if let Ok(weights) = Weights::read(&bytes) {
        let code = Code {
            language: Language::C,
            text: b"int f(int a) { while (a > 3) a = g(a, \"x\"); return a; }",
        };
        let encoder = Builtin::new(weights);
        let vectors = encoder.encode(&[code]).expect("it does not fail");
        assert!(vectors.values().iter().all(|x| x.is_finite()));
        assert!(encoder.crowding(vectors.row(0), Language::C).is_finite());
    }
});
