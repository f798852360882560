//! Sampling of k-grams: which positions of a token stream stand for it in an index of repeats.
//!
//! Winnowing (Schleimer, Wilkerson, Aiken: *Winnowing: local algorithms for document fingerprinting*, SIGMOD 2003)
//! over Karp–Rabin hashes: of every `window` consecutive k-grams the one with the smallest hash is sampled, the
//! rightmost among equals. The choice depends on the window's content alone, so two equal runs of
//! `k + window - 1` tokens have a sample at the same offset.
//!
//! Low-entropy code (`0, 0, 0, …`) would make every position a sample. Windows that are periodic with a period of at most
//! [`Sampling::longest_period`] are therefore not sampled; the maximal [`Periodic`] regions they lie in are returned
//! instead. So every equal run of `k + window - 1` tokens either has a common sample or lies in periodic regions.

use std::collections::BTreeSet;

/// Length of the k-grams and number of k-grams in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    pub k: usize,
    pub window: usize,
}

/// A maximal stretch `start..end` of tokens in which every token equals the one `period` earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Periodic {
    pub start: u32,
    pub end: u32,
    pub period: u32,
}

/// The samples and the periodic regions of one token stream, both in the order of their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// Hash, evenly distributed over all numbers, and position of each sampled k-gram.
    pub kgrams: Vec<(u32, u32)>,
    pub periodic: Vec<Periodic>,
}

impl Sampling {
    /// Samples at least once in every non-periodic run of `tokens` tokens.
    ///
    /// `k` may not fall below a third of `tokens` (a k-gram must hold a whole period); longer k-grams have fewer
    /// chance repeats, shorter ones need fewer samples.
    pub fn for_runs(tokens: u32) -> Self {
        let tokens = tokens.max(1) as usize;
        let k = (tokens / 2).max(1);
        Self { k, window: tokens - k + 1 }
    }

    /// Length of the runs that surely hold a sample.
    pub fn tokens(self) -> usize {
        self.k + self.window - 1
    }

    /// The longest period of a region that is not sampled.
    pub(crate) fn longest_period(self) -> usize {
        self.window / 2
    }
}

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// Samples token streams; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Sampler {
    sampling: Sampling,
    /// `BASE` to the power of `k`.
    leaving: u64,
    hashes: Vec<u32>,
}

impl Sampler {
    pub fn new(sampling: Sampling) -> Self {
        let leaving = (0..sampling.k).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Self { sampling, leaving, hashes: Vec::new() }
    }

    /// Appends the samples and regions of `symbols`, whose first token has the position `offset`.
    pub fn sample(&mut self, symbols: &[u32], offset: u32, out: &mut Samples) {
        if symbols.len() < self.sampling.tokens() {
            return;
        }
        self.hash(symbols);
        let mut pass = Pass {
            symbols,
            hashes: &self.hashes,
            sampling: self.sampling,
            regions: BTreeSet::new(),
            next_region: usize::MAX,
        };
        pass.run(offset, &mut out.kgrams);
        out.periodic.extend(pass.regions.into_iter().map(|region| Periodic {
            start: region.start + offset,
            end: region.end + offset,
            period: region.period,
        }));
    }

    /// The position that the first window of `symbols` samples, were it not periodic.
    pub fn first_choice(&mut self, symbols: &[u32]) -> usize {
        self.hash(&symbols[..self.sampling.tokens()]);
        rightmost_smallest(&self.hashes)
    }

    /// Fills `hashes` with the hash of every k-gram.
    fn hash(&mut self, symbols: &[u32]) {
        let k = self.sampling.k;
        let mixed = |symbol: u32| (u64::from(symbol) + 1).wrapping_mul(MIX);
        let first = symbols[..k]
            .iter()
            .fold(0u64, |hash, &symbol| hash.wrapping_mul(BASE).wrapping_add(mixed(symbol)));
        self.hashes.clear();
        self.hashes.reserve(symbols.len() - k + 1);
        self.hashes.push((first >> 32) as u32);
        let leaving = self.leaving;
        let mut hash = first;
        self.hashes.extend(symbols[k..].iter().zip(symbols).map(|(&new, &old)| {
            let change = mixed(new).wrapping_sub(mixed(old).wrapping_mul(leaving));
            hash = hash.wrapping_mul(BASE).wrapping_add(change);
            (hash >> 32) as u32
        }));
    }
}

/// One pass over the windows of a stream.
struct Pass<'a> {
    symbols: &'a [u32],
    hashes: &'a [u32],
    sampling: Sampling,
    regions: BTreeSet<Periodic>,
    /// First window of the next region ahead, or `usize::MAX`.
    next_region: usize,
}

