//! The shares of the aligned measure's search, with rows shared out in batches of any size.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, Float32Array, Int32Array, Int64Array, ListArray, RecordBatch, StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use familiar_detect::CloneOptions;
use familiar_tasks::aligned::{
    GramCounts, Grams, Meetings, Shapes, TokensOfFamilies, compare, ranked, same_forms,
};

use crate::cluster::{Hash, Links, Text, batch, binary, counts, lists, packed, rows, summed, together};

/// A function at its place.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Name of the file and first line.
    pub(crate) place: (String, u32),
    pub(crate) node: Hash,
    pub(crate) twin: Hash,
    family: i32,
    tokens: i64,
    sequence: Vec<u8>,
}

/// A distinct one.
#[derive(Clone, Debug)]
struct Node {
    of: Function,
    shape: Vec<u8>,
    form: Vec<u8>,
    mass: f32,
}

fn column<'r>(rows: &'r RecordBatch, name: &str) -> &'r ArrayRef {
    rows.column_by_name(name).expect("the column")
}

fn ints(rows: &RecordBatch, name: &str) -> Vec<i32> {
    column(rows, name).as_primitive::<Int32Type>().values().to_vec()
}

fn longs(rows: &RecordBatch, name: &str) -> Vec<i64> {
    column(rows, name).as_primitive::<Int64Type>().values().to_vec()
}

fn binaries(rows: &RecordBatch, name: &str) -> Vec<Vec<u8>> {
    column(rows, name).as_binary::<i32>().iter().map(|it| it.unwrap_or_default().to_vec()).collect()
}

fn hashes(rows: &RecordBatch, name: &str) -> Vec<Hash> {
    binaries(rows, name).into_iter().map(|it| it.try_into().expect("a hash")).collect()
}

/// The functions of files of Python, in the order of their places.
pub(crate) fn functions(files: &[String], options: &CloneOptions) -> Vec<Function> {
    let mut reader = familiar_tasks::Fragments::new(options, true);
    let mut all = Vec::new();
    for (number, text) in files.iter().enumerate() {
        let name = format!("{number:03}.py");
        let text: Text<'_> = (&name, Some(text.as_bytes()), Some("python"));
        let read = reader.read(&rows(&[text])).expect("fragments");
        // The first row is that of the text.
        let read = read.slice(1, read.num_rows() - 1);
        let (nodes, twins) = (hashes(&read, "node"), hashes(&read, "twin"));
        let (lines, tokens) = (ints(&read, "start_line"), ints(&read, "tokens"));
        let (families, sequences) = (ints(&read, "family"), binaries(&read, "sequence"));
        assert!(column(&read, "bag").null_count() == read.num_rows());
        all.extend((0..read.num_rows()).map(|row| Function {
            place: (name.clone(), lines[row].cast_unsigned()),
            node: nodes[row],
            twin: twins[row],
            family: families[row],
            tokens: i64::from(tokens[row]),
            sequence: sequences[row].clone(),
        }));
    }
    all
}

fn list(structures: RecordBatch, lengths: impl IntoIterator<Item = usize>) -> ArrayRef {
    let structures = StructArray::from(structures);
    let field = Arc::new(Field::new("item", structures.data_type().clone(), true));
    Arc::new(ListArray::new(field, OffsetBuffer::from_lengths(lengths), Arc::new(structures), None))
}

fn int_array(values: impl IntoIterator<Item = i32>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<Int32Array>())
}

fn long_array(values: impl IntoIterator<Item = i64>) -> ArrayRef {
    Arc::new(values.into_iter().collect::<Int64Array>())
}

/// The pairs of nodes that are alike; `size` is the number of rows in a batch.
pub(crate) fn links(functions: &[Function], similarity: f64, size: usize) -> Links {
    let nodes = nodes(functions, size);
    let mut links = Links::new();
    let mut add = |found: &RecordBatch| {
        let similarity = column(found, "similarity").as_primitive::<Float64Type>().values().to_vec();
        let pairs = hashes(found, "left").into_iter().zip(hashes(found, "right"));
        for (pair, similarity) in pairs.zip(similarity) {
            assert!(links.insert(pair, (similarity, similarity)).is_none(), "a pair comes once");
        }
    };
    let mut forms: BTreeMap<&[u8], Vec<&Node>> = BTreeMap::new();
    for node in &nodes {
        forms.entry(&node.form).or_default().push(node);
    }
    let forms: Vec<Vec<&Node>> = forms.into_values().collect();
    for part in forms.chunks(size) {
        let all: Vec<&Node> = part.concat();
        let numbers = part.iter().flat_map(|form| (0..).take(form.len()));
        let structures = batch(vec![
            ("number", int_array(numbers)),
            ("node", binary(all.iter().map(|it| it.of.node.as_slice()))),
            ("twin", binary(all.iter().map(|it| it.of.twin.as_slice()))),
        ]);
        let lists = list(structures, part.iter().map(Vec::len));
        add(&same_forms(&batch(vec![("rows", lists)])).expect("links"));
    }
    let mut shapes: BTreeMap<&[u8], Vec<&Node>> = BTreeMap::new();
    for node in &nodes {
        shapes.entry(&node.shape).or_default().push(node);
    }
    let shapes: Vec<Vec<&Node>> = shapes.into_values().collect();
    let candidates = candidates(&nodes, &shapes, similarity, size);
    let candidates: Vec<(&i64, &Vec<i64>)> = candidates.iter().collect();
    for part in candidates.chunks(size) {
        let own: Vec<(i32, &Node)> =
            part.iter().flat_map(|(left, _)| placed(&shapes[**left as usize])).collect();
        let mut others = Vec::new();
        for (_, rights) in part {
            for (rank, &right) in (0..).zip(*rights) {
                others.extend(placed(&shapes[right as usize]).map(|(place, node)| (rank, place, node)));
            }
        }
        let count = |rights: &[i64]| rights.iter().map(|&right| shapes[right as usize].len()).sum::<usize>();
        let own = batch(vec![
            ("place", int_array(own.iter().map(|it| it.0))),
            ("node", binary(own.iter().map(|it| it.1.of.node.as_slice()))),
            ("sequence", binary(own.iter().map(|it| it.1.of.sequence.as_slice()))),
        ]);
        let others = batch(vec![
            ("rank", int_array(others.iter().map(|it| it.0))),
            ("place", int_array(others.iter().map(|it| it.1))),
            ("node", binary(others.iter().map(|it| it.2.of.node.as_slice()))),
            ("sequence", binary(others.iter().map(|it| it.2.of.sequence.as_slice()))),
        ]);
        let own = list(own, part.iter().map(|(left, _)| shapes[**left as usize].len()));
        let others = list(others, part.iter().map(|(_, rights)| count(rights)));
        add(&compare(similarity, &batch(vec![("own", own), ("others", others)])).expect("links"));
    }
    links
}

