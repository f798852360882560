//! Negatives for data that holds positives only.

use familiar_engine::{Measure, snippet};
use familiar_source::Language;
use rayon::prelude::*;

use super::Negatives;
use super::input::{Input, Known, Labelled};

/// How many fragments are looked at for one negative.
const TRIES: usize = 32;

/// One negative for each positive, where one can be drawn: the positive's left side, and in the place of its right side
/// a snippet of the same language from another group that is no renamed copy. Depends on nothing but `seed` and the rows.
pub(super) fn negatives(input: &Input, how: Negatives, seed: u64) -> Vec<Labelled> {
    let mut pools: Vec<(Language, Vec<u32>)> = Vec::new();
    for (number, known) in (0u32..).zip(&input.snippets) {
        match pools.iter_mut().find(|(language, _)| *language == known.language) {
            Some((_, pool)) => pool.push(number),
            None => pools.push((known.language, vec![number])),
        }
    }
    let draw = |positive: &Labelled| {
        let language = input.snippets[positive.right as usize].language;
        let pool = &pools.iter().find(|(of, _)| *of == language)?.1;
        let right = partner(&input.snippets, positive, pool, how, seed)?;
        Some(Labelled { right, is_clone: false, clone_type: None, ..*positive })
    };
    input.pairs.par_iter().filter(|pair| pair.is_clone).filter_map(draw).collect()
}

fn partner(snippets: &[Known], positive: &Labelled, pool: &[u32], how: Negatives, seed: u64) -> Option<u32> {
    let (left, right) = (&snippets[positive.left as usize], &snippets[positive.right as usize]);
    let mut random = SplitMix(seed ^ positive.row.wrapping_mul(0xA24B_AED4_963E_E407));
    let mut drawn = (0..TRIES).map(|_| pool[random.below(pool.len())]).filter(|&number| {
        let other = &snippets[number as usize];
        other.group != left.group
            && other.group != right.group
            && !other.snippet.is_renamed(&left.snippet)
            && !other.snippet.is_renamed(&right.snippet)
    });
    match how {
        Negatives::Random => drawn.next(),
        Negatives::Hard => drawn
            .map(|number| {
                let other = &snippets[number as usize].snippet;
                (snippet::similarity(Measure::TokenOverlap, &left.snippet, other), number)
            })
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(_, number)| number),
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