impl Pass<'_> {
    fn run(&mut self, offset: u32, out: &mut Vec<(u32, u32)>) {
        let window = self.sampling.window;
        let windows = self.hashes.len() - window + 1;
        let mut start = 0;
        // The sampled position; at a fresh start it is unknown and the whole window is searched.
        let mut best = usize::MAX;
        let mut sampled = usize::MAX;
        while start < windows {
            let last = start + window - 1;
            if best == usize::MAX || best < start {
                best = start + rightmost_smallest(&self.hashes[start..=last]);
                self.look_for_region(start, best);
            } else if self.hashes[last] <= self.hashes[best] {
                best = last;
                self.look_for_region(start, best);
            }
            if start >= self.next_region {
                start = self.leave_regions(start);
                best = usize::MAX;
                continue;
            }
            if best != sampled {
                out.push((spread(self.hashes[best]), offset + best as u32));
                sampled = best;
            }
            start = self.skip_unchanged(start + 1, windows, best);
        }
    }

    /// The next window, from `start` on, at which something can happen: the sample changes or a region begins.
    #[inline]
    fn skip_unchanged(&self, start: usize, windows: usize, best: usize) -> usize {
        let smallest = self.hashes[best];
        let end = windows.min(best + 1).min(self.next_region);
        if start >= end {
            return start;
        }
        let entering = &self.hashes[start + self.sampling.window - 1..end + self.sampling.window - 1];
        start + entering.iter().position(|&hash| hash <= smallest).unwrap_or(entering.len())
    }

    /// Looks for a periodic region around a window whose smallest hash, at `best`, occurs in it before.
    fn look_for_region(&mut self, start: usize, best: usize) {
        let smallest = self.hashes[best];
        let Some(before) = self.hashes[start..best].iter().rposition(|&hash| hash == smallest) else {
            return;
        };
        let earlier = start + before;
        let period = best - earlier;
        if period > self.sampling.longest_period() || self.is_known(earlier, period) {
            return;
        }
        let region = self.extend(earlier, period);
        if (region.end - region.start) as usize >= self.sampling.tokens() {
            self.regions.insert(region);
            self.next_region = self.next_region.min((region.start as usize).max(start));
        }
    }

    /// Whether the region of this period around the k-gram at `at` and its next copy was found before.
    fn is_known(&self, at: usize, period: usize) -> bool {
        let last = (at + period + self.sampling.k) as u32;
        let known = |region: &Periodic| {
            region.period as usize == period && region.start <= at as u32 && last <= region.end
        };
        self.regions.iter().rev().take(3).any(known)
    }

    fn extend(&self, at: usize, period: usize) -> Periodic {
        let symbols = self.symbols;
        let back = symbols[..at].iter().rev().zip(symbols[..at + period].iter().rev());
        let back = back.take_while(|(a, b)| a == b).count();
        let on = symbols[at..].iter().zip(&symbols[at + period..]).take_while(|(a, b)| a == b).count();
        Periodic { start: (at - back) as u32, end: (at + period + on) as u32, period: period as u32 }
    }

    /// The first window from `start` on that no known region holds; notes where the next region begins.
    fn leave_regions(&mut self, mut start: usize) -> usize {
        let tokens = self.sampling.tokens();
        self.next_region = usize::MAX;
        // Regions overlap by less than a window, so the order of their starts is that of their ends.
        let mut near: Vec<Periodic> = self.regions.iter().rev().take(8).copied().collect();
        near.reverse();
        for region in near {
            let (first, end) = (region.start as usize, region.end as usize - tokens + 1);
            if first <= start && start < end {
                start = end;
            } else if start < first {
                self.next_region = self.next_region.min(first);
            }
        }
        start
    }
}

/// The hash of a sample. The smallest of a window are small numbers; spread out, their ranges hold about equally many.
fn spread(hash: u32) -> u32 {
    hash.wrapping_mul(0x9e37_79b1)
}

/// Position of the smallest hash, the rightmost among equals.
#[inline]
fn rightmost_smallest(hashes: &[u32]) -> usize {
    let smallest = hashes.iter().copied().min().unwrap_or(0);
    hashes.iter().rposition(|&hash| hash == smallest).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(symbols: &[u32], tokens: u32) -> Samples {
        let mut out = Samples::default();
        Sampler::new(Sampling::for_runs(tokens)).sample(symbols, 0, &mut out);
        out
    }

    #[test]
    fn a_constant_stream_is_one_region() {
        let out = sample(&[7; 1000], 20);
        assert_eq!(out.periodic, [Periodic { start: 0, end: 1000, period: 1 }]);
        assert!(out.kgrams.is_empty(), "{:?}", out.kgrams);
    }

    #[test]
    fn a_table_inside_code_is_cut_out() {
        let mut symbols: Vec<u32> = (100..160).collect();
        symbols.extend([1, 2, 3].iter().cycle().take(300));
        symbols.extend(200..260);
        let out = sample(&symbols, 20);
        assert_eq!(out.periodic, [Periodic { start: 60, end: 360, period: 3 }]);
        assert!(out.kgrams.iter().all(|&(_, at)| !(80..=340).contains(&at)), "{:?}", out.kgrams);
    }

    /// The smallest period of `window`, if it is one that is not sampled.
    fn period(window: &[u32], longest: usize) -> Option<usize> {
        (1..=longest).find(|&p| window[p..].iter().zip(window).all(|(a, b)| a == b))
    }

    proptest! {
        #[test]
        fn every_window_is_sampled_or_periodic(
            symbols in prop::collection::vec(0u32..3, 0..200), tokens in 4u32..12
        ) {
            let sampling = Sampling::for_runs(tokens);
            let out = sample(&symbols, tokens);
            let mut sampler = Sampler::new(sampling);
            for (at, window) in symbols.windows(tokens as usize).enumerate() {
                let region = out.periodic.iter().any(|region| {
                    region.start as usize <= at && at + window.len() <= region.end as usize
                });
                let periodic = period(window, sampling.longest_period()).is_some();
                prop_assert_eq!(region, periodic, "window at {}", at);
                if !periodic {
                    let choice = (at + sampler.first_choice(window)) as u32;
                    prop_assert!(out.kgrams.iter().any(|&(_, position)| position == choice));
                }
            }
            prop_assert!(out.kgrams.windows(2).all(|pair| pair[0].1 < pair[1].1));
        }
    }
}
