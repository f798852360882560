//! By what the files of a tree find one another: samples of runs, normal forms of fragments, and words.

use familiar_index::Periodic;
use familiar_search::runs::{Context, RunSettings, piece_of};
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rayon::prelude::*;

use super::lookup::{Lookup, Sample};
use crate::ingest::FileData;

/// All lookups of a tree.
#[derive(Debug)]
pub(super) struct Lookups {
    pub(super) samples: Lookup<Sample>,
    pub(super) forms: Lookup<u32>,
    pub(super) words: Lookup<u32>,
}

/// What of a file is looked up, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'k> {
    /// How runs are sampled; none where no runs are asked for.
    pub(super) runs: Option<&'k RunSettings>,
    /// Whether files of different families are compared.
    pub(super) cross_families: bool,
}

/// Keeps the pieces of periodic stretches apart from samples.
const PIECE: u32 = 0x5bd1_e995;

/// What one file puts into the lookups.
pub(super) struct Entries {
    samples: Vec<(u32, Sample)>,
    forms: Vec<(u32, u32)>,
    words: Vec<(u32, u32)>,
}

impl Keys<'_> {
    /// What keeps families apart.
    fn salt(self, data: &FileData) -> u32 {
        let family = u32::from(data.language.family().0);
        if self.cross_families { 0 } else { family.wrapping_mul(0x9e37_79b1) }
    }

    /// The keys of a file's samples, with the samples.
    pub(super) fn samples(self, slot: u32, data: &FileData) -> Vec<(u32, Sample)> {
        let (Some(settings), Some(files)) = (self.runs, data.samples.first()) else { return Vec::new() };
        let salt = self.salt(data);
        let kgram = |&(hash, at): &(u32, u32)| {
            let context = Context::of(settings, &data.symbols, at).0;
            (hash ^ salt, Sample::new(slot, at, context))
        };
        files.kgrams().iter().map(kgram).collect()
    }

    /// The keys of a file's periodic stretches, with the stretches.
    pub(super) fn pieces(self, data: &FileData) -> Vec<(u32, Periodic)> {
        let (Some(settings), Some(files)) = (self.runs, data.samples.first()) else { return Vec::new() };
        let salt = self.salt(data) ^ PIECE;
        let key = |&region: &Periodic| (piece_of(settings, &data.symbols, region) ^ salt, region);
        files.periodic().iter().map(key).collect()
    }

    /// The keys of a file's fragments.
    pub(super) fn forms(self, data: &FileData) -> Vec<u32> {
        let salt = self.salt(data);
        let key = |renamed: u64, kind: u8| (renamed >> 32) as u32 ^ salt ^ u32::from(kind) << 24;
        let mut keys: Vec<u32> =
            data.fragments.iter().map(|fragment| key(fragment.renamed, fragment.kind)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The key of a word of a file.
    pub(super) fn word(self, data: &FileData, symbol: u32) -> u32 {
        symbol ^ self.salt(data)
    }

    /// What a file puts into the lookups.
    pub(super) fn entries(self, slot: u32, data: &FileData) -> Entries {
        let mut samples = self.samples(slot, data);
        let stretch = |(key, region): (u32, Periodic)| (key, Sample::new(slot, region.start, 0));
        samples.extend(self.pieces(data).into_iter().map(stretch));
        let forms = self.forms(data).into_iter().map(|key| (key, slot)).collect();
        let mut words = Vec::new();
        for fragment in &data.fragments {
            let range = fragment.first as usize..(fragment.first + fragment.tokens) as usize;
            words.extend(data.symbols[range].iter().copied().filter(|&symbol| is_word(symbol)));
        }
        words.sort_unstable();
        words.dedup();
        let words = words.into_iter().map(|symbol| (self.word(data, symbol), slot)).collect();
        Entries { samples, forms, words }
    }
}

/// Whether a token is a name or a string.
pub(super) fn is_word(symbol: u32) -> bool {
    matches!(Symbol(symbol).class(), TokenClass::Identifier | TokenClass::String)
}

impl Lookups {
    /// The lookups of files by slot.
    pub(super) fn new(keys: Keys<'_>, files: &[Option<&FileData>]) -> Self {
        let numbered = (0..files.len() as u32).into_par_iter();
        let of_files: Vec<Entries> =
            numbered.filter_map(|slot| files[slot as usize].map(|data| keys.entries(slot, data))).collect();
        let (mut samples, mut forms, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for entries in of_files {
            samples.push(entries.samples);
            forms.push(entries.forms);
            words.push(entries.words);
        }
        let slots = files.len();
        Self {
            samples: Lookup::new(slots, samples),
            forms: Lookup::new(slots, forms),
            words: Lookup::new(slots, words),
        }
    }

    pub(super) fn remove(&mut self, keys: Keys<'_>, slot: u32, data: &FileData) {
        let Entries { samples, forms, words } = keys.entries(slot, data);
        self.samples.remove(slot, &samples);
        self.forms.remove(slot, &forms);
        self.words.remove(slot, &words);
    }

    pub(super) fn add(&mut self, keys: Keys<'_>, slot: u32, data: &FileData) {
        let Entries { samples, forms, words } = keys.entries(slot, data);
        self.samples.add(samples);
        self.forms.add(forms);
        self.words.add(words);
    }

    /// Memory that they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.samples.bytes() + self.forms.bytes() + self.words.bytes()
    }
}
