//! Making a segment: blobs one after another in memory, then the file.

use std::path::Path;

use rayon::prelude::*;

use super::overlap::{self, LEAST_OVERLAP};
use super::tokens::Ranks;
use super::{CONTEXT_BITS, Details, Key, SegmentError, postings};
use crate::Fraction;
use crate::blocks::{self, Written};

/// What a segment keeps of a blob.
#[derive(Clone, Debug, Default)]
pub struct BlobParts {
    pub id: [u8; 20],
    /// Its language.
    pub label: &'static str,
    pub symbols: Box<[u32]>,
    pub details: Details,
    /// Hashes and what is found by them, counted from the blob's first token or fragment; none for [`Key::Element`].
    pub keys: Vec<(Key, u32, u64)>,
    /// Fragments, counted from the blob's first, that are found by their token bags.
    pub bags: Vec<u32>,
    /// What is kept of its licenses, whatever that is; empty where nothing is known.
    pub licenses: Vec<u8>,
}

impl BlobParts {
    /// About the bytes that a builder takes for the blob.
    pub fn bytes(&self) -> usize {
        RECORD + self.symbols.len() * 8 + self.keys.len() * 16 + self.bags.len() * 128 + self.licenses.len()
    }
}

const RECORD: usize = 256;

/// Collects blobs; what it holds is bounded by whoever pushes them.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    ids: Vec<[u8; 20]>,
    /// Label, first token, tokens, first fragment, details' start and end for each blob.
    records: Vec<[u32; 6]>,
    labels: Vec<&'static str>,
    symbols: Vec<u32>,
    details: Vec<u8>,
    fragments: u32,
    keys: [Vec<(u32, u64)>; Key::ALL.len()],
    /// Number, first token and end of every fragment that is found by its token bag.
    bags: Vec<(u32, u32, u32)>,
    licenses: Vec<u8>,
    licenses_ends: Vec<u32>,
}

/// Most tokens, and most bytes of details, of one segment.
const MOST: usize = 1 << 31;

impl SegmentBuilder {
    /// Whether a blob still fits the numbers of this segment.
    pub fn has_room_for(&self, blob: &BlobParts) -> bool {
        self.symbols.len() + blob.symbols.len() < MOST
            && self.details.len() + blob.symbols.len() * 20 < MOST
            && self.licenses.len() + blob.licenses.len() < MOST
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds a blob. None may come twice.
    pub fn push(&mut self, blob: &BlobParts) {
        let label = self.labels.iter().position(|&known| known == blob.label).unwrap_or_else(|| {
            self.labels.push(blob.label);
            self.labels.len() - 1
        });
        let (first_token, first_fragment) = (self.symbols.len() as u32, self.fragments);
        let start = self.details.len() as u32;
        blob.details.encode(&mut self.details);
        self.ids.push(blob.id);
        let tokens = blob.symbols.len() as u32;
        let end = self.details.len() as u32;
        self.records.push([label as u32, first_token, tokens, first_fragment, start, end]);
        self.symbols.extend_from_slice(&blob.symbols);
        self.fragments += blob.details.fragments.len() as u32;
        for &(key, hash, value) in &blob.keys {
            let first = match key {
                Key::Run => u64::from(first_token) << CONTEXT_BITS,
                Key::Periodic => u64::from(first_token),
                Key::Form => u64::from(first_fragment) << CONTEXT_BITS,
                Key::Gram | Key::Element => u64::from(first_fragment),
            };
            self.keys[key as usize].push((hash, first + value));
        }
        self.licenses.extend_from_slice(&blob.licenses);
        self.licenses_ends.push(self.licenses.len() as u32);
        for &bag in &blob.bags {
            let fragment = &blob.details.fragments[bag as usize];
            let first = first_token + fragment.first;
            self.bags.push((first_fragment + bag, first, first + fragment.tokens));
        }
    }

    /// Writes the segment. `counts` says which symbols are part of token bags.
    pub fn write(
        mut self,
        path: &Path,
        fingerprints: u32,
        counts: fn(u32) -> bool,
    ) -> Result<Written, SegmentError> {
        let ranks = Ranks::of(&self.symbols);
        self.keys[Key::Element as usize] = self.elements(&ranks, counts);
        let mut by_id: Vec<u32> = (0..self.ids.len() as u32).collect();
        by_id.sort_unstable_by_key(|&number| self.ids[number as usize]);
        let head = [fingerprints, self.ids.len() as u32, self.fragments, self.symbols.len() as u32];
        let records = self.ids.iter().zip(&self.records).flat_map(|(id, numbers)| {
            id.iter().copied().chain(numbers.iter().flat_map(|number| number.to_le_bytes()))
        });
        let labels: String = self.labels.iter().flat_map(|label| [label, "\n"]).collect();
        let mut sections =
            vec![little(&head), records.collect(), little(&by_id), labels.into_bytes(), self.details];
        sections.extend(ranks.sections(&self.symbols));
        drop((self.symbols, ranks));
        sections.extend(self.keys.into_iter().map(postings::pack));
        let mut licenses = Vec::new();
        if !self.licenses.is_empty() {
            licenses = little(&self.licenses_ends);
            licenses.extend(self.licenses);
        }
        sections.push(licenses);
        blocks::write(path, &super::LAYOUT, &sections)
    }

    /// The elements in the prefixes of all bags.
    fn elements(&self, ranks: &Ranks, counts: fn(u32) -> bool) -> Vec<(u32, u64)> {
        let threshold = Fraction::new(LEAST_OVERLAP);
        let of_bag = |&(number, start, end): &(u32, u32, u32)| {
            let tokens = &self.symbols[start as usize..end as usize];
            let mut bag: Vec<u32> =
                tokens.iter().filter(|&&symbol| counts(symbol)).map(|&symbol| ranks.get(symbol)).collect();
            let prefix = overlap::prefix(bag.len() as u32, threshold) as usize;
            let elements = overlap::elements(&mut bag).take(prefix);
            elements.map(|element| (overlap::hash(element), u64::from(number))).collect::<Vec<_>>()
        };
        self.bags.par_iter().flat_map_iter(of_bag).collect()
    }
}

fn little(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
