//! A cluster in one process: rows are shared out and cut into batches by numbers that a test draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use familiar_detect::CloneOptions;
use familiar_source::Language;
use familiar_tasks::{
    Asked, Counts, Cut, Files, Fragments, KeyCounts, Keys, Measure, Order, Samples, sums, verify,
};
use proptest::prelude::*;

/// How rows are cut, and what the order knows.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// Rows of a batch.
    batch: usize,
    /// Rows of a key that are compared with one another.
    cell: u32,
    /// Buckets in which packs meet.
    buckets: u32,
    /// Elements of the largest bag that travels with its keys.
    largest: u32,
    /// Tokens that the order knows.
    frequent: usize,
    /// Whether what asks says all of its keys.
    asks_all: bool,
}

pub(crate) fn clusters() -> impl Strategy<Value = Cluster> {
    let cells = prop::sample::select(vec![1, 2, 4096]);
    let largest = prop::sample::select(vec![0, 40, 1000]);
    let frequent = prop::sample::select(vec![1, 3, 1000]);
    let parts = (1..20_usize, cells, 1..9_u32, largest, frequent, any::<bool>());
    parts.prop_map(|(batch, cell, buckets, largest, frequent, asks_all)| Cluster {
        batch,
        cell,
        buckets,
        largest,
        frequent,
        asks_all,
    })
}

pub(crate) type Hash = [u8; 16];

/// How much two nodes are alike, in both numbers, by their hashes, the smaller first.
pub(crate) type Links = BTreeMap<(Hash, Hash), (f64, f64)>;

/// Something with a bag.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) hash: Hash,
    pub(crate) twin: Hash,
    family: i32,
    bag: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// Name of the file and first line.
    pub(crate) place: (String, u32),
    pub(crate) node: Node,
}

pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, values)| (name, values, true)))
        .expect("columns of one length")
}

pub(crate) fn binary<'b>(values: impl Iterator<Item = &'b [u8]>) -> ArrayRef {
    Arc::new(BinaryArray::from_iter_values(values))
}

/// Id, code and language of a text.
pub(crate) type Text<'t> = (&'t str, Option<&'t [u8]>, Option<&'t str>);

