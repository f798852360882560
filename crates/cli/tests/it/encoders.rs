//! `--encoder`: vectors of a server.

use crate::common::{Run, Tree, familiar, other_function, places};
use crate::server::{Reply, Server, answer, letters};
use serde_json::Value;

const SUM: &str = "def total(items):
    result = 0
    for item in items:
        if item.price > 10:
            result += item.price
    print(result)
    return result
";

/// The same letters but a few, in an order of their own.
const SUM_AGAIN: &str = "def total(items):
    result = 0
    for item in items:
        result += item.price if item.price > 10 else 0
    items = result
    print(result)
    return items
";

fn tree() -> Tree {
    Tree::new(&[("a.py", SUM), ("b.py", SUM_AGAIN), ("c.py", &other_function("read"))])
}

#[test]
fn clones_are_found_by_the_vectors_of_a_server() {
    let (tree, server) = (tree(), Server::start(|_, request| answer(request)));
    let encoder = format!("api:{}", server.address());
    let flags = "--types 4 --granularity function --min-tokens 20 --confidence 0.99";
    let result = tree.json(&format!("{flags} --encoder {encoder}"));
    assert_eq!(places(&result), ["a.py:1", "b.py:1"]);
    assert_eq!(result["pairs"][0]["type"], 4);
    assert_eq!(result["settings"]["encoder"], *encoder);
}

#[test]
fn vectors_of_a_server_are_written_as_they_are() {
    let (tree, server) = (tree(), Server::start(|_, request| answer(request)));
    tree.run(&format!("embed . --output v.npy --encoder api:{}", server.address())).success();
    let file = std::fs::read(tree.at("v.npy")).expect("it was written");
    let numbers: Vec<f32> =
        file[128..].chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().expect("four bytes"))).collect();
    assert_eq!(numbers.len(), 3 * 26);
    let rows = std::fs::read_to_string(tree.at("v.npy.jsonl")).expect("it was written");
    let first: Value = serde_json::from_str(rows.lines().next().expect("a row")).expect("JSON");
    assert_eq!(first["path"], "a.py");
    let expected = letters(SUM);
    let length = expected.iter().map(|x| x * x).sum::<f32>().sqrt();
    assert!(expected.iter().zip(&numbers).all(|(x, y)| (x / length - y).abs() < 1e-5));
}

#[test]
fn a_server_of_no_use_is_an_error() {
    let (tree, server) = (tree(), Server::start(|_, _| Reply(404, "", "no model m".to_owned())));
    let flags = format!("--types 4 --encoder api:{}", server.address());
    tree.clones(&flags).fails_with(&["HTTP 404: no model m", "after # a model"]);
    tree.clones("--types 4 --encoder api:localhost").fails_with(&["http://", "api:URL#MODEL"]);
}

#[test]
fn the_key_comes_from_the_environment() {
    let (tree, server) = (tree(), Server::start(|_, request| answer(request)));
    let mut command = familiar();
    command.current_dir(tree.path()).env("FAMILIAR_API_KEY", "k-1").args(["embed", ".", "--output", "v.npy"]);
    command.args(["--encoder", &format!("api:{}", server.address())]);
    Run(command.output().expect("the command was built")).success();
    let requests = server.requests();
    assert!(requests.len() >= 2);
    for request in requests {
        assert!(
            request.head.to_ascii_lowercase().contains("authorization: bearer k-1\r\n"),
            "{}",
            request.head
        );
    }
}

#[cfg(not(feature = "onnx"))]
#[test]
fn a_build_without_a_run_time_says_so() {
    tree()
        .clones("--types 4 --encoder onnx:codebert")
        .fails_with(&["cannot run ONNX models", "--features onnx"]);
}
