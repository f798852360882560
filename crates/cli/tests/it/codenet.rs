//! `familiar codenet`: from rows to a set, and from there to numbers, pictures and benchmarks.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Tree, assert_valid, schema};

/// Submissions of five problems, in Python, that read a number and print another.
fn submissions() -> Tree {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for problem in 0..5 {
        for attempt in 0..8 {
            let sum: Vec<String> = (0..12).map(|at| format!("a{attempt}b{at}")).collect();
            let mut code = format!(
                "number = int(input())\nif number < 0:\n    number = -number\n{} = range(12)\n",
                sum.join(" = ")
            );
            let used: Vec<String> = sum.iter().map(|name| format!("{name} = len({name})\n")).collect();
            code = [
                code,
                format!("first{attempt} = number + {problem}\nprint(first{attempt})\n"),
                used.concat(),
            ]
            .concat();
            let status = if attempt == 0 { "WA" } else { "AC" };
            if attempt == 0 {
                code = code.replace("+ ", "- 1 - ");
            }
            let row = json!({"id": format!("r{problem}{attempt}"), "problem_id": format!("q{problem}"), "user": format!("x{}", attempt / 2),
                "lang": "python3", "status": status, "date": 1_600_000_000 + attempt, "code": code});
            rows.push(format!("{row}\n"));
        }
        let out = format!("{}\n", 5 + problem);
        problems.push(format!(
            "{}\n",
            json!({"problem_id": format!("q{problem}"), "text": format!("Add {problem}."), "samples": [{"in": "5\n", "out": out}]})
        ));
    }
    let tree = Tree::new(&[("rows.jsonl", &rows.concat()), ("problems.jsonl", &problems.concat())]);
    tree.run("codenet import rows.jsonl --problems problems.jsonl --output set").success();
    tree
}

fn valid(name: &str, value: &Value) {
    assert_valid(&schema(&format!("docs/formats/{name}-1.schema.json"), None), value);
}

#[test]
fn a_set_says_what_it_holds() {
    let tree = submissions();
    let read = |path: &str| fs::read(tree.at(path)).expect("it was written");
    let set: Value = serde_json::from_slice(&read("set/set.json")).expect("JSON");
    valid("codenet", &set);
    assert_eq!((&set["submissions"], &set["problems"], &set["users"]), (&40.into(), &5.into(), &4.into()));
    assert!(read("set/metadata/submissions.parquet").starts_with(b"PAR1"));
    tree.run("codenet run set --tolerance nan").fails_with(&["--tolerance NaN: give a number from 0 on"]);
    let stats = tree.run("codenet stats set --duplicates --format json").success().json();
    valid("codenet-stats", &stats);
    assert_eq!(
        (&stats["accepted"], &stats["evolution"]["from_rejected_to_accepted"]),
        (&35.into(), &5.into())
    );
    let page = tree.run("codenet stats set --format html").success().stdout();
    assert!(page.contains("<h1>What this data set holds</h1>"), "{page}");
    let again = tree.run("codenet import rows.jsonl --output set");
    again.fails_with(&["set is a data set already", "--output"]);
    tree.run("codenet stats rows.jsonl").fails_with(&["rows.jsonl is no data set", "codenet import"]);
}

