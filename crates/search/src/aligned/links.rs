//! All pairs of nodes that are similar: candidates by shared grams, then bounds, then the measure itself.
//!
//! A candidate shares at least a tenth of the kept 8-grams of the blind form. That is not exact: of the pairs among
//! 54,000 Python functions that a far wider search finds, 99.8 % of those at least 0.7 alike are found, and 97.7 % of
//! those at least 0.55 alike. Work is bounded for each node, so that many nodes which are all alike do not cost the
//! square of their number: a node is linked with at most [`LINKS`] larger ones, the [`HUBS`] largest and those that
//! share most. Since all members of such a crowd are linked with the same largest nodes, they are still members of one
//! class. Where fragments do not fit into memory they are taken in parts, and these bounds hold for each part.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::io;
use std::ops::Range;

use familiar_index::Collection;
use rayon::prelude::*;

use super::anchors;
use super::bound::{Outlined, may_reach};
use super::compare::{Comparer, Text};
use super::nodes::{Block, Entry, Nodes, Reader, Source};
use super::prepared::Prepared;
use crate::equal::Equal;
use crate::evidence::{PLAIN_COPY, RareTokens};
use crate::similar::SimilarSettings;
use crate::{Link, SearchError};

// These bound the work for one fragment, not what a clone is. They date from when the search was written, and were not tuned
// since. `the_search_finds_what_comparing_all_pairs_finds` counts what they lose on code that is made of copies.

/// The share of the larger set of kept grams that candidates have in common: one in so many.
const SHARED: usize = 10;

/// Of a gram's fragments so many are looked at: those next in size, and the largest.
const NEXT_OF_GRAM: usize = 192;
const LARGEST_OF_GRAM: usize = 64;

/// Most shapes that are looked at for one shape, and most nodes that are compared with one node.
const CANDIDATES: usize = 512;
pub(super) const COMPARED: usize = 192;
/// Most links of a node with larger ones.
pub(super) const LINKS: usize = 64;
/// Where there are more candidates than that, so many of the largest come first.
const HUBS: usize = 16;

/// Most pairs of statements that are looked at for one shape: so many, and so many more for each of its statements.
const PAIRS: usize = 1 << 17;
const PAIRS_PER_STATEMENT: usize = 1 << 13;

/// Bytes of links that are held whatever the memory.
const FEW_LINKS: usize = 1 << 20;

/// Shapes that one thread takes in a row.
const CHUNK: usize = 16;

pub(super) fn find(
    collection: &Collection,
    equal: &Equal,
    settings: &SimilarSettings<'_>,
) -> Result<Vec<Link>, SearchError> {
    let source = Source { collection, equal };
    let family = |node: u32| if settings.cross_families { 0 } else { source.family(node) };
    let mut order: Vec<u32> = (0..equal.nodes.len() as u32).collect();
    order.sort_by_key(|&node| family(node));
    let mut links = Vec::new();
    for nodes in order.chunk_by(|&a, &b| family(a) == family(b)) {
        let nodes = Nodes::read(source, nodes, settings.memory, settings.evidence)?;
        let search = Search { nodes: &nodes, settings };
        search.equal_forms(&mut links);
        search.similar(&mut links)?;
    }
    links.sort_unstable_by_key(|link| (link.left, link.right));
    links.dedup_by_key(|link| (link.left, link.right));
    Ok(links)
}

#[derive(Clone, Copy)]
struct Search<'s> {
    nodes: &'s Nodes<'s>,
    settings: &'s SimilarSettings<'s>,
}

