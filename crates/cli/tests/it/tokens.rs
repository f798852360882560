//! `familiar tokens`: the tokens of one file and of many programs.

use std::process::Stdio;

use serde_json::Value;

use crate::common::{Tree, assert_valid, schema};

const C: &str = "#include <a.h>\nint main() { return f(\"x\"); } // end\n";

#[test]
fn a_file_gives_what_the_tokenizer_of_codenet_gives() {
    let tree = Tree::new(&[("a.c", C)]);
    let all = tree.run("tokens a.c").success().json();
    assert_valid(&schema("docs/formats/tokens.schema.json", None), &all);
    let first = serde_json::json!({
        "line": 1, "column": 0, "class": "preprocessor", "length": 1, "token": "#", "directive": true
    });
    assert_eq!((all.as_array().map(Vec::len), &all[0]), (Some(19), &first));
    let csv = tree.run("tokens a.c --format csv").success().stdout();
    assert!(
        csv.starts_with("line,column,class,token\n1,0,preprocessor,#\n1,1,identifier,include\n"),
        "{csv}"
    );
    assert!(csv.contains("\n2,22,string,\"\"\"x\"\"\"\n"), "{csv}");
    let lines = tree.run("tokens a.c --format jsonl").success().stdout();
    assert_eq!(lines.lines().count(), 19);
    let with = tree.run("tokens a.c --format csv --with comments").success().stdout();
    assert!(with.ends_with("2,30,line_comment,\"// end\"\n"), "{with}");
    assert!(tree.run("tokens a.c --format csv --with all").success().stdout().contains(",whitespace, \n"));
}

#[test]
fn many_programs_give_a_line_each_in_their_order() {
    let row =
        |n: u32| format!("{{\"id\":\"s{n}\",\"problem_id\":\"p\",\"lang\":\"c\",\"code\":\"int a{n};\"}}\n");
    let rows: String = (0..300).map(row).collect();
    let tree = Tree::new(&[("rows.jsonl", rows.as_str()), ("src/b.py", "b = 1\n"), ("src/c.txt", "no code")]);
    let text = tree.run("tokens rows.jsonl src --threads 3").success().stdout();
    let schema = schema("docs/formats/tokens.schema.json", None);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for row in &rows {
        assert_valid(&schema, row);
    }
    assert_eq!(rows.len(), 301);
    assert_eq!((&rows[7]["id"], &rows[7]["tokens"][1]["token"]), (&"s7".into(), &"a7".into()));
    assert_eq!(rows[300]["id"], "b.py");
    assert_eq!(tree.run("tokens rows.jsonl src --threads 1").success().stdout(), text);
    let csv = tree.run("tokens rows.jsonl src --format csv --lang python").success().stdout();
    assert_eq!(
        csv,
        "id,line,column,class,token\nb.py,1,0,identifier,b\nb.py,1,2,operator,=\nb.py,1,4,integer,1\n"
    );
}

#[test]
fn the_name_of_the_output_decides_the_format() {
    let tree = Tree::new(&[("a.c", C)]);
    tree.run("tokens a.c --output a.parquet").success();
    assert!(std::fs::read(tree.at("a.parquet")).expect("it was written").starts_with(b"PAR1"));
    tree.run("tokens a.c --output a.csv").success();
    assert!(std::fs::read(tree.at("a.csv")).expect("it was written").starts_with(b"line,"));
    tree.run("tokens a.c --format parquet").fails_with(&["give --output FILE.parquet"]);
}

#[test]
fn what_is_no_program_is_left_out_with_a_reason() {
    let tree = Tree::new(&[("ok.c", "int a;"), ("empty.c", "")]);
    tree.write("binary.c", b"\0\0\0\0\x01\x02\0\0");
    tree.write("latin.c", b"int f; // \xe9\nchar *s = \"\xe9\";");
    let run = tree.run("tokens . --with comments");
    assert!(run.stderr().contains("left out: binary.c: binary"), "{}", run.stderr());
    let rows: Vec<Value> =
        run.success().stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap_or_default()).collect();
    assert_eq!(ids, ["empty.c", "latin.c", "ok.c"]);
    assert_eq!(rows[0]["tokens"], serde_json::json!([]));
    assert_eq!(rows[1]["tokens"][3]["token"], "// \u{fffd}");
    tree.run("tokens none.c").fails_with(&["none.c"]);
    assert!(tree.run("tokens binary.c").stderr().contains("0 files of code were read"));
}

#[test]
fn a_row_in_no_known_language_is_left_out_with_a_reason() {
    let tree = Tree::new(&[]);
    let known = r#"{"id":"c","lang":"python","code":"def f(a):\n    a = a + 1\n    return a\n"}"#;
    let klingon = r#"{"id":"a","lang":"klingon","code":"int f;"}"#;
    tree.write("rows.jsonl", format!("{klingon}\n{{\"id\":\"b\",\"code\":\"x\"}}\n{known}\n"));
    let with = [
        "tokens",
        "tree",
        "graph",
        "transform --with variable-rename",
        "embed --encoder static --output v.npy",
    ];
    for command in with {
        let run = tree.run(&format!("{command} rows.jsonl"));
        let told = run.stderr();
        assert!(
            told.contains("left out: a: the row names a language that is not known: klingon"),
            "{command}: {told}"
        );
        assert!(told.contains("left out: b: the row names no language"), "{command}: {told}");
        assert_eq!(run.code(), 0, "{command}: {told}");
    }
}

#[test]
fn a_reader_that_goes_away_hears_no_warning() {
    let tree = Tree::new(&[("a.c", &"int f(int a) { return a + 1; }\n".repeat(2000))]);
    for command in ["tokens", "tree", "graph"] {
        let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_familiar"));
        run.current_dir(tree.path()).args([command, "."]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().expect("the command was built");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(0), "".into()));
    }
}
