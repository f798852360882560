//! Which rules a text may hold in part: those that share enough stretches of four tokens with one window of it.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::grams::{Seen, hash, hashed, packed};
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
/// Number of buckets that stretches are sorted into, as a power of two: so many that few stand in each.
const BUCKET_BITS: u32 = 18;
/// Bits of a hash and of the number of a rule.
const HASH_BITS: u32 = 48;
const RULE_BITS: u32 = 16;
/// Most rules that are compared with one window, and most of the others, whose share is less than theirs but which have more of the
/// window: a license text that ends with a notice has the words of many short rules in it.
const MOST: usize = 24;
const MOST_LONG: usize = 4;

/// The stretches of four tokens that rules are chosen by. Long rules are known by a sample of theirs.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Hashes above the numbers of rules, in order: many are made and few looked up, and sorting takes less than a table.
    pairs: Vec<u64>,
    /// Where each bucket starts in `pairs`, with the end of the last.
    buckets: Vec<u32>,
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

/// The bits of a stretch's hash that are zero where a rule of this length is known by it.
fn sampled_by(length: usize) -> u64 {
    match length {
        ..SHORT => 0,
        SHORT..300 => 0b11 << 16,
        _ => 0b1111 << 16,
    }
}

/// Calls `each` with the hash of every stretch that a rule is known by.
fn stretches(tokens: &[Word], legal: Word, mut each: impl FnMut(u64)) {
    let (zeros, is_short) = (sampled_by(tokens.len()), tokens.len() < SHORT);
    let mut gram = packed(&tokens[..tokens.len().min(3)]);
    for (at, &token) in tokens.iter().enumerate().skip(3) {
        // What stands before the last four tokens falls out at the top.
        gram = gram << 16 | u64::from(token);
        let hash = hash(gram);
        if hash & zeros == 0 && (is_short || tokens[at - 3..=at].iter().any(|&token| token < legal)) {
            each(hash);
        }
    }
}

/// The number of the bucket that a pair falls into: the highest bits of its hash.
fn bucket(pair: u64) -> usize {
    (pair >> (HASH_BITS + RULE_BITS - BUCKET_BITS)) as usize
}

/// The pairs in order, each once, and where each bucket of them starts.
fn sorted(pairs: &[u64]) -> (Vec<u64>, Vec<u32>) {
    let mut ends = vec![0u32; (1 << BUCKET_BITS) + 1];
    for &pair in pairs {
        ends[bucket(pair) + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let (mut all, mut next) = (vec![0; pairs.len()], ends.clone());
    for &pair in pairs {
        let at = &mut next[bucket(pair)];
        all[*at as usize] = pair;
        *at += 1;
    }
    let (mut kept, mut starts) = (0, Vec::with_capacity(ends.len()));
    for bounds in ends.windows(2) {
        let range = bounds[0] as usize..bounds[1] as usize;
        all[range.clone()].sort_unstable();
        let start = kept;
        starts.push(start as u32);
        for at in range {
            if kept == start || all[kept - 1] != all[at] {
                all[kept] = all[at];
                kept += 1;
            }
        }
    }
    starts.push(kept as u32);
    all.truncate(kept);
    (all, starts)
}

impl Candidates {
    pub(super) fn of(rules: &Rules) -> Self {
        let legal = rules.vocabulary.legal;
        let mut pairs: Vec<u64> = Vec::with_capacity(rules.tokens.len() / 4);
        for (rule, number) in rules.rules.iter().zip(0u64..) {
            if !rule.flags.has(Flags::APPROXIMATE) || rule.minimum_coverage == 100 {
                continue;
            }
            stretches(rules.tokens(number as u32), legal, |hash| pairs.push(hash << RULE_BITS | number));
        }
        let (pairs, buckets) = sorted(&pairs);
        let (mut seen, mut grams) = (Seen::new(SEEN_BITS), vec![0; rules.rules.len()]);
        for &pair in &pairs {
            seen.add(pair >> RULE_BITS);
            grams[usize::from(pair as u16)] += 1;
        }
        Self { pairs, buckets, seen, grams }
    }

    /// Where in `pairs` the rules of a stretch stand; none where no rule has it.
    fn postings(&self, hash: u64) -> Option<Range<u32>> {
        let bucket = bucket(hash << RULE_BITS);
        let (first, end) = (self.buckets[bucket], self.buckets[bucket + 1]);
        let of_bucket = &self.pairs[first as usize..end as usize];
        let start = first + of_bucket.partition_point(|&pair| pair >> RULE_BITS < hash) as u32;
        let end = first + of_bucket.partition_point(|&pair| pair >> RULE_BITS <= hash) as u32;
        (start < end).then_some(start..end)
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
        let mut window: Vec<(u32, Range<u32>)> = Vec::new();
        for (gram, at) in query.tokens.windows(4).zip(0u32..) {
            let hash = hashed(gram);
            if !self.seen.may_have(hash) {
                continue;
            }
            if taken.holds(at) {
                continue;
            }
            let Some(postings) = self.postings(hash) else { continue };
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
        window: &[(u32, Range<u32>)],
    ) -> Option<Vec<Candidate>> {
        let new = window.iter().filter(|(at, _)| !(known.holds(*at) && known.holds(at + 3))).count();
        if new < LEAST_NEW {
            return None;
        }
        let mut votes: FxHashMap<u16, Votes> = FxHashMap::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        for (at, postings) in window {
            let at = *at;
            if !seen.insert(packed(&query.tokens[at as usize..at as usize + 4])) {
                continue;
            }
            for &pair in &self.pairs[postings.start as usize..postings.end as usize] {
                let vote = votes.entry(pair as u16).or_insert(Votes { first: at, ..Votes::default() });
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
        if candidates.len() > MOST {
            let mut rest = candidates.split_off(MOST);
            rest.sort_by_key(|c| Reverse(c.shared));
            candidates.extend(rest.into_iter().take(MOST_LONG));
        }
        Some(candidates).filter(|candidates| !candidates.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_sorted_and_each_is_kept_once() {
        let mut state = 1u64;
        let mut pairs: Vec<u64> = (0..20_000)
            .map(|at| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
                // Some buckets are full, and many are empty.
                if at % 3 == 0 { state } else { ((state >> 60) << 40) | (at % 7) }
            })
            .collect();
        let (all, starts) = sorted(&pairs);
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(all, pairs);
        assert_eq!((starts.len(), starts[starts.len() - 1] as usize), ((1 << BUCKET_BITS) + 1, all.len()));
        for (number, bounds) in starts.windows(2).enumerate() {
            assert!(all[bounds[0] as usize..bounds[1] as usize].iter().all(|&pair| bucket(pair) == number));
        }
    }
}
