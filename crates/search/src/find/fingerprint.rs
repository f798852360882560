//! What a blob is found by. A query's fingerprints are made by the same function.

use familiar_index::segment::{BlobParts, CONTEXT_BITS, Details, Key, SegmentFragment};
use familiar_index::{Periodic, Sampler, Samples, Sampling, grams};
use familiar_source::{FragmentKind, Span, TokenClass};
use familiar_syntax::normal::{self, Symbol};

use crate::runs::periodic::least_rotation;

/// Changes with the tokens of the same text, and with anything that the fingerprints of the same tokens depend on; segments of
/// another version are made anew.
pub const VERSION: u32 = 3;

/// Every run of so many equal tokens is found, up to names and literals.
pub const RUN_TOKENS: u32 = 40;

/// Length of the k-grams by which runs are found: `Sampling::for_runs` of [`RUN_TOKENS`].
pub(super) const K: u32 = RUN_TOKENS / 2;

/// Length of the n-grams of the blind form by which similar functions are found, and how many of a function are kept:
/// those with the smallest hashes (Broder's bottom-k sketch).
const GRAM: usize = 8;
pub(super) const GRAMS: usize = 16;

/// Smaller fragments are not found by their normal form; smaller functions not by n-grams and token bags.
pub(super) const LEAST_FORM: u32 = 10;
pub(super) const LEAST_SIMILAR: u32 = 20;

/// The number of the kind of functions, as segments have it.
pub(super) const FUNCTION: u8 = FragmentKind::Function as u8;

/// The fingerprints of some tokens, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprints {
    /// Hash and position of sampled k-grams of the blind form, with what stands around each ([`context`]).
    pub runs: Vec<(u32, u32, u8)>,
    /// Hash of the repeated piece, and the stretch that repeats it.
    pub periodic: Vec<(u32, Periodic)>,
    /// Hash of the blind form, the fragment's number, and some bits of the form as written.
    pub forms: Vec<(u32, u32, u8)>,
    /// Hash of a kept n-gram, and the function's number.
    pub grams: Vec<(u32, u32)>,
}

impl Fingerprints {
    /// What a segment keeps of a blob with these fingerprints.
    pub fn into_parts(
        self,
        id: [u8; 20],
        label: &'static str,
        symbols: Box<[u32]>,
        details: Details,
    ) -> BlobParts {
        let plain = |key: Key, hash: u32, value: u32| (key, hash, u64::from(value));
        let with_context = |key: Key, hash: u32, value: u32, context: u8| {
            (key, hash, u64::from(value) << CONTEXT_BITS | u64::from(context))
        };
        let runs = self.runs.iter().map(|&(hash, at, context)| with_context(Key::Run, hash, at, context));
        let periodic = self.periodic.iter().map(|&(hash, region)| plain(Key::Periodic, hash, region.start));
        let forms =
            self.forms.iter().map(|&(hash, number, bits)| with_context(Key::Form, hash, number, bits));
        let grams = self.grams.iter().map(|&(hash, number)| plain(Key::Gram, hash, number));
        let keys = runs.chain(periodic).chain(forms).chain(grams);
        let fragments = (0u32..).zip(&details.fragments);
        let similar = fragments.filter(|(_, fragment)| is_compared(fragment.kind, fragment.tokens));
        BlobParts {
            id,
            label,
            symbols,
            keys: keys.collect(),
            bags: similar.map(|(at, _)| at).collect(),
            details,
            licenses: Vec::new(),
        }
    }
}

/// The tokens of a fragment.
pub(super) fn tokens_of(fragment: &SegmentFragment) -> Span {
    Span::new(fragment.first, fragment.first + fragment.tokens)
}

/// Whether a fragment is compared with similar ones.
pub(super) fn is_compared(kind: u8, tokens: u32) -> bool {
    kind == FUNCTION && tokens >= LEAST_SIMILAR
}

