//! Whole rules in a text: each rule has one stretch of at most four tokens that is rare among rules, by which it is looked
//! up, and is then compared token by token.

use rustc_hash::FxHashMap;

use super::found::{Found, Way};
use super::grams::{Seen, hash, packed};
use super::span::Span;
use crate::rules::{Rules, Word};

/// Tokens of an anchor, where the rule has as many.
const GRAM: usize = 4;
/// Sizes of the filters before the tables of stretches of one token, of two and more, and of four, as powers of two. Small ones are
/// the faster.
const SEEN_BITS: [u32; 3] = [16, 18, 20];

/// Rules by the stretch of tokens that they are looked up by.
#[derive(Debug)]
pub(super) struct Anchors {
    /// For each number of tokens, where the rules of a stretch stand in `rules`.
    by_gram: [FxHashMap<u64, (u32, u32)>; GRAM],
    rules: Vec<u32>,
    /// Stretches of one token, the first two tokens of longer ones, and stretches of four.
    single: Seen,
    pairs: Seen,
    whole: Seen,
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
            single: Seen::new(SEEN_BITS[0]),
            pairs: Seen::new(SEEN_BITS[1]),
            whole: Seen::new(SEEN_BITS[2]),
        };
        for ((length, map), mut pairs) in (1..).zip(&mut anchors.by_gram).zip(pairs) {
            pairs.sort_unstable();
            for same in pairs.chunk_by(|a, b| a.0 == b.0) {
                let start = anchors.rules.len() as u32;
                anchors.rules.extend(same.iter().map(|pair| pair.1));
                map.insert(same[0].0, (start, anchors.rules.len() as u32));
                let gram = same[0].0;
                match length {
                    1 => anchors.single.add(hash(gram)),
                    _ => anchors.pairs.add(hash(gram >> (16 * (length - 2)))),
                }
                if length == GRAM {
                    anchors.whole.add(hash(gram));
                }
            }
        }
        anchors
    }

    /// Every place at which a whole rule stands, but for those that touch a position that is `taken`.
    pub(super) fn find(&self, rules: &Rules, text: &[Word], taken: &Span) -> Vec<Found> {
        let mut found = Vec::new();
        for at in 0..text.len() {
            let rest = &text[at..];
            let mut gram = 0;
            for ((length, token), map) in (1..).zip(rest).zip(&self.by_gram) {
                gram = gram << 16 | u64::from(*token);
                match length {
                    1 if !self.single.may_have(hash(gram)) => continue,
                    2 if !self.pairs.may_have(hash(gram)) => break,
                    GRAM if !self.whole.may_have(hash(gram)) => break,
                    _ => {}
                }
                let Some(&(first, end)) = map.get(&gram) else { continue };
                for &rule in &self.rules[first as usize..end as usize] {
                    let tokens = rules.tokens(rule);
                    let Some(start) = at.checked_sub(rules.rules[rule as usize].anchor as usize) else {
                        continue;
                    };
                    if text.get(start..start + tokens.len()) != Some(tokens) {
                        continue;
                    }
                    let place = Span::of(start as u32, (start + tokens.len()) as u32);
                    if taken.overlap(&place) == 0 {
                        found.push(Found {
                            rule,
                            way: Way::Exact,
                            text: place,
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
