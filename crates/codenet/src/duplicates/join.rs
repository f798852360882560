//! Every pair of bags that overlap enough: an exact join with filters.
//!
//! Bags are taken in the order of their sizes. Two sets whose Jaccard index reaches the threshold share one of their rarest
//! tokens (prefix filter: Bayardo et al. 2007, Section 4; Xiao et al. 2008, Section 3), and two of them where one more is looked at
//! (Wang et al. 2012, Section 3). Two tokens say far more than one, so larger sets are looked up by pairs. The sizes of both sets are
//! alike, and their signatures differ in few bits (Sandes et al. 2020). What passes is counted token by token.

use rayon::prelude::*;

use super::bags::{Bags, Overlap};

/// Room for rounding, so that no filter drops a pair that the definition takes.
const ROUNDING: f64 = 1e-9;
/// Bags that one thread takes at a time.
const CHUNK: usize = 512;

/// From which overlap on two samples are near-duplicates: both have to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Jaccard index of the sets of tokens, above 0 and at most 1.
    pub set: f64,
    /// Jaccard index of the multisets.
    pub multiset: f64,
}

impl Default for Thresholds {
    /// Those of Puri et al. 2021, Section 5.2.
    fn default() -> Self {
        Self { set: 0.9, multiset: 0.8 }
    }
}

impl Thresholds {
    pub(super) fn reached(&self, overlap: &Overlap) -> bool {
        overlap.set >= self.set && overlap.multiset >= self.multiset
    }

    /// The fewest tokens that sets of these sizes have in common.
    fn in_common(&self, sizes: usize) -> usize {
        (self.set / (1.0 + self.set) * sizes as f64 - ROUNDING).ceil() as usize
    }
}

/// A signature of a set: each token sets one bit.
type Signature = [u64; 4];

/// What the search of partners needs, in the order of sizes.
struct Index<'b> {
    bags: &'b Bags,
    thresholds: Thresholds,
    /// The bags by size.
    order: Vec<u32>,
    signatures: Vec<Signature>,
    /// Small bags by their rarest tokens.
    by_one: Lists,
    /// The others by pairs of those.
    by_two: Lists,
    /// From so many tokens on a bag stands in `by_two`.
    large: usize,
}

/// Gives every key with its place.
type EachKey<'k> = &'k dyn Fn(&mut dyn FnMut(u32, u32));

/// The places of bags in the order of sizes by keys, of which several may share a list.
struct Lists {
    /// Where each list begins in `places`; there is a power of two of them.
    starts: Vec<u32>,
    /// Ascending in each list.
    places: Vec<u32>,
}

/// Sets of fewer tokens are looked up by one token: they need not have two in common.
const LARGE: usize = 8;
/// Below this threshold so many tokens may differ that pairs of them are too many.
const PAIRS_FROM: f64 = 0.85;

/// All pairs of different bags that reach both thresholds, each with the smaller number first, in no particular order.
/// `most` is how many pairs there may be; `None` where there are more.
pub(super) fn pairs(bags: &Bags, thresholds: Thresholds, most: usize) -> Option<Vec<[u32; 2]>> {
    let index = Index::of(bags, thresholds);
    let counted = std::sync::atomic::AtomicUsize::new(0);
    let chunks: Vec<usize> = (0..index.order.len()).step_by(CHUNK).collect();
    let found = chunks
        .into_par_iter()
        .map_init(
            || vec![u32::MAX; index.order.len()],
            |seen, first| {
                let mut pairs = Vec::new();
                for place in first..(first + CHUNK).min(index.order.len()) {
                    index.partners(place, seen, &mut pairs);
                }
                let all = counted.fetch_add(pairs.len(), std::sync::atomic::Ordering::Relaxed) + pairs.len();
                (all <= most).then_some(pairs)
            },
        )
        .collect::<Option<Vec<_>>>()?;
    Some(found.concat())
}

impl<'b> Index<'b> {
    fn of(bags: &'b Bags, thresholds: Thresholds) -> Self {
        let mut order: Vec<u32> = (0..bags.len() as u32).collect();
        order.sort_by_key(|&bag| bags.size(bag as usize));
        let signatures = order.par_iter().map(|&bag| signature(bags.bag(bag as usize).tokens)).collect();
        let large = if thresholds.set >= PAIRS_FROM { LARGE } else { usize::MAX };
        let of_size = |is_large: bool| move |&(_, size): &(u32, usize)| (size >= large) == is_large;
        let sized = || (0..).zip(order.iter().map(|&bag| bags.size(bag as usize)));
        // The partner that comes later is no smaller.
        let rarest = |place: u32, size: usize, of: usize| {
            let tokens = bags.bag(order[place as usize] as usize).tokens;
            &tokens[..prefix(size, thresholds.in_common(2 * size), of)]
        };
        let by_one = Lists::of(&|each| {
            for (place, size) in sized().filter(of_size(false)) {
                for &token in rarest(place, size, 1) {
                    each(key(token), place);
                }
            }
        });
        let by_two = Lists::of(&|each| {
            for (place, size) in sized().filter(of_size(true)) {
                each_pair(rarest(place, size, 2), &mut |key| each(key, place));
            }
        });
        Self { bags, thresholds, order, signatures, by_one, by_two, large }
    }

