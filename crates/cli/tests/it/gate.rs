//! `familiar clones` in continuous integration: thresholds, baselines, changed lines.

use crate::common::{Tree, counts, function, other_function, places};

#[test]
fn exit_codes_tell_findings_from_failures() {
    let tree = Tree::with_clones();
    let code = |flags: &str| tree.clones(flags).code();
    assert_eq!(code(""), 0);
    assert_eq!((code("--fail-over 0"), code("--fail-over 1")), (1, 0));
    // 27 of 35 lines.
    assert_eq!((code("--fail-over 50%"), code("--fail-over 90%")), (1, 0));
    assert_eq!(code("--fail-over some"), 2);
    assert_eq!((code("--no-such-flag"), code("--types 5"), code("--similarity 0")), (2, 2, 2));
    assert_eq!(tree.run("").code(), 2);
    assert_eq!((tree.run("--help").code(), tree.run("--version").code()), (0, 0));
}

#[test]
fn a_share_at_the_limit_is_not_over_it() {
    let code = "def f(items):\n    total = 0\n    for item in items:\n        if item.price > 100:\n            \
                total += item.price * 0.9\n        else: total += item.weight * 3 - item.free\n    return total / len(items)\n";
    let line = |number: u32| format!("x{number} = {number}\n");
    // Two copies of seven lines, and as many others as make them that share.
    for (percent, others) in [(7, 186), (14, 86), (28, 36), (56, 11)] {
        let lines: String = (0..others).map(line).collect();
        let tree = Tree::new(&[("a.py", code), ("b.py", &(code.to_owned() + &lines))]);
        let over = |limit: &str| tree.clones(&format!("--fail-over {limit}")).code();
        assert_eq!(tree.json("")["summary"]["duplicated_lines"], 14);
        assert_eq!((over(&format!("{percent}%")), over(&format!("{percent}.1%"))), (0, 0));
        assert_eq!(over(&format!("{}.9%", percent - 1)), 1);
    }
}

#[test]
fn a_file_of_several_paths_is_no_copy_of_itself() {
    let tree = Tree::new(&[
        ("one/a.py", &function("f", "x", 0)),
        ("one/sub/b.py", &other_function("read")),
        ("two/c.py", &other_function("read")),
    ]);
    for paths in ["one one/sub", "one one", "one one/a.py", "one/sub one", "one ./one/../one"] {
        let run = tree.clones(&format!("{paths} --fail-over 0 --format json"));
        assert_eq!((run.code(), &run.json()["summary"]["files"]), (0, &2.into()), "{paths}");
    }
    // What is given twice is on both sides.
    assert_eq!(counts(&tree.json("--query one --against one")), (0, 0));
    assert_eq!(places(&tree.json("--query one/sub --against .")), ["b.py:1", "two/c.py:1"]);
    assert_eq!(places(&tree.json("--query . --against one/sub")), ["two/c.py:1", "b.py:1"]);
    assert_eq!(places(&tree.json("--between-projects . one/sub")), ["two/c.py:1", "b.py:1"]);
}

#[test]
fn messages_of_wrong_flags_say_what_is_right() {
    let tree = Tree::with_clones();
    tree.clones("--similarity 2").fails_with(&["--similarity 2", "above 0 and at most 1"]);
    tree.clones("--memory 1K").fails_with(&["--memory", "at least"]);
    tree.clones("--measure cosine").fails_with(&["aligned, token-overlap, lines"]);
    tree.clones("--min-lines x").fails_with(&["'x' for '--min-lines <N>': give a whole number, such as 10"]);
    tree.write("familiar.toml", "min-tokens = -3\n");
    tree.clones("").fails_with(&["familiar.toml", "line 1", "give a whole number"]);
    std::fs::remove_file(tree.at("familiar.toml")).expect("it is ours");
    tree.clones("--baseline none.json").fails_with(&["none.json"]);
    tree.write("no.json", "{\"schema\": 1}");
    tree.clones("--baseline no.json")
        .fails_with(&["no.json is not a baseline", "--format json --output clones.json"]);
    // What holds something else is not written over.
    tree.write("clones.json", "[package]");
    tree.clones("--baseline clones.json").fails_with(&["clones.json is not", "--output baseline.json"]);
}

