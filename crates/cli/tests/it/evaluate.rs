//! `familiar evaluate`: flags in, a document or rows out. What the figures are is tested with the library.

use crate::common::{Tree, function, other_function};
use familiar_evaluate::datasets::{self, Task};

fn pairs() -> Tree {
    let row = |code1: &str, code2: &str, label: u8| serde_json::json!({"code1": code1, "code2": code2, "lang1": "python", "lang2": "python", "label": label, "type": 2});
    let (a, b) = (function("f", "x", 0), function("g", "y", 4));
    let other = other_function("h");
    Tree::new(&[("pairs.jsonl", &format!("{}\n{}\n", row(&a, &b, 1), row(&a, &other, 0)))])
}

#[test]
fn pairs_give_a_document_for_every_measure() {
    let tree = pairs();
    for measure in ["aligned", "token-overlap", "lines"] {
        let result = tree
            .run(&format!("evaluate pairs pairs.jsonl --measure {measure} --format json"))
            .success()
            .json();
        assert_eq!((&result["schema"], &result["task"]), (&"familiar.evaluate/1".into(), &"pairs".into()));
        assert_eq!((&result["measure"], &result["recall"]), (&measure.into(), &1.0.into()));
        assert_eq!((&result["pairs"], &result["false_positive_rate"]), (&2.into(), &0.0.into()));
    }
    assert!(tree.run("evaluate pairs pairs.jsonl --by type").success().stdout().contains("recall"));
}

/// Two solutions of each of three problems, the second in Java.
fn solutions() -> Tree {
    let row = |problem: usize, lang: &str, code: &str| {
        format!(
            "{}\n",
            serde_json::json!({"problem_id": problem, "lang": lang, "code": code, "split": "valid"})
        )
    };
    let rows = (0..3).map(|problem| {
        let code = "f(x);\n".repeat(problem * 3 + 1);
        row(problem, "java", &code) + &row(problem, "java", &code.replace('x', "y"))
    });
    Tree::new(&[("solutions.jsonl", &(rows.collect::<String>() + &row(9, "python", "pass")))])
}

#[test]
fn retrieval_gives_a_document_and_a_text() {
    let tree = solutions();
    let result = tree.run("evaluate retrieval solutions.jsonl --lang java --format json").success().json();
    assert_eq!(
        (&result["task"], &result["rows"], &result["groups"]),
        (&"retrieval".into(), &6.into(), &3.into())
    );
    assert_eq!((&result["map_at_r"], &result["precision_at_k"]["1"]), (&1.0.into(), &1.0.into()));
    let text = tree.run("evaluate retrieval solutions.jsonl --where split=valid --blind").success().stdout();
    assert!(text.starts_with("aligned, blind\n7 rows in 4 groups\n"), "{text}");
}

#[test]
fn pairs_are_drawn_from_solutions() {
    let drawn = "evaluate pairs solutions.jsonl --draw 4 --lang java --seed 3 --format json";
    let result = solutions().run(drawn).success().json();
    assert_eq!((&result["positives"], &result["negatives"]), (&2.into(), &2.into()));
    assert_eq!((&result["accuracy"], &result["best_accuracy"]), (&1.0.into(), &1.0.into()));
}

