//! The token symbols of a segment: ranked by how often they occur, and written in one to five bytes each.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::SegmentError;
use crate::blocks::{Blocks, u32_at};

/// Tokens between two places at which reading can start.
const STEP: usize = 64;

/// First bytes below this are ranks; from here on one more byte follows, then two, then a whole number.
const TWO: u32 = 192;
const THREE: u32 = 248;
const FIVE: u32 = 255;
/// The first rank of each length.
const FROM_TWO: u32 = TWO;
const FROM_THREE: u32 = FROM_TWO + ((THREE - TWO) << 8);
const FROM_FIVE: u32 = FROM_THREE + ((FIVE - THREE) << 16);

/// The rank of a symbol that no token of the segment has; rarer than all others.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The symbols of a segment by rank, the most frequent first: the order of tokens, frozen with the segment.
#[derive(Debug)]
pub(super) struct Ranks {
    by_rank: Vec<u32>,
    ranks: FxHashMap<u32, u32>,
}

impl Ranks {
    pub(super) fn of(symbols: &[u32]) -> Self {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for &symbol in symbols {
            *counts.entry(symbol).or_default() += 1;
        }
        let mut order: Vec<(u32, u32)> = counts.into_iter().collect();
        order.sort_unstable_by_key(|&(symbol, count)| (std::cmp::Reverse(count), symbol));
        let by_rank: Vec<u32> = order.into_iter().map(|(symbol, _)| symbol).collect();
        let ranks = (0u32..).zip(&by_rank).map(|(rank, &symbol)| (symbol, rank)).collect();
        Self { by_rank, ranks }
    }

    pub(super) fn get(&self, symbol: u32) -> u32 {
        self.ranks.get(&symbol).copied().unwrap_or(UNKNOWN)
    }

    /// The sections: symbols by rank, ranks by symbol, the encoded tokens, and where every [`STEP`]th of them starts.
    pub(super) fn sections(&self, symbols: &[u32]) -> [Vec<u8>; 4] {
        let mut by_symbol: Vec<u32> = (0..self.by_rank.len() as u32).collect();
        by_symbol.sort_unstable_by_key(|&rank| self.by_rank[rank as usize]);
        let (mut encoded, mut starts) = (Vec::with_capacity(symbols.len() * 3 / 2), Vec::new());
        for (at, &symbol) in symbols.iter().enumerate() {
            if at % STEP == 0 {
                starts.push(encoded.len() as u32);
            }
            encode(self.get(symbol), &mut encoded);
        }
        starts.push(encoded.len() as u32);
        [numbers(&self.by_rank), numbers(&by_symbol), encoded, numbers(&starts)]
    }
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn encode(rank: u32, out: &mut Vec<u8>) {
    if rank < FROM_TWO {
        out.push(rank as u8);
    } else if rank < FROM_THREE {
        let rest = rank - FROM_TWO;
        out.extend([(TWO + (rest >> 8)) as u8, rest as u8]);
    } else if rank < FROM_FIVE {
        let rest = rank - FROM_THREE;
        out.extend([(THREE + (rest >> 16)) as u8, (rest >> 8) as u8, rest as u8]);
    } else {
        out.push(FIVE as u8);
        out.extend(rank.to_le_bytes());
    }
}

/// The rank that is written at `at`, which moves behind it.
#[inline]
fn decode(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let rest = bytes.get(*at..)?;
    // Most ranks have others behind them.
    let mut padded = [0; 5];
    let here = rest.first_chunk().unwrap_or_else(|| {
        padded[..rest.len()].copy_from_slice(rest);
        &padded
    });
    let [first, a, b, c, d] = here.map(u32::from);
    let (rank, len) = if first < TWO {
        (first, 1)
    } else if first < THREE {
        (FROM_TWO + ((first - TWO) << 8) + a, 2)
    } else if first < FIVE {
        (FROM_THREE + ((first - THREE) << 16) + (a << 8) + b, 3)
    } else {
        (a | b << 8 | c << 16 | d << 24, 5)
    };
    *at += len;
    (len <= rest.len()).then_some(rank)
}

/// The sections of [`Ranks::sections`], from the first on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens {
    first: usize,
    count: u32,
}

