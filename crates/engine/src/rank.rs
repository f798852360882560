//! How much a reader would care for a class: its size times the rarity of what its members share.
//!
//! Size is the number of tokens that would go if the class became one piece of code. Rarity is the mean information of
//! the representative's tokens: −log₂ of each token's share among a sample of the collection's tokens. Boilerplate is
//! made of tokens that stand everywhere and ranks low.

use std::io;

use familiar_index::Collection;
use familiar_search::Place;

/// Counters; symbols are hashes already, so their high bits choose one.
const SLOTS_LOG2: u32 = 20;
/// About how many tokens are counted.
const SAMPLE: u64 = 1 << 21;

/// How often tokens occur, over a sample of the collection's files.
pub(crate) struct Rarity {
    counts: Vec<u32>,
    total: u64,
}

impl Rarity {
    pub(crate) fn of(collection: &Collection) -> io::Result<Self> {
        let mut rarity = Self { counts: vec![0; 1 << SLOTS_LOG2], total: 0 };
        let step = (collection.tokens.total() / SAMPLE + 1) as usize;
        let mut buffer = Vec::new();
        for file in (0..collection.files.len() as u32).step_by(step) {
            for &symbol in collection.tokens.file(file, &mut buffer)? {
                rarity.counts[slot(symbol)] += 1;
                rarity.total += 1;
            }
        }
        Ok(rarity)
    }

    /// Mean information of the tokens of `place`, in bits.
    pub(crate) fn bits(&self, collection: &Collection, place: Place) -> io::Result<f64> {
        let mut buffer = Vec::new();
        let tokens = collection.tokens.get(place.file, place.tokens.start..place.tokens.end, &mut buffer)?;
        let bits = |&symbol: &u32| {
            let share = f64::from(self.counts[slot(symbol)] + 1) / (self.total + 1) as f64;
            -share.log2()
        };
        Ok(tokens.iter().map(bits).sum::<f64>() / tokens.len().max(1) as f64)
    }
}

fn slot(symbol: u32) -> usize {
    (symbol.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS_LOG2)) as usize
}
