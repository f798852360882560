//! A bag of tokens, and its bytes in a column: eight for each token, or four where that is enough for all of them, and then each
//! token's count.

use crate::TaskError;

/// Tokens, each once with its count.
pub(crate) type Bag = Vec<(u64, u32)>;

/// The bag of a sorted list of tokens.
pub(crate) fn of_sorted(tokens: &[u32]) -> Bag {
    let chunks = tokens.chunk_by(|one, two| one == two);
    chunks.map(|chunk| (u64::from(chunk[0]), chunk.len() as u32)).collect()
}

/// How many tokens there are, repeated ones counted.
pub(crate) fn length(bag: &[(u64, u32)]) -> u32 {
    let length: u64 = bag.iter().map(|&(_, count)| u64::from(count)).sum();
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Set in the number of tokens where each has four bytes.
const NARROW: u32 = 1 << 31;

pub(crate) fn encode(bag: &[(u64, u32)], out: &mut Vec<u8>) {
    let is_narrow = bag.iter().all(|&(token, _)| u32::try_from(token).is_ok());
    out.clear();
    let len = bag.len() as u32 & !NARROW;
    out.extend_from_slice(&(if is_narrow { len | NARROW } else { len }).to_le_bytes());
    let width = if is_narrow { 4 } else { 8 };
    for (token, _) in bag {
        out.extend_from_slice(&token.to_le_bytes()[..width]);
    }
    for &(_, mut count) in bag {
        while count >= 0x80 {
            out.push(count as u8 | 0x80);
            count >>= 7;
        }
        out.push(count as u8);
    }
}

/// The bag in `bytes`, in the order in which it was encoded.
pub(crate) fn decode(bytes: &[u8]) -> Result<Bag, TaskError> {
    let (len, rest) = bytes.split_first_chunk::<4>().ok_or(TaskError::Bag)?;
    let len = u32::from_le_bytes(*len);
    let width = if len & NARROW == 0 { 8 } else { 4 };
    let len = (len & !NARROW) as usize;
    let (tokens, mut counts) = rest.split_at_checked(len.saturating_mul(width)).ok_or(TaskError::Bag)?;
    let mut bag = Bag::with_capacity(len);
    for token in tokens.chunks_exact(width) {
        let mut whole = [0; 8];
        whole[..width].copy_from_slice(token);
        bag.push((u64::from_le_bytes(whole), count(&mut counts)?));
    }
    if counts.is_empty() { Ok(bag) } else { Err(TaskError::Bag) }
}

fn count(bytes: &mut &[u8]) -> Result<u32, TaskError> {
    let (mut count, mut shift) = (0_u32, 0);
    loop {
        let (&byte, rest) = bytes.split_first().ok_or(TaskError::Bag)?;
        *bytes = rest;
        let part = u32::from(byte & 0x7F).checked_shl(shift).ok_or(TaskError::Bag)?;
        count |= part;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bag_reads_back(bag in prop::collection::vec((any::<u64>(), any::<u32>()), 0..20)) {
            let mut bytes = Vec::new();
            encode(&bag, &mut bytes);
            prop_assert_eq!(decode(&bytes).ok(), Some(bag));
        }

        #[test]
        fn a_bag_of_small_tokens_reads_back(bag in prop::collection::vec((0..1_u64 << 32, 0..200_u32), 0..20)) {
            let mut bytes = Vec::new();
            encode(&bag, &mut bytes);
            prop_assert!(bytes.len() <= 4 + 6 * bag.len());
            prop_assert_eq!(decode(&bytes).ok(), Some(bag));
        }

        #[test]
        fn other_bytes_are_an_error_or_a_bag(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = decode(&bytes);
        }
    }
}