impl Search<'_> {
    fn is_asked(&self, a: &Entry, b: &Entry) -> bool {
        let twins = &self.nodes.source.equal.twins;
        a.sides.pair_with(b.sides) && twins[a.node as usize] != twins[b.node as usize]
    }

    /// Links nodes whose blind forms are equal without their being twins; each with the first of its form and those
    /// that follow it.
    fn equal_forms(&self, links: &mut Vec<Link>) {
        let mut entries: Vec<&Entry> = self.nodes.entries.iter().collect();
        entries.sort_unstable_by_key(|entry| (entry.blind, entry.node));
        let twins = &self.nodes.source.equal.twins;
        for group in entries.chunk_by(|a, b| a.blind == b.blind) {
            let twin = |entry: &Entry| twins[entry.node as usize];
            if group.iter().all(|entry| twin(entry) == twin(group[0])) {
                continue;
            }
            for (at, a) in group.iter().enumerate() {
                let next = group[at + 1..].iter().take(LINKS);
                for b in next.chain(&group[..at.min(1)]).filter(|b| self.is_asked(a, b)) {
                    links.push(link(a.node, b.node, 1.0));
                }
            }
        }
    }

    fn similar(&self, links: &mut Vec<Link>) -> Result<(), SearchError> {
        let blocks = self.nodes.blocks();
        for (at, shapes) in blocks.iter().enumerate() {
            let larger = self.nodes.load(shapes.clone())?;
            self.against(shapes.clone(), &larger, links)?;
            for shapes in &blocks[..at] {
                let heaviest = self.nodes.first(shapes.end - 1).mass;
                if self.heaviest_partner(heaviest) >= self.nodes.first(larger.shapes.start).mass {
                    self.against(shapes.clone(), &larger, links)?;
                }
            }
        }
        Ok(())
    }

    /// What the heavier of two fragments weighs at most, if they are similar.
    fn heaviest_partner(&self, mass: f32) -> f32 {
        heaviest_partner(mass, self.settings.similarity)
    }

    /// How similar the nodes of two shapes must be: more than usual where none share what is rare.
    fn least(&self, a: &RareTokens<'_>, b: Option<&[u32]>) -> f64 {
        let similarity = self.settings.similarity;
        match b {
            Some(b) if !a.shared(b) => similarity.max(PLAIN_COPY),
            _ => similarity,
        }
    }

    /// Whether two nodes that are so similar say the same.
    fn is_copy(&self, score: f64, left: &[u32], right: &[u32]) -> bool {
        score >= PLAIN_COPY || self.settings.evidence.is_none_or(|commonness| commonness.share(left, right))
    }

    /// Adds the links of `shapes` with those of `larger`: the block's own, or earlier ones.
    fn against(
        &self,
        shapes: Range<u32>,
        larger: &Block<'_>,
        links: &mut Vec<Link>,
    ) -> Result<(), SearchError> {
        let query = |worker: &mut Worker, shape: u32| {
            let mut found = Vec::new();
            worker.candidates(self, shape, larger)?;
            if !worker.candidates.is_empty() {
                worker.compare(self, shape, larger, &mut found)?;
            }
            Ok(found)
        };
        let shapes = shapes.into_par_iter().with_min_len(CHUNK);
        let found: Vec<Vec<Link>> =
            shapes.map_init(|| Worker::new(larger), query).collect::<io::Result<_>>()?;
        links.extend(found.into_iter().flatten());
        if links.len() * size_of::<Link>() > self.settings.memory.max(FEW_LINKS) {
            return Err(SearchError::TooMuchAlike);
        }
        Ok(())
    }
}

/// What the heavier of two fragments weighs at most, if they are `similarity` alike.
pub(super) fn heaviest_partner(mass: f32, similarity: f64) -> f32 {
    mass / similarity as f32 * 1.0001
}

fn link(a: u32, b: u32, similarity: f64) -> Link {
    Link::edited(a.min(b), a.max(b), similarity)
}

/// What one thread needs.
struct Worker {
    /// For each shape of the larger block how many grams it shares with the query; 0 between queries.
    counts: Vec<u8>,
    /// Shapes of the larger block whose count is not 0.
    counted: Vec<u32>,
    /// Shapes of the larger block that share enough.
    touched: Vec<u32>,
    candidates: Vec<Candidate>,
    row: Vec<f32>,
    comparer: Comparer,
    symbols: [Vec<u32>; 2],
    reader: Reader,
    grams: Vec<u32>,
    rare: Vec<u32>,
}

