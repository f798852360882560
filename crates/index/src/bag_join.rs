//! All pairs of token bags whose multiset intersection is a given share of the larger bag.
//!
//! The result is complete: the same as comparing every pair. Bags are taken by size; a bag is looked up among the
//! smaller ones by its rarest elements (the prefix filter), where sizes allow the overlap (the size filter), while what
//! is left of both bags still allows it (the position filter; PPJoin, Xiao et al., WWW 2008). What remains is counted,
//! until too many elements are missed. Where the bags do not fit the memory, they are indexed in blocks of similar size,
//! each block probed by its own bags and by those larger ones that it can overlap enough.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::prefix::{PrefixIndex, RankedBags, Sketch};
use crate::token_order::{Elements, TokenOrder};
use crate::{Fraction, Side};

/// Token bags by number.
pub trait Bags: Sync {
    /// Number of bags.
    fn count(&self) -> u32;

    /// Replaces `out` by the tokens of `bag`, in any order, each as often as it occurs.
    fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()>;

    /// Which side of the search the bag stands on.
    fn side(&self, _bag: u32) -> Side {
        Side::Both
    }

    /// Whether a pair that overlaps enough is wanted; asked before the overlap is counted.
    fn wants(&self, _left: u32, _right: u32) -> bool {
        true
    }

    /// The overlap of a pair where what counts is at most the multiset intersection, such as a common subsequence;
    /// `intersection` is that of the bags, and the pair is dropped where the result is less than the threshold.
    fn overlap(&self, _left: u32, _right: u32, intersection: u32) -> io::Result<u32> {
        Ok(intersection)
    }
}

/// Two bags that overlap enough; `left` is the smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    pub left: u32,
    pub right: u32,
    /// Size of the multiset intersection, or what [`Bags::overlap`] makes of it.
    pub overlap: u32,
    /// Size of the larger bag.
    pub larger: u32,
}

/// Why bags cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    #[error("cannot read a token bag: {0}")]
    Read(#[from] io::Error),
    #[error(
        "there are more pairs of similar token bags than fit into the memory; raise it, or ask for a higher similarity"
    )]
    TooManyPairs,
}

/// Bags that are read or probed together by one thread.
const BATCH: usize = 1024;

/// So many pairs are held whatever the memory.
const FEW_PAIRS: usize = 1 << 16;

/// Bytes that a bag costs besides its elements: its sketch, its end, its size and place in the order, a counter.
const BYTES_PER_BAG: usize = 64;

/// All pairs of `bags` of which the overlap is at least `threshold` of the larger bag, sorted; empty bags overlap nothing.
///
/// Stays within `memory` bytes as far as the tables of the tokens' order and the sizes allow; the result takes as many
/// besides.
pub fn join(bags: &impl Bags, threshold: Fraction, memory: usize) -> Result<Vec<Overlap>, JoinError> {
    let mut join = Join::start(bags, threshold, memory)?;
    let mut found = Vec::new();
    let pairs = AtomicUsize::new(0);
    let mut first = 0;
    while first < join.by_size.len() {
        let block = first..join.block_end(first);
        let loaded = join.load(&block)?;
        found.extend(join.pairs_of_block(&block, &loaded, &pairs)?);
        first = block.end;
    }
    found.par_sort_unstable();
    Ok(found)
}

struct Join<'b, B> {
    bags: &'b B,
    threshold: Fraction,
    memory: usize,
    order: TokenOrder,
    sizes: Vec<u32>,
    /// The numbers of the bags that are not empty, by size; a bag's place here is its position.
    by_size: Vec<u32>,
    /// The elements of all bags, not yet ranked, by number: where that fits the memory.
    kept: Option<Vec<Vec<u32>>>,
}

