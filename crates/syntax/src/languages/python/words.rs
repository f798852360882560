//! Names and keywords, eight bytes at a time: most words then cost no branch that depends on their length.

use logos::{Lexer, Logos};

const SLOT_BITS: u32 = 7;

/// The words of a language, each with its kind, in a hash table without collisions.
pub(super) struct Words<K> {
    /// Words of at most eight bytes, as numbers.
    slots: [(u64, K); 1 << SLOT_BITS],
    multiplier: u64,
    /// The kind of every other word.
    other: K,
}

impl<K: Copy> Words<K> {
    /// Makes the table. The multiplier has to send each word to a slot of its own.
    pub(super) const fn new(other: K, multiplier: u64, words: &[(&[u8], K)]) -> Self {
        let mut slots = [(0, other); 1 << SLOT_BITS];
        let mut word = 0;
        while word < words.len() {
            let (text, kind) = words[word];
            let mut packed = 0;
            let mut at = text.len();
            while at > 0 {
                at -= 1;
                packed = packed << 8 | text[at] as u64;
            }
            let slot = slot(packed, multiplier);
            assert!(slots[slot].0 == 0, "two words share a slot: look for another multiplier");
            slots[slot] = (packed, kind);
            word += 1;
        }
        Self { slots, multiplier, other }
    }

    /// Moves `lex` from after the first byte of a word to its end, and says which word it is.
    #[inline]
    pub(super) fn read<'s, T: Logos<'s, Source = [u8]>>(&self, lex: &mut Lexer<'s, T>) -> K {
        let text = &lex.source()[lex.span().start..];
        let first = eight(text);
        let length = leading_word_bytes(first);
        if length < 8 {
            lex.bump(length - 1);
            return self.kind(first & ((1 << (8 * length)) - 1));
        }
        let mut end = 8;
        let kind = loop {
            let more = leading_word_bytes(eight(&text[end..]));
            end += more;
            if more < 8 {
                break if end == 8 { self.kind(first) } else { self.other };
            }
        };
        lex.bump(end - 1);
        kind
    }

    #[inline]
    fn kind(&self, packed: u64) -> K {
        let (word, kind) = self.slots[slot(packed, self.multiplier)];
        if word == packed { kind } else { self.other }
    }
}

const fn slot(packed: u64, multiplier: u64) -> usize {
    (packed.wrapping_mul(multiplier) >> (64 - SLOT_BITS)) as usize
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
