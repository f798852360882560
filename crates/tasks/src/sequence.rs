//! A fragment's tokens in order and where its statements start, and the bytes of both in a column: four for the number of tokens,
//! four for each token, and four for each start.

use familiar_search::similar::Sequence;

use crate::TaskError;

/// A sequence that owns what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    symbols: Vec<u32>,
    line_starts: Vec<u32>,
}

impl Tokens {
    pub(crate) fn sequence(&self) -> Sequence<'_> {
        Sequence { symbols: &self.symbols, line_starts: &self.line_starts }
    }
}

pub(crate) fn encode(symbols: &[u32], line_starts: &[u32], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&(symbols.len() as u32).to_le_bytes());
    out.extend(symbols.iter().chain(line_starts).flat_map(|number| number.to_le_bytes()));
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Tokens, TaskError> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let mut numbers = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let len = numbers.next().ok_or(TaskError::Sequence)? as usize;
    let symbols: Vec<u32> = numbers.by_ref().take(len).collect();
    let line_starts: Vec<u32> = numbers.collect();
    // Whoever reads statements takes them as positions, in order.
    let in_order = line_starts.is_sorted() && line_starts.last().is_none_or(|&last| (last as usize) < len);
    if symbols.len() == len && rest.is_empty() && in_order {
        Ok(Tokens { symbols, line_starts })
    } else {
        Err(TaskError::Sequence)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sequence_reads_back(symbols in prop::collection::vec(any::<u32>(), 1..20), every in 1..5_usize) {
            let line_starts: Vec<u32> = (0..symbols.len() as u32).step_by(every).collect();
            let mut bytes = Vec::new();
            encode(&symbols, &line_starts, &mut bytes);
            prop_assert_eq!(decode(&bytes).ok(), Some(Tokens { symbols, line_starts }));
        }

        #[test]
        fn other_bytes_are_an_error_or_a_sequence(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = decode(&bytes);
        }
    }
}
