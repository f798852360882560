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
fn a_set_may_be_a_list_of_transformations() {
    let tree = Tree::new(&[("rows.jsonl", PROBLEMS)]);
    let arguments = "attack rows.jsonl --detector lines --steps 1 --format json --set if-else-flip,for-while";
    let result = tree.run(arguments).success().json();
    let tried = result["by_transformation"].as_array().expect("a list");
    let names: Vec<_> = tried.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["for-while", "if-else-flip"], "in the order of the catalogue");
    let robustness = "evaluate robustness rows.jsonl --detector lines --steps 1 --format json --set for-while,unroll --set unroll";
    let rows = tree.run(robustness).success().json();
    assert_eq!(
        (&rows["results"][0]["set"], &rows["results"][1]["set"]),
        (&"for-while,unroll".into(), &"unroll".into())
    );
}

#[test]
fn a_detector_or_a_set_that_does_not_exist_is_an_error() {
    let tree = Tree::new(&[
        ("rows.jsonl", ROWS),
        ("none.jsonl", "{\"id\":\"x\",\"lang\":\"css\",\"code\":\"a {}\"}\n"),
    ]);
    tree.run("attack rows.jsonl --detector nobody").fails_with(&[
        "nobody is neither a measure (aligned, token-overlap, lines)",
        "there is no encoder nobody",
    ]);
    for nothing in ["--beam 0", "--steps 0"] {
        tree.run(&format!("attack rows.jsonl --detector lines {nothing}")).fails_with(&["give at least 1"]);
    }
    tree.run("attack rows.jsonl --set orig-5").fails_with(&["there are all, orig-4"]);
    tree.run("attack none.jsonl --detector lines").fails_with(&["no transformation knows css"]);
}

/// Two programs with tests.
const TESTED: &str = r#"{"id":"one","lang":"python","code":"def total(items):\n    result = 0\n    for item in items:\n        if item > 3 and item < 9:\n            result += item\n        else:\n            result -= 1\n    return result\n","test":"assert total([4, 5, 9]) == 8"}
{"id":"two","lang":"python","code":"def most(items):\n    best = 0\n    for item in items:\n        if item > best:\n            best = item\n    return best\n","test":"assert most([4, 5, 9]) == 9"}
"#;

#[test]
#[ignore = "long"]
fn what_the_search_makes_runs_beside_the_originals() {
    let tree = Tree::new(&[("rows.jsonl", TESTED)]);
    let run = tree.run("attack rows.jsonl --detector static --set orig-4 --steps 2 --verify --format json");
    let result = run.success().json();
    assert_valid(&schema("docs/formats/attack-1.schema.json", None), &result);
    assert!(result["worst_case_cosine_distance"]["mean"].as_f64() > Some(0.0), "{result}");
    if result["tested"] == 0 {
        assert!(std::env::var_os("FAMILIAR_ALL_TOOLCHAINS").is_none(), "{result}");
        return;
    }
    assert_eq!((&result["tested"], &result["correct"]), (&2.into(), &2.into()));
    assert_eq!(result["pairs"][0]["verified"], "passed");
    let rename = &result["by_transformation"][0];
    assert_eq!((&rename["name"], &rename["correct"]), (&"variable-rename".into(), &2.into()), "{rename}");
    let page = tree.run("attack rows.jsonl --detector lines --set orig-4 --steps 2 --one-site --format html");
    let page = page.success().stdout();
    assert!(page.contains("<svg") && page.contains("variable-rename") && !page.contains("<script"), "{page}");
}

