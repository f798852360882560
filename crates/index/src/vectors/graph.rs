//! A navigable graph of vectors, and the way through it.
//!
//! The graph is that of Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
//! Navigable Small World graphs" (2018). A vector's level comes from a hash of its number: places are in the order of the
//! hash, and each level holds the first sixteenth of the level below. Instead of levels of a few thousand vectors, these are
//! all compared: that costs less than a search that starts in the wrong part of the graph.

use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::codes::{Codes, Query};
use super::exact;
use super::scored::{Best, Scored};

/// Links of a vector on the upper levels; there are twice as many on the lowest.
pub(super) const LINKS: usize = 16;

/// How many times fewer vectors a level has than the one below.
const RATIO: usize = 16;

/// So many vectors are compared before the graph is entered. A part of the file's format, as the ratio and the links.
pub(super) const SCANNED: usize = if cfg!(test) { 64 } else { 2048 };

/// How many vectors are kept on the way through a level that is only passed.
const PASSING: usize = 48;

/// Stands for no link.
pub(super) const NONE: u32 = u32::MAX;

/// One level: so many links for each of the first places.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) degree: usize,
    /// `degree` of each place, with [`NONE`] after the last.
    pub(super) links: Vec<u32>,
}

impl Level {
    pub(super) fn places(&self) -> usize {
        self.links.len() / self.degree
    }

    pub(super) fn links(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let start = place as usize * self.degree;
        self.links[start..start + self.degree].iter().copied().take_while(|&link| link != NONE)
    }

    pub(super) fn set(&mut self, place: u32, links: &[u32]) {
        let start = place as usize * self.degree;
        let slots = &mut self.links[start..start + self.degree];
        slots.fill(NONE);
        slots[..links.len()].copy_from_slice(links);
    }
}

/// The levels, the lowest with all places first.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) levels: Vec<Level>,
}

/// Degree and places of each level of a graph.
pub(super) fn shape(places: usize) -> Vec<(usize, usize)> {
    let upper = std::iter::successors(Some(places / RATIO), |places| Some(places / RATIO));
    let upper = upper.take_while(|&places| places > SCANNED).map(|places| (LINKS, places));
    std::iter::once((LINKS * 2, places)).chain(upper).collect()
}

impl Graph {
    /// One without links.
    pub(super) fn new(places: usize) -> Self {
        let level = |(degree, places)| Level { degree, links: vec![NONE; degree * places] };
        Self { levels: shape(places).into_iter().map(level).collect() }
    }

    pub(super) fn memory(&self) -> usize {
        self.levels.iter().map(|level| level.links.capacity() * 4).sum()
    }

    /// The best of the first `among` places on the lowest level, which alone need have links. On each level from the highest,
    /// `at_level` is shown what was found there; of level `l` as many are kept as `width(l)`, if any.
    pub(super) fn descend(
        &self,
        codes: &Codes,
        query: &Query,
        among: usize,
        width: impl Fn(usize) -> Option<usize>,
        mut at_level: impl FnMut(usize, &[Scored]),
        seen: &mut Seen,
    ) {
        let widths = |level| width(level).unwrap_or(PASSING);
        let widest = (0..self.levels.len()).map(widths).max().unwrap_or(PASSING);
        let mut found = exact::nearest(codes, query, among.min(SCANNED), widest);
        for (number, level) in self.levels.iter().enumerate().rev() {
            if among > SCANNED {
                found = search(level, codes, query, &found, widths(number), seen);
            }
            at_level(number, &found);
        }
    }

    /// For every place, in order, the best others that are found from it.
    pub(super) fn neighbors(
        &self,
        codes: &Codes,
        least: f32,
        most: usize,
        width: usize,
    ) -> Vec<(u32, Vec<Scored>)> {
        let of_one = |seen: &mut Seen, place: u32| {
            let query = codes.query_at(place);
            let own = Scored::new(codes.score(&query, place), place);
            let found = search(&self.levels[0], codes, &query, &[own], width, seen);
            let others = found.into_iter().map(Scored::place).filter(|&other| other != place);
            let scored = others.map(|other| Scored::new(codes.cosine(&query, other), other));
            (place, scored.take(most).filter(|it| it.score() >= least).collect())
        };
        (0..codes.len() as u32).into_par_iter().map_init(|| Seen::new(codes.len()), of_one).collect()
    }
}

/// Goes from the vectors that were found to those linked to them while that finds better ones, and keeps `width` of them, the
/// best first (algorithm 2 of the paper).
pub(super) fn search(
    level: &Level,
    codes: &Codes,
    query: &Query,
    from: &[Scored],
    width: usize,
    seen: &mut Seen,
) -> Vec<Scored> {
    seen.forget();
    let mut best = Best::new(width);
    let mut open = BinaryHeap::new();
    for &scored in from.iter().take(width) {
        if seen.is_new(scored.place()) && best.offer(scored) {
            open.push(scored);
        }
    }
    let mut links = Vec::with_capacity(level.degree);
    while let Some(next) = open.pop() {
        if best.is_full_above(next) {
            break;
        }
        links.clear();
        links.extend(level.links(next.place()).filter(|&link| seen.is_new(link)));
        for &link in &links {
            let scored = Scored::new(codes.score(query, link), link);
            if best.offer(scored) {
                open.push(scored);
            }
        }
    }
    best.sorted()
}

/// The places that a search has come by.
#[derive(Debug)]
pub(super) struct Seen {
    bits: Vec<u64>,
    places: Vec<u32>,
}

impl Seen {
    pub(super) fn new(places: usize) -> Self {
        Self { bits: vec![0; places.div_ceil(64)], places: Vec::new() }
    }

    #[inline]
    fn is_new(&mut self, place: u32) -> bool {
        let (word, bit) = (place as usize / 64, 1 << (place % 64));
        let is_new = self.bits[word] & bit == 0;
        if is_new {
            self.bits[word] |= bit;
            self.places.push(place);
        }
        is_new
    }

    fn forget(&mut self) {
        for place in self.places.drain(..) {
            self.bits[place as usize / 64] = 0;
        }
    }
}
