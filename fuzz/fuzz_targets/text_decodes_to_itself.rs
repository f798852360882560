//! Decoding never fails but for binaries, and what it gives decodes to itself.
#![no_main]

use familiar_syntax::decode::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(decoded) = decode(bytes) else { return };
    assert!(decoded.shift as usize <= bytes.len());
    if decoded.shift > 0 {
        assert_eq!(&bytes[decoded.shift as usize..], &*decoded.text);
    }
    let plain = !decoded.text.contains(&0) && !decoded.text.starts_with(b"\xef\xbb\xbf");
    let marked = decoded.text.starts_with(b"\xff\xfe") || decoded.text.starts_with(b"\xfe\xff");
    if plain && !marked {
        assert_eq!(decode(&decoded.text).expect("it is text").text, decoded.text);
    }
});
