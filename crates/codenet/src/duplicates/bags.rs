//! Bags of tokens: which tokens a sample has, and how often.

use hashbrown::HashTable;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

/// A count that stands elsewhere, since it is too large for a byte.
const ELSEWHERE: u8 = u8::MAX;
/// Bags that are sorted together.
const PART: usize = 4096;

/// Different bags, and which samples have each of them. A bag lists its tokens once, ascending, each with its count.
#[derive(Debug, Default)]
pub(crate) struct Bags {
    /// Where the tokens of each bag end.
    ends: Vec<u64>,
    tokens: Vec<u32>,
    counts: Vec<u8>,
    /// Large counts by their place in `counts`.
    large: FxHashMap<u64, u32>,
    /// How many tokens each bag has, repeated ones counted.
    lengths: Vec<u32>,
    known: HashTable<u32>,
}

/// One bag.
#[derive(Clone, Copy)]
pub(super) struct Bag<'b> {
    pub(super) tokens: &'b [u32],
    counts: &'b [u8],
    first: u64,
    large: &'b FxHashMap<u64, u32>,
}

/// How two bags overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Jaccard index of the sets of tokens.
    pub set: f64,
    /// Jaccard index of the multisets.
    pub multiset: f64,
}

impl Bags {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.tokens.capacity() * 5 + self.len() * (8 + 4 + 5)
    }

    /// How many tokens the bag has, repeated ones counted.
    pub(super) fn length(&self, bag: usize) -> u32 {
        self.lengths[bag]
    }

    /// How many different tokens the bag has.
    pub(super) fn size(&self, bag: usize) -> usize {
        (self.ends[bag] - self.start(bag)) as usize
    }

    fn start(&self, bag: usize) -> u64 {
        bag.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    pub(super) fn bag(&self, bag: usize) -> Bag<'_> {
        let (first, end) = (self.start(bag), self.ends[bag]);
        let range = first as usize..end as usize;
        Bag { tokens: &self.tokens[range.clone()], counts: &self.counts[range], first, large: &self.large }
    }

    /// The number of the bag with these tokens, which are sorted by token; a new one where there is none yet. A bag without tokens is
    /// always a new one: samples that say nothing are not alike for it.
    pub(super) fn number(&mut self, tokens: &[(u32, u32)]) -> u32 {
        let hash = hash(tokens.iter().copied());
        let same = |&bag: &u32| self.bag(bag as usize).iter().eq(tokens.iter().copied());
        if let Some(&known) = self.known.find(hash, same) {
            return known;
        }
        let number = self.len() as u32;
        for &(token, count) in tokens {
            let short = u8::try_from(count).unwrap_or(ELSEWHERE);
            if short == ELSEWHERE {
                self.large.insert(self.counts.len() as u64, count);
            }
            self.tokens.push(token);
            self.counts.push(short);
        }
        self.ends.push(self.tokens.len() as u64);
        let length: u64 = tokens.iter().map(|&(_, count)| u64::from(count)).sum();
        self.lengths.push(u32::try_from(length).unwrap_or(u32::MAX));
        if !tokens.is_empty() {
            let mut known = std::mem::take(&mut self.known);
            known.insert_unique(hash, number, |&bag| hash_of(self.bag(bag as usize)));
            self.known = known;
        }
        number
    }

    /// Renames tokens so that the rarest has the smallest number, and sorts each bag. No bag can be added afterwards.
    pub(super) fn order_by_rarity(&mut self, tokens: usize) {
        self.known = HashTable::new();
        let mut bags_with = vec![0_u32; tokens];
        for &token in &self.tokens {
            bags_with[token as usize] += 1;
        }
        let mut order: Vec<u32> = (0..tokens as u32).collect();
        order.sort_by_key(|&token| bags_with[token as usize]);
        let mut rank = bags_with;
        for (place, &token) in (0..).zip(&order) {
            rank[token as usize] = place;
        }
        let large = &self.large;
        let (mut tokens, mut counts) = (self.tokens.as_mut_slice(), self.counts.as_mut_slice());
        let (mut parts, mut first) = (Vec::new(), 0);
        for ends in self.ends.chunks(PART) {
            let end = ends[ends.len() - 1];
            let (part, rest) = tokens.split_at_mut((end - first) as usize);
            let (of_part, rest_of_counts) = counts.split_at_mut(part.len());
            (tokens, counts) = (rest, rest_of_counts);
            parts.push(Part { first, ends, tokens: part, counts: of_part });
            first = end;
        }
        self.large = parts.into_par_iter().flat_map_iter(|part| part.sort(&rank, large)).collect();
    }
}

