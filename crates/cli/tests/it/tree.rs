//! `familiar tree`: the simplified parse trees of one file and of many programs.

use serde_json::Value;

use crate::common::{Tree, assert_valid, schema};

#[test]
fn a_file_gives_what_the_generator_of_codenet_gives() {
    let tree = Tree::new(&[("a.c", "int main() { return f(\"x\"); } // end\n")]);
    let run = tree.run("tree a.c").success();
    let all = run.json();
    assert_valid(&schema("docs/formats/tree.schema.json", None), &all);
    let graph = &all["graph"];
    assert_eq!((&graph["src-file"], &graph["nodes"][0]["label"]), (&"a.c".into(), &"##".into()));
    let labels: Vec<_> = graph["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|node| node["node-type"] == "Rule")
        .map(|node| node["label"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(labels, ["##", "int##", "##", "{#}", "()", "return#;", "##", "(#)"]);
    let dot = tree.run("tree a.c --format dot").success().stdout();
    assert!(dot.starts_with("digraph \"a.c\" {") && dot.ends_with("}\n"), "{dot}");
    assert_eq!(tree.run("tree a.c --format ndjson").success().stdout().lines().count(), 1);
    tree.run("tree a.c --output a.parquet").success();
    assert!(std::fs::read(tree.at("a.parquet")).expect("it was written").starts_with(b"PAR1"));
}

#[test]
fn many_programs_give_a_line_each_in_their_order() {
    let row =
        |n: u32| format!("{{\"id\":\"s{n}\",\"lang\":\"java\",\"code\":\"class A{n} {{ int b; }}\"}}\n");
    let rows: String = (0..300).map(row).collect();
    let tree = Tree::new(&[("rows.jsonl", rows.as_str())]);
    let text = tree.run("tree rows.jsonl --threads 3").success().stdout();
    let schema = schema("docs/formats/tree.schema.json", None);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for row in &rows {
        assert_valid(&schema, row);
    }
    assert_eq!((rows.len(), &rows[299]["graph"]["src-file"]), (300, &"s299".into()));
    assert_eq!(tree.run("tree rows.jsonl --threads 1").success().stdout(), text);
}

#[test]
#[ignore = "long"]
fn what_has_no_tree_is_left_out_with_a_reason() {
    let deep = format!("int a = {}1;", "(".repeat(50_000));
    let tree = Tree::new(&[
        ("bad.java", "class {"),
        ("deep.c", deep.as_str()),
        ("empty.py", ""),
        ("x.f90", "end\n"),
    ]);
    tree.write("latin.c", b"char *s = \"\xe9\";");
    let run = tree.run("tree .");
    assert!(run.stderr().contains("left out: x.f90: there is no grammar for fortran"), "{}", run.stderr());
    let files: Vec<String> = run
        .success()
        .stdout()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["graph"]["src-file"].to_string())
        .collect();
    assert_eq!(files, ["\"bad.java\"", "\"deep.c\"", "\"empty.py\"", "\"latin.c\""]);
    let run = tree.run("tree bad.java empty.py --without-errors");
    let reason = "left out: bad.java: line 1: the grammar of java does not allow what stands there";
    assert!(run.stderr().contains(reason), "{}", run.stderr());
    assert!(run.success().stdout().contains("\"num-of-nodes\":1,"));
}
