//! `familiar.toml`: where it is found, what wins, and what is wrong with it.

use crate::common::{Run, Tree, counts, familiar, function, places};
use crate::server::{Server, answer};

#[test]
fn settings_stand_beside_the_code_and_a_flag_wins() {
    let tree = Tree::with_clones();
    tree.write("familiar.toml", "types = [1]\nmin-lines = 9\nexclude = [\"b/\"]\ncross-language = false\n");
    assert_eq!(counts(&tree.json("")), (0, 0));
    let result = tree.json("--types 1,2");
    assert_eq!(places(&result), ["a.py:1", "c.py:9"]);
    assert_eq!(result["settings"]["min_lines"], 9);
    // The nearest one counts, alone.
    tree.write("b/familiar.toml", "");
    assert_eq!(tree.json("b a.py")["settings"]["types"], serde_json::json!([1, 2, 3]));
    // From elsewhere, the one beside the code.
    let elsewhere = Tree::new(&[("familiar.toml", "types = [3]")]);
    let of = |path: &str| elsewhere.json(path)["settings"]["types"].clone();
    assert_eq!(of(&tree.path().display().to_string()), serde_json::json!([1]));
    // And without one there, that of the current folder.
    let bare = Tree::new(&[("a.py", "")]);
    assert_eq!(of(&bare.path().display().to_string()), serde_json::json!([3]));
}

#[test]
fn files_that_it_names_stand_beside_it() {
    let tree = Tree::with_clones();
    tree.clones("--format json --output base.json").success();
    tree.write("familiar.toml", "baseline = \"base.json\"\nfail-over = 0\n");
    assert_eq!(tree.run("clones b").code(), 0);
    tree.write("b/other.py", function("total", "items", 0).repeat(2));
    let mut command = crate::common::familiar();
    let output = command.current_dir(tree.at("b")).args(["clones", ".."]).output().expect("built");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_error_names_the_file_and_the_line() {
    let tree = Tree::with_clones();
    for (text, parts) in [
        ("min-tokens = 60\nmin_tokens = 60\n", &["line 2", "min_tokens", "no such setting"][..]),
        ("\nmeasure = \"cosine\"\n", &["line 2", "measure", "cosine", "aligned, token-overlap, lines"]),
        ("types = [1, 9]", &["line 1", "types", "9"]),
        ("measure = [\"lines\", \"aligned\"]", &["line 1", "measure", "one value"]),
        ("quiet = \"yes\"", &["line 1", "quiet", "true or false"]),
        ("min-lines = {a = 1}", &["line 1", "min-lines"]),
        ("format = \"jsn\"", &["line 1", "format", "jsn", "json"]),
        ("color = \"red\"", &["line 1", "color", "red"]),
        ("in = \"nowhere\"", &["in", "nowhere"]),
        ("between-projects = true\nbeside = [\".\"]", &["beside"]),
        ("help = true", &["line 1", "help", "no such setting"]),
        ("types = [1", &["familiar.toml"]),
        ("\nexclude = [\"a[\"]", &["line 2", "exclude", "a["]),
        ("format = \"jsn\"", &["line 1", "format", "jsn", "json"]),
        ("types = []", &["line 1", "types", "empty"]),
        ("[audit]\nalowed = []", &["line 2", "alowed"]),
        ("[license]\nfoo = 1", &["line 2", "foo"]),
    ] {
        tree.write("familiar.toml", text);
        let run = tree.clones("");
        run.fails_with(&["familiar.toml"]);
        run.fails_with(parts);
    }
}

#[test]
fn a_strangers_file_writes_nothing_and_sends_nothing() {
    let (outer, server) = (Tree::with_clones(), Server::start(|_, request| answer(request)));
    outer.write("victim.txt", "precious");
    outer.write("tree/a.py", function("total", "items", 0).repeat(2));
    let victim = outer.at("victim.txt").display().to_string();
    let api = format!("encoder = \"api:{}\"", server.address());
    for (text, verb) in [
        (format!("output = \"{victim}\""), "clones tree"),
        ("output = \"a.py\"".to_owned(), "clones tree"),
        (format!("types = [4]\n{api}"), "clones tree"),
        (format!("validate = 0.3\n{api}"), "trend tree"),
        ("types = [4]\nencoder = \"onnx:/model\"".to_owned(), "clones tree"),
        (format!("types = [4]\nencoder = \"weights:{victim}\""), "clones tree"),
        (format!("baseline = \"{victim}\""), "clones tree"),
        ("query = [\".\"]\nagainst = [\"../b\"]".to_owned(), "clones"),
        (format!("[audit]\noutput = \"{victim}\""), "audit tree --against tree"),
        (format!("[audit]\nnotices = \"{victim}\""), "audit tree --against tree"),
        ("[audit]\nagainst = [\"git:http://localhost/x\"]".to_owned(), "audit tree"),
        ("[audit]\nagainst = [\"../b\"]".to_owned(), "audit tree"),
    ] {
        outer.write("tree/familiar.toml", &text);
        let mut command = familiar();
        command.env("FAMILIAR_API_KEY", "k-1").args(verb.split(' '));
        command.current_dir(if verb == "clones" { outer.at("tree") } else { outer.path().to_owned() });
        let run = Run(command.output().expect("the command was built"));
        run.fails_with(&["familiar.toml", "line ", "command line"]);
        assert_eq!(std::fs::read_to_string(&victim).expect("it is there"), "precious", "{text}");
    }
    assert!(server.requests().is_empty());
    // What the command line says is the user's word.
    let flags = format!("tree --types 4 --min-tokens 20 --encoder api:{} --output r.txt", server.address());
    outer.write("tree/familiar.toml", "");
    outer.clones(&flags).success();
    assert!(!server.requests().is_empty() && outer.at("r.txt").exists());
}

#[test]
fn a_policy_that_nobody_would_read_is_an_error() {
    let tree = Tree::with_clones();
    for (text, parts) in [
        ("[Audit]\ndenied = ['*']", &["line 1: Audit", "did you mean [audit]?"][..]),
        ("denied = ['*']", &["line 1: denied", "under [audit]"]),
        ("[[audit.path]]\npaths = ['[']", &["path 1", "not a pattern"]),
        ("[[audit.accepted]]\nfingerprint = '9f2c'", &["accepted 1", "not a fingerprint"]),
    ] {
        tree.write("b/familiar.toml", text);
        // Each tree has a policy of its own.
        for paths in ["b", "a.py b"] {
            let run = tree.run(&format!("audit {paths} --against c.py"));
            run.fails_with(&["familiar.toml"]);
            run.fails_with(parts);
        }
    }
    for (text, part) in
        [("[license]\nfoo = 1", "foo"), ("[[license.conclude]]", "conclude"), ("concluded = 5", "concluded")]
    {
        tree.write("b/familiar.toml", text);
        tree.run("license b").fails_with(&["familiar.toml", "line ", part]);
    }
}
