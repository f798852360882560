//! Bags as ranked elements, and look-ups from an element to the bags that have it in their prefix.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

/// Bags by position, each its elements' ranks, ascending, in one piece of memory.
#[derive(Debug)]
pub(crate) struct RankedBags {
    elements: Vec<u32>,
    ends: Vec<usize>,
    sketches: Vec<Sketch>,
}

impl RankedBags {
    /// The bags `bags` of the sizes `sizes`; `write` puts one's ranks where they belong.
    pub(crate) fn new<B: Send>(
        sizes: impl Iterator<Item = u32>,
        bags: Vec<B>,
        write: impl Fn(B, &mut [u32]) -> io::Result<()> + Sync,
    ) -> io::Result<Self> {
        let add = |end: &mut usize, size: u32| {
            *end += size as usize;
            Some(*end)
        };
        let ends: Vec<usize> = sizes.scan(0, add).collect();
        let mut elements = vec![0; ends.last().map_or(0, |&end| end)];
        let mut rest = &mut elements[..];
        let mut start = 0;
        let place = |&end: &usize| {
            let (place, after) = std::mem::take(&mut rest).split_at_mut(end - start);
            (rest, start) = (after, end);
            place
        };
        let places: Vec<&mut [u32]> = ends.iter().map(place).collect();
        let write = |(bag, place): (B, &mut [u32])| {
            write(bag, place)?;
            Ok(Sketch::of(place))
        };
        let sketches: io::Result<Vec<Sketch>> =
            bags.into_par_iter().zip(places).with_min_len(64).map(write).collect();
        Ok(Self { sketches: sketches?, elements, ends })
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn bag(&self, position: usize) -> &[u32] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.elements[start..self.ends[position]]
    }

    #[inline]
    pub(crate) fn size(&self, position: usize) -> u32 {
        self.bag(position).len() as u32
    }

    #[inline]
    pub(crate) fn sketch(&self, position: usize) -> &Sketch {
        &self.sketches[position]
    }

    /// The positions of the bags with at least `least` elements, where sizes ascend.
    pub(crate) fn first_of_size(&self, least: u32) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.size(middle) < least {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The parity of a bag's elements over 256 cells: two bags differ by at least as many elements as their sketches by
/// bits (the bitmap filter of Sandes, Teodoro and Melo, Information Systems 2020).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sketch([u64; 4]);

impl Sketch {
    pub(crate) fn of(bag: &[u32]) -> Self {
        let mut words = [0; 4];
        for &element in bag {
            // Fibonacci hashing: the upper eight bits choose the cell.
            let cell = element.wrapping_mul(0x9E37_79B9) >> 24;
            words[(cell >> 6) as usize] ^= 1u64 << (cell & 63);
        }
        Self(words)
    }

    /// At most the number of elements that only one of the two bags has.
    #[inline]
    pub(crate) fn difference(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

/// One bag that has an element in its prefix.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Posting {
    /// The bag's position.
    pub(crate) bag: u32,
    /// How many elements of the bag are left, this one included.
    pub(crate) left: u32,
}

/// From each shared element to the bags that have it in their prefix, in the order of their positions.
#[derive(Debug)]
pub(crate) struct PrefixIndex {
    shared_from: u32,
    starts: Vec<u32>,
    postings: Vec<Posting>,
}

impl PrefixIndex {
    /// Indexes the first `prefix(position)` elements of the bags at `positions`, of `elements` elements in all. Elements
    /// below `shared_from` are left out, for no other bag has them.
    pub(crate) fn new(
        bags: &RankedBags,
        positions: &[u32],
        prefix: impl Fn(u32) -> u32,
        shared_from: u32,
        elements: u32,
    ) -> Self {
        let shared = |position: u32| {
            let size = bags.size(position as usize);
            let bag = &bags.bag(position as usize)[..prefix(position) as usize];
            let first = bag.partition_point(|&element| element < shared_from);
            let before = first as u32..;
            before.zip(&bag[first..]).map(move |(before, &element)| (size - before, element - shared_from))
        };
        let mut starts = vec![0u32; (elements - shared_from) as usize + 2];
        for &position in positions {
            for (_, element) in shared(position) {
                starts[element as usize + 2] += 1;
            }
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut postings = vec![Posting::default(); starts.last().map_or(0, |&all| all as usize)];
        for &position in positions {
            for (left, element) in shared(position) {
                // Filling moves each start to its end, which is the next element's start.
                let slot = &mut starts[element as usize + 1];
                postings[*slot as usize] = Posting { bag: position, left };
                *slot += 1;
            }
        }
        starts.pop();
        Self { shared_from, starts, postings }
    }

    /// The bags within `positions` that have `element` in their prefix.
    #[inline]
    pub(crate) fn find(&self, element: u32, positions: &Range<u32>) -> &[Posting] {
        debug_assert!(element >= self.shared_from);
        let at = (element - self.shared_from) as usize;
        let all = &self.postings[self.starts[at] as usize..self.starts[at + 1] as usize];
        let from = all.partition_point(|posting| posting.bag < positions.start);
        let all = &all[from..];
        // What is indexed lies before the probing bag or in a block of its own: often there is nothing to cut.
        match all.last() {
            Some(last) if last.bag >= positions.end => {
                &all[..all.partition_point(|posting| posting.bag < positions.end)]
            }
            _ => all,
        }
    }
}
