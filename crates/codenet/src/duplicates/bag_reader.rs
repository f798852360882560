//! The bag of one text at a time, for whoever compares bags elsewhere.

use familiar_source::Language;
use familiar_syntax::Limits;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::tokens::Tokenizer;

/// Reads one text after another, keeping its memory.
pub struct BagReader {
    tokenizer: Tokenizer,
    strings: bool,
}

impl BagReader {
    /// No text may take more than `limits`. Without `strings`, the literals of strings and characters do not count.
    pub fn new(limits: Limits, strings: bool) -> Self {
        Self { tokenizer: Tokenizer::new(limits), strings }
    }

    /// The tokens that count, each by a hash of its text, and how often each occurs; ascending. Or why there are none.
    pub fn read(&mut self, language: Language, code: &[u8]) -> Result<Vec<(u64, u32)>, String> {
        let read = self.tokenizer.tokens(language, code, self.strings);
        let (text, places) = read.map_err(|error| error.to_string())?;
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for place in places {
            *counts.entry(xxh3_64(&text[place])).or_insert(0) += 1;
        }
        let mut bag: Vec<(u64, u32)> = counts.into_iter().collect();
        bag.sort_unstable();
        Ok(bag)
    }
}