#[test]
fn a_baseline_accepts_what_it_holds_in_every_format() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output base.json").success();
    let quiet = tree.json("--baseline base.json --fail-over 0");
    assert_eq!(counts(&quiet), (0, 0));
    assert_eq!(quiet["fragments"], serde_json::json!([]));
    assert_eq!(
        (&quiet["summary"]["accepted"], &quiet["summary"]["duplicated_lines"]),
        (&1.into(), &0.into())
    );
    for format in ["ndjson", "bigcloneeval"] {
        assert_eq!(tree.clones(&format!("--baseline base.json --format {format}")).success().stdout(), "");
    }
    let text = tree.clones("--baseline base.json").success().stdout();
    assert!(text.contains("1 class (accepted by the baseline)"), "{text}");
    // Lines of what is accepted are duplicated all the same.
    assert!(text.starts_with("no other clones\n"), "{text}");
}

#[test]
fn what_is_accepted_is_counted_as_it_was_shown() {
    let (one, two) = (function("f", "x", 0), other_function("read"));
    let both = format!("{one}\n\n{two}");
    let tree = Tree::new(&[("a.py", &both), ("b.py", &both), ("c.py", &one)]);
    tree.clones("--granularity file,function --format json --output base.json").success();
    let all = tree.json("--granularity file,function");
    let summary = |result: &serde_json::Value| result["summary"].clone();
    assert_eq!((&summary(&all)["classes"], &summary(&all)["nested"]), (&1.into(), &2.into()));
    let flags = "--granularity file,function --baseline base.json";
    assert_eq!(summary(&tree.json(flags))["accepted"], 1);
    std::fs::remove_file(tree.at("b.py")).expect("it is ours");
    assert_eq!(summary(&tree.json(flags))["gone"], 1);
}

#[test]
fn moved_code_stays_accepted_and_a_further_copy_does_not() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output base.json").success();
    std::fs::remove_file(tree.at("a.py")).expect("it is ours");
    tree.write("elsewhere/z.py", format!("import os\n\n\n{}", function("total", "items", 0)));
    assert_eq!(tree.clones("--baseline base.json --fail-over 0").code(), 0);
    // One member less is no finding either.
    std::fs::remove_file(tree.at("elsewhere/z.py")).expect("it is ours");
    assert_eq!(tree.clones("--baseline base.json --fail-over 0").code(), 0);
    tree.write("a.py", function("total", "items", 0));
    tree.write("new.py", function("total", "items", 0));
    let run = tree.clones("--baseline base.json --fail-over 0 --format json");
    assert_eq!(run.code(), 1);
    assert!(places(&run.json()).contains(&"new.py:1".to_owned()));
    let csv = tree.clones("--baseline base.json --format csv").success().stdout();
    assert!(csv.contains("new.py"), "{csv}");
}

#[test]
fn a_new_class_is_reported_beside_accepted_ones() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output base.json").success();
    tree.write("d.py", other_function("read"));
    let result = tree.json("--baseline base.json");
    assert_eq!(places(&result), ["c.py:1", "d.py:1"]);
    let stream = tree.clones("--baseline base.json --format ndjson").success().stdout();
    assert_eq!(stream.lines().count(), 1, "{stream}");
    assert!(stream.contains("d.py"), "{stream}");
}

fn repository() -> Tree {
    let tree = Tree::new(&[
        ("sub/a.py", &(function("f", "x", 0) + "y = 1\n")),
        ("sub/b.py", &function("f", "x", 0)),
        ("c.py", &other_function("read")),
        ("sub/d.py", &other_function("read")),
    ]);
    tree.git("init -q");
    tree.git("add .");
    tree.git("commit -qm first");
    tree
}

