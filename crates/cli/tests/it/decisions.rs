//! `familiar decisions`: what was decided stays quiet, and is passed on.

use crate::common::{Tree, counts, function, other_function};
use serde_json::Value;

fn fingerprint(result: &Value) -> String {
    result["classes"][0]["fingerprint"].as_str().expect("a class").to_owned()
}

#[test]
fn what_is_settled_stays_quiet_until_it_changes() {
    let tree = Tree::with_clones();
    let print = fingerprint(&tree.json(""));
    let add = |what: &str| {
        tree.run(&format!("decisions add d.json {print} --as {what} --comment fine --author ada")).success()
    };
    add("needs-action");
    assert_eq!(tree.clones("--decisions d.json --fail-over 0").code(), 1);
    add("accepted");
    assert_eq!(tree.clones("--decisions d.json --fail-over 0").code(), 0);
    assert_eq!(counts(&tree.json("--baseline d.json")), (0, 0));
    tree.write("d.py", other_function("read"));
    assert_eq!(counts(&tree.json("--decisions d.json")).1, 1);
    let listed = tree.run("decisions list d.json").success().stdout();
    assert!(
        listed.contains(&print) && listed.contains("accepted") && listed.contains("    fine"),
        "{listed}"
    );
    assert_eq!(listed.matches(&print).count(), 1);
    assert_eq!(tree.run("decisions list d.json --all").success().stdout().matches(&print).count(), 2);
    add("open");
    assert_eq!(tree.clones("--decisions d.json --fail-over 1").code(), 1);
}

#[test]
fn what_is_settled_of_two_copies_settles_no_third() {
    let tree = Tree::new(&[("a.py", &function("f", "x", 0)), ("b.py", &function("f", "x", 0))]);
    let print = fingerprint(&tree.json(""));
    tree.run(&format!("decisions add d.json {print} --as accepted --author ada")).success();
    let code = |flags: &str| tree.clones(&format!("{flags} --fail-over 0")).code();
    assert_eq!((code("--decisions d.json"), code("--baseline d.json")), (0, 0));
    tree.write("c.py", function("f", "x", 0));
    assert_eq!((code("--decisions d.json"), code("--baseline d.json")), (1, 1));
    assert_eq!(code("--decisions d.json --format html --output report"), 1);
}

#[test]
fn what_is_settled_counts_in_no_format() {
    let tree = Tree::with_clones();
    let print = fingerprint(&tree.json(""));
    tree.run(&format!("decisions add d.json {print} --as accepted --author ada")).success();
    for limit in ["0", "5%"] {
        for format in ["text", "json", "html"] {
            let flags = format!("--decisions d.json --format {format} --output out-{format}");
            let run = tree.clones(&format!("{flags} --fail-over {limit}"));
            assert_eq!(run.code(), 0, "{format} {limit}: {}", run.stderr());
        }
    }
    let head = std::fs::read_to_string(tree.at("out-html/data/head.js")).expect("pages");
    assert!(
        head.contains("\"classes\":1") && !head.contains("\"gone\""),
        "nothing earlier is compared: {head}"
    );
}

#[test]
fn who_decides_at_once_with_others_loses_nothing() {
    let tree = Tree::new(&[]);
    let add = |number: u8| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("familiar"));
        let print = format!("{number:032x}");
        command.current_dir(tree.path()).args(["decisions", "add", "d.json", &print, "--as", "accepted"]);
        command.args(["--author", "ada", "--quiet"]).spawn().expect("the command was built")
    };
    let started: Vec<_> = (0..8).map(add).collect();
    for mut one in started {
        assert!(one.wait().expect("it ends").success());
    }
    assert_eq!(tree.run("decisions list d.json").success().stdout().lines().count(), 8);
    assert_eq!(std::fs::read_dir(tree.path()).expect("readable").count(), 1, "nothing else is left");
}

