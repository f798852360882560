//! Stretches of four tokens, by which rules are looked up.

use crate::rules::Word;

/// Up to four tokens as one number.
pub(super) fn packed(tokens: &[Word]) -> u64 {
    tokens.iter().fold(0, |packed, &token| packed << 16 | u64::from(token))
}

/// Four tokens as a hash of 48 bits. Two that are mistaken for each other cost one comparison.
pub(super) fn hashed(gram: &[Word]) -> u64 {
    hash(packed(gram))
}

/// The same of tokens that are one number already, up to four.
pub(super) fn hash(packed: u64) -> u64 {
    packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16
}

/// Which hashes a table may have: most stretches of a text are those of no rule.
#[derive(Debug)]
pub(super) struct Seen {
    bits: Vec<u64>,
    shift: u32,
}

impl Seen {
    /// Two to the power of `size` bits.
    pub(super) fn new(size: u32) -> Self {
        Self { bits: vec![0; 1 << (size - 6)], shift: 48 - size }
    }

    pub(super) fn add(&mut self, hash: u64) {
        let at = hash >> self.shift;
        self.bits[(at / 64) as usize] |= 1 << (at % 64);
    }

    pub(super) fn may_have(&self, hash: u64) -> bool {
        let at = hash >> self.shift;
        self.bits[(at / 64) as usize] & 1 << (at % 64) != 0
    }
}
