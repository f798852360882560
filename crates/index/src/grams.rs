//! n-grams of symbol sequences: hashed, counted over a collection, and looked up.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

/// Replaces `out` by the distinct hashes of the `n`-grams of `symbols`, ascending; a shorter sequence is one gram.
pub fn distinct(symbols: &[u32], n: usize, out: &mut Vec<u32>) {
    /// Odd, so that the polynomial below can be rolled modulo 2^64.
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
    let spread = |symbol: u32| u64::from(symbol).wrapping_add(1).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let finish = |hash: u64| {
        let hash = (hash ^ (hash >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (hash >> 32) as u32
    };
    out.clear();
    if symbols.is_empty() {
        return;
    }
    let n = n.min(symbols.len());
    let oldest = (1..n).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0u64;
    for (at, &symbol) in symbols.iter().enumerate() {
        if at >= n {
            hash = hash.wrapping_sub(spread(symbols[at - n]).wrapping_mul(oldest));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(spread(symbol));
        if at + 1 >= n {
            out.push(finish(hash));
        }
    }
    out.sort_unstable();
    out.dedup();
}

/// How many counters there are for about `grams` distinct grams, log₂.
fn counters_log2(grams: usize) -> u32 {
    grams.next_power_of_two().trailing_zeros().clamp(10, 24)
}

/// The counter of a gram among those for about `grams` distinct grams.
pub fn counter_of(gram: u32, grams: usize) -> u32 {
    gram >> (32 - counters_log2(grams))
}

/// In how many sequences a gram occurs: at least as many as it does, for grams share counters.
#[derive(Debug)]
pub struct GramCounts {
    counters: Vec<AtomicU32>,
    shift: u32,
}

impl GramCounts {
    /// Counters for about `grams` distinct grams.
    pub fn new(grams: usize) -> Self {
        let bits = counters_log2(grams);
        Self { counters: (0..1usize << bits).map(|_| AtomicU32::new(0)).collect(), shift: 32 - bits }
    }

    /// The same, with what was counted elsewhere: counters, as [`counter_of`] gives them, and what they stand at.
    pub fn of_counted(grams: usize, counted: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let counts = Self::new(grams);
        for (counter, count) in counted {
            if let Some(held) = counts.counters.get(counter as usize) {
                held.store(count, Ordering::Relaxed);
            }
        }
        counts
    }

    /// Counts the distinct grams of one sequence; may be called from many threads.
    pub fn add(&self, grams: &[u32]) {
        for &gram in grams {
            self.counters[(gram >> self.shift) as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Of the grams that occur in at least two sequences keeps the `rarest` that occur in the fewest, and of the others
    /// as many of the least (a sample that is the same for all sequences: Broder's bottom-k sketch) as make `most` in
    /// all. `grams` stays ascending.
    pub fn keep(&self, rarest: usize, most: usize, grams: &mut Vec<u32>, keys: &mut Vec<u64>) {
        let count = |gram: u32| self.counters[(gram >> self.shift) as usize].load(Ordering::Relaxed);
        keys.clear();
        keys.extend(
            grams
                .iter()
                .map(|&gram| (u64::from(count(gram)) << 32) | u64::from(gram))
                .filter(|key| key >> 32 >= 2),
        );
        if keys.len() > most {
            let (_, _, others) = keys.select_nth_unstable(rarest - 1);
            others.select_nth_unstable_by_key(most - rarest, |&key| key as u32);
            keys.truncate(most);
        }
        grams.clear();
        grams.extend(keys.iter().map(|&key| key as u32));
        grams.sort_unstable();
    }
}

/// Which of some lists hold a gram.
#[derive(Debug)]
pub struct Postings {
    /// Distinct grams, ascending, and where their lists start in `lists`, with the end.
    grams: Vec<u32>,
    starts: Vec<u32>,
    lists: Vec<u32>,
    /// For each value of a gram's upper bits the first of `grams` that has it or a larger one, with the end.
    buckets: Vec<u32>,
    shift: u32,
    /// For each list, where in `lists` those that share its grams and come after it start and end.
    later: Vec<Box<[(u32, u32)]>>,
}

impl Postings {
    /// `grams_of[i]` are the distinct grams of list `i`.
    pub fn new(grams_of: &[Box<[u32]>]) -> Self {
        let mut pairs = Vec::with_capacity(grams_of.iter().map(|grams| grams.len()).sum());
        for (list, grams) in grams_of.iter().enumerate() {
            pairs.extend(grams.iter().map(|&gram| (u64::from(gram) << 32) | list as u64));
        }
        pairs.par_sort_unstable();
        let (mut grams, mut starts) = (Vec::new(), Vec::new());
        let mut later = vec![Vec::new(); grams_of.len()];
        let mut first = 0;
        for same in pairs.chunk_by(|a, b| a >> 32 == b >> 32) {
            grams.push((same[0] >> 32) as u32);
            starts.push(first);
            let end = first + same.len() as u32;
            for (at, &pair) in (first + 1..end).zip(same) {
                later[pair as u32 as usize].push((at, end));
            }
            first = end;
        }
        starts.push(first);
        // Grams are hashes: with as many buckets as grams, each holds about one.
        let bits = grams.len().next_power_of_two().trailing_zeros().clamp(1, 24);
        let shift = 32 - bits;
        let mut buckets = vec![0u32; (1 << bits) + 1];
        for &gram in &grams {
            buckets[(gram >> shift) as usize + 1] += 1;
        }
        for bucket in 1..buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
        }
        let lists = pairs.into_iter().map(|pair| pair as u32).collect();
        let later = later.into_iter().map(Vec::into_boxed_slice).collect();
        Self { grams, starts, lists, buckets, shift, later }
    }

    /// The lists that hold `gram`, ascending.
    pub fn get(&self, gram: u32) -> &[u32] {
        let bucket = (gram >> self.shift) as usize;
        let bucket = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        match self.grams[bucket.clone()].iter().position(|&known| known >= gram) {
            Some(at) if self.grams[bucket.start + at] == gram => {
                let at = bucket.start + at;
                &self.lists[self.starts[at] as usize..self.starts[at + 1] as usize]
            }
            _ => &[],
        }
    }

    /// For each gram of `list` that later lists hold: those lists, ascending.
    pub fn later(&self, list: u32) -> impl Iterator<Item = &[u32]> {
        self.later[list as usize].iter().map(|&(start, end)| &self.lists[start as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(symbols: &[u32]) -> Vec<u32> {
        let mut out = Vec::new();
        distinct(symbols, 3, &mut out);
        out
    }

    #[test]
    fn a_gram_does_not_depend_on_where_it_stands() {
        let (a, b) = (grams(&[1, 2, 3, 4]), grams(&[9, 9, 2, 3, 4, 9]));
        assert_eq!(a.len(), 2);
        assert_eq!(a.iter().filter(|gram| b.contains(gram)).count(), 1);
        assert_eq!(grams(&[1, 2]).len(), 1);
        assert_eq!(grams(&[5; 20]).len(), 1);
    }

    #[test]
    fn postings_find_what_was_put_in_and_counts_leave_out_what_is_single() {
        let lists: Vec<Box<[u32]>> = (0..50).map(|i| grams(&[i % 5, 1, 2, i, 1000 + i]).into()).collect();
        let postings = Postings::new(&lists);
        for (i, list) in lists.iter().enumerate() {
            assert!(list.iter().all(|&gram| postings.get(gram).contains(&(i as u32))));
        }
        let later: Vec<&[u32]> = postings.later(37).collect();
        assert_eq!(later, [[42, 47]]);
        assert_eq!(postings.get(lists[0][0] ^ 1), &[] as &[u32]);
        let counts = GramCounts::new(1 << 20);
        for list in &lists {
            counts.add(list);
        }
        let mut kept = lists[7].to_vec();
        counts.keep(1, 2, &mut kept, &mut Vec::new());
        assert_eq!(kept, grams(&[2, 1, 2]));
        let mut sample: Vec<u32> = (0..100).map(|gram| gram << 22).collect();
        counts.add(&sample);
        counts.add(&sample);
        counts.add(&sample[..60]);
        counts.keep(10, 20, &mut sample, &mut Vec::new());
        assert_eq!((sample[9] >> 22, sample[10] >> 22, sample[19] >> 22), (9, 60, 69));
    }
}
