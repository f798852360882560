//! A cluster in one process: rows are shared out and cut into batches by numbers that a test draws.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use familiar_detect::CloneOptions;
use familiar_source::Language;
use familiar_tasks::{Counts, Files, Fragments, Keys, Measure, Order, Samples, verify};
use proptest::prelude::*;

/// How rows are cut, and what the order knows.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// Rows of a batch.
    batch: usize,
    /// Blocks of each key.
    blocks: i32,
    /// Tokens that the order knows.
    frequent: usize,
    /// Whether bags do not travel with their keys, as large ones do not.
    all_large: bool,
}

pub(crate) fn clusters() -> impl Strategy<Value = Cluster> {
    let parts = (1..20_usize, 1..4_i32, prop::sample::select(vec![0, 3, 1000]), any::<bool>());
    parts.prop_map(|(batch, blocks, frequent, all_large)| Cluster { batch, blocks, frequent, all_large })
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
        let distinct: BTreeMap<Hash, &Node> = nodes.iter().map(|node| (node.hash, node)).collect();
        let nodes: Vec<&Node> = distinct.into_values().collect();
        let keys = Keys::new(measure, self.order(&nodes));
        let rows: Vec<Row> = nodes.chunks(self.batch).flat_map(|part| self.keys(&keys, part)).collect();
        self.compared(&nodes, measure, rows, true)
    }

    /// The pairs with one node among `queries` and another among `known`.
    pub(crate) fn links_between(&self, queries: &[Node], known: &[Node], measure: Measure) -> Links {
        let all: Vec<&Node> = queries.iter().chain(known).collect();
        let one = Self { blocks: 1, ..self.clone() };
        let keys = Keys::new(measure, one.order(&all));
        let mut rows = Vec::new();
        for (block, side) in [(0, queries), (1, known)] {
            let distinct: BTreeMap<Hash, &Node> = side.iter().map(|node| (node.hash, node)).collect();
            let nodes: Vec<&Node> = distinct.into_values().collect();
            rows.extend(one.keys(&keys, &nodes).into_iter().map(|row| Row { a: 0, b: 1, block, ..row }));
        }
        if self.batch % 2 == 1 {
            rows.reverse();
        }
        self.compared(&all, measure, rows, false)
    }

    fn compared(&self, nodes: &[&Node], measure: Measure, mut rows: Vec<Row>, once: bool) -> Links {
        rows.sort_by_key(|row| (row.key, row.a, row.b));
        let cells: Vec<&[Row]> = rows.chunk_by(|one, two| one.cell() == two.cell()).collect();
        let compared = |part: &[&[Row]]| familiar_tasks::links(measure, &columns(part)).expect("links");
        let found: Vec<RecordBatch> = cells.chunks(self.batch).map(compared).collect();
        verified(nodes, measure, &found, once)
    }

    fn order(&self, nodes: &[&Node]) -> Order {
        let mut summed: BTreeMap<i64, i64> = BTreeMap::new();
        for part in nodes.chunks(self.batch) {
            let mut counts = Counts::default();
            let bags = batch(vec![("bag", binary(part.iter().map(|node| node.bag.as_slice())))]);
            assert!(counts.push(&bags).expect("counts").is_none());
            let counted = counts.finish().expect("counts");
            let of = |name: &str| {
                let column = counted.column_by_name(name).expect("the column");
                column.as_primitive::<arrow_array::types::Int64Type>().values().to_vec()
            };
            for (token, bags) in of("token").into_iter().zip(of("bags")) {
                *summed.entry(token).or_insert(0) += bags;
            }
        }
        let mut all: Vec<(i64, i64)> = summed.into_iter().collect();
        all.sort_by_key(|&(token, bags)| (-bags, token));
        all.truncate(self.frequent);
        let (tokens, bags): (Vec<i64>, Vec<i64>) = all.into_iter().unzip();
        let rows = batch(vec![
            ("token", Arc::new(Int64Array::from(tokens))),
            ("bags", Arc::new(Int64Array::from(bags))),
        ]);
        Order::of([&rows]).expect("an order")
    }

    fn keys(&self, keys: &Keys, nodes: &[&Node]) -> Vec<Row> {
        let rows = keys
            .of(&batch(vec![
                ("node", binary(nodes.iter().map(|node| node.hash.as_slice()))),
                ("twin", binary(nodes.iter().map(|node| node.twin.as_slice()))),
                ("family", Arc::new(nodes.iter().map(|node| Some(node.family)).collect::<Int32Array>())),
                ("bag", binary(nodes.iter().map(|node| node.bag.as_slice()))),
            ]))
            .expect("keys");
        let key = rows.column_by_name("key").expect("keys").as_primitive::<arrow_array::types::Int64Type>();
        let mut made = Vec::new();
        for row in 0..rows.num_rows() {
            let node = hash(&rows, "node", row);
            let block = i32::from(node[0]) % self.blocks;
            for other in 0..self.blocks {
                made.push(Row {
                    key: key.value(row),
                    a: block.min(other),
                    b: block.max(other),
                    size: int(&rows, "size", row),
                    node,
                    block,
                    twin: hash(&rows, "twin", row),
                    family: int(&rows, "family", row),
                    bag: (!self.all_large).then(|| bytes(&rows, "bag", row)),
                });
            }
        }
        made
    }
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

/// A row of a key.
#[derive(Clone, Debug)]
struct Row {
    key: i64,
    a: i32,
    b: i32,
    size: i32,
    node: Hash,
    block: i32,
    twin: Hash,
    family: i32,
    bag: Option<Vec<u8>>,
}

impl Row {
    fn cell(&self) -> (i64, i32, i32) {
        (self.key, self.a, self.b)
    }
}

fn columns(cells: &[&[Row]]) -> RecordBatch {
    let rows: Vec<&Row> = cells.iter().copied().flatten().collect();
    let ints = |of: fn(&Row) -> i32| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(of(row))).collect::<Int32Array>())
    };
    let bags: BinaryArray = rows.iter().map(|row| row.bag.as_deref()).collect();
    let structures = StructArray::from(batch(vec![
        ("block", ints(|row| row.block)),
        ("size", ints(|row| row.size)),
        ("family", ints(|row| row.family)),
        ("node", binary(rows.iter().map(|row| row.node.as_slice()))),
        ("twin", binary(rows.iter().map(|row| row.twin.as_slice()))),
        ("bag", Arc::new(bags)),
    ]));
    let field = Arc::new(Field::new("item", structures.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(cells.iter().map(|cell| cell.len()));
    let first = |of: fn(&Row) -> i32| -> ArrayRef {
        Arc::new(cells.iter().map(|cell| Some(of(&cell[0]))).collect::<Int32Array>())
    };
    batch(vec![
        ("key", Arc::new(cells.iter().map(|cell| Some(cell[0].key)).collect::<Int64Array>())),
        ("a", first(|row| row.a)),
        ("b", first(|row| row.b)),
        ("rows", Arc::new(ListArray::new(field, offsets, Arc::new(structures), None))),
    ])
}
