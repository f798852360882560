//! Numbers for token texts.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// Texts, each with a number in the order of first appearance.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: HashTable<u32>,
    /// All texts, one behind the other.
    texts: Vec<u8>,
    /// Where each text ends.
    ends: Vec<u64>,
}

impl Vocabulary {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.texts.capacity() + self.ends.capacity() * 8 + self.numbers.capacity() * 5
    }

    pub(super) fn number(&mut self, text: &[u8]) -> u32 {
        let Self { numbers, texts, ends } = self;
        let entry = numbers.entry(
            xxh3_64(text),
            |&number| text_of(texts, ends, number) == text,
            |&number| xxh3_64(text_of(texts, ends, number)),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(known) => *known.get(),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let number = ends.len() as u32;
                free.insert(number);
                texts.extend_from_slice(text);
                ends.push(texts.len() as u64);
                number
            }
        }
    }
}

fn text_of<'t>(texts: &'t [u8], ends: &[u64], number: u32) -> &'t [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start as usize..ends[number] as usize]
}