#[test]
fn only_pairs_that_touch_changed_lines_count() {
    let tree = repository();
    let changed = |flags: &str| places(&tree.json(&format!("{flags} --changed-since HEAD")));
    assert!(changed("").is_empty());
    let text = |flags: &str| tree.clones(&format!("--changed-since HEAD {flags}")).success().stdout();
    assert!(text("").starts_with("no clones touch the lines that changed since HEAD\n"), "{}", text(""));
    // A change outside of the function is none of it, one inside is, and so is a line that went.
    tree.write("sub/a.py", function("f", "x", 0) + "y = 2\n");
    assert!(changed("").is_empty());
    let edited = function("f", "x", 0).replace("item.free", "item.gratis") + "y = 1\n";
    tree.write("sub/a.py", &edited);
    assert_eq!(changed(""), ["sub/a.py:1", "sub/b.py:1"]);
    let said = "1 class in 4 files touches the lines that changed since `HEAD`: it covers";
    assert!(text("--format markdown").contains(said), "{}", text("--format markdown"));
    assert_eq!(changed("sub"), ["a.py:1", "b.py:1"]);
    assert_eq!(changed("sub/b.py sub/a.py"), ["b.py:1", "a.py:1"]);
    tree.write("sub/a.py", function("f", "x", 0).replace("    \"\"\"Adds up.\"\"\"\n", "") + "y = 1\n");
    assert_eq!(changed("sub"), ["a.py:1", "b.py:1"]);
    let stream = tree.clones("--changed-since HEAD --format csv").success().stdout();
    assert_eq!(stream.lines().count(), 2, "{stream}");
}

#[test]
fn files_that_git_does_not_know_count_as_changed() {
    let tree = repository();
    tree.write("sub/new \u{fc}.py", other_function("read"));
    let result = tree.json("--changed-since HEAD");
    assert_eq!(places(&result), ["c.py:1", "sub/d.py:1", "sub/new \u{fc}.py:1"]);
    assert_eq!(tree.clones("--changed-since HEAD --format ndjson").success().stdout().lines().count(), 2);
}

#[test]
fn an_unusual_configuration_of_git_changes_nothing() {
    let tree = repository();
    tree.git("config diff.noprefix true");
    tree.git("config color.ui always");
    tree.git("config diff.interHunkContext 3");
    tree.write("sub/a.py", function("f", "x", 7));
    assert_eq!(places(&tree.json("--changed-since HEAD")), ["sub/a.py:1", "sub/b.py:1"]);
}

#[test]
fn files_that_git_takes_for_binary_or_ignores_count_as_changed() {
    let tree = repository();
    tree.write("sub/a.py", function("f", "x", 0).replace("item.free", "item.gratis") + "y = 1\n");
    tree.write(".gitattributes", "*.py -diff\n");
    assert_eq!(places(&tree.json("--changed-since HEAD")), ["sub/a.py:1", "sub/b.py:1"]);
    tree.git("checkout -q .");
    tree.write(".gitattributes", "");
    tree.write(".gitignore", "new.py\n");
    tree.write("new.py", other_function("read"));
    assert!(places(&tree.json("--changed-since HEAD")).is_empty());
    let result = tree.json("--changed-since HEAD --no-ignore");
    assert_eq!(places(&result), ["c.py:1", "new.py:1", "sub/d.py:1"]);
}

#[test]
fn a_revision_that_is_none_is_an_error_with_gits_words() {
    let tree = repository();
    tree.clones("--changed-since no-such-branch").fails_with(&["no-such-branch", "git says"]);
    tree.clones("--changed-since=--output=stolen").fails_with(&["--output=stolen"]);
    assert!(!tree.at("stolen").exists());
    Tree::with_clones().clones("--changed-since HEAD").fails_with(&["git says"]);
}