impl Tokens {
    /// `count` tokens, whose sections start with number `first`.
    pub(super) fn open(blocks: &Blocks, first: usize, count: u32) -> Result<Self, SegmentError> {
        let starts = (count as usize).div_ceil(STEP) + 1;
        let whole = blocks.len(first) == blocks.len(first + 1)
            && blocks.len(first).is_multiple_of(4)
            && blocks.len(first + 3) == starts * 4;
        if whole { Ok(Self { first, count }) } else { Err(blocks.damaged("its tokens have changed")) }
    }

    /// Adds to `out` the symbols of the tokens `range`.
    pub(super) fn read(
        &self,
        blocks: &Blocks,
        range: Range<u32>,
        out: &mut Vec<u32>,
    ) -> Result<(), SegmentError> {
        if range.start > range.end || range.end > self.count {
            return Err(blocks.damaged("it points past its tokens"));
        }
        if range.is_empty() {
            return Ok(());
        }
        let step = range.start as usize / STEP;
        let last = (range.end as usize).div_ceil(STEP);
        let start = |step: usize| -> Result<usize, SegmentError> {
            Ok(u32_at(blocks.get(self.first + 3, step * 4..step * 4 + 4)?, 0) as usize)
        };
        let bytes = blocks.get(self.first + 2, start(step)?..start(last)?)?;
        let (by_rank, _) = blocks.all(self.first)?.as_chunks::<4>();
        let mut at = 0;
        let damaged = || blocks.damaged("its tokens have changed");
        for _ in step * STEP..range.start as usize {
            decode(bytes, &mut at).ok_or_else(damaged)?;
        }
        out.reserve(range.len());
        for _ in range {
            let symbol = decode(bytes, &mut at).and_then(|rank| by_rank.get(rank as usize));
            out.push(u32::from_le_bytes(*symbol.ok_or_else(damaged)?));
        }
        Ok(())
    }

    /// The rank of a symbol, or [`UNKNOWN`].
    pub(super) fn rank(&self, blocks: &Blocks, symbol: u32) -> Result<u32, SegmentError> {
        let (by_rank, by_symbol) = (blocks.all(self.first)?, blocks.all(self.first + 1)?);
        let symbols = by_rank.len() / 4;
        let (mut low, mut high) = (0, symbols);
        while low < high {
            let middle = low.midpoint(high);
            let rank = u32_at(by_symbol, middle);
            if rank as usize >= symbols {
                return Err(blocks.damaged("its tokens have changed"));
            }
            match u32_at(by_rank, rank as usize).cmp(&symbol) {
                std::cmp::Ordering::Equal => return Ok(rank),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{self, Layout};

    const TEST: Layout = Layout { kind: *b"test", version: 1, sections: &[4] };

    #[test]
    fn tokens_of_every_rank_read_back_from_anywhere() {
        // Each of the first symbols stands more often than the next; there are more than three bytes hold.
        let mut symbols: Vec<u32> = (0..500_000u32).map(|n| n.wrapping_mul(2_654_435_761)).collect();
        symbols.extend((0..300u32).flat_map(|n| vec![n.wrapping_mul(2_654_435_761); 300 - n as usize]));
        let ranks = Ranks::of(&symbols);
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("a");
        blocks::write(&path, &TEST, &ranks.sections(&symbols)).expect("just made");
        let blocks = Blocks::open(&path, &TEST).expect("whole");
        let tokens = Tokens::open(&blocks, 0, symbols.len() as u32).expect("whole");
        let mut out = Vec::new();
        for (start, len) in [(0, symbols.len()), (1, 1), (255, 2), (256, 0), (499_000, 3000)] {
            out.clear();
            tokens.read(&blocks, start as u32..(start + len) as u32, &mut out).expect("whole");
            assert!(out == symbols[start..start + len], "{len} from {start}");
        }
        assert_eq!(tokens.rank(&blocks, symbols[0]).expect("whole"), 0);
        assert_eq!(tokens.rank(&blocks, symbols[499_999]).expect("whole"), ranks.get(symbols[499_999]));
        assert_eq!(tokens.rank(&blocks, 3).expect("whole"), UNKNOWN);
    }
}