#[test]
fn pages_show_what_was_decided() {
    let tree = Tree::with_clones();
    let print = fingerprint(&tree.json(""));
    let comment = "</script><img/src=x/onerror=alert(1)>";
    tree.run(&format!("decisions add d.json {print} --as false-positive --comment {comment} --author ada"))
        .success();
    let run = tree.clones("--decisions d.json --format html --output report --fail-over 0");
    assert_eq!(run.code(), 0, "{}", run.stderr());
    let chunk = std::fs::read_to_string(tree.at("report/data/decisions.js")).expect("a chunk");
    assert!(chunk.contains(&print) && chunk.contains("false-positive") && !chunk.contains('<'), "{chunk}");
    tree.clones("--format json --output r.json").success();
    tree.run("report r.json --html again --decisions d.json").success();
    let again = std::fs::read_to_string(tree.at("again/data/decisions.js")).expect("a chunk");
    assert_eq!(again, chunk);
    tree.clones("--format html --output none").success();
    assert!(!tree.at("none/data/decisions.js").exists());
}

#[test]
fn results_and_policies_are_taken_over_and_given() {
    let tree = Tree::with_clones();
    let result = tree.json("");
    tree.clones("--format json --output base.json").success();
    tree.run("decisions import d.json base.json --author ada").success();
    let policy = tree.run("decisions export d.json --format policy").success().stdout();
    assert!(policy.contains("[[audit.accepted]]") && policy.contains(&fingerprint(&result)), "{policy}");
    tree.write("p/familiar.toml", &policy);
    tree.run("decisions import e.json p/familiar.toml d.json --author bob").success();
    assert_eq!(counts(&tree.json("--decisions e.json")), (0, 0));
    let exported = tree.run("decisions export e.json --format json").success().json();
    assert!(exported["decisions"][0]["place"].is_string(), "{exported}");
    assert_eq!(exported["decisions"].as_array().map(Vec::len), Some(1));
    let schema = crate::common::schema("docs/formats/decisions-1.schema.json", None);
    crate::common::assert_valid(&schema, &exported);
}

#[test]
fn the_baseline_says_what_is_gone() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output base.json").success();
    assert_eq!(tree.json("--baseline base.json")["summary"]["gone"], 0);
    assert_eq!(tree.json("")["summary"].get("gone"), None);
    std::fs::remove_file(tree.at("a.py")).expect("it is ours");
    let changed = tree.json("--baseline base.json");
    assert_eq!(changed["summary"]["gone"], 1, "{}", changed["summary"]);
}

#[test]
fn what_cannot_be_a_decision_is_refused_and_nothing_is_written() {
    let tree = Tree::with_clones();
    tree.run("decisions add d.json 9f2c --as accepted --author ada").fails_with(&["9f2c", "32 hexadecimal"]);
    assert!(!tree.at("d.json").exists());
    tree.run("decisions add d.json 9f2c --as maybe").fails_with(&["needs-action"]);
    tree.run("decisions list d.json").fails_with(&["d.json", "decisions add"]);
    tree.write("bad.json", "{\"schema\": \"familiar.decisions/2\", \"decisions\": []}");
    tree.clones("--decisions bad.json").fails_with(&["bad.json", "familiar.decisions/2"]);
    tree.run("decisions import d.json bad.json --author ada").fails_with(&["bad.json"]);
    let add = |flag: &str, text: &str| {
        let print = "0".repeat(32);
        let words = ["decisions", "add", "d.json", &print, "--as", "accepted", "--author", "ada"];
        let words: Vec<&str> = words
            .into_iter()
            .filter(|word| flag == "--comment" || !["--author", "ada"].contains(word))
            .collect();
        tree.run_words(&[&words[..], &[flag, text]].concat()).fails_with(&["invisible characters"]);
    };
    add("--author", "a\u{202e}b");
    add("--comment", "a\u{202e}b");
    assert!(!tree.at("d.json").exists());
}