impl<'b, B: Bags> Join<'b, B> {
    /// Counts the tokens of all bags.
    fn start(bags: &'b B, threshold: Fraction, memory: usize) -> io::Result<Self> {
        let mut elements = Elements::default();
        let mut sizes = Vec::with_capacity(bags.count() as usize);
        let mut kept = Some(Vec::with_capacity(bags.count() as usize));
        let mut bytes = 0;
        let numbers: Vec<u32> = (0..bags.count()).collect();
        let read = |batch: &[u32]| -> io::Result<Vec<Vec<u32>>> {
            batch.par_iter().with_min_len(64).map(|&bag| sorted_tokens(bags, bag)).collect()
        };
        let mut count = |batch: Vec<Vec<u32>>| {
            for mut bag in batch {
                elements.count(&mut bag);
                sizes.push(bag.len() as u32);
                bytes += cost(bag.len());
                // Twice: what is kept is copied into its block.
                if bytes * 2 > memory {
                    kept = None;
                } else if let Some(kept) = &mut kept {
                    kept.push(bag);
                }
            }
        };
        // Counting is one thread's work: the others read the next batch meanwhile.
        let mut before = Vec::new();
        for batch in numbers.chunks(BATCH * 8) {
            let ((), next) = rayon::join(|| count(std::mem::take(&mut before)), || read(batch));
            before = next?;
        }
        count(before);
        let mut by_size = numbers;
        by_size.retain(|&bag| sizes[bag as usize] > 0);
        by_size.sort_by_key(|&bag| sizes[bag as usize]);
        Ok(Self { bags, threshold, memory, order: elements.into_order(), sizes, by_size, kept })
    }

    fn size_at(&self, position: usize) -> u32 {
        self.sizes[self.by_size[position] as usize]
    }

    /// The end of the block of bags that starts at position `first`.
    fn block_end(&self, first: usize) -> usize {
        if self.kept.is_some() {
            return self.by_size.len();
        }
        let budget = (self.memory / 2).saturating_sub(self.order.bytes()).max(self.memory / 8);
        let mut bytes = 0;
        let fits = |&position: &usize| {
            bytes += cost(self.size_at(position) as usize);
            bytes <= budget
        };
        first + (first..self.by_size.len()).take_while(fits).count().max(1)
    }

    /// The ranked bags of a block.
    fn load(&mut self, block: &Range<usize>) -> io::Result<RankedBags> {
        let mut kept = self.kept.take();
        let numbers = &self.by_size[block.clone()];
        let own = |&bag: &u32| (bag, kept.as_mut().map(|kept| std::mem::take(&mut kept[bag as usize])));
        let bags: Vec<(u32, Option<Vec<u32>>)> = numbers.iter().map(own).collect();
        let sizes = numbers.iter().map(|&bag| self.sizes[bag as usize]);
        RankedBags::new(sizes, bags, |(bag, elements), place| {
            match elements {
                Some(elements) => {
                    place.copy_from_slice(&elements);
                    self.order.rank(place);
                }
                None => place.copy_from_slice(&self.ranked(bag)?),
            }
            Ok(())
        })
    }

    fn ranked(&self, bag: u32) -> io::Result<Vec<u32>> {
        let mut tokens = sorted_tokens(self.bags, bag)?;
        self.order.rank_tokens(&mut tokens);
        Ok(tokens)
    }

    /// All pairs of a bag of the block with a larger bag, or with an equally large one that comes later.
    /// Counts them in `pairs`.
    fn pairs_of_block(
        &self,
        block: &Range<usize>,
        loaded: &RankedBags,
        pairs: &AtomicUsize,
    ) -> Result<Vec<Overlap>, JoinError> {
        let indexes = self.indexes(block, loaded);
        let most = self.threshold.largest_whole(self.size_at(block.end - 1));
        let beyond = self.by_size[block.end..].partition_point(|&bag| self.sizes[bag as usize] <= most);
        let probes: Vec<usize> = (block.start..block.end + beyond).collect();
        let most = (self.memory / size_of::<Overlap>()).max(FEW_PAIRS);
        let probe = |prober: &mut Prober<'_, '_, B>, positions: &[usize]| {
            let found = prober.probe_all(positions)?;
            let all = pairs.fetch_add(found.len(), Ordering::Relaxed) + found.len();
            if all > most { Err(JoinError::TooManyPairs) } else { Ok(found) }
        };
        let found: Result<Vec<Vec<Overlap>>, JoinError> = probes
            .par_chunks(BATCH)
            .map_init(|| Prober::new(self, block.start, loaded, &indexes), probe)
            .collect();
        Ok(found?.concat())
    }

    /// One index for each side of the search that the block has bags on.
    fn indexes(&self, block: &Range<usize>, loaded: &RankedBags) -> Vec<(Side, PrefixIndex)> {
        let prefix = |position: u32| {
            let size = loaded.size(position as usize);
            size - self.threshold.of(size) + 1
        };
        let side = |position: u32| self.bags.side(self.by_size[block.start + position as usize]);
        let mut indexes = Vec::new();
        for of in [Side::Both, Side::Query, Side::Against] {
            let positions: Vec<u32> = (0..loaded.len() as u32).filter(|&p| side(p) == of).collect();
            if !positions.is_empty() {
                let shared_from = self.order.shared_from();
                let index = PrefixIndex::new(loaded, &positions, prefix, shared_from, self.order.elements());
                indexes.push((of, index));
            }
        }
        indexes
    }
}

