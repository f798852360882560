//! The prefix filter of token overlap over a segment's frozen order of tokens (`token_order` says what elements are).

use super::tokens::UNKNOWN;
use crate::Fraction;

/// The least threshold for which prefixes are kept.
pub const LEAST_OVERLAP: f64 = 0.7;

/// The elements of a bag, the rarest first.
///
/// `tokens` are the bag's tokens by rank, in any order; sorted here. An element is a token's rank and how many of the
/// same stand before it in the bag; tokens that the segment does not know come first, as the rarest.
pub(super) fn elements(tokens: &mut [u32]) -> impl Iterator<Item = (u32, u32)> {
    tokens.sort_unstable_by(|a, b| b.cmp(a));
    let mut before = (UNKNOWN, 0u32);
    tokens.iter().map(move |&rank| {
        before = if before.0 == rank { (rank, before.1 + 1) } else { (rank, 0) };
        before
    })
}

/// How many elements of a bag any other bag with so large an overlap must share one of.
pub(super) fn prefix(size: u32, threshold: Fraction) -> u32 {
    if size == 0 { 0 } else { size - threshold.of(size) + 1 }
}

/// The hash under which an element is found.
pub(super) fn hash((rank, occurrence): (u32, u32)) -> u32 {
    let key =
        (u64::from(rank) << 32 | u64::from(occurrence)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((key ^ (key >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as u32
}
