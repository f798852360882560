//! Sets of programs, on one thread and on several.

use std::fs;

use arrow_array::Array as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use familiar_source::memory;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::graph::{GraphFormat, GraphOptions, GraphTable, GraphText, View};
use super::tokens::{Extras, TokenFormat, TokenTable, TokenText};
use super::tree::{TreeFormat, TreeOptions, TreeTable, TreeText};
use super::*;

/// A folder of some files that are no programs, and of rows.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).expect("just made");
    write("a.c", b"int a;");
    write("b.bin", b"\0\0\0");
    write("b.c", b"\0\0\0\0\x01\x02\0\0");
    write("c.json", b"{}");
    write("d.py", b"x = '\xff'\n");
    write("e.java", b"class {");
    let row = |n: u32| {
        format!("{{\"id\":\"s{n}\",\"problem_id\":\"p\",\"lang\":\"c\",\"code\":\"int a{n} = {n};\"}}\n")
    };
    let rows: String = (0..5000).map(row).collect();
    write("rows.jsonl", (rows + "{\"lang\":\"c\"}\n").as_bytes());
    folder
}

fn options(folder: &tempfile::TempDir, name: &str, threads: usize) -> RepresentOptions {
    RepresentOptions {
        sources: vec![folder.path().join(name).display().to_string()],
        languages: Vec::new(),
        exclude: Vec::new(),
        no_ignore: false,
        memory: memory::DEFAULT,
        threads,
    }
}

fn text<F: Form<Made = Vec<u8>>>(options: &RepresentOptions, form: &F) -> (String, Represented, Vec<String>) {
    let (mut text, mut left_out) = (Vec::new(), Vec::new());
    let mut out = |made: Vec<u8>| {
        text.extend(made);
        Ok(())
    };
    let mut skipped = |path: &str, reason: &str| left_out.push(format!("{path}: {reason}"));
    let counts = run(options, form, &mut out, &mut skipped).expect("the folder is there");
    (String::from_utf8(text).expect("text"), counts, left_out)
}

fn tokens(is_one: bool) -> TokenText {
    TokenText { format: TokenFormat::Json, extras: Extras::default(), is_one, memory: memory::DEFAULT }
}

fn trees(without_errors: bool) -> TreeOptions {
    TreeOptions { without_errors, memory: memory::DEFAULT }
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let folder = folder();
    let one = text(&options(&folder, "rows.jsonl", 1), &tokens(false));
    assert_eq!(one.1, Represented { programs: 5000, left_out: 1 });
    assert_eq!(one.2, ["rows.jsonl:5001: this row has none of the fields code, content, text, func"]);
    let ids: Vec<&str> = one.0.lines().filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!((ids.len(), ids[0], ids[4999]), (5000, "s0", "s4999"));
    for threads in [2, 7] {
        assert_eq!(text(&options(&folder, "rows.jsonl", threads), &tokens(false)), one);
    }
    let form = TreeText { format: TreeFormat::Json, options: trees(false) };
    let one = text(&options(&folder, "rows.jsonl", 1), &form);
    assert_eq!(text(&options(&folder, "rows.jsonl", 3), &form), one);
}

#[test]
fn what_is_left_out_has_a_reason() {
    let folder = folder();
    let (out, counts, left_out) = text(&options(&folder, ".", 2), &tokens(false));
    assert_eq!((counts.programs, out.lines().count()), (3, 3), "{out}");
    assert!(left_out.iter().any(|it| it == "b.c: binary"), "{left_out:?}");
    let form = TreeText { format: TreeFormat::Json, options: trees(true) };
    let (_, counts, left_out) = text(&options(&folder, "e.java", 1), &form);
    assert_eq!(counts, Represented { programs: 0, left_out: 1 });
    assert_eq!(left_out, ["e.java: line 1: the grammar of java does not allow what stands there"]);
}

#[test]
fn one_program_is_a_file_that_is_neither_rows_nor_an_archive() {
    let folder = folder();
    assert!(options(&folder, "a.c", 1).is_one_program());
    assert!(!options(&folder, "rows.jsonl", 1).is_one_program());
    assert!(!options(&folder, ".", 1).is_one_program());
    assert!(!options(&folder, "none.c", 1).is_one_program());
}

/// The columns of a table and how many rows it has.
fn read(file: fs::File) -> (Vec<String>, usize) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a table");
    let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let rows = reader.build().expect("a table").map(|rows| rows.expect("readable").num_rows()).sum();
    (names, rows)
}

