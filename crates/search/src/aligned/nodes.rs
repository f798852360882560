//! The nodes of a search, read and prepared, in the order of their masses.
//!
//! Where the prepared fragments do not fit into memory, one block of them is held at a time. What looks itself up in a block
//! is an earlier shape: its kept grams are held for all shapes, and the rest is made when there are candidates. So each
//! fragment is prepared a bounded number of times, however many blocks there are.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use familiar_index::grams::{self, GramCounts, Postings};
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

/// Shapes whose lists stand in one piece of memory.
const LISTS_CHUNK: u32 = 4096;

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
        distinct_grams(self.symbols(node, &mut worker.symbols)?, &mut worker.blind, out);
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

/// Replaces `out` by the distinct grams of the blind form of `symbols`.
pub(super) fn distinct_grams(symbols: &[u32], blind: &mut Vec<u32>, out: &mut Vec<u32>) {
    blind.clear();
    blind.extend(symbols.iter().map(|&symbol| Symbol(symbol).blind().0));
    grams::distinct(blind, GRAM, out);
}

/// Leaves of the distinct grams of a shape those that are kept.
pub(super) fn keep_grams(counts: &GramCounts, grams: &mut Vec<u32>, keys: &mut Vec<u64>) {
    let most = (grams.len() / 2).clamp(KEPT_GRAMS.0, KEPT_GRAMS.1);
    counts.keep(KEPT_GRAMS.0, most, grams, keys);
}

/// Buffers of a thread that reads fragments.
pub(super) struct Reader {
    preparer: Preparer,
    symbols: Vec<u32>,
    line_starts: Vec<u32>,
    blind: Vec<u32>,
    keys: Vec<u64>,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            preparer: Preparer::new(),
            symbols: Vec::new(),
            line_starts: Vec::new(),
            blind: Vec::new(),
            keys: Vec::new(),
        }
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

/// A list for each of some shapes that follow one another.
struct Lists {
    first: u32,
    /// For each [`LISTS_CHUNK`] of shapes where each one's list ends, and the lists.
    chunks: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Lists {
    /// The lists that `write` makes of `shapes`, unless they take more than `most` bytes.
    fn new(
        shapes: Range<u32>,
        most: usize,
        write: impl Fn(&mut Reader, u32, &mut Vec<u32>) -> io::Result<()> + Sync,
    ) -> io::Result<Option<Self>> {
        let used = AtomicUsize::new(0);
        let read = |(worker, list): &mut (Reader, Vec<u32>), chunk: u32| {
            let (mut ends, mut values) = (Vec::new(), Vec::new());
            let first = shapes.start + chunk * LISTS_CHUNK;
            for shape in first..shapes.end.min(first + LISTS_CHUNK) {
                if used.load(Ordering::Relaxed) > most {
                    break;
                }
                write(worker, shape, list)?;
                values.extend_from_slice(list);
                ends.push(values.len() as u32);
                used.fetch_add((list.len() + 1) * size_of::<u32>(), Ordering::Relaxed);
            }
            values.shrink_to_fit();
            Ok((ends, values))
        };
        let chunks = (0..(shapes.len() as u32).div_ceil(LISTS_CHUNK)).into_par_iter();
        let chunks = chunks.map_init(|| (Reader::new(), Vec::new()), read).collect::<io::Result<_>>()?;
        Ok((used.into_inner() <= most).then_some(Self { first: shapes.start, chunks }))
    }

    fn of(&self, shape: u32) -> &[u32] {
        let local = shape - self.first;
        let (ends, values) = &self.chunks[(local / LISTS_CHUNK) as usize];
        let at = (local % LISTS_CHUNK) as usize;
        let start = at.checked_sub(1).map_or(0, |before| ends[before]);
        &values[start as usize..ends[at] as usize]
    }
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
    /// The kept grams of all shapes, or none where they do not fit into memory.
    grams: Option<Lists>,
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
            Ok((entry, fits.then(|| Box::new(prepared))))
        };
        let mut read: Vec<(Entry, Option<Box<Prepared>>)> =
            nodes.par_iter().with_min_len(CHUNK).map_init(Reader::new, read).collect::<io::Result<_>>()?;
        read.par_sort_unstable_by(|(a, _), (b, _)| {
            a.mass.total_cmp(&b.mass).then((a.blind, a.shape, a.node).cmp(&(b.blind, b.shape, b.node)))
        });
        let fits = used.into_inner() <= memory / 2;
        let entries: Vec<Entry> = read.iter().map(|(entry, _)| *entry).collect();
        let prepared = read.into_iter().filter(|_| fits).filter_map(|(_, prepared)| prepared);
        let prepared: Vec<Prepared> = prepared.map(|prepared| *prepared).collect();
        let mut shapes = vec![0];
        for shape in entries.chunk_by(|a, b| (a.blind, a.shape) == (b.blind, b.shape)) {
            shapes.push(shapes[shapes.len() - 1] + shape.len() as u32);
        }
        let tokens: usize = entries.iter().map(|entry| source.fragment(entry.node).tokens as usize).sum();
        let counts = GramCounts::new(tokens.min(memory / 16));
        let grams = None;
        let mut nodes = Self { source, entries, shapes, prepared, counts, grams, memory, evidence };
        nodes.count_grams()?;
        nodes.grams = nodes.kept_grams(0..nodes.shape_count(), memory / 4)?;
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

