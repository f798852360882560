//! Names and keywords, eight bytes at a time: most words then cost no branch that depends on their length.

use super::lexer::{Kind, Lex};

/// The words of the language; all others are names.
const WORDS: [(&[u8], Kind); 38] = [
    (b"False", Kind::Keyword),
    (b"None", Kind::Keyword),
    (b"True", Kind::Keyword),
    (b"and", Kind::Keyword),
    (b"as", Kind::Keyword),
    (b"assert", Kind::Keyword),
    (b"async", Kind::Async),
    (b"await", Kind::Keyword),
    (b"break", Kind::Keyword),
    (b"case", Kind::Match),
    (b"class", Kind::Class),
    (b"continue", Kind::Keyword),
    (b"def", Kind::Def),
    (b"del", Kind::Keyword),
    (b"elif", Kind::Clause),
    (b"else", Kind::Clause),
    (b"except", Kind::Clause),
    (b"finally", Kind::Clause),
    (b"for", Kind::Header),
    (b"from", Kind::Keyword),
    (b"global", Kind::Keyword),
    (b"if", Kind::Header),
    (b"import", Kind::Import),
    (b"in", Kind::Keyword),
    (b"is", Kind::Keyword),
    (b"lambda", Kind::Lambda),
    (b"match", Kind::Match),
    (b"nonlocal", Kind::Keyword),
    (b"not", Kind::Keyword),
    (b"or", Kind::Keyword),
    (b"pass", Kind::Keyword),
    (b"raise", Kind::Keyword),
    (b"return", Kind::Keyword),
    (b"try", Kind::Header),
    (b"type", Kind::Type),
    (b"while", Kind::Header),
    (b"with", Kind::Header),
    (b"yield", Kind::Keyword),
];

const SLOT_BITS: u32 = 7;

/// Found by trial: sends each word to a slot of its own, which [`slots`] checks.
const MULTIPLIER: u64 = 0x1b77_476a_8995_579f;

static SLOTS: [(u64, Kind); 1 << SLOT_BITS] = slots();

const fn slots() -> [(u64, Kind); 1 << SLOT_BITS] {
    let mut slots = [(0, Kind::Name); 1 << SLOT_BITS];
    let mut word = 0;
    while word < WORDS.len() {
        let (text, kind) = WORDS[word];
        let mut packed = 0;
        let mut at = text.len();
        while at > 0 {
            at -= 1;
            packed = packed << 8 | text[at] as u64;
        }
        assert!(slots[slot(packed)].0 == 0, "two words share a slot: look for another multiplier");
        slots[slot(packed)] = (packed, kind);
        word += 1;
    }
    slots
}

const fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(MULTIPLIER) >> (64 - SLOT_BITS)) as usize
}

/// Moves `lex` from after the first byte of a word to its end, and says which word it is.
#[inline]
pub(super) fn word(lex: &mut Lex<'_>) -> Kind {
    let text = &lex.source()[lex.span().start..];
    let first = eight(text);
    let length = leading_word_bytes(first);
    if length < 8 {
        lex.bump(length - 1);
        let packed = first & ((1 << (8 * length)) - 1);
        let (word, kind) = SLOTS[slot(packed)];
        return if word == packed { kind } else { Kind::Name };
    }
    let mut end = 8;
    let kind = loop {
        let more = leading_word_bytes(eight(&text[end..]));
        end += more;
        if more < 8 {
            let (word, kind) = SLOTS[slot(first)];
            break if end == 8 && word == first { kind } else { Kind::Name };
        }
    };
    lex.bump(end - 1);
    kind
}

/// The first eight bytes, the first of them lowest; zeros after the end.
#[inline]
fn eight(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => text.iter().rev().fold(0, |packed, &byte| packed << 8 | u64::from(byte)),
    }
}

/// How many of the low bytes in a row are letters, digits, underscores or no ASCII.
#[inline]
fn leading_word_bytes(bytes: u64) -> usize {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    // In each byte, bit 7 of `low + all(0x80 - c)` says that the byte is at least `c`; nothing carries over.
    let low = bytes & all(0x7f);
    let lower = low | all(0x20);
    let letter = (lower + all(0x80 - b'a')) & !(lower + all(0x80 - b'z' - 1));
    let digit = (low + all(0x80 - b'0')) & !(low + all(0x80 - b'9' - 1));
    let underscore = !((low ^ all(b'_')) + all(0x7f));
    let other = !(bytes | letter | digit | underscore) & all(0x80);
    other.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_apart_in_every_place() {
        for byte in 0..=255u8 {
            let expected = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
            for place in 0..8 {
                let mut text = *b"aZ_09\xffzA";
                text[place] = byte;
                assert_eq!(leading_word_bytes(u64::from_le_bytes(text)), if expected { 8 } else { place });
            }
        }
    }
}
