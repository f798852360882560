//! `familiar benchmark`: a tiny benchmark from its seeds to a release, with a model that is a server on this machine.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Tree, assert_valid, schema};
use crate::server::{Reply, Request, Server};

/// A project of its own license, with functions that stand by themselves and one that does not.
const TOTALS: &str = "# SPDX-License-Identifier: MIT
def total(values):
    result = 0
    for value in values:
        if value > 0:
            result += value
    return result


def largest(values):
    best = None
    place = 0
    count = 0
    for at, value in enumerate(values):
        count = count + 1
        if best is None:
            best = value
            place = at
        elif value > best:
            best = value
            place = at
    if count == 0 or place >= count:
        return None
    if place < 0 and count > 0:
        return values[0]
    seen = values[:place] + values[place + 1:]
    for value in seen:
        if value > best and count > 1:
            best = value
    if len(seen) + 1 != count:
        return values[count - 1]
    return best


def settings(path):
    text = read_settings(path)
    parts = text.split(',')
    parts.reverse()
    return parts
";

/// A system to put pairs into.
const HOST: [(&str, &str); 3] = [
    (
        "host/a.py",
        "import os\n\n\ndef here():\n    return os.getcwd()\n\n\ndef there(path):\n    return os.path.join(here(), path)\n",
    ),
    (
        "host/b.py",
        "def half(number):\n    return number / 2\n\n\nclass Box:\n    def __init__(self, size):\n        self.size = size\n",
    ),
    ("host/sub/c.py", "def names(rows):\n    return [row['name'] for row in rows]\n"),
];

pub(crate) fn said(text: &str) -> Reply {
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 200 });
    let message = json!({ "role": "assistant", "content": text });
    Reply::json(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage }))
}

/// What the model answers: implementations of one of both functions in several forms, and things that are of no use.
fn answer(request: &Request) -> Reply {
    // Examples stand before the question.
    let messages = request.body["messages"].as_array().expect("messages");
    let asked = messages.last().and_then(|it| it["content"].as_str()).expect("a text");
    let sample = request.body["seed"].as_u64().expect("a seed");
    let text = match (asked.contains("def total"), sample) {
        (true, 0) => {
            "Sure!\n\n```python\ndef total(values):\n    return sum(value for value in values if value > 0)\n```\n\nOr with a filter:\n\n```python\n\
             def total(numbers):\n    positive = filter(lambda number: number > 0, numbers)\n    return sum(positive)\n```\n"
        }
        (true, 1) => {
            "1. By recursion:\n\ndef total(values):\n    if not values:\n        return 0\n    first, rest = values[0], values[1:]\n    \
             return max(first, 0) + total(rest)\n\n2. A wrong one:\n\ndef total(values):\n    return sum(values) if values else 0\n\nBoth are short.\n"
        }
        (true, 2) => {
            "```python\ndef total(items):\n    return sum(item for item in items if item > 0)\n```\n"
        }
        (false, 0) => {
            "```python\ndef largest(values):\n    ordered = sorted(values)\n    return ordered[-1] if ordered else None\n```\n\n```java\n\
             int largest(int[] values) { int best = values[0]; for (int v : values) best = Math.max(best, v); return best; }\n```\n"
        }
        (false, 1) => "You could go through all values and keep the largest one.",
        _ => "```python\ndef largest(values:\n    return\n```\n",
    };
    said(text)
}

/// A benchmark with its replies.
fn generated() -> (Tree, Server) {
    let files = [&[("project/totals.py", TOTALS)][..], &HOST].concat();
    let tree = Tree::new(&files);
    let server = Server::start(|_, request| answer(request));
    tree.run("benchmark new b").success();
    for prompt in
        ["distinctive", "different", "different-functional", "different-syntax", "unique", "translation"]
    {
        fs::remove_file(tree.at(&format!("b/prompts/{prompt}.toml"))).expect("it was made");
    }
    tree.run("benchmark seeds b project --self-contained").success();
    tree.run(&format!("benchmark generate b --llm {}", server.address())).success();
    (tree, server)
}