#[cfg(unix)]
#[test]
fn any_program_is_a_detector() {
    let tree = Tree::new(&[
        ("rows.jsonl", TESTED),
        (
            "one.sh",
            "while read -r line; do n=$(printf %s \"$line\" | grep -o code2 | wc -l); s=0.25\n\
             i=1; while [ $i -lt $n ]; do s=\"$s,0.25\"; i=$((i + 1)); done; echo \"{\\\"scores\\\":[$s]}\"; done\n",
        ),
        (
            "once.sh",
            "read -r line; n=$(printf %s \"$line\" | grep -o code2 | wc -l); s=1\n\
             i=1; while [ $i -lt $n ]; do s=\"$s,1\"; i=$((i + 1)); done; echo \"{\\\"scores\\\":[$s]}\"\n",
        ),
    ]);
    let attack = |script: &str, more: &str| {
        let command = format!("command:sh {script}");
        let fixed = ["attack", "rows.jsonl", "--set", "orig-4", "--detector", &command];
        let all: Vec<&str> = fixed.into_iter().chain(more.split_whitespace()).collect();
        tree.run_words(&all)
    };
    let result = attack("one.sh", "--steps 3 --format json").success().json();
    assert_eq!(result["worst_case_distance"]["mean"], 0.75);
    assert_eq!(result["below_threshold"], 1.0);
    // One program is judged in one answer; the next one finds no detector.
    let run = attack("once.sh", "--steps 1 --threads 1 --format json");
    assert!(run.stderr().contains("the detector has ended"), "{}", run.stderr());
}

/// Three programs of different problems.
const PROBLEMS: &str = r#"{"id":"one","lang":"python","code":"def total(items):\n    result = 0\n    for item in items:\n        if item > 3 and item < 9:\n            result += item\n        else:\n            result -= 1\n    return result\n"}
{"id":"two","lang":"python","code":"def most(items):\n    best = 0\n    for item in items:\n        if item > best:\n            best = item\n    return best\n"}
{"id":"three","lang":"python","code":"def shown(name):\n    print('hello', name, sep=', ')\n"}
{"id":"four","lang":"css","code":"a { color: red }"}
"#;

/// Calls what has a loop over `item` on both sides more alike than the rest, and two texts that are equal the same.
#[cfg(unix)]
const KNOWN: &str = r"import json, sys
def score(pair):
    if pair['code1'] == pair['code2']: return 1
    return 0.5 if all('for item in items' in pair[side] for side in ('code1', 'code2')) else 0.25
for line in sys.stdin:
    print(json.dumps({'scores': [score(pair) for pair in json.loads(line)['pairs']]}), flush=True)
";

#[cfg(unix)]
#[test]
#[ignore = "long"]
fn robustness_is_the_share_of_programs_that_stay_above_what_non_clones_reach() {
    let tree = Tree::new(&[("rows.jsonl", PROBLEMS), ("known.py", KNOWN)]);
    let measured = |more: &str| {
        let fixed = ["evaluate", "robustness", "rows.jsonl", "--steps", "2"];
        let named = ["--set", "orig-4", "--detector", "command:python3 known.py"];
        let all: Vec<&str> = fixed.into_iter().chain(named).chain(more.split_whitespace()).collect();
        tree.run_words(&all)
    };
    let result = measured("--format json").success().json();
    assert_valid(&schema("docs/formats/robustness-1.schema.json", None), &result);
    assert_eq!((&result["programs"], &result["pairs"]), (&3.into(), &3.into()));
    assert_eq!(result["skipped"][0]["reason"], "no transformation knows css");
    let row = &result["results"][0];
    // One of three pairs has a loop on both sides. The loops that are rewritten have none, and are no longer recognized.
    // Nothing applies to what prints.
    assert_eq!((&row["escaped"]["count"], &row["rewritten"]), (&2.into(), &2.into()), "{row}");
    assert_eq!(row["threshold_not_attacked"].as_f64(), Some(0.5_f64.next_up()));
    assert_eq!(row["threshold_attacked"].as_f64(), Some(0.25_f64.next_up()));
    assert_eq!(row["threshold"], row["threshold_not_attacked"]);
    assert_eq!(row["worst_case_distance"]["mean"], 0.5);
    // A third of the pairs may reach it, so that the threshold is above what the others say, and below what a clone says.
    let lax = measured("--false-positives 0.34 --format json").success().json();
    let lax = &lax["results"][0];
    assert_eq!(lax["threshold"].as_f64(), Some(0.25_f64.next_up()), "{lax}");
    assert_eq!(lax["false_positives_not_attacked"]["count"], 1);
    let text = measured("--detector token-overlap --set new-20").success().stdout();
    assert!(text.lines().filter(|line| line.contains("new-20")).count() == 2, "{text}");
    let named = measured("--detector static --format json").success().json();
    let name = named["results"][1]["name"].as_str().expect("a name");
    assert!(named["results"][1]["detector"] == "static" && name.ends_with(" static"), "{named}");
    let table = measured("--detector token-overlap --format markdown").success().stdout();
    assert!(table.contains("| token-overlap | orig-4 | "), "{table}");
    measured("--false-positives 1").fails_with(&["--false-positives 1 is out of range"]);
    measured("--where id=one").fails_with(&["no two programs of different problems"]);
    measured("--detector command:true --threads 1").fails_with(&["command:true", "has ended"]);
}

