//! `familiar.toml`: where it is found, what wins, and what is wrong with it.

use crate::common::{Tree, counts, function, places};

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
        ("help = true", &["line 1", "help", "no such setting"]),
        ("types = [1", &["familiar.toml"]),
    ] {
        tree.write("familiar.toml", text);
        let run = tree.clones("");
        run.fails_with(&["familiar.toml"]);
        run.fails_with(parts);
    }
}