#[test]
fn submissions_are_taken_by_a_condition() {
    let tree = submissions();
    let select = |condition: &str, format: &str| {
        let words = ["codenet", "select", "set", "--where", condition, "--format", format];
        tree.run_words(&words).success().stdout()
    };
    let csv = select("status = 'Wrong Answer' and problem_id <= 'p00002'", "csv");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let rows = select("user_id = 'u000000002'", "ndjson");
    let row: Value = serde_json::from_str(rows.lines().next().unwrap_or_default()).expect("JSON");
    assert_eq!(
        (&row["lang"], &row["original_language"], &row["date"]),
        (&"Python".into(), &"python3".into(), &1_600_000_002.into())
    );
    assert!(row["code"].as_str().is_some_and(|code| code.starts_with("number")));
    let paths = select("code_size > 0", "paths");
    assert_eq!(paths.lines().filter(|path| tree.at(path).is_file()).count(), 40);
    let files = |output: &[&str]| {
        let words = ["codenet", "select", "set", "--where", "status = 'Wrong Answer'", "--format", "files"];
        tree.run_words(&[&words, output].concat())
    };
    files(&[]).fails_with(&["the format files needs --output"]);
    files(&["--output", "wrong"]).success();
    let listed = select("status = 'Wrong Answer'", "paths");
    for path in listed.lines() {
        let copy = path.replacen("set/", "wrong/", 1);
        assert_eq!(std::fs::read(tree.at(path)).ok(), std::fs::read(tree.at(&copy)).ok(), "{copy}");
        assert!(tree.at(&copy).is_file(), "{copy}");
    }
    files(&["--output", "wrong"]).fails_with(&["the folder is not empty"]);
    // A text that is lost is told, and the others are written.
    fs::remove_file(tree.at(listed.lines().next().expect("there are some"))).expect("it is there");
    let rows = tree.run("codenet select set --format ndjson").success();
    assert_eq!(rows.stdout().lines().count(), 39);
    assert!(rows.stderr().contains("left out: s0000000"), "{}", rows.stderr());
    files(&["--output", "rest"]).success();
    let wrong = tree.run_words(&["codenet", "select", "set", "--where", "sum(memory) > 1"]);
    wrong.fails_with(&["more than a condition may have", "DuckDB"]);
}

#[test]
fn near_duplicates_problems_and_benchmarks_come_from_one_set() {
    let tree = submissions();
    let pairs = tree.run("codenet duplicates set --format csv").success().stdout();
    assert!(pairs.starts_with("id1,id2,set_jaccard,multiset_jaccard\ns000000001,s0000000"), "{pairs}");
    let table = "codenet duplicates rows.jsonl --format parquet";
    tree.run(table).fails_with(&["give --output FILE.parquet"]);
    tree.run(&format!("{table} --output kept.parquet")).fails_with(&["rows.jsonl is no Parquet file"]);
    let clusters = "codenet duplicates set --like-codenet --format";
    tree.run(&format!("{clusters} clusters")).success();
    tree.run(&format!("{clusters} kept")).fails_with(&["--like-codenet makes clusters"]);
    let problems = tree.run("codenet problems set --pairs 7 --format json").success().json();
    valid("codenet-problems", &problems);
    assert_eq!(problems["clusters"].as_array().map(Vec::len), Some(1), "only numbers differ: {problems}");
    assert!(tree.run("codenet problems set --format svg").success().stdout().starts_with("<svg"));
    let apart = json!({"problems": ["p00001", "p00002"], "decision": "different", "author": "ada", "decided": "2026-01-31T12:00:00Z"});
    tree.write("decisions.jsonl", format!("{apart}\n"));
    let decided = tree.run("codenet problems set --pairs 7 --decisions decisions.jsonl --format json");
    let decided = decided.success().json();
    valid("codenet-problems", &decided);
    let clusters = decided["clusters"].as_array().expect("there are some");
    let has =
        |cluster: &Value, problem: &str| cluster.as_array().is_some_and(|it| it.contains(&problem.into()));
    assert!(clusters.iter().any(|it| has(it, "p00001") || has(it, "p00002")), "{decided}");
    assert!(!clusters.iter().any(|it| has(it, "p00001") && has(it, "p00002")), "{decided}");
    assert_eq!(
        (&decided["pairs"][0]["decision"], &decided["pairs"][0]["identical"]),
        (&"different".into(), &false.into())
    );
    let without = tree.run("codenet benchmark rows.jsonl --decisions none.jsonl --output none");
    without.fails_with(&["none.jsonl"]);

    let one = json!({"problems": ["q0", "q1"], "decision": "one", "author": "ada", "decided": "2026-01-31"});
    tree.write("one.jsonl", format!("{one}\n"));
    let cut = "codenet benchmark rows.jsonl --pairs 99 --solutions 1 --max-dead-code 1 --seed 1 --decisions one.jsonl";
    let told = tree.run(&format!("{cut} --output one")).success().stdout();
    assert!(told.contains("across splits: 0 near-duplicates, 0 identical problems"), "{told}");
    let manifest: Value =
        serde_json::from_slice(&fs::read(tree.at("one/manifest.json")).expect("it was written"))
            .expect("JSON");
    valid("codenet-benchmark", &manifest);
    let decided = (&manifest["filters"]["identical_problems"], &manifest["decisions"][0]["author"]);
    assert_eq!(decided, (&1.into(), &"ada".into()));
    tree.run("codenet benchmark rows.jsonl --manifest one/manifest.json --output two").success();
    // What fails in the middle leaves nothing behind.
    tree.write(
        "other.jsonl",
        fs::read_to_string(tree.at("rows.jsonl")).expect("a file").replace("len(", "int("),
    );
    let other = tree.run("codenet benchmark other.jsonl --manifest one/manifest.json --output in/three");
    other.fails_with(&["not the data of the manifest"]);
    assert_eq!(fs::read_dir(tree.at("in")).map(Iterator::count).ok(), Some(0));
    // Languages have the names that sets give them.
    tree.run("codenet benchmark rows.jsonl --lang C++ --output none")
        .fails_with(&["no sample is left of 0 samples"]);
    tree.run(&format!("{cut} --output one")).fails_with(&["one: the folder is not empty"]);
}