#[test]
fn diversity_says_what_a_member_adds() {
    let tree = Tree::new(&[("rows.jsonl", ROWS)]);
    let asked = "evaluate diversity rows.jsonl --set orig-4 --sizes 4,1,2 --steps 2";
    let result = tree.run(&format!("{asked} --format json")).success().json();
    assert_valid(&schema("docs/formats/diversity-1.schema.json", None), &result);
    assert_eq!((&result["programs"], &result["detector"]), (&1.into(), &"token-overlap".into()));
    let sizes = result["sets"][0]["sizes"].as_array().expect("sizes");
    let of = |key: &str| -> Vec<f64> {
        sizes.iter().map(|it| it[key]["mean"].as_f64().expect("a mean")).collect()
    };
    let (diversity, diameter, without) = (of("diversity"), of("diameter"), of("diameter_without_one"));
    // The empty set has the diameter 1. More members never make a set less wide.
    assert_eq!((sizes.len(), without[0]), (3, 1.0), "{result}");
    assert!(diameter[0] > 0.0 && diameter.is_sorted(), "{diameter:?}");
    for at in 0..3 {
        assert!((diversity[at] - diameter[at] / without[at]).abs() < 1e-12, "{result}");
    }
    assert!(diversity[1..].iter().all(|it| *it >= 1.0), "{diversity:?}");
    assert!(result["sets"][0]["strength"]["mean"].as_f64() <= Some(diameter[2]), "{result}");
    assert_eq!(result, tree.run(&format!("{asked} --format json --threads 1")).success().json());
    let text = tree.run(&format!("{asked} --order random --set new-20")).success().stdout();
    assert!(text.contains("orig-4") && text.contains("new-20") && text.contains("held for"), "{text}");
}

#[test]
#[ignore = "long"]
fn mutants_are_told_from_clones_that_are_as_far_away() {
    let tree = Tree::new(&[("rows.jsonl", TESTED)]);
    let arguments =
        "evaluate mutants rows.jsonl --detector token-overlap --detector static --pairs 4 --format";
    let result = tree.run(&format!("{arguments} json")).success().json();
    assert_valid(&schema("docs/formats/mutants-1.schema.json", None), &result);
    let skipped = result["skipped"].as_array().map_or(0, Vec::len);
    if skipped == 2 {
        assert!(std::env::var_os("FAMILIAR_ALL_TOOLCHAINS").is_none(), "{result}");
        return;
    }
    let pairs = result["pairs"].as_u64().expect("a number");
    assert!((2..=8).contains(&pairs), "{result}");
    let of_bands = result["bands"].as_array().expect("a list").iter().filter_map(|it| it["pairs"].as_u64());
    assert_eq!(of_bands.sum::<u64>(), pairs);
    assert!(result["results"][1]["auc"].as_f64().is_some_and(|it| (0.0..=1.0).contains(&it)), "{result}");
    // The rows of the pairs: as many clones as mutants, and each two equally far away.
    let rows = tree.run(&format!("{arguments} ndjson")).success().stdout();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(rows.len() as u64, 2 * pairs);
    for pair in rows.chunks(2) {
        assert_eq!((&pair[0]["label"], &pair[1]["label"]), (&1.into(), &0.into()));
        assert_eq!((&pair[0]["distance"], &pair[0]["code1"]), (&pair[1]["distance"], &pair[1]["code1"]));
        assert_ne!(pair[0]["code2"], pair[1]["code2"]);
    }
    assert_eq!(result, tree.run(&format!("{arguments} json --threads 1")).success().json());
}
