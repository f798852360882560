//! The search by the aligned measure, in the shares that tasks do (`familiar_search::aligned::shares`).
//!
//! 1. [`Shapes`] reads the shape of each node. Nodes of one shape differ in names and literals alone.
//! 2. [`GramCounts`] counts in how many shapes each gram stands. Frozen, that says which grams [`Grams`] keeps of a shape.
//! 3. [`Meetings`] takes the shapes that keep one gram, and gives the pairs that are looked at, with how many grams both keep.
//! 4. [`ranked`] adds these up, and brings the candidates for one shape into the order in which they are compared.
//! 5. [`compare`] compares nodes with those of the candidates, and [`same_forms`] links those that are equal but for names.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{BinaryBuilder, Float32Builder, Int32Builder, Int64Builder};
use arrow_schema::{DataType, Field, Schema};
use familiar_index::grams;
use familiar_search::aligned::shares::{self, Keeper, Shaper};
use familiar_search::similar::Sequence;

use crate::TaskError;
use crate::batch::{Column, batch, bytes, float, hashes, int, long, structures};
use crate::counts::Tally;
use crate::links::Found;
use crate::measure::Similarity;
use crate::packs::{Buckets, Pack, Packs, mixed, number};
use crate::sequence::{Tokens, decode};

/// Pairs that are handed over at a time.
const MOST_PAIRS: usize = 1 << 21;

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
    shapes: Tally,
    counters: Vec<u32>,
}

impl GramCounts {
    /// Counts go to so many buckets.
    pub fn new(tokens: TokensOfFamilies, buckets: u32) -> Self {
        Self { tokens, shaper: Shaper::default(), shapes: Tally::new(buckets), counters: Vec::new() }
    }

    /// Counts rows of `family` and `sequence`, one for each shape. Gives rows of `bucket` and `pack`, for [`crate::sums`], where the task has
    /// enough of them. A number is that of a counter, in its lower half, and of its family.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        let (families, sequences) = (int(rows, "family")?, bytes(rows, "sequence")?);
        for row in 0..rows.num_rows() {
            let (family, tokens) = (families.value(row), decode(sequences.value(row))?);
            self.shaper.counters(tokens.sequence().symbols, self.tokens.get(family), &mut self.counters);
            for &counter in &self.counters {
                self.shapes.add(of_family(family, counter).cast_unsigned());
            }
        }
        self.shapes.full()
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        self.shapes.finish()
    }
}

/// A counter, or a gram, of a family: families do not share any.
fn of_family(family: i32, number: u32) -> i64 {
    i64::from(family) << 32 | i64::from(number)
}

/// Reads which grams of a shape are kept.
pub struct Grams {
    shaper: Shaper,
    counts: BTreeMap<i32, grams::GramCounts>,
    kept: Vec<u32>,
    packs: Packs,
}

impl Grams {
    /// `counted` are rows of `number` and `count`, what [`GramCounts`] counted at 2 or more. Grams go to so many buckets.
    pub fn new(tokens: &TokensOfFamilies, counted: &RecordBatch, buckets: u32) -> Result<Self, TaskError> {
        let (numbers, shapes) = (long(counted, "number")?, long(counted, "count")?);
        let mut of_families: BTreeMap<i32, Vec<(u32, u32)>> = BTreeMap::new();
        for (&number, &shapes) in numbers.values().iter().zip(shapes.values()) {
            let shapes = u32::try_from(shapes).unwrap_or(u32::MAX);
            of_families.entry((number >> 32) as i32).or_default().push((number as u32, shapes));
        }
        let counts = |(&family, &tokens): (&i32, &usize)| {
            let counted = of_families.remove(&family).unwrap_or_default();
            (family, grams::GramCounts::of_counted(tokens, counted))
        };
        let counts = tokens.0.iter().map(counts).collect();
        Ok(Self { shaper: Shaper::default(), counts, kept: Vec::new(), packs: Packs::new(buckets) })
    }

    /// Takes rows of `family`, `id`, `mass` and `sequence`, one for each shape. Gives rows of `bucket` and `pack` where there is enough.
    /// Families do not share grams.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        let (families, sequences) = (int(rows, "family")?, bytes(rows, "sequence")?);
        let (ids, masses) = (long(rows, "id")?, float(rows, "mass")?);
        for row in 0..rows.num_rows() {
            let (family, tokens) = (families.value(row), decode(sequences.value(row))?);
            let Some(counts) = self.counts.get(&family) else { continue };
            self.shaper.kept(tokens.sequence().symbols, counts, &mut self.kept);
            for &one in &self.kept {
                let gram = of_family(family, one);
                self.packs.write(self.packs.bucket(mixed(gram.cast_unsigned())), |pack| {
                    pack.extend_from_slice(&gram.to_le_bytes());
                    pack.extend_from_slice(&ids.value(row).to_le_bytes());
                    pack.extend_from_slice(&masses.value(row).to_le_bytes());
                    number(self.kept.len() as u64, pack);
                });
            }
        }
        self.packs.full()
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        self.packs.finish()
    }
}

/// A shape that keeps a gram.
struct Keeping {
    gram: i64,
    keeper: Keeper,
}

