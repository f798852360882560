//! The nodes of a search, read and prepared, in the order of their masses.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use familiar_index::grams::{self, GramCounts};
use familiar_index::{Collection, FragmentEntry, Side};
use familiar_syntax::normal::Symbol;
use rayon::prelude::*;

use super::bound::{Outlined, Outlines};
use super::prepared::{Prepared, Preparer};
use crate::equal::Equal;
use crate::evidence::Commonness;
use crate::similar::Sequence;

/// Length of the grams of the blind form by which candidates are found.
const GRAM: usize = 8;
/// How many of a fragment are kept: the rarest, and of a long one a sample of the others, half of all and so many at
/// most. Among many copies of something long, what is rarest is what they do not share.
const KEPT_GRAMS: (usize, usize) = (64, 255);

/// Fragments that one thread reads in a row.
const CHUNK: usize = 64;

/// What the nodes stand for.
#[derive(Clone, Copy)]
pub(super) struct Source<'c> {
    pub(super) collection: &'c Collection,
    pub(super) equal: &'c Equal,
}

impl<'c> Source<'c> {
    fn fragment(self, node: u32) -> &'c FragmentEntry {
        &self.collection.fragments[self.equal.nodes[node as usize][0] as usize]
    }

    pub(super) fn family(self, node: u32) -> u8 {
        self.collection.files[self.fragment(node).file as usize].family
    }

    /// The symbols of the node's first fragment.
    pub(super) fn symbols<'b>(self, node: u32, buffer: &'b mut Vec<u32>) -> io::Result<&'b [u32]>
    where
        'c: 'b,
    {
        let fragment = self.fragment(node);
        self.collection.tokens.get(fragment.file, fragment.first..fragment.first + fragment.tokens, buffer)
    }

    fn prepare(self, node: u32, worker: &mut Reader) -> io::Result<Prepared> {
        self.collection.line_starts_of(self.fragment(node), &mut worker.line_starts)?;
        let symbols = self.symbols(node, &mut worker.symbols)?;
        Ok(worker.preparer.prepare(Sequence { symbols, line_starts: &worker.line_starts }))
    }

    /// Replaces `out` by the distinct grams of the node's blind form.
    fn grams(self, node: u32, worker: &mut Reader, out: &mut Vec<u32>) -> io::Result<()> {
        let symbols = self.symbols(node, &mut worker.symbols)?;
        worker.blind.clear();
        worker.blind.extend(symbols.iter().map(|&symbol| Symbol(symbol).blind().0));
        grams::distinct(&worker.blind, GRAM, out);
        Ok(())
    }

    /// The sides on which the node's fragments stand.
    fn sides(self, node: u32) -> Sides {
        let side = |&fragment: &u32| {
            let file = self.collection.fragments[fragment as usize].file;
            match self.collection.files[file as usize].side {
                Side::Query => 1,
                Side::Against => 2,
                Side::Both => 3,
            }
        };
        Sides(self.equal.nodes[node as usize].iter().map(side).fold(0, |sides, side| sides | side))
    }
}

/// The sides of a search, as bits: query and against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides(u8);

impl Sides {
    /// Whether some fragment of the one node pairs with some of the other.
    pub(super) fn pair_with(self, other: Self) -> bool {
        (self.0 & 1 != 0 && other.0 & 2 != 0) || (self.0 & 2 != 0 && other.0 & 1 != 0)
    }
}

/// Buffers of a thread that reads fragments.
struct Reader {
    preparer: Preparer,
    symbols: Vec<u32>,
    line_starts: Vec<u32>,
    blind: Vec<u32>,
}

impl Reader {
    fn new() -> Self {
        Self { preparer: Preparer::new(), symbols: Vec::new(), line_starts: Vec::new(), blind: Vec::new() }
    }
}

/// A node, and what of its first fragment is always at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: u32,
    pub(super) sides: Sides,
    pub(super) mass: f32,
    pub(super) blind: u64,
    shape: u64,
    bytes: u32,
}

