//! Negatives for data that holds positives only.

use familiar_engine::{Measure, snippet};
use familiar_source::Language;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Negatives;
use super::input::{Input, Labelled};
use super::words::TfIdf;
use crate::copies::are_copies;
use crate::random::SplitMix;

/// One negative for each positive, where one can be drawn: the positive's left side, and in the place of its right side
/// a snippet of the same language from another group. Neither is a renamed copy of the other, nor a renamed or edited copy of
/// anything in the other's group: data sets have one problem under several names. Depends on nothing but `seed` and the rows.
pub(super) fn negatives(input: &Input, how: Negatives, seed: u64) -> Vec<Labelled> {
    let mut pools: Vec<(Language, Vec<u32>)> = Vec::new();
    for (number, known) in (0u32..).zip(&input.snippets) {
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

/// The snippets of each group and language.
struct Groups<'i> {
    input: &'i Input,
    members: FxHashMap<(u32, Language), Vec<u32>>,
}

impl<'i> Groups<'i> {
    fn new(input: &'i Input) -> Self {
        let mut members: FxHashMap<(u32, Language), Vec<u32>> = FxHashMap::default();
        for (number, known) in (0u32..).zip(&input.snippets) {
            members.entry((known.group, known.language)).or_default().push(number);
        }
        Self { input, members }
    }

    /// Whether `number` is a copy of a snippet in the group of `other`.
    fn repeats(&self, number: u32, other: u32) -> bool {
        let [known, other] = [number, other].map(|at| &self.input.snippets[at as usize]);
        let beside = self.members.get(&(other.group, known.language));
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
        other.group != left.group
            && other.group != right.group
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
