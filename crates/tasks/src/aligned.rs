//! The search by the aligned measure, in the shares that tasks do (`familiar_search::aligned::shares`).
//!
//! 1. [`Shapes`] reads the shape of each node. Nodes of one shape differ in names and literals alone.
//! 2. [`GramCounts`] counts in how many shapes each gram stands. Frozen, that says which grams [`Grams`] keeps of a shape.
//! 3. [`Meetings`] takes the shapes that keep one gram, and gives the pairs that are looked at. How often a pair comes is how many
//!    grams both keep.
//! 4. [`ranked`] brings the candidates for one shape into the order in which they are compared.
//! 5. [`compare`] compares nodes with those of the candidates, and [`same_forms`] links those that are equal but for names.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{ArrayBuilder, BinaryBuilder, Float32Builder, Int32Builder, Int64Builder};
use arrow_schema::{DataType, Field, Schema};
use familiar_index::grams;
use familiar_search::aligned::shares::{self, Keeper, Shaper};
use familiar_search::similar::Sequence;
use rustc_hash::FxHashMap;

use crate::TaskError;
use crate::batch::{Column, batch, bytes, float, hashes, int, long, structures};
use crate::links::Found;
use crate::measure::Similarity;
use crate::sequence::{Tokens, decode};

/// Counters that one task holds before it hands over what it has.
const MOST_COUNTERS: usize = 1 << 20;

/// Pairs that are handed over at a time.
const MOST_PAIRS: usize = 1 << 17;

/// Reads the shapes of nodes.
#[derive(Default)]
pub struct Shapes {
    shaper: Shaper,
}

impl Shapes {
    /// Gives rows of `family` and `sequence`, and whatever else, back with `shape` (in the order in which the search takes them),
    /// `form` (the same for those that are equal but for names and literals) and `mass`.
    pub fn of(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (families, sequences) = (int(rows, "family")?, bytes(rows, "sequence")?);
        let (mut shape, mut form) = (BinaryBuilder::new(), BinaryBuilder::new());
        let mut mass = Float32Builder::new();
        for row in 0..rows.num_rows() {
            let tokens = decode(sequences.value(row))?;
            let of = self.shaper.shape(tokens.sequence());
            let family = [families.value(row) as u8];
            shape.append_value([&family, of.key.bytes()].concat());
            form.append_value([&family[..], &of.blind.to_be_bytes()].concat());
            mass.append_value(of.mass);
        }
        let mut fields: Vec<Arc<Field>> = rows.schema_ref().fields().to_vec();
        let mut columns = rows.columns().to_vec();
        let (shape, form, mass) = (shape.finish(), form.finish(), mass.finish());
        for (name, kind) in
            [("shape", DataType::Binary), ("form", DataType::Binary), ("mass", DataType::Float32)]
        {
            fields.push(Arc::new(Field::new(name, kind, false)));
        }
        columns.extend([Arc::new(shape) as _, Arc::new(form) as _, Arc::new(mass) as _]);
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
    }
}

/// How many tokens the nodes of each family have.
#[derive(Clone, Debug, Default)]
pub struct TokensOfFamilies(BTreeMap<i32, usize>);

impl TokensOfFamilies {
    /// Those of rows of `family` and `tokens`.
    pub fn of(rows: &RecordBatch) -> Result<Self, TaskError> {
        let (families, tokens) = (int(rows, "family")?, long(rows, "tokens")?);
        let pairs = families.values().iter().zip(tokens.values());
        Ok(Self(pairs.map(|(&family, &tokens)| (family, usize::try_from(tokens).unwrap_or(0))).collect()))
    }

    fn get(&self, family: i32) -> usize {
        self.0.get(&family).copied().unwrap_or(0)
    }
}

/// Counts in how many shapes each gram stands.
pub struct GramCounts {
    tokens: TokensOfFamilies,
    shaper: Shaper,
    shapes: FxHashMap<(i32, u32), i64>,
    counters: Vec<u32>,
}

impl GramCounts {
    pub fn new(tokens: TokensOfFamilies) -> Self {
        Self { tokens, shaper: Shaper::default(), shapes: FxHashMap::default(), counters: Vec::new() }
    }

    /// Counts rows of `family` and `sequence`, one for each shape. Gives rows of `family`, `counter` and `shapes` where the task has
    /// enough of them; the sum over all rows of a counter counts.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        let (families, sequences) = (int(rows, "family")?, bytes(rows, "sequence")?);
        for row in 0..rows.num_rows() {
            let (family, tokens) = (families.value(row), decode(sequences.value(row))?);
            self.shaper.counters(tokens.sequence().symbols, self.tokens.get(family), &mut self.counters);
            for &counter in &self.counters {
                *self.shapes.entry((family, counter)).or_insert(0) += 1;
            }
        }
        if self.shapes.len() < MOST_COUNTERS { Ok(None) } else { self.finish().map(Some) }
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        let mut counted: Vec<((i32, u32), i64)> = self.shapes.drain().collect();
        counted.sort_unstable();
        let (mut family, mut counter) = (Int32Builder::new(), Int64Builder::new());
        let mut shapes = Int64Builder::new();
        for ((of, number), count) in counted {
            family.append_value(of);
            counter.append_value(i64::from(number));
            shapes.append_value(count);
        }
        batch(vec![
            Column::new("family", family.finish()),
            Column::new("counter", counter.finish()),
            Column::new("shapes", shapes.finish()),
        ])
    }
}