fn rows(tree: &Tree, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(tree.at(file)).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_benchmark_is_built_from_seeds_to_a_release() {
    let (tree, server) = generated();
    let seeds = rows(&tree, "b/seeds.jsonl");
    assert_eq!(seeds.len(), 2, "one function calls what it does not define: {seeds:?}");
    assert!(seeds.iter().all(|seed| seed["license"] == "MIT" && seed["origin"]["path"] == "totals.py"));

    // The same replies again, without the server.
    let before = fs::read(tree.at("b/generated.jsonl")).expect("it was written");
    let address = server.address();
    drop(server);
    tree.run(&format!("benchmark generate b --replay --llm {address}")).success();
    assert_eq!(fs::read(tree.at("b/generated.jsonl")).expect("it was written"), before);

    let parsed = tree.run("benchmark parse b --format json").success().json();
    assert_eq!(
        (&parsed["replies"], &parsed["expected"], &parsed["candidates"]),
        (&8.into(), &32.into(), &6.into())
    );
    for (file, row) in [("seeds", "seed"), ("candidates", "candidate"), ("dropped", "dropped")] {
        let schema = schema(&format!("docs/formats/benchmark-{row}-1.schema.json"), None);
        for row in rows(&tree, &format!("b/{file}.jsonl")) {
            assert_valid(&schema, &row);
        }
    }
    let dropped = &parsed["dropped"];
    assert_eq!((&dropped["no-code"], &dropped["wrong-language"]), (&1.into(), &1.into()), "{dropped}");
    tree.run("benchmark filter b --semantic").success();
    // An implementation with other names is a copy.
    assert_eq!(rows(&tree, "b/merged.jsonl").len(), 1);
    let pairs = rows(&tree, "b/pairs.jsonl");
    assert_eq!(pairs.len(), 5);
    let pair_schema = schema("docs/formats/benchmark-pair-1.schema.json", None);
    for pair in &pairs {
        assert_valid(&pair_schema, pair);
        assert!(pair["lines"].as_f64().expect("a number") < 0.75, "{pair}");
    }

    tree.run("benchmark release b --version 1.0").success();
    let manifest: Value =
        serde_json::from_slice(&fs::read(tree.at("b/releases/1.0/manifest.json")).expect("written"))
            .expect("JSON");
    assert_valid(&schema("docs/formats/benchmark-release-1.schema.json", None), &manifest);
    assert_eq!(manifest["pairs"], 5);
    let datasheet = fs::read_to_string(tree.at("b/releases/1.0/DATASHEET.md")).expect("it was written");
    assert!(datasheet.contains("| MIT | 2 |"), "{datasheet}");
    assert!(
        datasheet.contains("| m | 8 |") && datasheet.contains("The prompt *type-3-type-4*"),
        "{datasheet}"
    );
    the_sources_of_a_release_are_searched(&tree);
    tree.run("benchmark release b --version 1.0").fails_with(&["is a release already"]);

    let status = tree.run("benchmark status b --format json").success().json();
    assert_valid(&schema("docs/formats/benchmark-status-1.schema.json", None), &status);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long"]
fn both_sides_are_run() {
    let (tree, _server) = generated();
    tree.run("benchmark parse b").success();
    tree.run("benchmark filter b").success();
    let tested = tree.run("benchmark test b --format json").success().json();
    assert_eq!(tested["pairs"], 5);
    // One implementation adds up what is below zero, too.
    let reports = rows(&tree, "b/tests.jsonl");
    let test_schema = schema("docs/formats/benchmark-test-1.schema.json", None);
    for report in &reports {
        assert_valid(&test_schema, report);
    }
    let differing: Vec<&Value> = reports.iter().filter(|row| row["report"]["verdict"] == "differs").collect();
    assert_eq!(differing.len(), 1, "{reports:?}");
    assert!(differing[0]["id"].as_str().expect("a name").ends_with(".1.1"), "{differing:?}");
    // A kill in the middle of a row costs that row.
    let text = fs::read(tree.at("b/tests.jsonl")).expect("it was written");
    fs::write(tree.at("b/tests.jsonl"), &text[..text.len() - 10]).expect("it is written");
    let again = tree.run("benchmark test b --format json").success().json();
    assert_eq!((&again["known"], &again["verdicts"]), (&4.into(), &tested["verdicts"]));
}

#[cfg(unix)]
#[test]
fn pairs_that_do_not_compile_in_a_system_are_taken_out() {
    let (tree, _server) = generated();
    tree.run("benchmark parse b").success();
    tree.run("benchmark filter b").success();
    tree.run("benchmark inject b host --output all").success();
    let all = rows(&tree, "all/injected.jsonl");
    // A compiler that does not take one of the names.
    let text = |place: &Value| {
        let path = format!("all/{}", place["path"].as_str().expect("a path"));
        let lines = fs::read_to_string(tree.at(&path)).expect("it was written");
        let line = place["start_line"].as_u64().expect("a line") as usize;
        lines.lines().nth(line - 1).expect("there is the line").to_owned()
    };
    let head = text(&all[1]);
    let name = head.trim_start_matches("def ").split('(').next().expect("a name");
    let hits = all.iter().filter(|place| text(place).contains(&format!("def {name}("))).count();
    let script = format!("if grep -rn --include=*.py 'def {name}(' .; then exit 1; fi");
    fs::write(tree.at("compile.sh"), script).expect("it is written");
    let command = format!("sh {}", tree.at("compile.sh").display());
    tree.run_words(&["benchmark", "inject", "b", "host", "--output", "some", "--compile", &command])
        .success();
    let some = rows(&tree, "some/injected.jsonl");
    assert!(hits > 0 && some.len() < all.len(), "{hits} of {} and {}", all.len(), some.len());
    assert!(!some.iter().any(|place| place["id"] == all[1]["id"]));
    tree.run("benchmark inject b host --output none --compile false").fails_with(&["fails in the system"]);
}

#[test]
#[ignore = "long"]
fn pairs_stand_in_a_system_and_are_found_there() {
    let (tree, _server) = generated();
    tree.run("benchmark parse b").success();
    tree.run("benchmark filter b").success();
    tree.run("benchmark inject b host --output full --controls 1").success();
    let places = rows(&tree, "full/injected.jsonl");
    assert_eq!(places.len(), 12);
    let place_schema = schema("docs/formats/benchmark-place-1.schema.json", None);
    for place in &places {
        assert_valid(&place_schema, place);
        let path = place["path"].as_str().expect("a path");
        let text = fs::read_to_string(tree.at(&format!("full/{path}"))).expect("it was written");
        let line = place["start_line"].as_u64().expect("a line") as usize;
        assert!(text.lines().nth(line - 1).expect("there is the line").starts_with("def "), "{place}");
    }
    for pair in places.chunks(2) {
        assert_eq!(pair[0]["id"], pair[1]["id"]);
        assert_ne!(pair[0]["path"], pair[1]["path"], "both sides stand in one file");
    }
    tree.run("benchmark inject b host --output full").fails_with(&["exists already"]);
    tree.run("clones full --min-tokens 20 --min-lines 3 --format ndjson --output found.ndjson").success();
    let run = "benchmark run b --injected full --format json --detector output:familiar:found.ndjson";
    let result = tree.run(run).success().json();
    assert_valid(&schema("docs/formats/benchmark-run-1.schema.json", None), &result);
    assert_eq!(result["by_kind"]["control"], json!({"found": 1, "all": 1}));
    reported_pairs_are_drawn_and_judged(&tree);
    let alone =
        tree.run("benchmark run b --detector token-overlap --similarity 0.01 --format json").success().json();
    assert_eq!(alone["semantic"], json!({"found": 5, "all": 5}));
    assert!(alone["cpu_seconds"].is_number() && alone["memory"].is_number(), "{alone}");
    a_program_is_asked_and_what_it_takes_is_counted(&tree);
    two_detectors_stand_side_by_side(&tree);
    rewritten_pairs_are_asked_about(&tree);
}

/// Other programs are run over the sources, and what they report has places there.
fn the_sources_of_a_release_are_searched(tree: &Tree) {
    let places = rows(tree, "b/releases/1.0/bigcloneeval/places.jsonl");
    assert_eq!(places.len(), 10);
    let place_schema = schema("docs/formats/benchmark-place-1.schema.json", None);
    let of = |place: &Value| {
        assert_valid(&place_schema, place);
        let path = place["path"].as_str().expect("a path").to_owned();
        let text = fs::read_to_string(tree.at(&format!("b/releases/1.0/bigcloneeval/sources/{path}")));
        assert_eq!(
            text.expect("it was written").lines().count() as u64,
            place["end_line"].as_u64().expect("a line")
        );
        let (folder, file) = path.rsplit_once('/').expect("a folder");
        format!("b/releases/1.0/bigcloneeval/sources/{folder},{file}")
    };
    let sides: Vec<String> = places.iter().map(of).collect();
    let row = |at: usize| format!("{},1,99,{},1,99\n", sides[at], sides[at + 1]);
    tree.write("found.csv", row(0) + &row(2) + &row(0));
    let run = "benchmark run b --standalone 1.0 --detector output:bigcloneeval:found.csv";
    let result = tree.run(&format!("{run} --format json")).success().json();
    assert_valid(&schema("docs/formats/benchmark-run-1.schema.json", None), &result);
    assert_eq!((&result["release"], &result["semantic"]), (&json!("1.0"), &json!({"found": 2, "all": 5})));
    assert!(result.get("seconds").is_none(), "nobody knows how long it took: {result}");
    assert!(tree.run(run).success().stdout().contains("not known: it was run elsewhere"));
    tree.run(&run.replace("1.0", "2.0")).fails_with(&["familiar benchmark release"]);
}

/// The sample of one of ours and that of an output can be read again, and what people say of it is counted.
fn reported_pairs_are_drawn_and_judged(tree: &Tree) {
    let run = "benchmark run b --injected full --format json --detector";
    tree.run(&format!("{run} aligned --sample 100 --sample-to ours.ndjson")).success();
    tree.run("clones full --format ndjson --output all.ndjson").success();
    let [drawn, all] = [rows(tree, "ours.ndjson"), rows(tree, "all.ndjson")].map(|rows| {
        let mut rows: Vec<String> = rows.iter().map(Value::to_string).collect();
        rows.sort();
        rows
    });
    assert!(!drawn.is_empty());
    assert_eq!(drawn, all, "all pairs were to be drawn");
    tree.run(&format!("{run} output:familiar:found.ndjson --sample 1 --sample-to theirs.ndjson --seed 3"))
        .success();
    let theirs = rows(tree, "theirs.ndjson");
    let side = &theirs[0]["left"];
    assert_eq!((theirs.len(), &side["language"], &side["project"]), (1, &json!("python"), &json!("full")));
    let path = tree.at(&format!("full/{}", side["path"].as_str().expect("a path")));
    let text = fs::read_to_string(path).expect("it is there");
    let at = |key: &str| side[key].as_u64().expect("a number") as usize;
    let lines: Vec<&str> =
        text.lines().skip(at("start_line") - 1).take(at("end_line") + 1 - at("start_line")).collect();
    assert_eq!(text[at("start_byte")..at("end_byte")].lines().collect::<Vec<_>>(), lines);

    tree.write("judged.csv", "pair_id,judge,verdict,at\na,ada,true,2026-01-01\nb,ada,false,2026-01-01\n");
    let judged =
        tree.run(&format!("{run} output:familiar:found.ndjson --judged judged.csv")).success().json();
    assert_valid(&schema("docs/formats/benchmark-run-1.schema.json", None), &judged);
    assert_eq!(judged["precision"]["judged"], json!({"found": 1, "all": 2}));
    tree.run("benchmark run b --detector aligned --sample 5 --sample-to x").fails_with(&["--injected"]);
}

fn a_program_is_asked_and_what_it_takes_is_counted(tree: &Tree) {
    let program = "import json, sys\nbusy = sum(range(10 ** 7))\nfor line in sys.stdin:\n    \
                   print(json.dumps({'scores': [0.7] * len(json.loads(line)['pairs'])}), flush=True)\n";
    tree.write("detector.py", program);
    // The shell waits for the program.
    let command = "command:python3 detector.py; true";
    let result = tree
        .run_words(&["benchmark", "run", "b", "--detector", command, "--format", "json"])
        .success()
        .json();
    assert_valid(&schema("docs/formats/benchmark-run-1.schema.json", None), &result);
    assert_eq!(result["semantic"], json!({"found": 5, "all": 5}));
    assert!(result["cpu_seconds"].as_f64().expect("a number") > 0.1, "{result}");
    assert!(result["memory"].as_u64().expect("a number") > 4 << 20, "{result}");
}

fn rewritten_pairs_are_asked_about(tree: &Tree) {
    let run = "benchmark run b --detector token-overlap --similarity 0.2 --transformed new-20 --transformed orig-4 --count 2";
    let result = tree.run(&format!("{run} --format json")).success().json();
    assert_valid(&schema("docs/formats/benchmark-run-1.schema.json", None), &result);
    let curve = &result["transformed"][0];
    assert_eq!((&curve["set"], &result["transformed"][1]["set"]), (&json!("new-20"), &json!("orig-4")));
    let points = curve["points"].as_array().expect("points");
    let found = |at: usize| points[at]["semantic"]["found"].as_u64().expect("a number");
    assert_eq!(points.iter().map(|it| &it["steps"]).collect::<Vec<_>>(), [0, 1, 2, 4, 8]);
    assert!(points.iter().all(|it| it["semantic"]["all"] == 10), "each pair is rewritten twice: {curve}");
    assert!(found(4) < found(0), "eight steps of new-20 leave little that is alike: {curve}");
    let page = tree.run(&format!("{run} --format html")).success().stdout();
    assert!(page.contains("Rewritten pairs") && page.contains("<polyline"), "{page}");
    let table = tree.run(&format!("{run} --format csv")).success().stdout();
    for row in ["orig-4 8 steps semantic,", "\ntoken-overlap,cpu_seconds,,,", "\ntoken-overlap,memory,,,"] {
        assert!(table.contains(row), "{row} is missing:\n{table}");
    }
    tree.run("benchmark run b --detector aligned --transformed minify").fails_with(&["belong together"]);
}

fn two_detectors_stand_side_by_side(tree: &Tree) {
    let run = "benchmark run b --detector token-overlap --detector aligned --similarity 0.01 --format";
    let both = tree.run(&format!("{run} json")).success().json();
    let names: Vec<&Value> = both.as_array().expect("a list").iter().map(|it| &it["detector"]).collect();
    assert_eq!(names, ["token-overlap", "aligned"]);
    let page = tree.run(&format!("{run} html")).success().stdout();
    for part in ["<svg", "<desc", "<th scope=col class=number>aligned", "100.0 %"] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    let table = tree.run(&format!("{run} latex")).success().stdout();
    assert!(table.contains("token-overlap & aligned"), "{table}");
    tree.run("benchmark run b --detector aligned --detector alinged").fails_with(&["alinged"]);
}

#[test]
fn replies_and_pairs_are_imported() {
    let tree = Tree::new(&[]);
    tree.run("benchmark new b").success();
    let seed = "int f(int a) {\n    return a + 1;\n}\n";
    let rows = [
        json!({"seed_id": "s", "seed": seed, "lang": "c", "target_lang": "python,java", "prompt": "translation",
               "reply": "Python:\n```\ndef f(a):\n    return a + 1\n```\nJava:\n```java\nint f(int a) { return 1 + a; }\n```"}),
        json!({"code1": seed, "code2": "int f(int b) {\n    int c = b;\n    c++;\n    return c;\n}\n", "lang": "c", "license": "MIT"}),
        json!({"reply": "no seed"}),
        json!({"seed": seed, "lang": "klingon", "reply": "x"}),
    ];
    let lines: Vec<String> = rows.iter().map(Value::to_string).chain(["not JSON".to_owned()]).collect();
    tree.write("replies.jsonl", lines.join("\n"));
    let imported = tree.run("benchmark import b replies.jsonl --format json").success().json();
    assert_eq!((&imported["replies"], &imported["new_seeds"]), (&2.into(), &2.into()));
    assert_eq!(imported["skipped"].as_object().expect("reasons").len(), 3, "{imported}");
    tree.run("benchmark parse b").success();
    tree.run("benchmark filter b").success();
    let status = tree.run("benchmark status b --format json").success().json();
    assert_eq!((&status["cross_language"], &status["pairs"]), (&2.into(), &3.into()));
    tree.write("empty.jsonl", "");
    tree.run("benchmark import b empty.jsonl").fails_with(&["holds nothing that can be used"]);
    let long = "x".repeat(500);
    tree.write(
        "long.jsonl",
        format!(r#"{{"seed_id":"{long}","lang":"python","code1":"a = 1","code2":"a = 2"}}"#),
    );
    tree.run("benchmark import b long.jsonl").fails_with(&["its seed_id is longer than 100 bytes"]);
    tree.write("b/pairs.jsonl", "{");
    let unread = tree.run("benchmark agree b --export validate-clones").stderr();
    assert!(unread.contains("benchmark filter") && !unread.contains("cannot write"), "{unread}");
}

#[test]
fn what_is_missing_is_said() {
    let tree = Tree::new(&[("a.py", "x = 1\n")]);
    tree.run("benchmark status nowhere").fails_with(&["is no benchmark", "familiar benchmark new"]);
    tree.run("benchmark new b").success();
    tree.run("benchmark new b").fails_with(&["not an empty folder"]);
    tree.run("benchmark seeds b").fails_with(&["no sources yet"]);
    tree.run("benchmark seeds b a.py").fails_with(&["no function of the sources can be a seed"]);
    tree.run("benchmark seeds b a.py --lang python,cobol").fails_with(&["--lang cobol: ", "go, java,"]);
    tree.run("benchmark parse b").fails_with(&["there are no seeds yet"]);
    tree.run("benchmark filter b").fails_with(&["familiar benchmark parse"]);
    tree.run("benchmark release b --version ..").fails_with(&["--version .."]);
    tree.run("benchmark run b --detector output:cpd:x --injected a").fails_with(&["output:FORMAT:FILE"]);
    tree.write("b/prompts/mine.toml", "variants = 1\ntext = \"write\"\n");
    tree.run("benchmark prompts b").fails_with(&["mine.toml", "{code}"]);
}

/// A benchmark of one pair that was imported.
pub(crate) fn imported() -> Tree {
    let code = |body: &str| format!("def total(values):\n    {body}\n");
    let row = json!({
        "code1": code("return sum(value for value in values if value > 0)"),
        "code2": code("return sum(max(value, 0) for value in values)"),
        "lang": "python",
    });
    let tree = Tree::new(&[("rows.jsonl", &format!("{row}\n"))]);
    for step in ["new b", "import b rows.jsonl", "parse b", "filter b"] {
        tree.run(&format!("benchmark {step}")).success();
    }
    tree
}

#[cfg(unix)]
#[test]
fn a_detector_that_fails_leaves_the_result_of_those_before_it() {
    let tree = imported();
    let run =
        "benchmark run b --detector token-overlap --detector command:false --format json --output r.json";
    tree.run(run).fails_with(&["command:false; the result has the detectors before it"]);
    let result: Value =
        serde_json::from_slice(&fs::read(tree.at("r.json")).expect("it was written")).expect("JSON");
    assert_eq!(result["detector"], "token-overlap");
}

#[test]
fn names_reach_no_terminal_as_they_are() {
    let tree = imported();
    let pairs = fs::read_to_string(tree.at("b/pairs.jsonl")).expect("it was written");
    let pairs = pairs.replace("\"prompt\":\"imported\"", "\"prompt\":\"\\u001b[31mred\"");
    fs::write(tree.at("b/pairs.jsonl"), pairs).expect("it is written");
    let status = tree.run("benchmark status b").success().stdout();
    assert!(status.contains("[31mred 1") && !status.contains('\u{1b}'), "{status}");
}

#[test]
fn seeds_that_are_drawn_again_keep_their_tests() {
    let code = "def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n";
    let row = json!({ "lang": "python", "code": code, "test": "assert total([1, 2]) == 3" });
    let tree = Tree::new(&[("rows.jsonl", &format!("{row}\n"))]);
    tree.run("benchmark new b").success();
    for sources in [" jsonl:rows.jsonl", ""] {
        tree.run(&format!("benchmark seeds b{sources} --min-lines 1")).success();
        assert_eq!(rows(&tree, "b/seeds.jsonl")[0]["test"], "assert total([1, 2]) == 3", "{sources}");
    }
}