/// The nodes of one search, ordered by mass.
pub(super) struct Nodes<'c> {
    pub(super) source: Source<'c>,
    pub(super) entries: Vec<Entry>,
    /// For each shape its first entry, with the end: entries of one shape differ in names and literals alone.
    shapes: Vec<u32>,
    /// As many as entries, or none where they do not fit into memory.
    prepared: Vec<Prepared>,
    counts: GramCounts,
    memory: usize,
    evidence: Option<&'c Commonness>,
}

impl<'c> Nodes<'c> {
    pub(super) fn read(
        source: Source<'c>,
        nodes: &[u32],
        memory: usize,
        evidence: Option<&'c Commonness>,
    ) -> io::Result<Self> {
        let used = AtomicUsize::new(0);
        let read = |worker: &mut Reader, &node: &u32| {
            let prepared = source.prepare(node, worker)?;
            let bytes = prepared.bytes();
            let entry = Entry {
                node,
                sides: source.sides(node),
                mass: prepared.mass,
                blind: prepared.blind,
                shape: prepared.shape,
                bytes: bytes as u32,
            };
            let fits = used.fetch_add(bytes, Ordering::Relaxed) + bytes <= memory / 2;
            Ok((entry, if fits { prepared } else { Prepared::default() }))
        };
        let mut read: Vec<(Entry, Prepared)> =
            nodes.par_iter().with_min_len(CHUNK).map_init(Reader::new, read).collect::<io::Result<_>>()?;
        read.par_sort_unstable_by(|(a, _), (b, _)| {
            a.mass.total_cmp(&b.mass).then((a.blind, a.shape, a.node).cmp(&(b.blind, b.shape, b.node)))
        });
        let (entries, mut prepared): (Vec<Entry>, Vec<Prepared>) = read.into_iter().unzip();
        if used.into_inner() > memory / 2 {
            prepared = Vec::new();
        }
        let mut shapes = vec![0];
        for shape in entries.chunk_by(|a, b| (a.blind, a.shape) == (b.blind, b.shape)) {
            shapes.push(shapes[shapes.len() - 1] + shape.len() as u32);
        }
        let tokens: usize = entries.iter().map(|entry| source.fragment(entry.node).tokens as usize).sum();
        let counts = GramCounts::new(tokens.min(memory / 16));
        let nodes = Self { source, entries, shapes, prepared, counts, memory, evidence };
        nodes.count_grams()?;
        Ok(nodes)
    }

    fn count_grams(&self) -> io::Result<()> {
        (0..self.shape_count()).into_par_iter().with_min_len(CHUNK).try_for_each_init(
            || (Reader::new(), Vec::new()),
            |(worker, grams), shape| {
                self.source.grams(self.first(shape).node, worker, grams)?;
                self.counts.add(grams);
                Ok(())
            },
        )
    }

    pub(super) fn shape_count(&self) -> u32 {
        self.shapes.len() as u32 - 1
    }

    /// The entries of a shape.
    pub(super) fn of_shape(&self, shape: u32) -> Range<usize> {
        self.shapes[shape as usize] as usize..self.shapes[shape as usize + 1] as usize
    }

    /// The first entry of a shape.
    pub(super) fn first(&self, shape: u32) -> &Entry {
        &self.entries[self.shapes[shape as usize] as usize]
    }

    /// The first of `shapes` that is heavier than `mass`, or their end.
    pub(super) fn first_above(&self, shapes: Range<u32>, mass: f32) -> u32 {
        let starts = &self.shapes[shapes.start as usize..shapes.end as usize];
        shapes.start + starts.partition_point(|&at| self.entries[at as usize].mass <= mass) as u32
    }

    /// Ranges of shapes, each small enough that two fit into memory.
    pub(super) fn blocks(&self) -> Vec<Range<u32>> {
        if !self.prepared.is_empty() {
            return std::iter::once(0..self.shape_count()).collect();
        }
        let mut blocks = Vec::new();
        let (mut start, mut bytes) = (0, 0);
        for shape in 0..self.shape_count() {
            let entries = &self.entries[self.of_shape(shape)];
            let own: usize = entries.iter().map(|entry| entry.bytes as usize).sum();
            bytes += own + KEPT_GRAMS.0 * 20 + RARE_BYTES;
            if bytes > self.memory / 4 && shape > start {
                blocks.push(start..shape);
                (start, bytes) = (shape, own);
            }
        }
        if start < self.shape_count() {
            blocks.push(start..self.shape_count());
        }
        blocks
    }