pub(crate) fn rows(texts: &[Text<'_>]) -> RecordBatch {
    let ids: StringArray = texts.iter().map(|it| Some(it.0)).collect();
    let code: BinaryArray = texts.iter().map(|it| it.1).collect();
    let languages: StringArray = texts.iter().map(|it| it.2).collect();
    batch(vec![("id", Arc::new(ids)), ("code", Arc::new(code)), ("language", Arc::new(languages))])
}

pub(crate) fn reasons(rows: &RecordBatch) -> Vec<Option<String>> {
    let column = rows.column_by_name("reason").expect("a column of reasons").as_string::<i32>();
    column.iter().map(|it| it.map(str::to_owned)).collect()
}

fn bytes(rows: &RecordBatch, name: &str, row: usize) -> Vec<u8> {
    rows.column_by_name(name).expect("the column").as_binary::<i32>().value(row).to_vec()
}

fn hash(rows: &RecordBatch, name: &str, row: usize) -> Hash {
    bytes(rows, name, row).try_into().expect("a hash")
}

fn int(rows: &RecordBatch, name: &str, row: usize) -> i32 {
    rows.column_by_name(name).expect("the column").as_primitive::<Int32Type>().value(row)
}

/// The fragments of files of Python.
pub(crate) fn fragments(files: &[String], options: &CloneOptions) -> Vec<Fragment> {
    let (mut told, mut reader) = (Files::new(options), Fragments::new(options, false));
    let mut fragments = Vec::new();
    for (number, text) in files.iter().enumerate() {
        let name = format!("{number:03}.py");
        let text = rows(&[(&name, Some(text.as_bytes()), None)]);
        if reasons(&told.read(&text).expect("files"))[0].is_some() {
            continue;
        }
        let found = reader.read(&text).expect("fragments");
        // The row of a text has no kind.
        let kinds = found.column_by_name("kind").expect("a column of kinds");
        fragments.extend((0..found.num_rows()).filter(|&row| kinds.is_valid(row)).map(|row| Fragment {
            place: (name.clone(), int(&found, "start_line", row).cast_unsigned()),
            node: Node {
                hash: hash(&found, "node", row),
                twin: hash(&found, "twin", row),
                family: int(&found, "family", row),
                bag: bytes(&found, "bag", row),
            },
        }));
    }
    fragments
}

pub(crate) fn samples(texts: &[String], language: Language) -> Vec<Node> {
    let mut reader = Samples::new(Some(language), true, 1 << 28);
    let ids: Vec<String> = (0..texts.len()).map(|it| it.to_string()).collect();
    let all: Vec<_> =
        ids.iter().zip(texts).map(|(id, text)| (id.as_str(), Some(text.as_bytes()), None)).collect();
    let read = reader.read(&rows(&all)).expect("samples");
    let node = |row| {
        let hash = self::hash(&read, "node", row);
        Node { twin: hash, hash, family: 0, bag: bytes(&read, "bag", row) }
    };
    (0..read.num_rows()).map(node).collect()
}

impl Cluster {
    /// The pairs of nodes that are alike, the smaller first.
    pub(crate) fn links(&self, nodes: &[Node], measure: Measure) -> Links {
        let nodes = distinct(nodes);
        let order = self.order(&nodes);
        let packs = self.packs(&nodes, || Keys::new(measure, order.clone(), self.cut(&nodes), None));
        self.compared(&nodes, measure, packs, true)
    }

    /// The pairs with one node among `queries` and another among `known`.
    pub(crate) fn links_between(&self, queries: &[Node], known: &[Node], measure: Measure) -> Links {
        let (queries, known) = (distinct(queries), distinct(known));
        let order = self.order(&known);
        let mut packs = Vec::new();
        for part in queries.chunks(self.batch) {
            let mut counts = KeyCounts::new(measure, order.clone(), self.buckets);
            assert!(counts.push(&columns(part)).expect("counts").is_none());
            packs.extend(packed(&counts.finish().expect("counts")));
        }
        let mut counted = summed(packs, 1);
        counted.retain(|(_, rows)| self.asks_all || *rows > i64::from(self.cell));
        let counted = counts(&counted);
        let mut packs = Vec::new();
        for (is_known, side) in [(false, &queries), (true, &known)] {
            let asked = || Asked::of(&counted, self.asks_all, is_known).expect("what is asked");
            let keys = || Keys::new(measure, order.clone(), self.cut(&known), Some(asked()));
            packs.extend(self.packs(side, keys));
        }
        self.compared(&[queries, known].concat(), measure, packs, false)
    }

    fn cut(&self, nodes: &[&Node]) -> Cut {
        Cut { nodes: nodes.len() as u64, buckets: self.buckets, largest: self.largest, cell: self.cell }
    }

    fn compared(&self, nodes: &[&Node], measure: Measure, packs: Vec<(i32, Vec<u8>)>, once: bool) -> Links {
        let buckets = together(packs);
        let compared = |part: &[Vec<Vec<u8>>]| familiar_tasks::links(measure, &lists(part)).expect("links");
        let found: Vec<RecordBatch> = buckets.chunks(self.batch).map(compared).collect();
        verified(nodes, measure, &found, once)
    }

    fn order(&self, nodes: &[&Node]) -> Order {
        let mut packs = Vec::new();
        for part in nodes.chunks(self.batch) {
            let mut counts = Counts::new(self.buckets);
            assert!(counts.push(&columns(part)).expect("counts").is_none());
            packs.extend(packed(&counts.finish().expect("counts")));
        }
        let mut all = summed(packs, 2);
        all.sort_by_key(|&(token, bags)| (-bags, token));
        all.truncate(self.frequent);
        Order::of(&counts(&all), all.len() < self.frequent).expect("an order")
    }

    /// What tasks pack, each with a share of the nodes.
    fn packs(&self, nodes: &[&Node], keys: impl Fn() -> Keys) -> Vec<(i32, Vec<u8>)> {
        let mut packs = Vec::new();
        for part in nodes.chunks(self.batch) {
            let mut keys = keys();
            assert!(keys.push(&columns(part)).expect("keys").is_none());
            let made = keys.finish().expect("keys");
            packs.extend(
                (0..made.num_rows()).map(|row| (int(&made, "bucket", row), bytes(&made, "pack", row))),
            );
        }
        if self.batch % 2 == 1 {
            packs.reverse();
        }
        packs
    }
}

fn distinct(nodes: &[Node]) -> Vec<&Node> {
    let distinct: BTreeMap<Hash, &Node> = nodes.iter().map(|node| (node.hash, node)).collect();
    distinct.into_values().collect()
}

fn columns(nodes: &[&Node]) -> RecordBatch {
    batch(vec![
        ("node", binary(nodes.iter().map(|node| node.hash.as_slice()))),
        ("twin", binary(nodes.iter().map(|node| node.twin.as_slice()))),
        ("family", Arc::new(nodes.iter().map(|node| Some(node.family)).collect::<Int32Array>())),
        ("bag", binary(nodes.iter().map(|node| node.bag.as_slice()))),
    ])
}

/// Rows of a bucket and a pack.
pub(crate) fn packed(made: &RecordBatch) -> Vec<(i32, Vec<u8>)> {
    (0..made.num_rows()).map(|row| (int(made, "bucket", row), bytes(made, "pack", row))).collect()
}

/// What tasks counted at least so often.
pub(crate) fn summed(packs: Vec<(i32, Vec<u8>)>, least: u64) -> Vec<(i64, i64)> {
    let rows = sums(least, &lists(&together(packs))).expect("sums");
    let [numbers, counts] = ["number", "count"].map(|name| {
        rows.column_by_name(name).expect("the column").as_primitive::<Int64Type>().values().to_vec()
    });
    numbers.into_iter().zip(counts).collect()
}

pub(crate) fn counts(rows: &[(i64, i64)]) -> RecordBatch {
    let column = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
    batch(vec![
        ("number", column(rows.iter().map(|it| it.0).collect())),
        ("count", column(rows.iter().map(|it| it.1).collect())),
    ])
}

/// The packs of each bucket.
pub(crate) fn together(packs: Vec<(i32, Vec<u8>)>) -> Vec<Vec<Vec<u8>>> {
    let mut buckets: BTreeMap<i32, Vec<Vec<u8>>> = BTreeMap::new();
    for (bucket, pack) in packs {
        buckets.entry(bucket).or_default().push(pack);
    }
    buckets.into_values().collect()
}

/// A row for each bucket, with all of its packs.
pub(crate) fn lists(buckets: &[Vec<Vec<u8>>]) -> RecordBatch {
    let packs: BinaryArray = buckets.iter().flatten().map(|pack| Some(pack.as_slice())).collect();
    let field = Arc::new(Field::new("item", packs.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(buckets.iter().map(Vec::len));
    batch(vec![("packs", Arc::new(ListArray::new(field, offsets, Arc::new(packs), None)))])
}

fn verified(nodes: &[&Node], measure: Measure, found: &[RecordBatch], once: bool) -> Links {
    let mut links = BTreeMap::new();
    let bag = |hash: &Hash| nodes.iter().find(|node| node.hash == *hash).expect("a node").bag.as_slice();
    for rows in found {
        let column = |rows: &RecordBatch, name: &str| {
            rows.column_by_name(name).expect("the column").as_primitive::<Float64Type>().clone()
        };
        for row in 0..rows.num_rows() {
            let pair = (hash(rows, "left", row), hash(rows, "right", row));
            let mut similarity = column(rows, "similarity").iter().nth(row).flatten();
            let mut multiset = column(rows, "multiset").iter().nth(row).flatten();
            if similarity.is_none() {
                let one = batch(vec![
                    ("left", binary([pair.0.as_slice()].into_iter())),
                    ("right", binary([pair.1.as_slice()].into_iter())),
                    ("left_bag", binary([bag(&pair.0)].into_iter())),
                    ("right_bag", binary([bag(&pair.1)].into_iter())),
                ]);
                let checked = verify(measure, &one).expect("a comparison");
                similarity = column(&checked, "similarity").iter().next().flatten();
                multiset = column(&checked, "multiset").iter().next().flatten();
            } else {
                let is_new = !links.contains_key(&pair);
                assert!(is_new || !once, "a pair that was compared comes once");
            }
            if let (Some(similarity), Some(multiset)) = (similarity, multiset) {
                links.insert(pair, (similarity, multiset));
            }
        }
    }
    links
}
