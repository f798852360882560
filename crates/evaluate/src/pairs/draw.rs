//! Negatives for data that holds positives only.

use familiar_engine::{Measure, snippet};
use familiar_source::Language;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::input::{Input, Labelled};
use super::words::TfIdf;
use super::{Negatives, PairsOptions};
use crate::copies::are_copies;
use crate::random::SplitMix;

/// One negative for each positive, where one can be drawn: the positive's left side, and in the place of its right side
/// a snippet of the same language from another group, which is large enough. Groups that positives join are one: what is a
/// clone of one snippet may be one of its other clones. Neither side is a renamed copy of the other, nor a renamed or edited copy of
/// anything in the other's group: data sets have one problem under several names. Depends on nothing but the seed and the rows.
pub(super) fn negatives(input: &Input, how: Negatives, options: &PairsOptions) -> Vec<Labelled> {
    let seed = options.seed;
    let mut pools: Vec<(Language, Vec<u32>)> = Vec::new();
    for (number, known) in (0u32..).zip(&input.snippets) {
        if !options.takes(&known.snippet) {
            continue;
        }
        match pools.iter_mut().find(|(language, _)| *language == known.language) {
            Some((_, pool)) => pool.push(number),
            None => pools.push((known.language, vec![number])),
        }
    }
    let alike = Alike::new(input, how);
    let groups = Groups::new(input);
    let draw = |positive: &Labelled| {
        let language = input.snippets[positive.right as usize].language;
        let pool = &pools.iter().find(|(of, _)| *of == language)?.1;
        let right = partner(input, positive, pool, &alike, &groups, seed)?;
        Some(Labelled { right, is_clone: false, clone_type: None, ..*positive })
    };
    input.pairs.par_iter().filter(|pair| pair.is_clone).filter_map(draw).collect()
}

/// What tells which of the drawn snippets is most like the left side.
enum Alike {
    /// Nothing: the first is taken.
    Any,
    TokenOverlap,
    Words(TfIdf),
}

impl Alike {
    fn new(input: &Input, how: Negatives) -> Self {
        match how {
            Negatives::Random => Self::Any,
            Negatives::Hard => Self::TokenOverlap,
            Negatives::TfIdf => {
                let words = input.snippets.iter().map(|known| &*known.words);
                Self::Words(TfIdf::new(words, input.words.len()))
            }
        }
    }

    /// How many snippets are drawn for one negative.
    fn tries(&self) -> usize {
        match self {
            Self::Any | Self::TokenOverlap => 32,
            Self::Words(_) => 100,
        }
    }

    fn similarity(&self, input: &Input, left: u32, right: u32) -> f64 {
        let snippet = |number: u32| &input.snippets[number as usize].snippet;
        match self {
            Self::Any => 0.0,
            Self::TokenOverlap => snippet::similarity(Measure::TokenOverlap, snippet(left), snippet(right)),
            Self::Words(words) => words.cosine(left, right),
        }
    }
}

/// The groups that positives leave apart, and their snippets of each language.
struct Groups<'i> {
    input: &'i Input,
    /// For each group one that it is joined with, or itself.
    joined: Vec<u32>,
    members: FxHashMap<(u32, Language), Vec<u32>>,
}

impl<'i> Groups<'i> {
    fn new(input: &'i Input) -> Self {
        let groups = input.snippets.iter().map(|known| known.group + 1).max().unwrap_or(0);
        let mut groups = Self { input, joined: (0..groups).collect(), members: FxHashMap::default() };
        for pair in input.pairs.iter().filter(|pair| pair.is_clone) {
            let [left, right] = [pair.left, pair.right].map(|side| groups.of(side));
            groups.joined[left.max(right) as usize] = left.min(right);
        }
        // A group is joined with a smaller one, which is at its end already.
        for group in 0..groups.joined.len() {
            groups.joined[group] = groups.joined[groups.joined[group] as usize];
        }
        for (number, known) in (0u32..).zip(&input.snippets) {
            let of_both = (groups.of(number), known.language);
            groups.members.entry(of_both).or_default().push(number);
        }
        groups
    }

    /// The group of a snippet.
    fn of(&self, number: u32) -> u32 {
        let mut group = self.input.snippets[number as usize].group;
        while self.joined[group as usize] != group {
            group = self.joined[group as usize];
        }
        group
    }

    /// Whether `number` is a copy of a snippet in the group of `other`.
    fn repeats(&self, number: u32, other: u32) -> bool {
        let known = &self.input.snippets[number as usize];
        let beside = self.members.get(&(self.of(other), known.language));
        beside.into_iter().flatten().any(|&member| {
            let member = &self.input.snippets[member as usize].snippet;
            are_copies(&known.snippet, member)
        })
    }
}

fn partner(
    input: &Input,
    positive: &Labelled,
    pool: &[u32],
    alike: &Alike,
    groups: &Groups<'_>,
    seed: u64,
) -> Option<u32> {
    let snippets = &input.snippets;
    let (left, right) = (&snippets[positive.left as usize], &snippets[positive.right as usize]);
    let mut random = SplitMix(seed ^ positive.row.wrapping_mul(0xA24B_AED4_963E_E407));
    let drawn = (0..alike.tries()).map(|_| pool[random.below(pool.len())]).filter(|&number| {
        let other = &snippets[number as usize];
        // Both sides of a positive are of one group.
        groups.of(number) != groups.of(positive.left)
            && !other.snippet.is_renamed(&left.snippet)
            && !other.snippet.is_renamed(&right.snippet)
    });
    let is_negative =
        |number: u32| !groups.repeats(number, positive.left) && !groups.repeats(positive.left, number);
    if let Alike::Any = alike {
        let mut drawn = drawn;
        return drawn.find(|&number| is_negative(number));
    }
    let mut nearest: Vec<(f64, u32)> =
        drawn.map(|number| (alike.similarity(input, positive.left, number), number)).collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0));
    nearest.into_iter().map(|(_, number)| number).find(|&number| is_negative(number))
}
