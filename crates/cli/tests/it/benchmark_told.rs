//! What the commands of a benchmark say of files that do not fit, of answers that are of no use, and of what is due.

use std::fs;

use serde_json::Value;

use crate::benchmark::{imported, said};
use crate::common::{Tree, assert_valid, schema};
use crate::server::{Reply, Server};

fn next(tree: &Tree) -> String {
    let status = tree.run("benchmark status b --format json").success().json();
    assert_valid(&schema("docs/formats/benchmark-status-1.schema.json", None), &status);
    status["next"].as_str().expect("a command").to_owned()
}

#[test]
fn files_that_are_no_judgements_say_what_they_lack() {
    let tree = imported();
    let settings = fs::read_to_string(tree.at("b/benchmark.toml")).expect("settings");
    tree.write("b/benchmark.toml", settings.replace("\ngroups = []", "\ngroups = [[\"ada\", \"bob\"]]"));
    let import = |file: &str, text: &str| {
        tree.write(file, text);
        tree.run(&format!("benchmark agree b --import {file}"))
    };
    import("a.csv", "id,who\n").fails_with(&["a.csv: the columns pair_id, judge, verdict, at are missing"]);
    import("a.csv", "pair_id,judge,at\nx,ada,2026-01-01\n")
        .fails_with(&["the column verdict is missing", "; comment, label, seconds"]);
    import("a.jsonl", "{\"id\": \"x\"}\n").fails_with(&["line 1: the keys pair_id, judge, at are missing"]);
    let pairs = fs::read_to_string(tree.at("b/pairs.jsonl")).expect("pairs");
    let pair: Value = serde_json::from_str(pairs.trim()).expect("one pair");
    let id = pair["id"].as_str().expect("a name");
    let table = format!(
        "pair_id,judge,verdict,at\n{id},ada,true,2026-01-01\nx,ada,true,2026-01-01\ny,bob,true,2026-01-01\n"
    );
    let said = import("a.csv", &table).success().stdout();
    assert_eq!(said, "1 judgement added, 0 known\n2 rows of unknown pairs left out\n");
}

#[test]
fn an_answer_that_is_too_large_is_told_and_ends_nothing() {
    let tree = imported();
    let server = Server::start(|before, _| match before {
        1 => Reply(200, "", " ".repeat(5 << 20)),
        _ => said("```python\ndef total(values):\n    return 0\n```\n"),
    });
    let address = server.address();
    let (url, _) = address.split_once('#').expect("a model");
    let generate = |llm: &str| tree.run(&format!("benchmark generate b --concurrency 1 --llm {llm}"));
    generate(url).fails_with(&["--llm: it does not name a model; give URL#MODEL, such as http://"]);
    assert_eq!(server.requests().len(), 0);
    for _ in 0..2 {
        let said = generate(&address).success().stdout();
        let requests = server.requests().len();
        assert!(
            requests > 2 && said.starts_with(&format!("{} replies to {requests}", requests - 1)),
            "{said}"
        );
        assert!(
            said.contains(&format!("1 answer of no use: the answer of {url} is larger than 4 MiB")),
            "{said}"
        );
    }
    let kept = fs::read_to_string(tree.at("b/requests.jsonl")).expect("requests");
    assert_eq!(kept.matches("\"failure\":").count(), 1);
}

#[test]
fn what_was_replaced_is_due_again() {
    let tree = imported();
    assert!(next(&tree).starts_with("familiar benchmark test b"));
    let row = fs::read_to_string(tree.at("rows.jsonl")).expect("a row");
    let other = row.replace("max(value, 0) for value", "abs(value) + value for value");
    tree.write("other.jsonl", other);
    for (step, due) in [("import b other.jsonl", "parse"), ("parse b", "filter"), ("filter b", "test")] {
        tree.run(&format!("benchmark {step}")).success();
        assert!(next(&tree).starts_with(&format!("familiar benchmark {due} b")), "after {step}");
    }
}

#[test]
fn what_is_left_of_a_release_is_told() {
    let tree = imported();
    fs::create_dir_all(tree.at("b/releases/.1.0.unfinished/standalone")).expect("it is made");
    let said = tree.run("benchmark status b").success().stdout();
    assert!(
        said.contains(".1.0.unfinished is left of a release that was cut off, and can be removed"),
        "{said}"
    );
    assert!(next(&tree).starts_with("familiar benchmark test b"));
    tree.run("benchmark release b --version 1.0").success();
    assert!(!tree.run("benchmark status b").success().stdout().contains("unfinished"));
}