/// Reads which grams of a shape are kept.
pub struct Grams {
    shaper: Shaper,
    counts: BTreeMap<i32, grams::GramCounts>,
    kept: Vec<u32>,
}

impl Grams {
    /// `counted` are rows of `family`, `counter` and `shapes`, summed, of counters that stand at 2 or more.
    pub fn new(tokens: &TokensOfFamilies, counted: &RecordBatch) -> Result<Self, TaskError> {
        let (families, counters) = (int(counted, "family")?, long(counted, "counter")?);
        let shapes = long(counted, "shapes")?;
        let mut of_families: BTreeMap<i32, Vec<(u32, u32)>> = BTreeMap::new();
        for row in 0..counted.num_rows() {
            let shapes = u32::try_from(shapes.value(row)).unwrap_or(u32::MAX);
            let counter = u32::try_from(counters.value(row)).unwrap_or(u32::MAX);
            of_families.entry(families.value(row)).or_default().push((counter, shapes));
        }
        let counts = |(&family, &tokens): (&i32, &usize)| {
            let counted = of_families.remove(&family).unwrap_or_default();
            (family, grams::GramCounts::of_counted(tokens, counted))
        };
        let counts = tokens.0.iter().map(counts).collect();
        Ok(Self { shaper: Shaper::default(), counts, kept: Vec::new() })
    }

    /// Makes rows of `family`, `id`, `mass` and `sequence`, one for each shape, to rows of `gram`, `id`, `mass` and `kept`, one for each
    /// gram that is kept. Families do not share grams.
    pub fn of(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (families, sequences) = (int(rows, "family")?, bytes(rows, "sequence")?);
        let (ids, masses) = (long(rows, "id")?, float(rows, "mass")?);
        let (mut gram, mut id) = (Int64Builder::new(), Int64Builder::new());
        let (mut mass, mut kept) = (Float32Builder::new(), Int32Builder::new());
        for row in 0..rows.num_rows() {
            let (family, tokens) = (families.value(row), decode(sequences.value(row))?);
            let Some(counts) = self.counts.get(&family) else { continue };
            self.shaper.kept(tokens.sequence().symbols, counts, &mut self.kept);
            for &one in &self.kept {
                gram.append_value(i64::from(family) << 32 | i64::from(one));
                id.append_value(ids.value(row));
                mass.append_value(masses.value(row));
                kept.append_value((self.kept.len() as u32).cast_signed());
            }
        }
        batch(vec![
            Column::new("gram", gram.finish()),
            Column::new("id", id.finish()),
            Column::new("mass", mass.finish()),
            Column::new("kept", kept.finish()),
        ])
    }
}

/// The pairs of shapes that keep one gram.
#[derive(Debug)]
pub struct Meetings {
    similarity: f64,
    /// What is still to be paired, and which of the first of them is next.
    grams: Vec<Vec<Keeper>>,
    next: usize,
}

impl Meetings {
    pub fn new(similarity: f64) -> Self {
        Self { similarity, grams: Vec::new(), next: 0 }
    }

    /// Takes rows of `rows`, lists of structures of `id`, `mass` and `kept`, each of one gram.
    pub fn push(&mut self, grams: &RecordBatch) -> Result<(), TaskError> {
        let (lists, rows) = structures(grams, "rows")?;
        let (ids, masses, kept) = (long(&rows, "id")?, float(&rows, "mass")?, int(&rows, "kept")?);
        for range in lists {
            let keeper = |row| Keeper {
                shape: ids.value(row),
                mass: masses.value(row),
                kept: kept.value(row).unsigned_abs() as usize,
            };
            let mut keepers: Vec<Keeper> = range.map(keeper).collect();
            keepers.sort_unstable_by_key(|keeper| keeper.shape);
            self.grams.push(keepers);
        }
        Ok(())
    }

    /// The next rows of `left` and `right`, two shapes of which the first is smaller, and `needed`: so many grams they need in common.
    /// None where there are no more. A pair comes once for each gram.
    pub fn next_pairs(&mut self) -> Result<Option<RecordBatch>, TaskError> {
        let (mut left, mut right) = (Int64Builder::new(), Int64Builder::new());
        let mut needed = Int32Builder::new();
        while left.len() < MOST_PAIRS {
            let Some(keepers) = self.grams.last() else { break };
            let Some(one) = keepers.get(self.next) else {
                self.grams.pop();
                self.next = 0;
                continue;
            };
            shares::meet(keepers, self.next, self.similarity, |other, least| {
                left.append_value(one.shape);
                right.append_value(other);
                needed.append_value((least as u32).cast_signed());
            });
            self.next += 1;
        }
        if left.is_empty() {
            return Ok(None);
        }
        batch(vec![
            Column::new("left", left.finish()),
            Column::new("right", right.finish()),
            Column::new("needed", needed.finish()),
        ])
        .map(Some)
    }
}