/// Steps of users are rows as other commands read them.
#[test]
fn steps_and_translations_come_from_one_set() {
    let tree = submissions();
    let told = tree.run("codenet evolution set --pairs all").success().stdout();
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 20);
    for row in &rows {
        valid("codenet-evolution", row);
    }
    let fixes = tree.run("codenet evolution set --format csv").success().stdout();
    assert!(fixes.starts_with("id,user_id,problem_id,language,from_submission,"), "{fixes}");
    assert_eq!(fixes.lines().count(), 6, "{fixes}");
    tree.run("codenet evolution set --pairs all --output steps.jsonl").success();
    let cut = "codenet benchmark steps.jsonl --rejected --pairs 99 --max-dead-code 1 --output next";
    tree.run(cut).success();
    let text = ["train", "valid", "test"]
        .map(|split| fs::read_to_string(tree.at(&format!("next/{split}.jsonl"))).expect("it was written"));
    assert!(text.concat().contains("\"to_status\":\"Accepted\""), "{text:?}");

    let java = json!({"id": "j", "problem_id": "p00001", "lang": "java", "code": "class A { int f; }"});
    fs::write(tree.at("java.jsonl"), format!("{java}\n")).expect("a file");
    let one = json!({"problems": ["p00003", "p00004"], "decision": "one", "author": "ada", "decided": "2026-01-31"});
    tree.write("one.jsonl", format!("{one}\n"));
    let translations =
        "codenet translations set java.jsonl --pairs 99 --from Java --to Python --decisions one.jsonl";
    let table = tree.run(&format!("{translations} --output pairs")).success().stdout();
    assert!(table.starts_with("split  problems"), "{table}");
    assert!(table.contains("left out: 1 identical problem"), "{table}");
    let manifest = fs::read(tree.at("pairs/manifest.json")).expect("it was written");
    valid("codenet-translations", &serde_json::from_slice(&manifest).expect("JSON"));
    tree.run(&format!("{translations} --output pairs")).fails_with(&["pairs: the folder is not empty"]);
    let same = "codenet translations set --from Java --to Java --output same";
    tree.run(same).fails_with(&["--to java: name another language"]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long"]
fn programs_do_what_their_status_says() {
    let tree = submissions();
    fs::remove_dir_all(tree.at("set/derived/input_output/data/p00005")).expect("it is there");
    let told = tree.run("codenet run set --of-each-problem 2").success().stdout();
    assert!(told.contains("without a sample, so not run: 2 submissions of 1 problem (p00005)"), "{told}");
    let run = tree.run("codenet run set --of-each-problem 2 --format ndjson").success().stdout();
    let rows: Vec<Value> = run.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 10);
    let (with, without) = rows.split_at(8);
    for row in without {
        assert_eq!(
            (&row["did"], &row["reason"]),
            (&"not-run".into(), &"its problem has no sample".into()),
            "{row}"
        );
    }
    for row in with {
        let accepted = row["status"] == "Accepted";
        let did = if accepted { "passed" } else { "wrong-output" };
        assert_eq!(
            (&row["did"], &row["agrees"]),
            (&did.into(), &if accepted { true.into() } else { Value::Null }),
            "{row}"
        );
    }
}