impl Keeping {
    fn read(pack: &mut Pack<'_>) -> Result<Self, TaskError> {
        let gram = i64::from_le_bytes(pack.take()?);
        let shape = i64::from_le_bytes(pack.take()?);
        let (mass, kept) = (f32::from_le_bytes(pack.take()?), pack.short()? as usize);
        Ok(Self { gram, keeper: Keeper { shape, mass, kept } })
    }
}

/// The pairs of shapes that keep one gram.
#[derive(Debug)]
pub struct Meetings {
    similarity: f64,
    /// What is still to be paired, and which of the first of them is next.
    grams: Vec<Vec<Keeper>>,
    next: usize,
    met: Vec<Met>,
    packs: Packs,
}

/// Two shapes, of which the first is smaller, how many grams they need in common, and how many they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Met {
    left: i64,
    right: i64,
    needed: u32,
    shared: u32,
}

impl Met {
    /// Writes the pairs of one left shape, in order.
    fn write(of_left: &[Self], pack: &mut Vec<u8>) {
        pack.extend_from_slice(&of_left[0].left.to_le_bytes());
        number(of_left.len() as u64, pack);
        let mut before = of_left[0].left;
        for pair in of_left {
            number(pair.right.wrapping_sub(before).cast_unsigned(), pack);
            number(u64::from(pair.needed), pack);
            number(u64::from(pair.shared), pack);
            before = pair.right;
        }
    }

    /// Reads what [`Self::write`] wrote.
    fn read(pack: &mut Pack<'_>, met: &mut Vec<Self>) -> Result<(), TaskError> {
        let left = i64::from_le_bytes(pack.take()?);
        let mut right = left;
        for _ in 0..pack.number()? {
            right = right.wrapping_add(pack.number()?.cast_signed());
            met.push(Self { left, right, needed: pack.short()?, shared: pack.short()? });
        }
        Ok(())
    }

    /// Makes one of all that are of the same two shapes.
    fn sum(met: &mut Vec<Self>) {
        met.sort_unstable();
        met.dedup_by(|next, one| {
            let same = (next.left, next.right) == (one.left, one.right);
            if same {
                one.shared += next.shared;
            }
            same
        });
    }
}

impl Meetings {
    /// Pairs go to so many buckets, by the smaller shape.
    pub fn new(similarity: f64, buckets: u32) -> Self {
        let packs = Packs::new(buckets);
        Self { similarity, grams: Vec::new(), next: 0, met: Vec::new(), packs }
    }

    /// Takes rows of `packs`, lists of those that [`Grams`] made for one bucket.
    pub fn push(&mut self, buckets: &RecordBatch) -> Result<(), TaskError> {
        for packs in Buckets::of(buckets)?.iter() {
            let mut keeping = Vec::new();
            for mut pack in packs {
                while !pack.is_empty() {
                    keeping.push(Keeping::read(&mut pack)?);
                }
            }
            keeping.sort_unstable_by_key(|it| (it.gram, it.keeper.shape));
            let grams = keeping.chunk_by(|one, two| one.gram == two.gram).filter(|gram| gram.len() > 1);
            self.grams.extend(grams.map(|gram| gram.iter().map(|it| it.keeper).collect::<Vec<_>>()));
        }
        Ok(())
    }

    /// The next rows of `bucket` and `pack`, for [`ranked`]. None where there are no more pairs.
    pub fn next_pairs(&mut self) -> Result<Option<RecordBatch>, TaskError> {
        let Self { similarity, grams, next, met, packs } = self;
        while met.len() < MOST_PAIRS {
            let Some(keepers) = grams.last() else { break };
            let Some(one) = keepers.get(*next) else {
                grams.pop();
                *next = 0;
                continue;
            };
            shares::meet(keepers, *next, *similarity, |other, least| {
                met.push(Met { left: one.shape, right: other, needed: least as u32, shared: 1 });
            });
            *next += 1;
        }
        if met.is_empty() {
            return Ok(None);
        }
        Met::sum(met);
        for of_left in met.chunk_by(|one, two| one.left == two.left) {
            let bucket = packs.bucket(mixed(of_left[0].left.cast_unsigned()));
            packs.write(bucket, |pack| Met::write(of_left, pack));
        }
        met.clear();
        packs.finish().map(Some)
    }
}

/// Counts how many grams two shapes share, and brings the candidates for each into the order in which they are compared. Makes rows of
/// `packs`, lists of those that [`Meetings`] made for one bucket, to rows of `left`, `right` and `rank`, and leaves out what is too much.
pub fn ranked(buckets: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (mut left, mut right) = (Int64Builder::new(), Int64Builder::new());
    let mut rank = Int32Builder::new();
    for packs in Buckets::of(buckets)?.iter() {
        let mut met = Vec::new();
        for mut pack in packs {
            while !pack.is_empty() {
                Met::read(&mut pack, &mut met)?;
            }
        }
        Met::sum(&mut met);
        met.retain(|pair| pair.shared >= pair.needed);
        for of_left in met.chunk_by(|one, two| one.left == two.left) {
            let shared = |pair: &Met| (pair.right, u8::try_from(pair.shared).unwrap_or(u8::MAX));
            let mut candidates: Vec<(i64, u8)> = of_left.iter().map(shared).collect();
            shares::in_order(&mut candidates);
            for (at, (other, _)) in (0..).zip(candidates) {
                left.append_value(of_left[0].left);
                right.append_value(other);
                rank.append_value(at);
            }
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