/// Bytes that a bag of so many elements costs: themselves, and their postings at the usual shares.
fn cost(elements: usize) -> usize {
    elements * 8 + BYTES_PER_BAG
}

fn sorted_tokens(bags: &impl Bags, bag: u32) -> io::Result<Vec<u32>> {
    let mut tokens = Vec::new();
    bags.read(bag, &mut tokens)?;
    tokens.sort_unstable();
    Ok(tokens)
}

/// Looks bags up in one block; keeps its memory from one bag to the next.
struct Prober<'j, 'b, B> {
    join: &'j Join<'b, B>,
    /// Position of the block's first bag; positions below count from it.
    start: usize,
    loaded: &'j RankedBags,
    indexes: &'j [(Side, PrefixIndex)],
    /// For each bag of the block how many elements of the prefixes are shared, or `DROPPED`.
    shared: Vec<u32>,
    /// The bags whose count is not 0.
    touched: Vec<u32>,
}

/// Of a bag that cannot reach the overlap any more.
const DROPPED: u32 = u32::MAX;

impl<'j, 'b, B: Bags> Prober<'j, 'b, B> {
    fn new(
        join: &'j Join<'b, B>,
        start: usize,
        loaded: &'j RankedBags,
        indexes: &'j [(Side, PrefixIndex)],
    ) -> Self {
        Self { join, start, loaded, indexes, shared: vec![0; loaded.len()], touched: Vec::new() }
    }

    fn probe_all(&mut self, positions: &[usize]) -> io::Result<Vec<Overlap>> {
        let mut found = Vec::new();
        for &position in positions {
            let own = position - self.start;
            if own < self.loaded.len() {
                self.probe(position, self.loaded.bag(own), self.loaded.sketch(own), &mut found)?;
            } else {
                let bag = self.join.ranked(self.join.by_size[position])?;
                self.probe(position, &bag, &Sketch::of(&bag), &mut found)?;
            }
        }
        Ok(found)
    }

    /// Finds the pairs of one bag with the block's bags before it.
    fn probe(
        &mut self,
        position: usize,
        bag: &[u32],
        sketch: &Sketch,
        found: &mut Vec<Overlap>,
    ) -> io::Result<()> {
        let number = self.join.by_size[position];
        let size = bag.len() as u32;
        let least = self.join.threshold.of(size);
        let own = (position - self.start).min(self.loaded.len());
        let candidates = self.loaded.first_of_size(least) as u32..own as u32;
        let own_side = self.join.bags.side(number);
        for (_, index) in self.indexes.iter().filter(|(side, _)| side.pairs_with(own_side)) {
            self.collect(index, bag, least, &candidates);
        }
        for at in 0..self.touched.len() {
            let candidate = self.touched[at] as usize;
            let shared = std::mem::take(&mut self.shared[candidate]);
            if shared == DROPPED {
                continue;
            }
            let other = self.loaded.bag(candidate);
            let differ = sketch.difference(self.loaded.sketch(candidate));
            // |a| + |b| - |a Δ b| is twice the overlap.
            if size + other.len() as u32 - differ < 2 * least {
                continue;
            }
            let partner = self.join.by_size[self.start + candidate];
            let (left, right) = (number.min(partner), number.max(partner));
            if self.join.bags.wants(left, right)
                && let Some(intersection) = intersection_of_at_least(least, bag, other)
            {
                let overlap = self.join.bags.overlap(left, right, intersection)?;
                if overlap >= least {
                    found.push(Overlap { left, right, overlap, larger: size });
                }
            }
        }
        self.touched.clear();
        Ok(())
    }

    /// Counts for the candidates how many elements of their prefixes are in the bag's prefix, until that shows that
    /// the overlap is out of reach.
    fn collect(&mut self, index: &PrefixIndex, bag: &[u32], least: u32, candidates: &Range<u32>) {
        let size = bag.len() as u32;
        let prefix = &bag[..(size - least + 1) as usize];
        let first = prefix.partition_point(|&element| element < self.join.order.shared_from());
        for (before, &element) in (first as u32..).zip(&prefix[first..]) {
            for posting in index.find(element, candidates) {
                let shared = &mut self.shared[posting.bag as usize];
                if *shared == DROPPED {
                    continue;
                }
                if *shared == 0 {
                    self.touched.push(posting.bag);
                }
                let reachable = *shared + posting.left.min(size - before);
                *shared = if reachable >= least { *shared + 1 } else { DROPPED };
            }
        }
    }
}

