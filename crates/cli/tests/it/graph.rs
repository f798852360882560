//! `familiar graph`: the code graphs of one file and of many programs.

use serde_json::Value;

use crate::common::{Tree, assert_valid, schema};

const CODE: &str = "def f(a):\n    if a > 1:\n        return f(a - 1)\n    return a\n\nprint(f(3))\n";

#[test]
fn a_file_gives_a_graph_in_each_format() {
    let tree = Tree::new(&[("a.py", CODE)]);
    let schema = schema("docs/formats/graph.schema.json", None);
    for kind in ["cfg", "ipcfg", "dfg", "cdg", "pdg", "sdg", "all"] {
        let all = tree.run(&format!("graph a.py --kind {kind}")).success().json();
        assert_valid(&schema, &all);
        assert_eq!((&all["id"], &all["graph"]["type"]), (&"a.py".into(), &kind.into()));
    }
    let dot = tree.run("graph a.py --format dot").success().stdout();
    assert!(dot.starts_with("digraph \"a.py (sdg)\" {") && dot.ends_with("}\n"), "{dot}");
    let xml = tree.run("graph a.py --format graphml").success().stdout();
    assert!(xml.starts_with("<?xml") && xml.ends_with("</graph>\n</graphml>\n"), "{xml}");
    tree.run("graph a.py --kind cfg --function f --output f.svg").success();
    let svg = String::from_utf8(std::fs::read(tree.at("f.svg")).expect("it was written")).expect("text");
    assert!(svg.starts_with("<svg") && svg.contains("a &gt; 1") && !svg.contains("print"), "{svg}");
    tree.run("graph a.py --output a.parquet").success();
    assert!(std::fs::read(tree.at("a.parquet")).expect("it was written").starts_with(b"PAR1"));
}

#[test]
fn many_programs_give_a_line_each_in_their_order() {
    let row = |n: u32| {
        format!(
            "{{\"id\":\"s{n}\",\"lang\":\"java\",\"code\":\"class A{n} {{ int f() {{ return {n}; }} }}\"}}\n"
        )
    };
    let rows: String = (0..200).map(row).collect();
    let tree = Tree::new(&[("rows.jsonl", rows.as_str()), ("x.rs", "fn main() {}\n"), ("a.py", CODE)]);
    let text = tree.run("graph rows.jsonl --threads 3").success().stdout();
    let schema = schema("docs/formats/graph.schema.json", None);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for row in &rows {
        assert_valid(&schema, row);
    }
    assert_eq!((rows.len(), &rows[199]["id"]), (200, &"s199".into()));
    assert_eq!(tree.run("graph rows.jsonl --threads 1").success().stdout(), text);
    let run = tree.run("graph x.rs a.py");
    assert!(run.stderr().contains("left out: x.rs: no graphs are made of rust"), "{}", run.stderr());
    let run = tree.run("graph . --format svg");
    assert!(run.stderr().contains("svg draws one program; give one file"), "{}", run.stderr());
}

#[test]
fn a_function_that_is_not_there_is_an_error() {
    let tree = Tree::new(&[("a.py", "def f(x):\n    return x\n")]);
    let run = tree.run("graph a.py --function nope --output no.svg");
    run.fails_with(&["no program has a function nope"]);
    assert!(!tree.at("no.svg").exists());
    let run = tree.run("graph a.py --function nope --output no.parquet");
    run.fails_with(&["no program has a function nope"]);
    assert!(!tree.at("no.parquet").exists());
    tree.run("graph a.py --function f --output f.svg").success();
}
