//! `familiar attack`: the result, and what is no program.

use crate::common::{Tree, assert_valid, schema};

const ROWS: &str = r#"{"id":"one","lang":"python","code":"def total(items):\n    result = 0\n    for item in items:\n        if item > 3 and item < 9:\n            result += item\n        else:\n            result -= 1\n    return result\n"}
{"id":"two","lang":"python","code":"def broken(:\n"}
{"id":"three","lang":"css","code":"a { color: red }"}
"#;

#[test]
fn the_result_says_how_far_the_worst_programs_are() {
    let tree = Tree::new(&[("rows.jsonl", ROWS)]);
    let arguments = "attack rows.jsonl --detector token-overlap --set orig-4 --steps 3 --format json";
    let result = tree.run(arguments).success().json();
    assert_valid(&schema("docs/formats/attack-1.schema.json", None), &result);
    assert_eq!(result["programs"], 1);
    assert_eq!(result["skipped"].as_array().map(Vec::len), Some(2));
    let distance = result["worst_case_distance"]["mean"].as_f64().expect("a number");
    assert!(distance > 0.2, "{distance}");
    let by_step: Vec<f64> =
        result["by_step"].as_array().expect("steps").iter().filter_map(serde_json::Value::as_f64).collect();
    assert!(by_step.len() == 3 && by_step.is_sorted() && by_step[2] == distance, "{by_step:?}");
    let pair = &result["pairs"][0];
    assert_ne!(pair["variant"], pair["original"]);
    assert_eq!(result, tree.run(&format!("{arguments} --threads 1")).success().json());
    let text = tree.run("attack rows.jsonl --detector static --set orig-4 --steps 1").success().stdout();
    assert!(text.contains("worst-case distance") && text.contains("--- becomes ---"), "{text}");
}

#[test]
fn a_detector_or_a_set_that_does_not_exist_is_an_error() {
    let tree = Tree::new(&[
        ("rows.jsonl", ROWS),
        ("none.jsonl", "{\"id\":\"x\",\"lang\":\"css\",\"code\":\"a {}\"}\n"),
    ]);
    tree.run("attack rows.jsonl --detector nobody").fails_with(&["no measure has this name"]);
    tree.run("attack rows.jsonl --set orig-5").fails_with(&["there are all, orig-4"]);
    tree.run("attack none.jsonl --detector lines").fails_with(&["no transformation knows css"]);
}
