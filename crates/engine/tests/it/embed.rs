//! `familiar embed` with a small encoder.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt32Type};
use familiar_engine::CloneOptions;
use familiar_engine::embed::{self, EmbedOptions, Npy, Parquet, VectorWriter};
use familiar_model::{Code, EncodeError, Encoder, Vectors};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// The number of bytes, and one.
#[derive(Debug)]
struct Lengths;

impl Encoder for Lengths {
    fn name(&self) -> &'static str {
        "lengths"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        Ok(Vectors::normalized(2, codes.iter().flat_map(|code| [code.text.len() as f32, 1.0]).collect()))
    }
}

/// Embeds what lies at `source`; gives the number of vectors, and what was left out.
fn run(source: &Path, out: Box<dyn VectorWriter>) -> (u64, Vec<String>) {
    let options = EmbedOptions {
        source: source.to_str().expect("it is UTF-8").to_owned(),
        encoder: Arc::new(Lengths),
        languages: Vec::new(),
        exclude: Vec::new(),
        no_ignore: false,
        memory: CloneOptions::default().memory,
        threads: 2,
    };
    let mut skipped = Vec::new();
    let rows = embed::run(&options, out, &mut |path, reason| skipped.push(format!("{path}: {reason}")));
    (rows.expect("the source can be read"), skipped)
}

fn create(path: &Path) -> File {
    File::create(path).expect("the folder can be written")
}

#[test]
fn the_functions_of_a_tree_become_a_table() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).expect("the folder is new");
    std::fs::write(tree.join("a.py"), "x = 1\n\ndef f(a):\n    return a\n\ndef gg(b):\n    return b\n")
        .expect("written");
    std::fs::write(tree.join("b.c"), b"\0\x01\0\0\x02").expect("written");
    std::fs::write(tree.join("notes.md"), "f and g").expect("written");
    let path = folder.path().join("out.parquet");
    let out = Parquet::new(create(&path), "lengths", 2).expect("the file can be written");
    let (rows, skipped) = run(&tree, Box::new(out));
    assert_eq!((rows, skipped), (2, vec!["b.c: binary".to_owned()]));
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("it is there"));
    let reader = reader.expect("it is a table");
    assert_eq!(reader.schema().metadata()["familiar.encoder"], "lengths");
    let batch = reader.build().expect("it is a table").next().expect("it has rows").expect("they are whole");
    let text = |name: &str| -> Vec<String> {
        let column = batch.column_by_name(name).expect("it has the column");
        column.as_string::<i32>().iter().flatten().map(str::to_owned).collect()
    };
    assert_eq!(
        (text("path"), text("name")),
        (vec!["a.py".to_owned(); 2], vec!["f".to_owned(), "gg".to_owned()])
    );
    assert_eq!(text("language"), ["python", "python"]);
    let lines = batch.column_by_name("start_line").expect("it has the column").as_primitive::<UInt32Type>();
    assert_eq!(lines.values().to_vec(), [3, 6]);
    let vectors = batch.column_by_name("vector").expect("it has the column").as_fixed_size_list();
    assert_eq!((vectors.value_length(), vectors.values().as_primitive::<Float32Type>().len()), (2, 4));
}

#[test]
fn rows_of_json_lines_become_an_array_and_what_its_rows_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("rows.jsonl");
    let rows = r#"{"id": 7, "problem_id": "sum", "lang": "python", "code": "f(x)\ng(x)\n"}
{"id": 8, "lang": "python"}
{"id": 9, "lang": "java", "code": "f(x);"}
"#;
    std::fs::write(&source, rows).expect("written");
    let (vectors, beside) = (folder.path().join("out.npy"), folder.path().join("out.npy.jsonl"));
    let out = Npy::new(create(&vectors), create(&beside), 2).expect("the files can be written");
    let (rows, skipped) = run(&source, Box::new(out));
    assert_eq!((rows, skipped.len()), (2, 1));
    assert!(skipped[0].starts_with("rows.jsonl:2: "), "{skipped:?}");
    let bytes = std::fs::read(&vectors).expect("it is there");
    assert!(bytes[10..128].starts_with(b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"));
    assert_eq!(bytes.len(), 128 + 2 * 2 * 4);
    let second = f32::from_le_bytes(bytes[140..144].try_into().expect("four bytes"));
    assert!((second - 1.0 / 26_f32.sqrt()).abs() < 1e-6, "{second}");
    let beside = std::fs::read_to_string(&beside).expect("it is there");
    assert_eq!(
        beside.lines().next(),
        Some(r#"{"path":"sum/7","name":null,"start_line":1,"end_line":2,"language":"python"}"#)
    );
}
