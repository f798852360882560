//! By what the files of a tree find one another: samples of runs, normal forms of fragments, their words, and some of their n-grams.

use familiar_index::{FragmentEntry, Periodic, grams};
use familiar_search::evidence::Commonness;
use familiar_search::runs::{Context, RunSettings, piece_of};
use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;
use rayon::prelude::*;

use super::lookup::{Fragment, Lookup, Sample};
use crate::ingest::FileData;

/// All lookups of a tree.
#[derive(Debug)]
pub(super) struct Lookups {
    pub(super) samples: Lookup<Sample>,
    pub(super) forms: Lookup<u32>,
    pub(super) words: Lookup<Fragment>,
    pub(super) grams: Lookup<Fragment>,
}

/// What of a file is looked up, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'k> {
    /// How runs are sampled; none where no runs are asked for.
    pub(super) runs: Option<&'k RunSettings>,
    /// Whether files of different families are compared.
    pub(super) cross_families: bool,
    /// Whether edited copies are looked for.
    pub(super) edited: bool,
    /// What is common in the tree, where that matters.
    pub(super) commonness: Option<&'k Commonness>,
}

/// Length of the n-grams of the blind form, and how many of a fragment are kept: those with the smallest hashes.
const GRAM: usize = 8;
const GRAMS: usize = 8;

/// Keeps the pieces of periodic stretches apart from samples.
const PIECE: u32 = 0x5bd1_e995;

/// What one file puts into the lookups.
pub(super) struct Entries {
    samples: Vec<(u32, Sample)>,
    forms: Vec<(u32, u32)>,
    words: Vec<(u32, Fragment)>,
    grams: Vec<(u32, Fragment)>,
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
        let (mut words, mut grams) = (Vec::new(), Vec::new());
        for (number, fragment) in (0u32..).zip(&data.fragments).filter(|_| self.edited) {
            let place = Fragment { slot, number };
            let symbols = symbols_of(data, fragment);
            let rare = words_of(symbols).into_iter().filter(|&word| self.may_be_rare(word));
            words.extend(rare.map(|word| (self.word(data, word), place)));
            grams.extend(self.grams(data, symbols).into_iter().map(|gram| (gram, place)));
        }
        Entries { samples, forms, words, grams }
    }

    /// Whether a word is rare, or may become so while files change.
    fn may_be_rare(self, word: u32) -> bool {
        self.commonness.is_none_or(|commonness| commonness.may_be_rare(word))
    }

    /// The keys of some n-grams of a fragment's blind form.
    pub(super) fn grams(self, data: &FileData, symbols: &[u32]) -> Vec<u32> {
        let blind: Vec<u32> = symbols.iter().map(|&symbol| Symbol(symbol).blind().0).collect();
        let mut all = Vec::new();
        grams::distinct(&blind, GRAM, &mut all);
        all.truncate(GRAMS);
        let salt = self.salt(data);
        all.iter().map(|gram| gram ^ salt).collect()
    }
}

/// The tokens of a fragment.
pub(super) fn symbols_of<'d>(data: &'d FileData, fragment: &FragmentEntry) -> &'d [u32] {
    &data.symbols[fragment.first as usize..(fragment.first + fragment.tokens) as usize]
}

/// The different names and literals of a fragment, ascending.
pub(super) fn words_of(symbols: &[u32]) -> Vec<u32> {
    let is_word = |symbol: &u32| {
        !matches!(Symbol(*symbol).class(), TokenClass::Operator | TokenClass::Keyword | TokenClass::Import)
    };
    let mut words: Vec<u32> = symbols.iter().copied().filter(is_word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

impl Lookups {
    /// The lookups of files by slot.
    pub(super) fn new(keys: Keys<'_>, files: &[Option<&FileData>]) -> Self {
        let numbered = (0..files.len() as u32).into_par_iter();
        let of_files: Vec<Entries> =
            numbered.filter_map(|slot| files[slot as usize].map(|data| keys.entries(slot, data))).collect();
        let (mut samples, mut forms) = (Vec::new(), Vec::new());
        let (mut words, mut grams) = (Vec::new(), Vec::new());
        for entries in of_files {
            samples.push(entries.samples);
            forms.push(entries.forms);
            words.push(entries.words);
            grams.push(entries.grams);
        }
        let slots = files.len();
        Self {
            samples: Lookup::new(slots, samples),
            forms: Lookup::new(slots, forms),
            words: Lookup::new(slots, words),
            grams: Lookup::new(slots, grams),
        }
    }

    pub(super) fn remove(&mut self, keys: Keys<'_>, slot: u32, data: &FileData) {
        let Entries { samples, forms, words, grams } = keys.entries(slot, data);
        self.samples.remove(slot, &samples);
        self.forms.remove(slot, &forms);
        self.words.remove(slot, &words);
        self.grams.remove(slot, &grams);
    }

    pub(super) fn add(&mut self, keys: Keys<'_>, slot: u32, data: &FileData) {
        let Entries { samples, forms, words, grams } = keys.entries(slot, data);
        self.samples.add(samples);
        self.forms.add(forms);
        self.words.add(words);
        self.grams.add(grams);
    }

    /// Memory that they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.samples.bytes() + self.forms.bytes() + self.words.bytes() + self.grams.bytes()
    }
}