/// A shape that may hold nodes similar to those of the query.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// How many grams it shares with the query.
    pub(super) shared: u8,
    pub(super) shape: u32,
    /// How similar its nodes must be.
    pub(super) least: f64,
}

impl Worker {
    fn new(larger: &Block<'_>) -> Self {
        Self {
            counts: vec![0; larger.shapes.len()],
            counted: Vec::new(),
            touched: Vec::new(),
            candidates: Vec::new(),
            row: Vec::new(),
            comparer: Comparer::default(),
            symbols: [Vec::new(), Vec::new()],
            reader: Reader::new(),
            grams: Vec::new(),
            rare: Vec::new(),
        }
    }

    /// Sets the candidates of a shape among larger ones: those whose outlines are similar enough.
    fn candidates(&mut self, search: &Search<'_>, shape: u32, larger: &Block<'_>) -> io::Result<()> {
        let first = larger.shapes.start.max(shape + 1);
        let heaviest = search.heaviest_partner(search.nodes.first(shape).mass);
        let end = search.nodes.first_above(first..larger.shapes.end.max(first), heaviest);
        self.candidates.clear();
        if first >= end {
            return Ok(());
        }
        if larger.shapes.contains(&shape) {
            let lists = larger.postings.later(shape - larger.shapes.start);
            self.count(larger.kept(shape), end - larger.shapes.start, lists);
        } else {
            let mut buffer = std::mem::take(&mut self.grams);
            let grams = search.nodes.grams(shape, &mut self.reader, &mut buffer)?;
            // All of a later block is larger.
            let lists = grams.iter().map(|&gram| larger.keepers(gram));
            self.count(grams.len(), end - larger.shapes.start, lists);
            self.grams = buffer;
        }
        for &local in &self.touched {
            let (shape, count) = (larger.shapes.start + local, self.counts[local as usize]);
            if usize::from(count) >= least_shared(larger.kept(shape)) {
                self.candidates.push(Candidate { shared: count, shape, least: 0.0 });
            }
        }
        self.counted.drain(..).for_each(|local| self.counts[local as usize] = 0);
        limit(&mut self.candidates);
        self.keep_reachable(search, shape, larger)
    }

