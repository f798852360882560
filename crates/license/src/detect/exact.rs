//! Whole rules in a text: each rule has one stretch of at most four tokens that is rare among rules, by which it is looked
//! up, and is then compared token by token.

use rustc_hash::FxHashMap;

use super::found::{Found, Way};
use super::query::Query;
use super::span::Span;
use crate::rules::{Rules, Word};

/// Tokens of an anchor, where the rule has as many.
const GRAM: usize = 4;

/// Rules by the stretch of tokens that they are looked up by.
#[derive(Debug)]
pub(super) struct Anchors {
    /// For each number of tokens, where the rules of a stretch stand in `rules`.
    by_gram: [FxHashMap<u64, (u32, u32)>; GRAM],
    rules: Vec<u32>,
    /// One bit for each hash of a stretch of four: most stretches of a text are those of no rule.
    seen: Vec<u64>,
}

const SEEN_BITS: u32 = 20;

/// Tokens as one number; stretches of different lengths are kept apart by their maps.
pub(super) fn packed(tokens: &[Word]) -> u64 {
    tokens.iter().fold(0, |packed, &token| packed << 16 | u64::from(token))
}

fn bit(gram: u64) -> (usize, u64) {
    let hash = gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SEEN_BITS);
    ((hash / 64) as usize, 1 << (hash % 64))
}

impl Anchors {
    pub(super) fn of(rules: &Rules) -> Self {
        let mut pairs: [Vec<(u64, u32)>; GRAM] = Default::default();
        for rule in 0..rules.rules.len() as u32 {
            let tokens = rules.tokens(rule);
            let length = tokens.len().min(GRAM);
            let start = rules.rules[rule as usize].anchor as usize;
            pairs[length - 1].push((packed(&tokens[start..start + length]), rule));
        }
        let mut anchors = Self {
            by_gram: Default::default(),
            rules: Vec::with_capacity(rules.rules.len()),
            seen: vec![0; 1 << (SEEN_BITS - 6)],
        };
        for (map, mut pairs) in anchors.by_gram.iter_mut().zip(pairs) {
            pairs.sort_unstable();
            for same in pairs.chunk_by(|a, b| a.0 == b.0) {
                let start = anchors.rules.len() as u32;
                anchors.rules.extend(same.iter().map(|pair| pair.1));
                map.insert(same[0].0, (start, anchors.rules.len() as u32));
                let (word, bit) = bit(same[0].0);
                anchors.seen[word] |= bit;
            }
        }
        anchors
    }

    /// Every place at which a whole rule stands, but for those that touch a position that is `taken`.
    pub(super) fn find(&self, rules: &Rules, query: &Query, taken: &Span) -> Vec<Found> {
        let mut found = Vec::new();
        for at in 0..query.tokens.len() {
            let rest = &query.tokens[at..];
            for (length, map) in (1..=GRAM.min(rest.len())).zip(&self.by_gram) {
                let gram = packed(&rest[..length]);
                if length == GRAM {
                    let (word, bit) = bit(gram);
                    if self.seen[word] & bit == 0 {
                        continue;
                    }
                }
                let Some(&(first, end)) = map.get(&gram) else { continue };
                for &rule in &self.rules[first as usize..end as usize] {
                    let tokens = rules.tokens(rule);
                    let Some(start) = at.checked_sub(rules.rules[rule as usize].anchor as usize) else {
                        continue;
                    };
                    if query.tokens.get(start..start + tokens.len()) != Some(tokens) {
                        continue;
                    }
                    let text = Span::of(start as u32, (start + tokens.len()) as u32);
                    if taken.overlap(&text) == 0 {
                        found.push(Found {
                            rule,
                            way: Way::Exact,
                            text,
                            inside: Span::of(0, tokens.len() as u32),
                            legal: rules.rules[rule as usize].legal,
                        });
                    }
                }
            }
        }
        found
    }
}