#[test]
fn tables_have_a_row_for_each_program() {
    let folder = folder();
    let bytes = |threads: usize| {
        let options = options(&folder, "rows.jsonl", threads);
        let path = folder.path().join("tokens.parquet");
        let mut table =
            tokens::table(fs::File::create(&path).expect("can be written")).expect("can be written");
        let form = TokenTable { extras: Extras::default(), memory: memory::DEFAULT };
        run(&options, &form, &mut |rows| table.write(rows), &mut |_, _| {}).expect("the rows are there");
        table.finish().expect("can be written");
        let file = fs::File::open(&path).expect("just written");
        assert_eq!(read(file), (["id", "language", "tokens"].map(String::from).to_vec(), 5000));
        fs::read(path).expect("just written")
    };
    assert!(bytes(1) == bytes(3), "the bytes depend on the threads");
    let path = folder.path().join("trees.parquet");
    let mut table = tree::table(fs::File::create(&path).expect("can be written")).expect("can be written");
    let form = TreeTable { options: trees(false) };
    let options = options(&folder, ".", 1);
    run(&options, &form, &mut |rows| table.write(rows), &mut |_, _| {}).expect("the folder is there");
    table.finish().expect("can be written");
    let names = ["id", "language", "first_error_line", "nodes"].map(String::from).to_vec();
    assert_eq!(read(fs::File::open(path).expect("just written")), (names, 3));
}

#[test]
fn tables_hold_what_the_text_formats_hold() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let code = "int f(int a) { return a; }\n".repeat(40) + "char *s = \"f\u{fc}r\";";
    fs::write(folder.path().join("a.c"), &code).expect("just made");
    fs::write(folder.path().join("b.c"), "").expect("just made");
    fs::write(folder.path().join("c.c"), "#if x").expect("just made");
    let options = options(&folder, ".", 1);
    let (lines, ..) = text(&options, &tokens(false));
    let path = folder.path().join("tokens.parquet");
    let mut table = tokens::table(fs::File::create(&path).expect("can be written")).expect("can be written");
    let form = TokenTable { extras: Extras::default(), memory: memory::DEFAULT };
    run(&options, &form, &mut |rows| table.write(rows), &mut |_, _| {}).expect("the folder is there");
    table.finish().expect("can be written");
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).expect("just written"));
    let mut rows = reader.expect("a table").build().expect("a table");
    let rows = rows.next().expect("three rows").expect("readable");
    let (ids, lists) = (rows.column(0).as_string::<i32>(), rows.column(2).as_list::<i32>());
    assert_eq!(rows.num_rows(), 3);
    for (row, line) in lines.lines().enumerate() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(value["id"], ids.value(row));
        let list = lists.value(row);
        let list = list.as_struct();
        let number = |name: &str, at: usize| {
            list.column_by_name(name).map(|it| it.as_primitive::<UInt32Type>().value(at))
        };
        let text = |name: &str, at: usize| {
            list.column_by_name(name).map(|it| it.as_string::<i32>().value(at).to_owned())
        };
        let expected = value["tokens"].as_array().expect("a list");
        assert_eq!(list.len(), expected.len());
        for (at, token) in expected.iter().enumerate() {
            assert_eq!(number("line", at).map(u64::from), token["line"].as_u64());
            assert_eq!(number("column", at).map(u64::from), token["column"].as_u64());
            assert_eq!(text("class", at).as_deref(), token["class"].as_str());
            assert_eq!(text("token", at).as_deref(), token["token"].as_str());
            let directive = list.column_by_name("directive").map(|it| it.as_boolean().value(at));
            assert_eq!(directive, Some(token["directive"] == true));
        }
    }
}

#[test]
fn a_folder_for_neural_networks_has_a_line_for_each_node_edge_and_graph() {
    let folder = folder();
    let path = folder.path().join("graphs");
    fs::create_dir(&path).expect("just made");
    let mut written = gnn::Folder::new(&path).expect("the folder is empty");
    let options = options(&folder, "rows.jsonl", 2);
    let form = gnn::TreeTables { options: trees(false) };
    run(&options, &form, &mut |graphs| written.write(&graphs), &mut |_, _| {}).expect("the rows are there");
    written.finish().expect("can be written");
    let lines = |name: &str| -> Vec<String> {
        let file = fs::File::open(path.join(format!("{name}.csv.gz"))).expect("just written");
        io::BufRead::lines(io::BufReader::new(flate2::read::GzDecoder::new(file)))
            .map(|line| line.expect("text"))
            .collect()
    };
    let sum =
        |name: &str| lines(name).iter().map(|line| line.parse::<usize>().expect("a number")).sum::<usize>();
    assert_eq!(lines("raw/num-node-list").len(), 5000);
    assert_eq!(
        (lines("raw/edge").len(), lines("raw/node-feat").len()),
        (sum("raw/num-edge-list"), sum("raw/num-node-list"))
    );
    assert_eq!(lines("raw/edge")[..3], ["0,1", "0,2", "1,3"]);
    assert!(lines("raw/node-feat").iter().any(|line| line == "1,-1,-2,0"));
    assert!(lines("raw/graph-label").iter().all(|line| line == "0"));
    assert_eq!(lines("mapping/classes"), ["label,class", "0,p"]);
    assert_eq!(lines("mapping/programs")[1], "s0,c,p");
}

