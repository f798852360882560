//! `familiar benchmark sample`: any result is judged as a benchmark is.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::judging::{Server, assert_valid, familiar};

/// Copies of a function of so many lines, with other names.
fn copies(lines: usize, names: [&str; 2]) -> String {
    let body = |name: &str| {
        let rows =
            (0..lines - 2).map(|at| format!("    total += {name}.part_{at}(total, {at}) * {name}.rate\n"));
        format!("def sum_{name}({name}, total):\n{}    return total\n", rows.collect::<Vec<_>>().concat())
    };
    names.map(body).join("\n\n")
}

/// All judges say true of what is short, and false of what is long.
fn judge_all(folder: &Path, name: &str) {
    let server = Server::start_in(folder, name);
    for token in &server.tokens {
        loop {
            let (_, _, body) =
                Server::ask(&server.address, token, "POST", "/api/next", &json!({})).expect("an answer");
            let next: Value = serde_json::from_str(&body).expect("JSON");
            let Some(id) = next["pair"]["pair_id"].as_str() else { break };
            let is_short =
                next["pair"]["headings"][0].as_str().is_some_and(|it| it.starts_with("src/short_"));
            let (verdict, label) = if is_short { ("true", "copied") } else { ("false", "edited") };
            let said = json!({"said": {"pair_id": id, "verdict": verdict, "label": label}});
            let answer = Server::ask(&server.address, token, "POST", "/api/judgements", &said);
            assert_eq!(answer.map(|it| it.0), Some(200));
        }
    }
}

/// Whether the first row of a table names both places of a pair of the result.
fn is_of_first_row(table: &str, line: &str) -> bool {
    let pair: Value = serde_json::from_str(line).expect("JSON");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (head, row) = (lines.next().expect("a head"), lines.next().expect("a row"));
    let field = |name: String| row[head.iter().position(|it| *it == name).expect("a column")];
    let number = |name: String| field(name).parse::<u64>().ok();
    ["left", "right"].iter().all(|side| {
        pair[side]["path"] == field(format!("{side}_path"))
            && pair[side]["project"] == field(format!("{side}_project"))
            && pair[side]["start_line"].as_u64() == number(format!("{side}_start"))
            && pair[side]["end_line"].as_u64() == number(format!("{side}_end"))
    })
}

#[test]
fn pairs_of_a_result_are_judged_as_those_of_a_benchmark() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = familiar(folder.path(), &arguments).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    fs::create_dir(folder.path().join("src")).expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join("src").join(name), text).expect("a file");
    for at in 0..4 {
        write(&format!("short_{at}.py"), &copies(7 + at / 2, [&format!("a{at}"), &format!("b{at}")]));
    }
    for at in 0..3 {
        write(&format!("long_{at}.py"), &copies(15 + 2 * at, [&format!("c{at}"), &format!("d{at}")]));
    }
    for form in ["json", "ndjson"] {
        let clones =
            format!("clones src --min-tokens 20 --granularity function --format {form} --output r.{form} -q");
        assert!(run(&clones).0);
    }
    // The same classes, whatever the form.
    let strata = |text: &str| -> Vec<(String, u64)> {
        let drawn: Value = serde_json::from_str(text).expect("JSON");
        let of = |it: &Value| {
            (it["name"].as_str().unwrap_or_default().to_owned(), it["units"].as_u64().unwrap_or(0))
        };
        drawn["strata"].as_array().expect("strata").iter().map(of).collect()
    };
    let sample = "--strata lines:1-10,11- --judges ada,bob --labels copied,edited --seed 7 --format json";
    let drawn = run(&format!("benchmark sample s r.json {sample}"));
    assert!(drawn.0, "{}", drawn.2);
    let of_lines = run(&format!("benchmark sample lines r.ndjson {sample}"));
    assert_eq!(strata(&drawn.1), strata(&of_lines.1));
    assert!(
        strata(&drawn.1).iter().all(|(_, units)| *units > 0) && strata(&drawn.1).len() == 2,
        "{}",
        drawn.1
    );
    run(&format!("benchmark sample again r.json {sample}"));
    let rows =
        |name: &str| fs::read_to_string(folder.path().join(name).join("sample.jsonl")).expect("a sample");
    assert_eq!(rows("s"), rows("again"));
    assert_valid("sample-1", &serde_json::from_str(&drawn.1).expect("JSON"));
    for row in rows("s").lines() {
        assert_valid("sample-pair-1", &serde_json::from_str(row).expect("JSON"));
    }
    let unjudged = run("benchmark agree s --compare lines=1-10,lines=11-");
    assert!(!unjudged.0 && unjudged.2.contains("familiar benchmark judge"), "{}", unjudged.2);
    let missing = run("benchmark sample t none.json");
    assert!(missing.2.contains("cannot read none.json: there is no such file"), "{}", missing.2);
    judge_all(folder.path(), "s");
    let compared = "--compare lines=1-10,lines=11- --label edited --format json";
    let report: Value = serde_json::from_str(&run(&format!("benchmark agree s {compared}")).1).expect("JSON");
    assert_valid("judging-1", &report);
    let stratum = |name: &str| {
        let strata = report["strata"].as_array().expect("strata");
        strata.iter().find(|it| it["name"] == name).expect("a stratum").clone()
    };
    let (short, long) = (stratum("lines=1-10"), stratum("lines=11-"));
    assert_eq!((&short["rate"]["share"], &long["rate"]["share"]), (&json!(1.0), &json!(0.0)));
    assert_eq!(
        (&short["labels"]["copied"]["share"], &long["labels"]["edited"]["share"]),
        (&json!(1.0), &json!(1.0))
    );
    assert_eq!(report["difference"]["one"]["count"], 0);
    // A judgement says where both sides stand, in the words of the result.
    let table = run("benchmark agree s --export csv").1;
    let result = fs::read_to_string(folder.path().join("r.ndjson")).expect("a result");
    assert!(result.lines().any(|line| is_of_first_row(&table, line)), "{table}");
    fs::write(folder.path().join("j.csv"), &table).expect("a table");
    let added = run("benchmark agree again --import j.csv").1;
    assert!(added.starts_with(&format!("{} judgements added", 2 * rows("s").lines().count())), "{added}");
    // What is gone is named, and not drawn.
    fs::remove_file(folder.path().join("src/long_1.py")).expect("it was there");
    let (done, _, said) = run("benchmark sample gone r.json --per pair");
    assert!(done && said.contains("not drawn: src/long_1.py"), "{said}");
    assert!(run("benchmark sample gone r.json").2.contains("exists already"));
    assert!(run("benchmark sample other src/short_0.py").2.contains("familiar clones"));
}