    /// The kept grams of `shapes`, unless they take more than `most` bytes.
    fn kept_grams(&self, shapes: Range<u32>, most: usize) -> io::Result<Option<Lists>> {
        Lists::new(shapes, most, |worker, shape, out| self.keep(shape, worker, out))
    }

    /// Replaces `out` by the kept grams of a shape.
    fn keep(&self, shape: u32, worker: &mut Reader, out: &mut Vec<u32>) -> io::Result<()> {
        self.source.grams(self.first(shape).node, worker, out)?;
        keep_grams(&self.counts, out, &mut worker.keys);
        Ok(())
    }

    /// The kept grams of a shape, from memory or made anew in `buffer`.
    pub(super) fn grams<'b>(
        &'b self,
        shape: u32,
        worker: &mut Reader,
        buffer: &'b mut Vec<u32>,
    ) -> io::Result<&'b [u32]> {
        if let Some(grams) = &self.grams {
            return Ok(grams.of(shape));
        }
        self.keep(shape, worker, buffer)?;
        Ok(buffer)
    }

    /// The prepared fragment of an entry, made anew.
    pub(super) fn prepare(&self, entry: usize, worker: &mut Reader) -> io::Result<Prepared> {
        self.source.prepare(self.entries[entry].node, worker)
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

    /// Replaces `out` by the rare tokens of all nodes of a shape, sorted: none where the search asks for no evidence.
    pub(super) fn rare_of(&self, shape: u32, worker: &mut Reader, out: &mut Vec<u32>) -> io::Result<()> {
        out.clear();
        let Some(commonness) = self.evidence else { return Ok(()) };
        for entry in &self.entries[self.of_shape(shape)] {
            commonness.add_rare(self.source.symbols(entry.node, &mut worker.symbols)?, out);
        }
        out.sort_unstable();
        out.dedup();
        Ok(())
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
        let mut outlines = Outlines::default();
        for shape in shapes.clone() {
            outlines.push(&prepared[self.of_shape(shape).start - first]);
        }
        let rare = match self.evidence {
            Some(_) => {
                Lists::new(shapes.clone(), usize::MAX, |worker, shape, out| self.rare_of(shape, worker, out))?
            }
            None => None,
        };
        let own = match &self.grams {
            Some(_) => None,
            None => self.kept_grams(shapes.clone(), usize::MAX)?,
        };
        let grams = self.grams.as_ref().or(own.as_ref()).expect("whatever the grams take");
        let kept: Vec<Box<[u32]>> = shapes.clone().map(|shape| grams.of(shape).into()).collect();
        let facts = shapes.clone().zip(&kept);
        let facts = facts.map(|(shape, grams)| (self.first(shape).blind, grams.len() as u8)).collect();
        let postings = Postings::new(&kept);
        let marks = Marks::new(kept.iter().flatten().copied());
        Ok(Block { shapes, first, prepared, outlines, postings, marks, facts, rare })
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
    /// Which shapes, counted from the first, keep a gram.
    pub(super) postings: Postings,
    /// Which grams are among them.
    marks: Marks,
    /// The blind form of each shape, and how many grams it keeps, which is no more than [`KEPT_GRAMS`].
    facts: Vec<(u64, u8)>,
    /// The rare tokens of each shape's nodes together, sorted; none without evidence.
    rare: Option<Lists>,
}

/// Tells of most numbers that they are not in a set.
struct Marks {
    words: Vec<u64>,
    shift: u32,
}

impl Marks {
    /// Bits for each number of the set.
    const BITS: usize = 8;

    fn new(numbers: impl Iterator<Item = u32> + Clone) -> Self {
        let bits = (numbers.clone().count() * Self::BITS).next_power_of_two().trailing_zeros().clamp(6, 24);
        let mut marks = Self { words: vec![0; 1 << (bits - 6)], shift: 32 - bits };
        for number in numbers {
            let at = number >> marks.shift;
            marks.words[(at >> 6) as usize] |= 1 << (at & 63);
        }
        marks
    }

    /// Whether a number may be in the set. Numbers are hashes.
    fn may_hold(&self, number: u32) -> bool {
        let at = number >> self.shift;
        self.words[(at >> 6) as usize] & 1 << (at & 63) != 0
    }
}

impl Block<'_> {
    /// The prepared fragment of an entry of the block.
    pub(super) fn prepared(&self, entry: usize) -> &Prepared {
        &self.prepared[entry - self.first]
    }

    /// The prepared fragment of an entry that may stand before the block.
    pub(super) fn get(&self, entry: usize) -> Option<&Prepared> {
        self.prepared.get(entry.checked_sub(self.first)?)
    }

    /// The outlines of a shape.
    pub(super) fn outlined(&self, shape: u32) -> Outlined<'_> {
        self.outlines.get(shape - self.shapes.start)
    }

    /// The shapes, counted from the first of the block, that keep a gram.
    pub(super) fn keepers(&self, gram: u32) -> &[u32] {
        if self.marks.may_hold(gram) { self.postings.get(gram) } else { &[] }
    }

    /// The rare tokens of all nodes of a shape, where the search asks for evidence.
    pub(super) fn rare(&self, shape: u32) -> Option<&[u32]> {
        Some(self.rare.as_ref()?.of(shape))
    }

    /// The blind form of a shape.
    pub(super) fn blind(&self, shape: u32) -> u64 {
        self.facts[(shape - self.shapes.start) as usize].0
    }

    /// How many grams a shape keeps.
    pub(super) fn kept(&self, shape: u32) -> usize {
        usize::from(self.facts[(shape - self.shapes.start) as usize].1)
    }
}