/// Bags that are sorted together.
struct Part<'b> {
    /// Where the first of them begins, among those of all bags.
    first: u64,
    ends: &'b [u64],
    tokens: &'b mut [u32],
    counts: &'b mut [u8],
}

impl Part<'_> {
    /// Renames and sorts the tokens of each bag; gives the large counts by their new places.
    fn sort(self, rank: &[u32], large: &FxHashMap<u64, u32>) -> Vec<(u64, u32)> {
        let (mut start, mut sorted, mut moved) = (self.first, Vec::new(), Vec::new());
        for &end in self.ends {
            let range = (start - self.first) as usize..(end - self.first) as usize;
            let (tokens, counts) = (&mut self.tokens[range.clone()], &mut self.counts[range]);
            sorted.clear();
            sorted.extend((start..).zip(tokens.iter().zip(counts.iter())).map(|(at, (&token, &count))| {
                let elsewhere = if count == ELSEWHERE { large[&at] } else { 0 };
                (rank[token as usize], count, elsewhere)
            }));
            sorted.sort_unstable_by_key(|(token, _, _)| *token);
            for (at, &(token, count, elsewhere)) in sorted.iter().enumerate() {
                (tokens[at], counts[at]) = (token, count);
                if count == ELSEWHERE {
                    moved.push((start + at as u64, elsewhere));
                }
            }
            start = end;
        }
        moved
    }
}

impl Bag<'_> {
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.tokens.len()).map(|at| (self.tokens[at], self.count(at)))
    }

    fn count(&self, at: usize) -> u32 {
        match self.counts[at] {
            ELSEWHERE => self.large[&(self.first + at as u64)],
            short => u32::from(short),
        }
    }

    /// The Jaccard indices of two bags. A bag without tokens is like no other.
    pub(super) fn overlap(&self, other: &Bag<'_>) -> Overlap {
        let (mut at, mut against) = (0, 0);
        let (mut both, mut smaller, mut larger) = (0_u64, 0_u64, 0_u64);
        while at < self.tokens.len() && against < other.tokens.len() {
            match self.tokens[at].cmp(&other.tokens[against]) {
                std::cmp::Ordering::Less => {
                    larger += u64::from(self.count(at));
                    at += 1;
                }
                std::cmp::Ordering::Greater => {
                    larger += u64::from(other.count(against));
                    against += 1;
                }
                std::cmp::Ordering::Equal => {
                    let (one, two) = (u64::from(self.count(at)), u64::from(other.count(against)));
                    both += 1;
                    smaller += one.min(two);
                    larger += one.max(two);
                    at += 1;
                    against += 1;
                }
            }
        }
        larger += (at..self.tokens.len()).map(|at| u64::from(self.count(at))).sum::<u64>();
        larger += (against..other.tokens.len()).map(|at| u64::from(other.count(at))).sum::<u64>();
        let all = (self.tokens.len() + other.tokens.len()) as u64 - both;
        Overlap { set: share(both, all), multiset: share(smaller, larger) }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn hash(tokens: impl Iterator<Item = (u32, u32)>) -> u64 {
    let mut hash = Xxh3::new();
    for (token, count) in tokens {
        hash.update(&(u64::from(token) << 32 | u64::from(count)).to_le_bytes());
    }
    hash.digest()
}

fn hash_of(bag: Bag<'_>) -> u64 {
    hash(bag.iter())
}
