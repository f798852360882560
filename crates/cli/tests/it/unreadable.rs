//! Sources and corpora that cannot be read, or not whole: what is told, and that nothing is lost.

use std::fs;

use serde_json::Value;

use crate::common::{Run, Tree, familiar, function, other_function};

/// A tree with a repository of two commits, and another file.
fn world() -> Tree {
    let tree = Tree::new(&[
        ("project/a.py", &function("total", "items", 0)),
        ("other/b.py", &other_function("read")),
    ]);
    tree.git("init -q project");
    for (file, name) in [("a.py", "first"), ("c.py", "second")] {
        tree.write(&format!("project/{file}"), function(name, "values", 3));
        tree.git("-C project add .");
        tree.git("-C project commit -q -m x");
    }
    tree
}

fn occurrences(tree: &Tree) -> Value {
    tree.run("corpus info ./c --format json").success().json()["occurrences"].clone()
}

#[test]
fn a_repository_that_lost_everything_keeps_its_places() {
    let tree = world();
    tree.run("corpus add ./c git:project --quiet").success();
    let before = occurrences(&tree);
    assert_eq!(before, 2);
    let git = tree.at("project/.git");
    fs::rename(git.join("objects"), git.join("gone")).expect("it is there");
    fs::create_dir(git.join("objects")).expect("it is ours");
    tree.run("corpus update ./c").fails_with(&["project", "leads to a commit that can be read", "git fsck"]);
    assert_eq!(occurrences(&tree), before);
    fs::remove_dir(git.join("objects")).expect("it is ours");
    fs::rename(git.join("gone"), git.join("objects")).expect("it is there");
    fs::remove_dir_all(git.join("refs/heads")).expect("it is there");
    fs::write(git.join("HEAD"), "ref: refs/heads/none\n").expect("it is ours");
    tree.run("corpus update ./c").fails_with(&["project", "no branches and no tags"]);
    assert_eq!(occurrences(&tree), before);
}

#[test]
fn sources_that_are_missing_do_not_stop_the_others() {
    let tree = world();
    tree.write("list", "other\nno/such\n");
    let run = tree.run("corpus add ./c project no/where list:list --format json");
    run.fails_with(&["cannot read no/where", "list: line 2: cannot read no/such"]);
    let change: Value = serde_json::from_str(&run.stdout()).expect("it is JSON");
    assert_eq!(change["added"].as_array().map(Vec::len), Some(2));
    assert_eq!(change["failed"].as_array().map(Vec::len), Some(2));
    tree.run("corpus add ./d no/where").fails_with(&["cannot read no/where"]);
    assert!(!tree.at("d").exists());
}

#[test]
fn a_corpus_that_cannot_be_read_is_listed_with_the_reason() {
    let tree = world();
    for name in ["./home/broken", "./home/sound"] {
        tree.run(&format!("corpus add {name} other --quiet")).success();
    }
    tree.write("home/broken/manifest.json", "{");
    let list = |format: &str| {
        let mut command = familiar();
        command.env("FAMILIAR_HOME", tree.at("home")).args(["corpus", "list", "--format", format]);
        Run(command.output().expect("the command was built")).success()
    };
    let text = list("text").stdout();
    assert!(text.starts_with("broken cannot be read: ") && text.ends_with("\nsound\n"), "{text}");
    let json = list("json").json();
    assert_eq!(json["corpora"], serde_json::json!(["broken", "sound"]));
    assert_eq!(json["errors"].as_object().expect("an object").len(), 1);
}

#[test]
fn a_segment_that_is_gone_comes_back_by_rebuild() {
    let tree = world();
    tree.run("corpus add ./c other --quiet").success();
    let segments = fs::read_dir(tree.at("c/segments")).expect("a folder");
    segments.for_each(|file| fs::remove_file(file.expect("it is there").path()).expect("it is ours"));
    tree.run("find other/b.py --in ./c").fails_with(&["cannot read", "familiar corpus rebuild"]);
    tree.run("corpus rebuild ./c --quiet").success();
    tree.run("find other/b.py --in ./c").success();
}

#[test]
fn a_shallow_clone_says_nothing_of_who_was_first() {
    let tree = world();
    tree.git("-C project commit -q --allow-empty -m y");
    tree.git(&format!("clone -q --depth 1 file://{} shallow", tree.at("project").display()));
    tree.run("corpus add ./c git:shallow --quiet").success();
    let report = tree.run("find project/a.py --in ./c --format json").success().json();
    assert_eq!(report["origin"]["known"], false);
    assert!(report["origin"]["reason"].as_str().expect("text").contains("shallow clone"), "{report}");
    assert_eq!(report["blobs"][0]["occurrences"][0]["evidence"], "none");
}

#[test]
fn lines_that_comments_leave_out_are_counted() {
    let tree = Tree::new(&[("app/a.py", &function("total", "items", 0))]);
    tree.run("corpus add ./c app --quiet").success();
    let ignored =
        format!("# familiar:ignore-start\n{}# familiar:ignore-end\n", function("total", "items", 0));
    tree.write("app/a.py", ignored);
    for format in ["text", "markdown"] {
        let said = tree.run(&format!("audit app --against ./c --format {format}")).success().stdout();
        assert!(said.contains("lines are left out because of familiar:ignore comments"), "{said}");
    }
    let added = tree.run("corpus add ./d app").success().stdout();
    assert!(added.contains("lines left out (familiar:ignore comments)"), "{added}");
    let info = tree.run("corpus info ./d --format json").success().json();
    assert!(info["ignored_lines"].as_u64().is_some_and(|lines| lines >= 9), "{info}");
}

#[test]
fn a_file_whose_name_is_no_text_is_told_with_its_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let tree = world();
    tree.run("corpus add ./c other --quiet").success();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.py");
    fs::copy(tree.at("other/b.py"), tree.at("other").join(name)).expect("it can be written");
    let rows = tree.run("find other --in ./c --format ndjson").success().stdout();
    let row = rows.lines().find(|row| row.contains("bad")).expect("it is there");
    let query = &serde_json::from_str::<Value>(row).expect("it is JSON")["query"];
    assert_eq!(query["path"], "other/bad%FF.py");
    assert!(query["path_bytes"].as_array().expect("a list").contains(&255.into()), "{query}");
}

#[test]
fn a_project_that_the_corpus_does_not_have_is_told() {
    let tree = world();
    tree.run("corpus add ./c other --quiet").success();
    let said = |project: &str| tree.run(&format!("find other/b.py --in ./c --project {project}")).success();
    assert_eq!(said("other").stderr(), "");
    assert!(
        said("othr").stderr().contains("no project othr (did you mean other?)"),
        "{}",
        said("othr").stderr()
    );
}
