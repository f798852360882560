//! The static stage: what a fragment is made of, whatever the order, turned into a vector by looking up rows of tables.
//!
//! There are two bags with rows: the *words* of names and texts, and the *forms*, which are left when all names are taken away: runs of
//! up to three pieces, pieces with their depth, and whole statements, hashed (Weinberger et al. 2009, section 2). Each bag's
//! vector is the sum of its features' rows, which are learnt. A third holds the runs of letters of names (`spelling.rs`).

use crate::weights::{Reader, Table};

use crate::input::idle;
use crate::{Sequence, spelling};

pub use crate::input::WORDS;

/// How many forms are told apart; two forms may share a row.
pub const FORMS: usize = 24_576;

/// Depths that are told apart.
const DEEPEST: u8 = 5;

/// The features of one fragment: rows of the two tables and runs of letters, ascending, each once, with how much it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    pub words: Vec<(u16, f32)>,
    pub forms: Vec<(u16, f32)>,
    pub spelling: Vec<(u32, f32)>,
    counted: Vec<u16>,
    runs: Vec<u32>,
}

impl Features {
    /// Replaces the features by those of `sequence`.
    pub fn read(&mut self, sequence: &Sequence) {
        self.counted.clear();
        let idle = idle();
        self.counted.extend(sequence.words.iter().filter(|word| idle.binary_search(word).is_err()));
        count(&mut self.counted, &mut self.words);
        self.counted.clear();
        forms(sequence, &mut self.counted);
        count(&mut self.counted, &mut self.forms);
        self.runs.clone_from(&sequence.runs);
        count(&mut self.runs, &mut self.spelling);
    }
}

/// Puts the number of each form of `sequence` into `out`, as often as it stands there.
fn forms(sequence: &Sequence, out: &mut Vec<u16>) {
    let pieces = &sequence.pieces;
    for (at, &piece) in pieces.iter().enumerate() {
        let runs = pieces[at..].iter().take(3).scan(0, |hash, &piece| {
            *hash = mix(*hash, u64::from(piece) + 1);
            Some(row(*hash))
        });
        out.extend(runs);
        let depth = sequence.depths[at].min(DEEPEST);
        out.push(row(mix(u64::from(piece) + 1, u64::from(depth) << 32 | 1 << 40)));
    }
    let mut start = 0;
    let mut heads = [0u64; 3];
    for statement in sequence.statements.chunk_by(|a, b| a == b) {
        let end = start + statement.len();
        let hash = pieces[start..end].iter().fold(1 << 41, |hash, &piece| mix(hash, u64::from(piece) + 1));
        out.push(row(hash));
        let depth = sequence.depths[start].min(DEEPEST);
        heads = [heads[1], heads[2], u64::from(pieces[start]) << 8 | u64::from(depth) | 1 << 42];
        out.push(row(heads[2]));
        out.push(row(mix(heads[1], heads[2])));
        out.push(row(mix(mix(heads[0], heads[1]), heads[2])));
        start = end;
    }
    uses(sequence, out);
}

/// Each use of a name with the one before, by what stands around them.
fn uses(sequence: &Sequence, out: &mut Vec<u16>) {
    let pieces = &sequence.pieces;
    let piece = |at: Option<usize>| at.and_then(|at| pieces.get(at)).map_or(0, |&piece| u64::from(piece) + 1);
    let mut last = vec![None; usize::from(sequence.names.iter().copied().max().unwrap_or(0)) + 1];
    for (at, &name) in sequence.names.iter().enumerate() {
        if name == 0 {
            continue;
        }
        let left = mix(piece(at.checked_sub(1)), piece(Some(at)));
        let around = mix(left, piece(Some(at + 1)));
        let right = mix(piece(Some(at)), piece(Some(at + 1)) << 1);
        if let Some((before, left_before, right_before)) =
            last[usize::from(name)].replace((around, left, right))
        {
            out.push(row(mix(before, around)));
            out.push(row(mix(mix(left_before, left), 1 << 43)));
            out.push(row(mix(mix(right_before, right), 1 << 44)));
        }
    }
}

/// A step of a hash that does not depend on the machine (the finalizer of SplitMix64, Steele et al. 2014).
fn mix(hash: u64, value: u64) -> u64 {
    let mut z = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(value);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn row(hash: u64) -> u16 {
    (hash >> 32) as u16 % FORMS as u16
}

/// Each of `numbers` once, with one and the logarithm of how often it is there.
fn count<T: Copy + Ord>(numbers: &mut [T], out: &mut Vec<(T, f32)>) {
    numbers.sort_unstable();
    out.clear();
    let counted = numbers.chunk_by(|a, b| a == b);
    out.extend(counted.map(|same| (same[0], weight(same.len()))));
}

/// 1 + log2 of a count, for counts between powers of two by a straight line, so that it is the same on every machine.
fn weight(count: usize) -> f32 {
    let twos = count.ilog2();
    let rest = (count - (1 << twos)) as f32 / (1u64 << twos) as f32;
    1.0 + twos as f32 + rest
}

/// The learnt rows of the two bags, and how rare runs of letters are.
#[derive(Clone, Debug)]
pub struct Bag {
    columns: usize,
    words: Table,
    forms: Table,
    rarities: Box<[f32]>,
}

impl Bag {
    pub(crate) fn read(columns: usize, reader: &mut Reader<'_>) -> Self {
        let (words, forms) = (reader.table(WORDS, columns), reader.table(FORMS, columns));
        Self { columns, words, forms, rarities: reader.plain(spelling::RARITIES) }
    }

    /// Numbers in the vector of each of the two bags.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Adds the row of a word times how much it counts.
    pub(crate) fn add_word(&self, word: u16, weight: f32, to: &mut [f32]) {
        self.words.add_row(usize::from(word), weight, to);
    }

    /// The sums of the rows of the words, of the directions of the spelling, and of the rows of the forms.
    pub fn vectors(&self, features: &Features, words: &mut [f32], spelling: &mut [f32], forms: &mut [f32]) {
        spelling::vector(&features.spelling, &self.rarities, spelling);
        self.words.sum_rows(&features.words, words);
        self.forms.sum_rows(&features.forms, forms);
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::SequenceReader;

    fn features(code: &str) -> Features {
        let mut features = Features::default();
        features.read(&SequenceReader::default().read(Language::C, code.as_bytes()));
        features
    }

    #[test]
    fn renaming_changes_words_and_leaves_forms() {
        let (a, b) = (features("int total = first + second;"), features("int sum = x + y;"));
        assert_eq!(a.forms, b.forms);
        assert_ne!(a.words, b.words);
        assert_ne!(a.forms, features("int sum = x - y;").forms);
    }

    #[test]
    fn what_is_there_often_counts_by_its_logarithm() {
        assert_eq!([1, 2, 3, 4, 8].map(weight), [1.0, 2.0, 2.5, 3.0, 4.0]);
        let mut out = Vec::new();
        count(&mut [7, 3, 7], &mut out);
        assert_eq!(out, [(3, 1.0), (7, 2.0)]);
    }
}