/// The size of the intersection of two bags of ranked elements if it is at least `least`.
fn intersection_of_at_least(least: u32, a: &[u32], b: &[u32]) -> Option<u32> {
    // How many elements of each may be missing from the other.
    let mut spare_a = (a.len() as u32).checked_sub(least)?;
    let mut spare_b = (b.len() as u32).checked_sub(least)?;
    let (mut i, mut j, mut overlap) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Equal => {
                overlap += 1;
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => {
                spare_a = spare_a.checked_sub(1)?;
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                spare_b = spare_b.checked_sub(1)?;
                j += 1;
            }
        }
    }
    (overlap >= least).then_some(overlap)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Given {
        bags: Vec<Vec<u32>>,
        sides: bool,
    }

    impl Bags for Given {
        fn count(&self) -> u32 {
            self.bags.len() as u32
        }

        fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()> {
            out.clear();
            out.extend(&self.bags[bag as usize]);
            Ok(())
        }

        fn side(&self, bag: u32) -> Side {
            let sides = [Side::Query, Side::Against, Side::Both];
            if self.sides { sides[bag as usize % 3] } else { Side::Both }
        }

        fn wants(&self, left: u32, right: u32) -> bool {
            !self.sides || left + right != 7
        }
    }

    /// The intersection by its definition.
    fn intersection(a: &[u32], b: &[u32]) -> u32 {
        let mut rest = b.to_vec();
        let taken = a.iter().filter(|&token| {
            let at = rest.iter().position(|other| other == token);
            at.map(|at| rest.swap_remove(at)).is_some()
        });
        taken.count() as u32
    }

    fn brute_force(given: &Given, threshold: Fraction) -> Vec<Overlap> {
        let mut found = Vec::new();
        for left in 0..given.count() {
            for right in left + 1..given.count() {
                let (a, b) = (&given.bags[left as usize], &given.bags[right as usize]);
                let larger = a.len().max(b.len()) as u32;
                let overlap = intersection(a, b);
                let asked = given.side(left).pairs_with(given.side(right)) && given.wants(left, right);
                if larger > 0 && asked && overlap >= threshold.of(larger) {
                    found.push(Overlap { left, right, overlap, larger });
                }
            }
        }
        found
    }

    fn bags() -> impl Strategy<Value = Vec<Vec<u32>>> {
        // Few tokens make overlaps likely; variants of one bag make high ones likely.
        let plain = prop::collection::vec(0u32..30, 0..25);
        let variants =
            prop::collection::vec((prop::collection::vec(0u32..40, 5..60), 0usize..6, 0usize..6), 0..12);
        (prop::collection::vec(plain, 0..25), variants).prop_map(|(mut bags, variants)| {
            for (bag, cut, twist) in variants {
                bags.push(bag[cut.min(bag.len() - 1)..].to_vec());
                bags.push(
                    bag.iter().map(|&t| if t as usize % 7 < twist / 2 { t + 100 } else { t }).collect(),
                );
            }
            bags
        })
    }

    #[test]
    fn more_pairs_than_the_memory_holds_are_an_error_of_their_own() {
        let given = Given { bags: vec![vec![1, 2, 3]; 400], sides: false };
        let pairs = 400 * 399 / 2;
        assert!(pairs > FEW_PAIRS);
        let threshold = Fraction::new(1.0);
        let error = join(&given, threshold, 0).expect_err("they take too much");
        assert!(matches!(error, JoinError::TooManyPairs), "{error}");
        assert_eq!(join(&given, threshold, 1 << 30).expect("they fit").len(), pairs);
    }

    proptest! {
        #[test]
        fn the_join_equals_brute_force(
            bags in bags(),
            threshold in (1u32..=100).prop_map(|percent| Fraction::new(f64::from(percent) / 100.0)),
            sides: bool,
            memory in prop::sample::select(vec![0usize, 2_000, 20_000, 1 << 30]),
        ) {
            let given = Given { bags, sides };
            let found = join(&given, threshold, memory).expect("nothing is read from files");
            prop_assert_eq!(found, brute_force(&given, threshold));
        }
    }
}
