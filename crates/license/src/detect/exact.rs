//! Whole rules in a text: each rule has one stretch of at most four tokens that is rare among rules, by which it is looked
//! up, and is then compared token by token.

use rustc_hash::FxHashMap;

use super::found::{Found, Way};
use super::grams::{Seen, hashed, packed};
use super::query::Query;
use super::span::Span;
use crate::rules::Rules;

/// Tokens of an anchor, where the rule has as many.
const GRAM: usize = 4;
/// Size of the filter before the table of stretches of four, as a power of two.
const SEEN_BITS: u32 = 20;

/// Rules by the stretch of tokens that they are looked up by.
#[derive(Debug)]
pub(super) struct Anchors {
    /// For each number of tokens, where the rules of a stretch stand in `rules`.
    by_gram: [FxHashMap<u64, (u32, u32)>; GRAM],
    rules: Vec<u32>,
    /// Stretches of four.
    seen: Seen,
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
            seen: Seen::new(SEEN_BITS),
        };
        for (map, mut pairs) in anchors.by_gram.iter_mut().zip(pairs) {
            pairs.sort_unstable();
            for same in pairs.chunk_by(|a, b| a.0 == b.0) {
                let start = anchors.rules.len() as u32;
                anchors.rules.extend(same.iter().map(|pair| pair.1));
                map.insert(same[0].0, (start, anchors.rules.len() as u32));
            }
        }
        for (rule, tokens) in rules.rules.iter().zip((0..).map(|rule| rules.tokens(rule))) {
            if let Some(gram) = tokens.get(rule.anchor as usize..rule.anchor as usize + GRAM) {
                anchors.seen.add(hashed(gram));
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
                if length == GRAM && !self.seen.may_have(hashed(&rest[..GRAM])) {
                    continue;
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