#[test]
fn a_program_that_takes_more_than_the_memory_is_left_out() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    fs::write(folder.path().join("a.c"), "(".repeat(2 << 20)).expect("just made");
    let mut options = options(&folder, "a.c", 1);
    options.memory = 64 << 20;
    let form = TokenText { memory: options.memory, ..tokens(true) };
    let (out, counts, left_out) = text(&options, &form);
    assert_eq!((out.as_str(), counts.left_out), ("", 1));
    assert!(left_out[0].contains("than this --memory allows"), "{left_out:?}");
}

fn graphs(view: View) -> GraphOptions {
    GraphOptions { view, function: None, without_errors: false, memory: memory::DEFAULT }
}

#[test]
fn tables_of_graphs_hold_what_the_text_format_holds() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let code = "def f(a):\n    while a > 1:\n        a = f(a - 1)\n    return a\n\nprint(f(3))\n";
    fs::write(folder.path().join("a.py"), code.repeat(30)).expect("just made");
    fs::write(folder.path().join("b.c"), "").expect("just made");
    fs::write(folder.path().join("c.js"), "const f = (").expect("just made");
    let options = options(&folder, ".", 2);
    let form = GraphText { format: GraphFormat::Json, options: graphs(View::All) };
    let (lines, counts, _) = text(&options, &form);
    assert_eq!(counts.programs, 3);
    let path = folder.path().join("graphs.parquet");
    let mut table = graph::table(fs::File::create(&path).expect("can be written")).expect("can be written");
    let form = GraphTable { options: graphs(View::All) };
    run(&options, &form, &mut |rows| table.write(rows), &mut |_, _| {}).expect("the folder is there");
    table.finish().expect("can be written");
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).expect("just written"));
    let mut rows = reader.expect("a table").build().expect("a table");
    let rows = rows.next().expect("three rows").expect("readable");
    assert_eq!(rows.num_rows(), 3);
    let list = |name: &str, row: usize| {
        let column = rows.column_by_name(name).expect("a column of the schema");
        column.as_list::<i32>().value(row)
    };
    for (row, line) in lines.lines().enumerate() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let (nodes, edges) = (list("nodes", row), list("edges", row));
        let (nodes, edges) = (nodes.as_struct(), edges.as_struct());
        let expected = value["graph"]["nodes"].as_array().expect("a list");
        assert_eq!(nodes.len(), expected.len());
        let labels = nodes.column_by_name("label").expect("a column").as_string::<i32>();
        for (at, node) in expected.iter().enumerate() {
            assert_eq!(Some(labels.value(at)), node["label"].as_str());
        }
        let expected = value["graph"]["edges"].as_array().expect("a list");
        assert_eq!(edges.len(), expected.len());
        let number = |name: &str, at: usize| {
            let column = edges.column_by_name(name).expect("a column");
            column.as_primitive::<arrow_array::types::Int32Type>().value(at)
        };
        for (at, edge) in expected.iter().enumerate() {
            let between = serde_json::json!([number("source", at), number("target", at)]);
            assert_eq!(edge["between"], between);
        }
    }
}

#[test]
fn graphs_may_be_of_one_function() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    fs::write(folder.path().join("a.c"), "int f(int a) { return a; }\nint g() { return f(1); }\n")
        .expect("just made");
    let options = options(&folder, "a.c", 1);
    let of = |function: &str| {
        let options = GraphOptions { function: Some(function.to_owned()), ..graphs(View::Cfg) };
        GraphText { format: GraphFormat::Json, options }
    };
    let (line, counts, _) = text(&options, &of("f"));
    assert!(line.contains("\"name\":\"f\"") && !line.contains("\"name\":\"g\""), "{line}");
    assert_eq!(counts.programs, 1);
    assert_eq!(text(&options, &of("h")).2, ["a.c: it has no function h"]);
}