fn placed<'n>(nodes: &[&'n Node]) -> impl Iterator<Item = (i32, &'n Node)> {
    let nodes: Vec<&Node> = nodes.to_vec();
    (0..).zip(nodes)
}

/// The distinct functions, in the order of their first places.
fn nodes(functions: &[Function], size: usize) -> Vec<Node> {
    let mut seen = BTreeSet::new();
    let first: Vec<&Function> = functions.iter().filter(|it| seen.insert(it.node)).collect();
    let mut reader = Shapes::default();
    let mut nodes = Vec::new();
    for part in first.chunks(size) {
        let columns = vec![
            ("family", int_array(part.iter().map(|it| it.family))),
            ("sequence", binary(part.iter().map(|it| it.sequence.as_slice()))),
        ];
        let read = reader.of(&batch(columns)).expect("shapes");
        let (shapes, forms) = (binaries(&read, "shape"), binaries(&read, "form"));
        let masses = column(&read, "mass").as_primitive::<Float32Type>();
        nodes.extend(part.iter().enumerate().map(|(row, &of)| Node {
            of: of.clone(),
            shape: shapes[row].clone(),
            form: forms[row].clone(),
            mass: masses.value(row),
        }));
    }
    nodes
}

/// For each shape those that it is compared with, in their order, by their places among `shapes`.
fn candidates(
    nodes: &[Node],
    shapes: &[Vec<&Node>],
    similarity: f64,
    size: usize,
) -> BTreeMap<i64, Vec<i64>> {
    let mut totals: BTreeMap<i32, i64> = BTreeMap::new();
    for node in nodes {
        *totals.entry(node.of.family).or_insert(0) += node.of.tokens;
    }
    let totals = batch(vec![
        ("family", int_array(totals.keys().copied())),
        ("tokens", long_array(totals.values().copied())),
    ]);
    let totals = TokensOfFamilies::of(&totals).expect("totals");
    let firsts: Vec<(i64, &Node)> = (0..).zip(shapes.iter().map(|shape| shape[0])).collect();
    let rows_of = |part: &[(i64, &Node)]| {
        batch(vec![
            ("family", int_array(part.iter().map(|it| it.1.of.family))),
            ("id", long_array(part.iter().map(|it| it.0))),
            ("mass", Arc::new(part.iter().map(|it| Some(it.1.mass)).collect::<Float32Array>())),
            ("sequence", binary(part.iter().map(|it| it.1.of.sequence.as_slice()))),
        ])
    };
    let buckets = size as u32;
    let mut packs = Vec::new();
    for part in firsts.chunks(size) {
        let mut counts = GramCounts::new(totals.clone(), buckets);
        assert!(counts.push(&rows_of(part)).expect("counts").is_none());
        packs.extend(packed(&counts.finish().expect("counts")));
    }
    let counted = counts(&summed(packs, 2));
    let mut kept = Vec::new();
    for part in firsts.chunks(size) {
        let mut grams = Grams::new(&totals, &counted, buckets).expect("grams");
        assert!(grams.push(&rows_of(part)).expect("grams").is_none());
        kept.extend(packed(&grams.finish().expect("grams")));
    }
    let mut met = Vec::new();
    for part in together(kept).chunks(size) {
        let mut meetings = Meetings::new(similarity, buckets);
        meetings.push(&lists(part)).expect("grams");
        while let Some(pairs) = meetings.next_pairs().expect("pairs") {
            met.extend(packed(&pairs));
        }
    }
    let mut chosen: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for part in together(met).chunks(size) {
        let found = ranked(&lists(part)).expect("ranks");
        let rows = longs(&found, "left").into_iter().zip(longs(&found, "right")).zip(ints(&found, "rank"));
        for ((left, right), rank) in rows {
            let rights = chosen.entry(left).or_default();
            assert_eq!(rights.len(), rank as usize, "ranks are in order");
            rights.push(right);
        }
    }
    chosen
}