/// Brings candidates into the order in which they are compared. Makes rows of `left`, a shape, and `rows`, lists of structures of
/// `right` and `shared`, to rows of `left`, `right` and `rank`, and leaves out what is too much.
pub fn ranked(shapes: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let lefts = long(shapes, "left")?;
    let (lists, rows) = structures(shapes, "rows")?;
    let (rights, shared) = (long(&rows, "right")?, int(&rows, "shared")?);
    let (mut left, mut right) = (Int64Builder::new(), Int64Builder::new());
    let mut rank = Int32Builder::new();
    for (shape, range) in lists.into_iter().enumerate() {
        let shared = |row| u8::try_from(shared.value(row)).unwrap_or(u8::MAX);
        let mut candidates: Vec<(i64, u8)> = range.map(|row| (rights.value(row), shared(row))).collect();
        shares::in_order(&mut candidates);
        for (at, (other, _)) in (0..).zip(candidates) {
            left.append_value(lefts.value(shape));
            right.append_value(other);
            rank.append_value(at);
        }
    }
    batch(vec![
        Column::new("left", left.finish()),
        Column::new("right", right.finish()),
        Column::new("rank", rank.finish()),
    ])
}

/// The nodes of a list of structures of `node`, `sequence`, `place` (order among those of its shape), and `rank` (order of its shape).
struct Nodes {
    hashes: Vec<[u8; 16]>,
    tokens: Vec<Tokens>,
    places: Vec<(i32, i32)>,
    lists: Vec<std::ops::Range<usize>>,
}

impl Nodes {
    fn of(rows: &RecordBatch, name: &str, ranked: bool) -> Result<Self, TaskError> {
        let (lists, rows) = structures(rows, name)?;
        let (places, sequences) = (int(&rows, "place")?, bytes(&rows, "sequence")?);
        let ranks = ranked.then(|| int(&rows, "rank")).transpose()?;
        let place = |row| (ranks.as_ref().map_or(0, |ranks| ranks.value(row)), places.value(row));
        Ok(Self {
            hashes: hashes(&rows, "node")?,
            tokens: (0..rows.num_rows()).map(|row| decode(sequences.value(row))).collect::<Result<_, _>>()?,
            places: (0..rows.num_rows()).map(place).collect(),
            lists,
        })
    }

    /// The rows of a list in order.
    fn of_list(&self, list: usize) -> Vec<usize> {
        let mut rows: Vec<usize> = self.lists[list].clone().collect();
        rows.sort_unstable_by_key(|&row| self.places[row]);
        rows
    }

    fn sequence(&self, row: usize) -> Sequence<'_> {
        self.tokens[row].sequence()
    }
}

/// Compares nodes of shapes with those of their candidates. Each row holds `own`, a list of structures of `place`, `node` and `sequence`,
/// all of one shape, and `others`, the same with the `rank` of their shape, of all candidates. Gives rows as [`crate::links`] does.
pub fn compare(similarity: f64, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (own, others) = (Nodes::of(rows, "own", false)?, Nodes::of(rows, "others", true)?);
    let mut found = Found::default();
    for row in 0..rows.num_rows() {
        let own_rows = own.of_list(row);
        let nodes: Vec<Sequence<'_>> = own_rows.iter().map(|&row| own.sequence(row)).collect();
        let other_rows = others.of_list(row);
        let shapes: Vec<&[usize]> =
            other_rows.chunk_by(|&a, &b| others.places[a].0 == others.places[b].0).collect();
        let shape = |rows: &&[usize]| rows.iter().map(|&row| others.sequence(row)).collect();
        let all: Vec<Vec<Sequence<'_>>> = shapes.iter().map(shape).collect();
        shares::compare(&nodes, &all, similarity, |node, (shape, other), score| {
            let other = others.hashes[shapes[shape][other]];
            found.add(own.hashes[own_rows[node]], other, Some(Similarity::of_one(score)));
        });
    }
    found.finish()
}

/// Links nodes that are equal but for names and literals, and no twins. Each row holds `rows`, a list of structures of `number` (their
/// order), `node` and `twin`, of one form. Gives rows as [`crate::links`] does.
pub fn same_forms(forms: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (lists, rows) = structures(forms, "rows")?;
    let (numbers, nodes, twins) = (int(&rows, "number")?, hashes(&rows, "node")?, hashes(&rows, "twin")?);
    let mut found = Found::default();
    for range in lists {
        let mut order: Vec<usize> = range.collect();
        order.sort_unstable_by_key(|&row| numbers.value(row));
        let of_form: Vec<[u8; 16]> = order.iter().map(|&row| twins[row]).collect();
        let mut pairs = Vec::new();
        shares::same_form(&of_form, |one, two| {
            let (one, two) = (nodes[order[one]], nodes[order[two]]);
            pairs.push((one.min(two), one.max(two)));
        });
        // The first and those that follow it stand for one another twice.
        pairs.sort_unstable();
        pairs.dedup();
        for (one, two) in pairs {
            found.add(one, two, Some(Similarity::of_one(1.0)));
        }
    }
    found.finish()
}