#[test]
fn a_data_set_is_measured_by_its_name_as_it_usually_is() {
    let tree = solutions();
    let rows = std::fs::read_to_string(tree.at("solutions.jsonl")).expect("just written");
    tree.write("data/clones/poj104.jsonl", rows.clone() + &rows.replace("\"valid\"", "\"train\""));
    let ask = "evaluate retrieval poj104 --data data --format json";
    let named = tree.run(ask).success().json();
    let file = "data/clones/poj104.jsonl --where split=valid --encoder builtin --format json";
    assert_eq!(named, tree.run(&format!("evaluate retrieval {file}")).success().json());
    assert_eq!((&named["rows"], &named["measure"]), (&7.into(), &"familiar-5".into()));
    // What is given wins.
    let given =
        tree.run(&format!("{ask} --measure aligned --where split=train --lang java")).success().json();
    assert_eq!((&given["rows"], &given["measure"]), (&6.into(), &"aligned".into()));
    let drawn = tree.run("evaluate pairs poj104 --data data --lang java --draw 4").success().stdout();
    assert!(drawn.starts_with("measure familiar-5,") && drawn.contains("4 pairs"), "{drawn}");
    tree.run("evaluate retrieval poj-104 --data data").fails_with(&["poj-104", "leetcode_parallel, poj104"]);
    tree.run("evaluate retrieval poj104 --data none").fails_with(&["poj104.jsonl.zst", "none/clones"]);
    tree.run("evaluate pairs clcdsa --data data").fails_with(&["clcdsa.jsonl", "data/clones"]);
    tree.run("evaluate retrieval poj104").fails_with(&["--data", "FAMILIAR_DATA"]);
    tree.run("evaluate retrieval none.jsonl --data data").fails_with(&["cannot read none.jsonl"]);
}

#[test]
fn the_help_names_every_data_set() {
    let tree = Tree::new(&[]);
    for (verb, task) in [("pairs", Task::Pairs), ("retrieval", Task::Retrieval)] {
        let help = tree.run(&format!("evaluate {verb} --help")).success().stdout();
        let one_line = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(&datasets::names(task)), "{help}");
    }
}

#[test]
fn bags_give_sorted_rows() {
    let tree = Tree::new(&[(
        "bags.jsonl",
        "{\"id\": \"b\", \"bag\": {\"x\": 3, \"y\": 1}}\n{\"id\": \"a\", \"bag\": {\"x\": 3, \"z\": 1}}\n{\"id\": \"c\", \"bag\": {\"q\": 4}}\n",
    )]);
    let rows = tree.run("evaluate bags bags.jsonl --similarity 0.75").success().stdout();
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.starts_with("left,right,overlap,larger\n") && rows.ends_with(",3,4\n"), "{rows}");
    tree.run("evaluate bags bags.jsonl --similarity 0.75 --output out.csv").success();
    assert_eq!(std::fs::read_to_string(tree.at("out.csv")).expect("written"), rows);
}

#[test]
fn what_is_wrong_is_named() {
    let tree = pairs();
    tree.write("bad.jsonl", "{\"code1\": \"x\"\n");
    tree.run("evaluate pairs none.jsonl").fails_with(&["none.jsonl"]);
    tree.run("evaluate pairs bad.jsonl").fails_with(&["bad.jsonl", "no usable pair"]);
    tree.run("evaluate retrieval pairs.jsonl").fails_with(&["pairs.jsonl", "problem_id"]);
    tree.run("evaluate retrieval pairs.jsonl --where split").fails_with(&["FIELD=VALUE"]);
    tree.run("evaluate pairs pairs.jsonl --encoder none --measure lines").fails_with(&["--measure"]);
    tree.run("evaluate pairs pairs.jsonl --encoder nonsense").fails_with(&["nonsense"]);
    tree.run("evaluate bags pairs.jsonl --similarity 0").fails_with(&["--similarity 0"]);
    tree.run("evaluate pairs pairs.jsonl --format csv").fails_with(&["csv"]);
    tree.run("evaluate pairs pairs.jsonl --lang java").fails_with(&["--lang", "--draw"]);
    tree.run("evaluate pairs pairs.jsonl --cross-language").fails_with(&["--cross-language", "--draw"]);
    for flag in ["robustness --beam", "robustness --steps", "robustness --pairs", "diversity --sizes"] {
        let (verb, flag) = flag.split_once(' ').expect("two words");
        tree.run(&format!("evaluate {verb} pairs.jsonl {flag} 0")).fails_with(&[flag, "give at least 1"]);
    }
    tree.run("evaluate pairs pairs.jsonl --output no/out.json")
        .fails_with(&["no/out.json", "there is no folder"]);
}