/// Whether a symbol is part of token bags, as SourcererCC has them: all but operators.
pub fn counts(symbol: u32) -> bool {
    Symbol(symbol).class() != TokenClass::Operator
}

/// Tokens before and after a k-gram that its context is made of: a run through the k-gram has all of one side or the other,
/// for it has [`RUN_TOKENS`].
const AROUND: usize = (RUN_TOKENS - K) as usize / 2;

/// What stands around the k-gram at a position: four bits for the tokens before, four for those after, 0 where there are
/// not so many.
fn context(blind: &[u32], at: u32) -> u8 {
    let at = at as usize;
    let bits = |tokens: Option<&[u32]>| {
        let mix = |hash: u32, symbol: &u32| (hash ^ symbol).wrapping_mul(0x9e37_79b1).rotate_left(15);
        tokens.map_or(0, |tokens| (tokens.iter().fold(7, mix).wrapping_mul(0x85eb_ca6b) >> 16) % 15 + 1)
    };
    let before = bits(at.checked_sub(AROUND).map(|start| &blind[start..at]));
    let after = bits(blind.get(at + K as usize..at + K as usize + AROUND));
    (before << 4 | after) as u8
}

/// Whether a run may go through two k-grams in these contexts.
pub(super) fn may_be_in_run(ours: u8, theirs: u8) -> bool {
    let (before, after) = (ours >> 4, ours & 15);
    (before != 0 && before == theirs >> 4) || (after != 0 && after == theirs & 15)
}

/// Makes the fingerprints of one blob after another, keeping its memory.
#[derive(Debug)]
pub struct BlobFingerprinter {
    sampler: Sampler,
    samples: Samples,
    grams: Vec<u32>,
}

impl Default for BlobFingerprinter {
    fn default() -> Self {
        let sampler = Sampler::new(Sampling::for_runs(RUN_TOKENS));
        Self { sampler, samples: Samples::default(), grams: Vec::new() }
    }
}

impl BlobFingerprinter {
    /// The fingerprints of tokens in the blind form, and of the fragments in them; `forms` are the hashes of the fragments'
    /// forms, blind and as written.
    pub fn of(&mut self, blind: &[u32], details: &Details, forms: &[(u64, u64)]) -> Fingerprints {
        self.samples.kgrams.clear();
        self.samples.periodic.clear();
        self.sampler.sample(blind, 0, &mut self.samples);
        let piece = |&region: &Periodic| {
            let piece = &blind[region.start as usize..(region.start + region.period) as usize];
            let phase = least_rotation(piece);
            let turned = [&piece[phase..], &piece[..phase]].concat();
            (upper(normal::hash(&turned)), region)
        };
        let mut of = Fingerprints {
            runs: self.samples.kgrams.iter().map(|&(hash, at)| (hash, at, context(blind, at))).collect(),
            periodic: self.samples.periodic.iter().map(piece).collect(),
            ..Fingerprints::default()
        };
        for ((number, fragment), &(form, as_written)) in (0u32..).zip(&details.fragments).zip(forms) {
            if fragment.tokens >= LEAST_FORM {
                of.forms.push((upper(form), number, as_written as u8));
            }
            if is_compared(fragment.kind, fragment.tokens) {
                let tokens = &blind[tokens_of(fragment).range()];
                of.grams.extend(self.grams(tokens).map(|gram| (gram, number)));
            }
        }
        of
    }

    /// The kept n-grams of tokens in the blind form.
    pub(super) fn grams(&mut self, blind: &[u32]) -> impl Iterator<Item = u32> {
        grams::distinct(blind, GRAM, &mut self.grams);
        // The smallest hashes are small numbers; spread out, their ranges hold about equally many.
        self.grams.iter().take(GRAMS).map(|gram| gram.wrapping_mul(0x9e37_79b1))
    }
}

pub(super) fn upper(hash: u64) -> u32 {
    (hash >> 32) as u32
}
