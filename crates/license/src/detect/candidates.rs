//! Which rules a text may hold in part: those that share enough stretches of four tokens with one window of it.

use std::cmp::Reverse;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::grams::{Seen, hashed, packed};
use super::query::Query;
use super::span::Span;
use crate::rules::{Flags, Rules, Word};

/// Farthest that two shared stretches of a window lie from each other, in tokens.
const FARTHEST: u32 = 100;
/// Fewest shared stretches outside of what is known already.
const LEAST_NEW: usize = 2;
/// Least share of a rule's stretches.
const LEAST_SHARE: f32 = 0.25;
/// Rules of fewer tokens are known by all their stretches, those without a legal word too.
const SHORT: usize = 60;
/// Size of the filter before the table of stretches, as a power of two.
const SEEN_BITS: u32 = 23;
/// Most rules that are compared with one window.
const MOST: usize = 24;

/// The stretches of four tokens that rules are chosen by. Long rules are known by a sample of theirs.
#[derive(Debug)]
pub(super) struct Candidates {
    by_gram: FxHashMap<u64, (u32, u32)>,
    rules: Vec<u16>,
    seen: Seen,
    /// Number of different stretches of each rule.
    grams: Vec<u16>,
}

/// A rule that may stand in a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) rule: u32,
    /// First and last shared stretch.
    pub(super) first: u32,
    pub(super) last: u32,
    /// How many are shared, and their share of the rule's.
    shared: u32,
    share: f32,
}

/// The stretches that a rule shares with a window.
#[derive(Clone, Copy, Default)]
struct Votes {
    first: u32,
    last: u32,
    shared: u32,
}

/// Whether a rule of this length is known by this stretch.
fn is_sampled(hash: u64, length: usize) -> bool {
    match length {
        ..SHORT => true,
        SHORT..300 => (hash >> 16).is_multiple_of(4),
        _ => (hash >> 16).is_multiple_of(16),
    }
}

fn has_legal_word(tokens: &[Word], legal: Word) -> bool {
    tokens.iter().any(|&token| token < legal)
}

impl Candidates {
    pub(super) fn of(rules: &Rules) -> Self {
        let legal = rules.vocabulary.legal;
        // Hashes with the number of the rule in the low bits, which sort faster than pairs.
        let mut pairs: Vec<u64> = Vec::with_capacity(rules.tokens.len() / 4);
        for (rule, number) in rules.rules.iter().zip(0u64..) {
            if !rule.flags.has(Flags::APPROXIMATE) || rule.minimum_coverage == 100 {
                continue;
            }
            let tokens = rules.tokens(number as u32);
            for gram in tokens.windows(4) {
                let hash = hashed(gram);
                if is_sampled(hash, tokens.len()) && (tokens.len() < SHORT || has_legal_word(gram, legal)) {
                    pairs.push(hash << 16 | number);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut all = Self {
            by_gram: FxHashMap::with_capacity_and_hasher(pairs.len() / 2, FxBuildHasher),
            rules: Vec::with_capacity(pairs.len()),
            seen: Seen::new(SEEN_BITS),
            grams: vec![0; rules.rules.len()],
        };
        for same in pairs.chunk_by(|a, b| a >> 16 == b >> 16) {
            let start = all.rules.len() as u32;
            all.rules.extend(same.iter().map(|&pair| pair as u16));
            all.seen.add(same[0] >> 16);
            all.by_gram.insert(same[0] >> 16, (start, all.rules.len() as u32));
        }
        for &rule in &all.rules {
            all.grams[rule as usize] += 1;
        }
        all
    }

    /// The rules to compare with each window, the likeliest first. Windows that hold nothing but what is `known` are left
    /// out, and so are positions that are `taken`.
    pub(super) fn choose(
        &self,
        rules: &Rules,
        query: &Query,
        known: &Span,
        taken: &Span,
    ) -> Vec<Vec<Candidate>> {
        let mut windows = Vec::new();
        let mut window: Vec<(u32, (u32, u32))> = Vec::new();
        for (gram, at) in query.tokens.windows(4).zip(0u32..) {
            let hash = hashed(gram);
            if !self.seen.may_have(hash) {
                continue;
            }
            let Some(&postings) = self.by_gram.get(&hash).filter(|_| !taken.holds(at)) else { continue };
            if window.last().is_some_and(|last| last.0 + FARTHEST < at) {
                windows.extend(self.of_window(rules, query, known, &window));
                window.clear();
            }
            window.push((at, postings));
        }
        windows.extend(self.of_window(rules, query, known, &window));
        windows
    }

    fn of_window(
        &self,
        rules: &Rules,
        query: &Query,
        known: &Span,
        window: &[(u32, (u32, u32))],
    ) -> Option<Vec<Candidate>> {
        let new = window.iter().filter(|(at, _)| !(known.holds(*at) && known.holds(at + 3))).count();
        if new < LEAST_NEW {
            return None;
        }
        let mut votes: FxHashMap<u16, Votes> = FxHashMap::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        for &(at, (first, end)) in window {
            if !seen.insert(packed(&query.tokens[at as usize..at as usize + 4])) {
                continue;
            }
            for &rule in &self.rules[first as usize..end as usize] {
                let vote = votes.entry(rule).or_insert(Votes { first: at, ..Votes::default() });
                vote.last = at;
                vote.shared += 1;
            }
        }
        let candidate = |(rule, votes): (u16, Votes)| Candidate {
            rule: u32::from(rule),
            first: votes.first,
            last: votes.last + 4,
            shared: votes.shared,
            share: votes.shared as f32 / f32::from(self.grams[rule as usize].max(1)),
        };
        let enough = |c: &Candidate| c.share >= LEAST_SHARE && c.shared >= 2;
        #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
        let mut candidates: Vec<Candidate> = votes.into_iter().map(candidate).filter(enough).collect();
        let tenths = |c: &Candidate| (c.share * 10.0) as u32;
        candidates.sort_unstable_by_key(|c| (Reverse(tenths(c)), Reverse(c.shared), c.rule));
        let mut alike = FxHashSet::default();
        let kind = |c: &Candidate| {
            (rules.rules[c.rule as usize].expression, tenths(c), c.shared / 4, rules.length(c.rule) / 16)
        };
        candidates.retain(|c| alike.insert(kind(c)));
        candidates.truncate(MOST);
        Some(candidates).filter(|candidates| !candidates.is_empty())
    }
}