    /// Adds the partners before `place` in the order of sizes. `seen` says for each place for which one it was looked at last.
    fn partners(&self, place: usize, seen: &mut [u32], pairs: &mut Vec<[u32; 2]>) {
        let tokens = self.bags.bag(self.order[place] as usize).tokens;
        let size = tokens.len();
        let smallest = (self.thresholds.set * size as f64 - ROUNDING).ceil() as usize;
        let first = self.order.partition_point(|&other| self.bags.size(other as usize) < smallest) as u32;
        let range = first..place as u32;
        // Whoever overlaps enough has so many tokens in common.
        let in_common = smallest.max(1);
        if smallest < self.large {
            for &token in &tokens[..prefix(size, in_common, 1)] {
                self.compare(place, self.by_one.list(key(token), &range), seen, pairs);
            }
        }
        if size >= self.large {
            each_pair(&tokens[..prefix(size, in_common, 2)], &mut |key| {
                self.compare(place, self.by_two.list(key, &range), seen, pairs);
            });
        }
    }

    /// Adds those of `candidates` that overlap enough with the bag at `place`.
    fn compare(&self, place: usize, candidates: &[u32], seen: &mut [u32], pairs: &mut Vec<[u32; 2]>) {
        let number = self.order[place];
        let bag = self.bags.bag(number as usize);
        let length = f64::from(self.bags.length(number as usize));
        for &other in candidates {
            if std::mem::replace(&mut seen[other as usize], place as u32) == place as u32 {
                continue;
            }
            let partner = self.order[other as usize];
            let sizes = bag.tokens.len() + self.bags.size(partner as usize);
            let apart = sizes - 2 * self.thresholds.in_common(sizes).min(sizes / 2);
            if distance(&self.signatures[place], &self.signatures[other as usize]) as usize > apart {
                continue;
            }
            let other_length = f64::from(self.bags.length(partner as usize));
            let (shorter, longer) = (length.min(other_length), length.max(other_length));
            if shorter < self.thresholds.multiset * longer * (1.0 - ROUNDING) {
                continue;
            }
            if self.thresholds.reached(&bag.overlap(&self.bags.bag(partner as usize))) {
                pairs.push([number.min(partner), number.max(partner)]);
            }
        }
    }
}

impl Lists {
    /// `each_key` gives every key with its place, the places ascending; it is called twice.
    fn of(each_key: EachKey<'_>) -> Self {
        let mut keys = 0_usize;
        each_key(&mut |_, _| keys += 1);
        let lists = keys.next_power_of_two();
        let mut starts = vec![0_u32; lists + 1];
        each_key(&mut |key, _| starts[key as usize % lists + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut places = vec![0; keys];
        // Each start moves to the end of its list, which is where the next one starts.
        each_key(&mut |key, place| {
            let next = &mut starts[key as usize % lists];
            places[*next as usize] = place;
            *next += 1;
        });
        starts.rotate_right(1);
        starts[0] = 0;
        Self { starts, places }
    }

    /// The places in `range` that have the key, and others whose key has the same list.
    fn list(&self, key: u32, range: &std::ops::Range<u32>) -> &[u32] {
        let at = key as usize % (self.starts.len() - 1);
        let list = &self.places[self.starts[at] as usize..self.starts[at + 1] as usize];
        let (from, until) =
            (list.partition_point(|&it| it < range.start), list.partition_point(|&it| it < range.end));
        &list[from..until]
    }
}

/// How many of the rarest tokens of a set are looked at, so that two sets with `in_common` tokens in common have `of` of them there.
fn prefix(size: usize, in_common: usize, of: usize) -> usize {
    (size + of).saturating_sub(in_common).min(size)
}

fn key(token: u32) -> u32 {
    token.wrapping_mul(0x9E37_79B1).rotate_left(16)
}

/// Gives the key of each pair of `tokens`.
fn each_pair(tokens: &[u32], each: &mut dyn FnMut(u32)) {
    for (at, &one) in tokens.iter().enumerate() {
        for &two in &tokens[at + 1..] {
            each(key(key(one) ^ two));
        }
    }
}

fn signature(tokens: &[u32]) -> Signature {
    let mut signature = Signature::default();
    for &token in tokens {
        let bit = token.wrapping_mul(0x9E37_79B1) >> 24;
        signature[(bit >> 6) as usize] |= 1 << (bit & 63);
    }
    signature
}

/// Bits in which two signatures differ: at most as many as tokens that only one set has.
fn distance(one: &Signature, two: &Signature) -> u32 {
    one.iter().zip(two).map(|(one, two)| (one ^ two).count_ones()).sum()
}