    /// Counts the shared grams of the shapes before `end`, and sets the shapes that have enough for a set of `own`.
    fn count<'l>(&mut self, own: usize, end: u32, lists: impl Iterator<Item = &'l [u32]>) {
        let enough = least_shared(own) as u8;
        self.touched.clear();
        for list in lists {
            let list = match list.last() {
                Some(&last) if last >= end => &list[..list.partition_point(|&shape| shape < end)],
                _ => list,
            };
            let [next, largest] = looked_at(list);
            for &shape in next.iter().chain(largest) {
                let count = &mut self.counts[shape as usize];
                *count += 1;
                if *count == 1 {
                    self.counted.push(shape);
                }
                if *count == enough {
                    self.touched.push(shape);
                }
            }
        }
    }

    fn keep_reachable(&mut self, search: &Search<'_>, shape: u32, larger: &Block<'_>) -> io::Result<()> {
        if self.candidates.is_empty() {
            return Ok(());
        }
        let nodes = search.nodes;
        let own = prepared(nodes, nodes.of_shape(shape).start, larger, &mut self.reader)?;
        let rare = if larger.shapes.contains(&shape) {
            larger.rare(shape).unwrap_or_default()
        } else {
            nodes.rare_of(shape, &mut self.reader, &mut self.rare)?;
            &self.rare
        };
        let rare = RareTokens::new(rare);
        let (a, blind) = (Outlined::of(&own), nodes.first(shape).blind);
        let mut budget = Budget::new(a);
        let row = &mut self.row;
        self.candidates.retain_mut(|candidate| {
            if budget.is_spent() {
                return false;
            }
            let other = candidate.shape;
            let b = larger.outlined(other);
            candidate.least = search.least(&rare, larger.rare(other));
            // Equal forms are linked already.
            let least = candidate.least as f32;
            budget.takes(b, |b| blind != larger.blind(other) && may_reach(a, b, least, row))
        });
        Ok(())
    }

    /// Compares the nodes of a shape with those of its candidates.
    fn compare(
        &mut self,
        search: &Search<'_>,
        shape: u32,
        larger: &Block<'_>,
        links: &mut Vec<Link>,
    ) -> io::Result<()> {
        let nodes = search.nodes;
        let [left, right] = &mut self.symbols;
        for at in nodes.of_shape(shape) {
            let entry = &nodes.entries[at];
            let own = prepared(nodes, at, larger, &mut self.reader)?;
            let a = Text { prepared: &own, symbols: nodes.source.symbols(entry.node, left)? };
            let others = self
                .candidates
                .iter()
                .flat_map(|candidate| nodes.of_shape(candidate.shape).map(|other| (other, candidate.least)));
            let asked = others.filter(|&(other, _)| search.is_asked(entry, &nodes.entries[other]));
            let mut most = LINKS;
            for (other, least) in asked.take(COMPARED) {
                let node = nodes.entries[other].node;
                let symbols = nodes.source.symbols(node, right)?;
                let b = Text { prepared: larger.prepared(other), symbols };
                let score = f64::from(self.comparer.compare(a, b, least as f32));
                if score >= least && search.is_copy(score, a.symbols, b.symbols) {
                    links.push(link(entry.node, node, score));
                    most -= 1;
                    if most == 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// How many grams two shapes share at least, as far as one of them says, which keeps so many.
pub(super) fn least_shared(kept: usize) -> usize {
    kept.div_ceil(SHARED)
}

/// Which of a gram's later shapes are looked at for one: those next in size, and the largest.
pub(super) fn looked_at<T>(list: &[T]) -> [&[T]; 2] {
    if list.len() > NEXT_OF_GRAM + LARGEST_OF_GRAM {
        [&list[..NEXT_OF_GRAM], &list[list.len() - LARGEST_OF_GRAM..]]
    } else {
        [list, &[]]
    }
}

/// What may still be looked at for one shape.
pub(super) struct Budget {
    statements: usize,
    /// Pairs of statements.
    pairs: usize,
    shapes: usize,
}

impl Budget {
    pub(super) fn new(of: Outlined<'_>) -> Self {
        let statements = of.outlines.len();
        Self { statements, pairs: PAIRS + PAIRS_PER_STATEMENT * statements, shapes: COMPARED }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.shapes == 0
    }

    /// Whether there is enough left for another shape, and it `reaches`.
    pub(super) fn takes<'o>(
        &mut self,
        other: Outlined<'o>,
        reaches: impl FnOnce(Outlined<'o>) -> bool,
    ) -> bool {
        let needed = anchors::pairs(self.statements, other.outlines.len());
        let affordable = needed <= self.pairs;
        self.pairs = self.pairs.saturating_sub(needed);
        let taken = affordable && reaches(other);
        self.shapes -= usize::from(taken);
        taken
    }
}

/// The prepared fragment of an entry: out of `block`, or made anew where it stands in none that is held.
fn prepared<'b>(
    nodes: &Nodes<'_>,
    entry: usize,
    block: &'b Block<'_>,
    reader: &mut Reader,
) -> io::Result<Cow<'b, Prepared>> {
    match block.get(entry) {
        Some(prepared) => Ok(Cow::Borrowed(prepared)),
        None => nodes.prepare(entry, reader).map(Cow::Owned),
    }
}

/// Brings candidates into the order in which they are compared, and leaves no more than [`CANDIDATES`].
pub(super) fn limit(candidates: &mut Vec<Candidate>) {
    let by_shared = |candidate: &Candidate| (Reverse(candidate.shared), candidate.shape);
    if candidates.len() > LINKS {
        candidates.sort_unstable_by_key(|candidate| Reverse(candidate.shape));
        candidates[HUBS..].sort_unstable_by_key(by_shared);
        candidates.truncate(CANDIDATES);
    } else {
        candidates.sort_unstable_by_key(by_shared);
    }
}
