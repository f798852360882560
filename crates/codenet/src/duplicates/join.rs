//! Every pair of bags that overlap enough: an exact join with filters.
//!
//! Bags are taken in the order of their sizes. Two sets whose Jaccard index reaches the threshold share one of their rarest
//! tokens (prefix filter: Bayardo et al. 2007, Section 4; Xiao et al. 2008, Section 3), their sizes are alike, and the
//! signatures of both differ in few bits (Sandes et al. 2020). What passes is counted token by token.

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
    /// Where the places of each token begin in `places`.
    starts: Vec<u32>,
    /// Places in `order` of the bags that have a token among their rarest, ascending for each token.
    places: Vec<u32>,
}

/// All pairs of different bags that reach both thresholds, each with the smaller number first, in no particular order.
/// `most` is how many pairs there may be; `None` where there are more. `tokens` is one more than the largest token.
pub(super) fn pairs(
    bags: &Bags,
    tokens: usize,
    thresholds: Thresholds,
    most: usize,
) -> Option<Vec<[u32; 2]>> {
    let index = Index::of(bags, tokens, thresholds);
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
    fn of(bags: &'b Bags, tokens: usize, thresholds: Thresholds) -> Self {
        let mut order: Vec<u32> = (0..bags.len() as u32).collect();
        order.sort_by_key(|&bag| bags.size(bag as usize));
        let signatures = order.par_iter().map(|&bag| signature(bags.bag(bag as usize).tokens)).collect();
        let prefix = |bag: u32| {
            let tokens = bags.bag(bag as usize).tokens;
            // The partner that comes later is no smaller.
            &tokens[..tokens.len() + 1 - thresholds.in_common(2 * tokens.len()).clamp(1, tokens.len().max(1))]
        };
        let mut starts = vec![0_u32; tokens + 1];
        for &bag in &order {
            for &token in prefix(bag) {
                starts[token as usize + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![0_u32; starts[tokens] as usize];
        for (place, &bag) in (0..).zip(&order) {
            for &token in prefix(bag) {
                places[next[token as usize] as usize] = place;
                next[token as usize] += 1;
            }
        }
        Self { bags, thresholds, order, signatures, starts, places }
    }

    /// Adds the partners before `place` in the order of sizes. `seen` says for each place for which one it was looked at last.
    fn partners(&self, place: usize, seen: &mut [u32], pairs: &mut Vec<[u32; 2]>) {
        let number = self.order[place];
        let bag = self.bags.bag(number as usize);
        let size = bag.tokens.len();
        let smallest = (self.thresholds.set * size as f64 - ROUNDING).ceil() as usize;
        let first = self.order.partition_point(|&other| self.bags.size(other as usize) < smallest) as u32;
        let length = f64::from(self.bags.length(number as usize));
        let shortest = self.thresholds.multiset * length - ROUNDING * length;
        for &token in &bag.tokens[..(size + 1 - smallest.max(1)).min(size)] {
            let list =
                &self.places[self.starts[token as usize] as usize..self.starts[token as usize + 1] as usize];
            let from = list.partition_point(|&other| other < first);
            let until = list.partition_point(|&other| other < place as u32);
            for &other in &list[from..until] {
                if std::mem::replace(&mut seen[other as usize], place as u32) == place as u32 {
                    continue;
                }
                let partner = self.order[other as usize];
                let sizes = size + self.bags.size(partner as usize);
                let apart = sizes - 2 * self.thresholds.in_common(sizes).min(sizes / 2);
                if distance(&self.signatures[place], &self.signatures[other as usize]) as usize > apart {
                    continue;
                }
                let other_length = f64::from(self.bags.length(partner as usize));
                if other_length < shortest
                    || length < self.thresholds.multiset * other_length * (1.0 - ROUNDING)
                {
                    continue;
                }
                if self.thresholds.reached(&bag.overlap(&self.bags.bag(partner as usize))) {
                    pairs.push([number.min(partner), number.max(partner)]);
                }
            }
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