    fn rare(&self, shapes: Range<u32>, commonness: &Commonness) -> io::Result<Vec<Box<[u32]>>> {
        let rare_of = |buffer: &mut Vec<u32>, shape: u32| {
            let mut rare = Vec::new();
            for entry in &self.entries[self.of_shape(shape)] {
                commonness.add_rare(self.source.symbols(entry.node, buffer)?, &mut rare);
            }
            rare.sort_unstable();
            rare.dedup();
            Ok(rare.into_boxed_slice())
        };
        shapes.into_par_iter().with_min_len(CHUNK).map_init(Vec::new, rare_of).collect()
    }

    /// A range of shapes made ready for comparison.
    pub(super) fn load(&self, shapes: Range<u32>) -> io::Result<Block<'_>> {
        let first = self.shapes[shapes.start as usize] as usize;
        let end = self.shapes[shapes.end as usize] as usize;
        let prepared = if self.prepared.is_empty() {
            let nodes = self.entries[first..end].par_iter().with_min_len(CHUNK);
            let read = |worker: &mut Reader, entry: &Entry| self.source.prepare(entry.node, worker);
            Cow::Owned(nodes.map_init(Reader::new, read).collect::<io::Result<_>>()?)
        } else {
            Cow::Borrowed(&self.prepared[first..end])
        };
        let read = |(worker, keys): &mut (Reader, Vec<u64>), shape| {
            let mut grams = Vec::new();
            self.source.grams(self.first(shape).node, worker, &mut grams)?;
            let most = (grams.len() / 2).clamp(KEPT_GRAMS.0, KEPT_GRAMS.1);
            self.counts.keep(KEPT_GRAMS.0, most, &mut grams, keys);
            Ok(Box::from(grams))
        };
        let grams = shapes.clone().into_par_iter().with_min_len(CHUNK);
        let grams = grams.map_init(|| (Reader::new(), Vec::new()), read).collect::<io::Result<_>>()?;
        let mut outlines = Outlines::default();
        for shape in shapes.clone() {
            outlines.push(&prepared[self.of_shape(shape).start - first]);
        }
        let rare = match self.evidence {
            Some(commonness) => self.rare(shapes.clone(), commonness)?,
            None => Vec::new(),
        };
        Ok(Block { shapes, first, prepared, outlines, grams, rare })
    }
}

/// Bytes that the rare tokens of a shape take, about.
const RARE_BYTES: usize = 128;

/// Some shapes of [`Nodes`], ready for comparison.
pub(super) struct Block<'n> {
    pub(super) shapes: Range<u32>,
    first: usize,
    prepared: Cow<'n, [Prepared]>,
    outlines: Outlines,
    /// The kept grams of each shape.
    pub(super) grams: Vec<Box<[u32]>>,
    /// The rare tokens of each shape's nodes together, sorted; none without evidence.
    rare: Vec<Box<[u32]>>,
}

impl Block<'_> {
    /// The prepared fragment of an entry.
    pub(super) fn prepared(&self, entry: usize) -> &Prepared {
        &self.prepared[entry - self.first]
    }

    /// The outlines of a shape.
    pub(super) fn outlined(&self, shape: u32) -> Outlined<'_> {
        self.outlines.get(shape - self.shapes.start)
    }

    /// The rare tokens of all nodes of a shape, where the search asks for evidence.
    pub(super) fn rare(&self, shape: u32) -> Option<&[u32]> {
        self.rare.get((shape - self.shapes.start) as usize).map(|rare| &**rare)
    }

    /// The kept grams of a shape.
    pub(super) fn grams(&self, shape: u32) -> &[u32] {
        &self.grams[(shape - self.shapes.start) as usize]
    }
}
