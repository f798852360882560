//! `familiar trend`: figures of tags, without a work tree.

use crate::common::{Run, Tree, function, other_function, schema};
use serde_json::Value;

/// Three versions: no clone, one, and two with a file more that is data; and a branch without a tag.
fn repository() -> Tree {
    let tree = Tree::new(&[
        ("src/a.py", &function("f", "x", 0)),
        ("src/b.py", "print(1)\n"),
        ("data.json", "[1]\n"),
    ]);
    tree.git("init -q");
    let commit = |day: u32, message: &str| {
        tree.git("add -A --force");
        commit_on(&tree, day, message);
    };
    commit(3, "one");
    tree.git("tag v1.9");
    tree.write("src/b.py", function("g", "y", 1));
    commit(5, "two");
    tree.git("tag -a v1.10 -m two");
    tree.write(".gitignore", "lib/\n");
    tree.write("lib/c.py", other_function("read"));
    tree.write("lib/d.py", other_function("read"));
    commit(7, "three");
    tree.git("tag nightly/2024");
    tree.write("src/e.py", function("h", "z", 2));
    commit(9, "four");
    tree
}

fn commit_on(tree: &Tree, day: u32, message: &str) {
    let output = std::process::Command::new("git")
        .current_dir(tree.path())
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(["commit", "-qm", message])
        .env("GIT_COMMITTER_DATE", format!("2024-02-{day:02}T12:00:00Z"))
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn trend(tree: &Tree, arguments: &str) -> Run {
    tree.run(&format!("trend {arguments}"))
}

fn points(tree: &Tree, arguments: &str) -> Vec<Value> {
    let result = trend(tree, &format!("{arguments} --format json")).success().json();
    result["points"].as_array().expect("a list").clone()
}

/// Tag, files, classes.
fn rows(tree: &Tree, arguments: &str) -> Vec<(String, u64, u64)> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let row = |point: &Value| {
        let tag = point["tag"].as_str().expect("text").to_owned();
        (tag, number(&point["files"]), number(&point["classes"]))
    };
    points(tree, arguments).iter().map(row).collect()
}

fn row(tag: &str, files: u64, classes: u64) -> (String, u64, u64) {
    (tag.to_owned(), files, classes)
}

#[test]
fn each_tag_has_the_figures_of_its_files() {
    let tree = repository();
    // What is not committed is nobody's.
    tree.write("src/f.py", function("i", "z", 2).repeat(3));
    assert_eq!(rows(&tree, ""), [row("v1.9", 2, 0), row("v1.10", 2, 1), row("nightly/2024", 4, 2)]);
    assert_eq!(rows(&tree, "--last 2"), [row("v1.10", 2, 1), row("nightly/2024", 4, 2)]);
    assert_eq!(rows(&tree, "--tags v* --tags w*"), [row("v1.9", 2, 0), row("v1.10", 2, 1)]);
    assert_eq!(rows(&tree, "src --tags n*"), [row("nightly/2024", 2, 1)]);
    assert_eq!(rows(&tree, "lib --last 2"), [row("v1.10", 0, 0), row("nightly/2024", 2, 1)]);
    assert_eq!(rows(&tree, "--exclude lib/ --types 1 --last 1"), [row("nightly/2024", 2, 1)]);
    assert_eq!(rows(&tree, "--lang json --last 1"), [row("nightly/2024", 1, 0)]);
    let status = std::process::Command::new("git")
        .current_dir(tree.path())
        .args(["status", "--porcelain"])
        .output()
        .expect("git is installed");
    assert_eq!(String::from_utf8_lossy(&status.stdout), "?? src/f.py\n");
}

#[test]
fn figures_are_those_of_clones_in_a_folder_with_these_files() {
    let tree = repository();
    let point = &points(&tree, "--tags v1.10")[0];
    tree.git("checkout -q v1.10");
    let summary = tree.json("--exclude .git --no-ignore")["summary"].clone();
    for key in ["files", "lines", "duplicated_lines", "duplication", "classes"] {
        assert_eq!(point[key], summary[key], "{key}");
    }
    assert_eq!(point["time"], "2024-02-05T12:00:00Z");
    assert!(point["duplicated_lines"].as_u64() > Some(10));
}

#[test]
#[ignore = "long"]
fn json_is_valid_for_its_schema_and_the_same_every_time() {
    let tree = repository();
    tree.git("tag tree HEAD^{tree}");
    let result = trend(&tree, "--format json").success().json();
    let validator = schema("docs/formats/trend-1.schema.json", None);
    let errors: Vec<String> = validator.iter_errors(&result).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(result["skipped"][0]["tag"], "tree");
    for format in ["text", "json", "csv", "svg"] {
        let run = |threads: u32| trend(&tree, &format!("--format {format} --threads {threads}")).success();
        assert_eq!(run(1).stdout(), run(2).stdout(), "{format}");
    }
}

#[test]
fn tables_and_pictures_hold_every_tag() {
    let tree = repository();
    let text = trend(&tree, "").success().stdout();
    assert!(text.starts_with("tag ") && text.contains("v1.10         2024-02-05"), "{text}");
    let csv = trend(&tree, "--format csv").success().stdout();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("tag,commit,time,files,lines,"), "{csv}");
    trend(&tree, "--format svg --output trend.svg").success();
    let svg = std::fs::read_to_string(tree.at("trend.svg")).expect("it was written");
    for part in ["role=\"img\"", "<title>v1.10 (2024-02-05): ", "prefers-color-scheme:dark", "nightly/2024"] {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
}

#[test]
fn names_of_tags_are_no_markup_and_no_commands() {
    let tree = repository();
    let name = "<script>alert(1)</script>&\"'$(touch${IFS}stolen)\u{202e}";
    tree.git(&format!("tag {name} v1.10"));
    let svg = trend(&tree, "--format svg").success().stdout();
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;"), "{svg}");
    let text = trend(&tree, "").success().stdout();
    assert!(!text.contains('\u{202e}') && text.contains("\\u{202e}"), "{text}");
    let csv = trend(&tree, "--format csv").success().stdout();
    assert!(csv.contains(&name.replace('"', "\"\"")), "{csv}");
    assert!(!tree.at("stolen").exists());
}

#[test]
fn settings_of_clones_count_as_far_as_they_say_how_clones_are_found() {
    let tree = repository();
    tree.write("familiar.toml", "types = [1]\nformat = \"sarif\"\nfail-over = 0\nbaseline = \"none.json\"\n");
    assert_eq!(rows(&tree, "--tags v1.10"), [row("v1.10", 2, 1)]);
    assert_eq!(rows(&tree, "src --tags v1.10 --types 2"), [row("v1.10", 2, 1)]);
    tree.write("familiar.toml", "measure = \"cosine\"\n");
    trend(&tree, "").fails_with(&["line 1", "cosine"]);
}

#[test]
fn wrong_input_says_what_to_do() {
    let tree = repository();
    trend(&tree, "--tags w*").fails_with(&["no tag of . matches --tags w*", "git tag --list"]);
    trend(&tree, "--last 0").fails_with(&["--last 0", "at least 1"]);
    trend(&tree, "none").fails_with(&["cannot read none"]);
    trend(&tree, "src/a.py").fails_with(&["cannot read src/a.py"]);
    trend(&tree, "--types 1 --similarity 3").fails_with(&["--similarity 3"]);
    trend(&tree, "--format yaml").fails_with(&["text, json, csv, svg"]);
    let bare = Tree::new(&[("a.py", "x = 1\n")]);
    trend(&bare, "").fails_with(&[". is not in a git repository"]);
    bare.git("init -q");
    trend(&bare, "").fails_with(&[". has no tags", "git fetch --tags"]);
    bare.git(&format!("clone -q --depth 1 --no-tags file://{} copy", tree.path().display()));
    trend(&bare, "copy").fails_with(&["shallow clone without tags", "git fetch --unshallow --tags"]);
    // With a tag there is a trend, and a note.
    bare.git("-C copy fetch -q --depth 1 origin tag v1.10");
    let run = trend(&bare, "copy --quiet").success();
    assert_eq!(run.stderr(), "");
    assert!(trend(&bare, "copy").success().stderr().contains("tags may be missing"));
}

#[test]
fn a_tag_of_which_a_part_is_missing_is_left_out() {
    let tree = repository();
    let copy = Tree::new(&[]);
    tree.git("config uploadpack.allowFilter true");
    copy.git(&format!("clone -q --bare --filter=blob:none file://{} copy", tree.path().display()));
    trend(&copy, "copy").fails_with(&["no tag of copy can be read", "is missing", "--filter"]);
    // Files of one tag fetched: that one has figures.
    copy.git("-C copy archive --output=../one.tar v1.9");
    let run = trend(&copy, "copy --format csv").success();
    assert_eq!(run.stdout().lines().count(), 2);
    assert!(run.stderr().contains("left out: v1.10: object"), "{}", run.stderr());
    // A bare repository and a work tree say the same.
    tree.git("clone -q --bare . whole.git");
    let of = |path: &str| trend(&tree, &format!("{path} --format csv")).success().stdout();
    assert_eq!(of("whole.git"), of("."));
}
