//! `familiar find`, `familiar fingerprint` and `familiar clones --in`.

use std::path::Path;

use crate::common::{Tree, familiar, other_function};
use gix::objs::{Kind, Write as _};
use serde_json::{Value, json};

/// A function of some lines; `salt` makes its operators its own.
fn function(name: &str, variable: &str, salt: usize) -> String {
    let operators = ["+", "-", "*", "//", "%", "|", "&", "^"];
    let line = |number: usize| {
        let operator = |at: usize| operators[(number * 7 + salt * at + number * number) % operators.len()];
        let (first, second, third) = (operator(1), operator(2), operator(3));
        format!(
            "    total = total {first} {variable}[{number}] {second} compute({variable} {third} {number})\n"
        )
    };
    let lines: String = (0..12).map(line).collect();
    format!("def {name}({variable}):\n    total = {salt}\n{lines}    return total\n")
}

/// A corpus of these files.
fn world(files: &[(&str, &str)], sources: &str) -> Tree {
    let tree = Tree::new(files);
    tree.run(&format!("corpus add --quiet ./corpus {sources}")).success();
    tree
}

/// The result of a command on the corpus.
fn json(tree: &Tree, arguments: &str) -> Value {
    tree.run(&format!("{arguments} --in ./corpus --format json")).success().json()
}

/// The result of `find`, checked against its schema.
pub(crate) fn find(tree: &Tree, arguments: &str) -> Value {
    let found = json(tree, &format!("find {arguments}"));
    let schema = include_str!("../../../../docs/formats/find-1.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&found).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    found
}

#[test]
fn exact_renamed_edited_and_partial_copies_are_told_apart() {
    let original = function("first", "data", 3);
    let other = function("second", "rows", 5);
    let file = format!("import os\n\n{original}\n{other}");
    let world = world(&[("a/one.py", &file), ("b/far.py", &function("third", "x", 6))], "a b");
    let ask = |text: &str| {
        world.write("query.py", text);
        let found = find(&world, "query.py");
        let best = &found["blobs"][0];
        (
            best["occurrences"][0]["path"] == "one.py",
            best["type"].as_u64().expect("a number"),
            best["coverage"].as_f64().expect("a number"),
            best["matched_lines"].clone(),
        )
    };
    assert_eq!(ask(&file), (true, 1, 1.0, json!([[1, 33, 1, 33]])));
    assert_eq!(ask(&original), (true, 1, 1.0, json!([[1, 15, 3, 17]])));
    let renamed = original.replace("data", "values").replace("total", "sum");
    assert_eq!(ask(&renamed), (true, 2, 1.0, json!([[1, 15, 3, 17]])));
    let edited: String = original
        .lines()
        .enumerate()
        .map(|(at, line)| if at % 5 == 4 { "    log(total)\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let (found, clone_type, coverage, _) = ask(&edited);
    assert!(found && clone_type == 3 && coverage > 0.7, "{coverage}");
    let part = format!("{original}\n{}", other_function("unknown"));
    let (found, clone_type, coverage, lines) = ask(&part);
    assert!(found && clone_type == 1 && (0.5..0.95).contains(&coverage), "{coverage} {lines}");
}

#[test]
fn lines_standard_input_and_folders_can_be_asked_for() {
    let (one, two) = (function("one", "a", 3), function("two", "b", 5));
    let asked = format!("{two}\n{one}");
    let world = world(&[("a/one.py", &one), ("asked/x.py", &asked), ("asked/y.txt", "no code")], "a");
    let lines = find(&world, "asked/x.py:17-31");
    assert_eq!(lines["query"]["start_line"], 17);
    assert_eq!(lines["blobs"][0]["coverage"], 1.0);
    assert_eq!(lines["blobs"][0]["matched_lines"], json!([[17, 31, 1, 15]]));
    let text = world.run("find asked/x.py:17-31 --in ./corpus").success().stdout();
    assert!(text.starts_with("100% of asked/x.py:17-31, Type-1"), "{text}");
    let folder = find(&world, "asked --coverage 0.2");
    assert_eq!(folder["queries"].as_array().map(Vec::len), Some(1));
    assert_eq!(folder["queries"][0]["blobs"][0]["occurrences"][0]["path"], "one.py");
    for arguments in [&["find", "-", "--lang", "python", "--in"][..], &["find", "-", "--in"]] {
        let command =
            familiar().args(arguments).arg(world.at("corpus")).write_stdin(one.as_str()).assert().success();
        let text = String::from_utf8_lossy(&command.get_output().stdout).into_owned();
        assert!(text.starts_with("100% of -, Type-1") && text.contains("a: one.py"), "{text}");
    }
}

#[test]
fn lines_of_several_files_can_be_asked_for_and_standard_input_alone() {
    let (one, two) = (function("one", "a", 3), function("two", "b", 5));
    let asked = format!("{two}\n{one}");
    let world = world(&[("a/one.py", &one), ("x.py", &asked), ("y.py", &asked)], "a");
    let found = find(&world, "x.py:17-31 y.py");
    let lines = |at: usize| {
        (&found["queries"][at]["query"]["start_line"], &found["queries"][at]["query"]["end_line"])
    };
    assert_eq!(lines(0), (&json!(17), &json!(31)));
    assert_eq!(lines(1).0, &json!(1));
    let run = world.run("find - x.py --in ./corpus");
    run.fails_with(&["standard input) can only be looked up alone"]);
    world.run("find x.py --in https://example.org/world").fails_with(&["a corpus on this machine"]);
}

#[test]
fn the_lines_that_were_asked_for_stand_in_the_answer() {
    let code = function("one", "a", 3);
    let tree = Tree::new(&[("a/m.py", &code), ("q.py", &code)]);
    tree.run("corpus add --quiet ./corpus a").success();
    let head = |query: &str| {
        let text = tree.run(&format!("find {query} --in ./corpus")).success().stdout();
        text.split(',').next().unwrap_or_default().to_owned()
    };
    let lines = code.lines().count();
    assert_eq!(head(&format!("q.py:1-{lines}")), format!("100% of q.py:1-{lines}"));
    assert_eq!(head("q.py"), "100% of q.py");
}

#[test]
fn folders_of_one_name_are_projects_of_their_own() {
    let one = function("one", "a", 3);
    let other = format!("# Mine.\n{one}");
    let tree = Tree::new(&[("one/src/main.py", &one), ("two/src/main.py", &other)]);
    tree.run("corpus add --quiet ./corpus one/src two/src").success();
    let found = find(&tree, "one/src/main.py");
    let blobs = found["blobs"].as_array().expect("a list");
    assert_eq!(blobs.len(), 2, "{found}");
    let source = |at: usize| blobs[at]["occurrences"][0]["source"].as_str().expect("it is told");
    assert!(source(0) != source(1) && source(0).ends_with("/src"), "{found}");
    let text = tree.run("find one/src/main.py --in ./corpus").success().stdout();
    assert!(text.contains("one/src") && text.contains("two/src"), "{text}");
    tree.run("corpus remove ./corpus two/src").success();
    assert_eq!(find(&tree, "one/src/main.py")["blobs"][0]["occurrences"][0]["source"], Value::Null);
}

#[test]
fn what_stands_nowhere_any_more_says_nothing() {
    let (one, two) = (function("one", "a", 3), function("two", "b", 5));
    let both = format!("{one}{two}");
    let tree = Tree::new(&[("a/m.py", &one), ("b/m.py", &both), ("q.py", &both)]);
    tree.run("corpus add --quiet ./corpus a b").success();
    tree.run("corpus remove ./corpus b").success();
    let info = || tree.run("corpus info ./corpus --format json").success().json();
    let schema = crate::common::schema("docs/formats/corpus-1.schema.json", None);
    crate::common::assert_valid(&schema, &info());
    let counts =
        |info: &Value| ["blobs", "fragments", "bytes"].map(|key| info[key].as_u64().expect("a number"));
    let before = info();
    assert_eq!((counts(&before), &before["unused_blobs"]), ([1, 3, one.len() as u64], &json!(1)));
    let text = tree.run("corpus info ./corpus").success().stdout();
    assert!(text.contains("1 file has no place anymore and takes space until"), "{text}");
    let found = find(&tree, "q.py");
    assert_eq!((&found["origin"]["project"], &found["more_blobs"]), (&json!("a"), &json!(0)));
    assert_eq!(find(&tree, "q.py --limit 1")["more_blobs"], 0);
    tree.run("corpus merge ./corpus").success();
    assert_eq!((counts(&info()), info().get("unused_blobs")), (counts(&before), None));
}

#[test]
fn versions_of_one_file_do_not_hide_others() {
    let base = function("first", "data", 3);
    let tree = Tree::new(&[("other/copy.py", &base)]);
    std::fs::create_dir(tree.at("mine")).expect("it can be made");
    tree.git("init -q mine");
    let mut text = base.clone();
    for version in 0..12 {
        text += "\n\n";
        text += &function(&format!("more_{version}"), "rows", version + 4);
        std::fs::write(tree.at("mine/x.py"), &text).expect("it can be written");
        tree.git("-C mine add .");
        tree.git("-C mine commit -qm x");
    }
    std::fs::write(tree.at("q.py"), &base).expect("it can be written");
    tree.run("corpus add --quiet ./corpus git:mine other").success();
    let listed = |limit: usize| {
        let found = find(&tree, &format!("q.py --limit {limit}"));
        let blobs = found["blobs"].as_array().expect("a list").clone();
        let projects = blobs.iter().map(|blob| blob["occurrences"][0]["project"].to_string());
        let all = blobs.iter().map(|blob| 1 + blob["versions"].as_array().map_or(0, Vec::len));
        let all: u64 = all.sum::<usize>() as u64 + found["more_blobs"].as_u64().expect("a number");
        assert_eq!(all, 13, "what is not listed is counted: {found}");
        projects.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!([listed(1), listed(2), listed(100)], [1, 2, 2]);
    let text = tree.run("find mine/x.py --in ./corpus").success().stdout();
    assert!(text.contains("mine: x.py") && text.contains("other: copy.py"), "{text}");
}

#[test]
fn a_block_is_found_by_itself() {
    let inner = "    a = first(x)\n    b = second(a, x)\n    c = third(b, a)\n    return c - b\n";
    let (left, right) = (format!("def f(x):\n{inner}"), format!("class A:\n  def g(self, x, y=2):\n{inner}"));
    let world = world(&[("a/one.py", &left), ("query.py", &right)], "a");
    assert_eq!(find(&world, "query.py")["blobs"][0]["type"], 3, "the functions around it are similar");
    let best = &find(&world, "query.py --granularity block")["blobs"][0];
    assert_eq!((&best["type"], &best["matched_lines"]), (&json!(1), &json!([[3, 6, 2, 5]])));
}

#[test]
fn who_had_it_first_does_not_depend_on_what_is_listed() {
    let (new, old) = (function("first", "data", 3), function("first", "rows", 3));
    let tree = Tree::new(&[("new/x.py", &new), ("old/x.py", &old)]);
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
    let file = std::fs::File::options().write(true).open(tree.at("old/x.py")).expect("just made");
    file.set_modified(time).expect("it is ours");
    tree.run("corpus add --quiet ./corpus new old").success();
    let found = find(&tree, "new/x.py --limit 1");
    assert_eq!(
        (&found["blobs"][0]["occurrences"][0]["project"], &found["more_blobs"]),
        (&json!("new"), &json!(1))
    );
    assert_eq!(found["origin"]["project"], "old");
    assert_eq!(find(&tree, "new/x.py --limit 1 --project new")["more_blobs"], 0);
}

#[test]
fn blocks_of_one_document_are_no_versions_of_one_another() {
    let code = function("first", "data", 3);
    let document = format!("# A\n\n```python\n{code}```\n\n```python\n{}```\n", code.replace("data", "rows"));
    let world = world(&[("docs/a.md", &document), ("query.py", &code)], "docs:docs");
    let found = find(&world, "query.py");
    let lines = |at: usize| found["blobs"][at]["occurrences"][0]["first_line"].clone();
    assert_eq!([lines(0), lines(1)], [json!(4), json!(22)]);
}

/// A repository of commits, each of which holds these files; its path.
fn repository(tree: &Tree, name: &str, commits: &[(u32, &[(&str, &str)])]) -> String {
    let repository = gix::init_bare(tree.at(name)).expect("an empty folder");
    let write = |kind, bytes: &[u8]| repository.objects.write_buf(kind, bytes).expect("it can be written");
    let mut parent = String::new();
    for (time, files) in commits {
        let mut entries = Vec::new();
        for (path, text) in *files {
            let blob = write(Kind::Blob, text.as_bytes());
            entries.extend([b"100644 ", path.as_bytes(), b"\0", blob.as_bytes()].concat());
        }
        let files = write(Kind::Tree, &entries);
        let who = format!("Ann <ann@example.org> {time} +0000");
        let text = format!("tree {files}\n{parent}author {who}\ncommitter {who}\n\nx\n");
        let commit = write(Kind::Commit, text.as_bytes());
        parent = format!("parent {commit}\n");
        std::fs::write(repository.path().join("refs/heads/main"), format!("{commit}\n"))
            .expect("it can be written");
    }
    name.to_owned()
}

#[test]
fn forks_are_one_witness() {
    let (code, edited) = (function("first", "data", 3), function("first", "rows", 3));
    let tree = Tree::new(&[("query.py", &code)]);
    let first: (u32, &[(&str, &str)]) = (1000, &[("x.py", &code)]);
    let fork = repository(&tree, "a-fork.git", &[first, (2000, &[("x.py", &edited)])]);
    let more: (u32, &[(&str, &str)]) = (3000, &[("x.py", &code), ("y.py", "y = 1\n")]);
    let main = repository(&tree, "main.git", &[first, more, (4000, &[("x.py", &code)])]);
    let other = repository(&tree, "other.git", &[(5000, &[("z.py", &code)])]);
    tree.run(&format!("corpus add --quiet ./corpus {fork} {main} {other}")).success();
    let found = find(&tree, "query.py");
    assert_eq!(found["blobs"].as_array().map(Vec::len), Some(1), "the fork's version is one of this file");
    let best = &found["blobs"][0];
    assert_eq!((&best["projects"], best["versions"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    let places: Vec<_> = best["occurrences"].as_array().expect("a list").iter().collect();
    let families: Vec<_> = places.iter().map(|place| (&place["project"], &place["family"])).collect();
    let (a_fork, name, alone) = (json!("a-fork"), json!("main"), json!("other"));
    assert_eq!(families, [(&a_fork, &name), (&name, &name), (&alone, &Value::Null)]);
    assert_eq!(found["origin"]["project"], "main");
    assert_eq!(found["origin"]["reason"], "the date of its commit is the earliest, and 1 fork shares it");
    let text = tree.run("find query.py --in ./corpus").success().stdout();
    assert!(
        text.contains(", and 1 fork\n") && text.contains("committed ") && !text.contains("a-fork:"),
        "{text}"
    );
}

#[test]
#[ignore = "long"]
fn versions_of_a_file_are_one_result_though_it_was_renamed() {
    let (code, without) = (function("first", "data", 3), other_function("unknown"));
    let (old, new) = (format!("{code}\n# old\n"), format!("import os\n\n{code}"));
    let tree = Tree::new(&[("query.py", &code)]);
    let history: [(u32, &[(&str, &str)]); 4] = [
        (1000, &[("old.py", &old)]),
        (2000, &[("old.py", &without)]),
        (3000, &[("new.py", &without)]),
        (4000, &[("new.py", &new)]),
    ];
    let project = repository(&tree, "project.git", &history);
    let fork = repository(&tree, "fork.git", &history[..1]);
    tree.run(&format!("corpus add --quiet ./corpus {project} {fork}")).success();
    for _ in 0..2 {
        let found = find(&tree, "query.py");
        let paths = |blob: &Value| blob["occurrences"][0]["path"].as_str().expect("a path").to_owned();
        assert_eq!(found["blobs"].as_array().map(Vec::len), Some(1));
        let best = &found["blobs"][0];
        let mut both = [paths(best), paths(&best["versions"][0])];
        both.sort();
        assert_eq!(both, ["new.py", "old.py"]);
        tree.run("corpus rebuild ./corpus").success();
    }
}

#[test]
fn a_file_in_the_place_of_a_renamed_one_is_a_result_of_its_own() {
    let code = function("first", "data", 3);
    let [old, moved, other] =
        ["old", "moved", "other"].map(|text| format!("{}\n{code}", other_function(text)));
    let tree = Tree::new(&[("query.py", &code)]);
    let history: [(u32, &[(&str, &str)]); 4] = [
        (1000, &[("a.py", &old)]),
        (2000, &[("b.py", &old)]),
        (3000, &[("a.py", &other), ("b.py", &old)]),
        (4000, &[("a.py", &other), ("b.py", &moved)]),
    ];
    let project = repository(&tree, "project.git", &history);
    tree.run(&format!("corpus add --quiet ./corpus {project}")).success();
    let found = find(&tree, "query.py");
    let path = |blob: &Value| {
        let places = blob["occurrences"].as_array().expect("a list");
        places.last().expect("a place")["path"].as_str().expect("a path").to_owned()
    };
    let result = |blob: &Value| {
        let versions = blob["versions"].as_array().into_iter().flatten().map(path);
        std::iter::once(path(blob)).chain(versions).collect::<Vec<_>>()
    };
    let mut results: Vec<_> = found["blobs"].as_array().expect("a list").iter().map(result).collect();
    results.sort();
    assert_eq!(results, [vec!["a.py"], vec!["b.py", "b.py"]]);
}

#[test]
fn what_was_handed_out_is_marked_and_is_nobodys() {
    let (given, own) = (function("first", "data", 3), function("second", "rows", 5));
    let files =
        [("work/ann/a.py", &given), ("template/t.py", &given), ("work/bob/b.py", &own), ("query.py", &own)];
    let tree = Tree::new(&files.map(|(path, text)| (path, text.as_str())));
    tree.run("corpus add --quiet ./corpus submissions:work --base template").success();
    let found = find(&tree, "template/t.py");
    let marks = |found: &Value| -> Vec<(String, bool)> {
        let places = found["blobs"][0]["occurrences"].as_array().expect("a list").iter();
        places
            .map(|place| (place["project"].as_str().expect("a name").to_owned(), place["base"] == true))
            .collect()
    };
    assert_eq!(marks(&found), [("ann".to_owned(), false), ("template".to_owned(), true)]);
    assert_eq!(found["origin"]["known"], false);
    assert_eq!(found["origin"]["project"], "ann");
    assert!(
        found["origin"]["reason"].as_str().is_some_and(|reason| reason.contains("template code of template"))
    );
    let text = tree.run("find template/t.py --in ./corpus").success().stdout();
    assert!(text.contains("template: t.py (template code)"), "{text}");
    assert_eq!(marks(&find(&tree, "query.py")), [("bob".to_owned(), false)]);
    for filter in ["--project ann", "--since 2000-01-01 --project ann"] {
        let filtered = find(&tree, &format!("template/t.py {filter}"));
        assert_eq!(marks(&filtered), [("ann".to_owned(), false)]);
        assert_eq!(filtered["origin"], found["origin"], "what is listed does not say whose it is");
    }
}

#[test]
fn fingerprints_ask_without_the_code() {
    let original = function("first", "data", 3);
    let renamed = original.replace("data", "values");
    let world = world(&[("a/one.py", &original), ("secret.py", &renamed)], "a");
    world.run("fingerprint secret.py --output secret.fp").success();
    let written = std::fs::read_to_string(world.at("secret.fp")).expect("just written");
    assert!(!written.contains("values") && !written.contains("compute"), "{written}");
    let found = find(&world, "--fingerprints secret.fp");
    let best = &found["queries"][0]["blobs"][0];
    assert_eq!((&best["occurrences"][0]["path"], &best["type"]), (&json!("one.py"), &json!(2)));
    assert!(best["coverage"].as_f64() > Some(0.9), "{best}");
}

#[test]
fn clones_in_a_corpus_are_pairs_of_places() {
    let (shared, own) = (function("shared", "a", 3), function("own", "b", 5));
    let inside = format!("{own}\n{own}").replacen("own", "twin", 1);
    let world = world(&[("a/x.py", &shared), ("b/y.py", &shared), ("b/z.py", &inside)], "a b");
    let pairs = |arguments: &str| -> Vec<(String, String)> {
        let result = json(&world, &format!("clones --granularity function {arguments}"));
        let fragments = result["fragments"].as_array().expect("a list").clone();
        let roots = result["settings"]["roots"].clone();
        let place = |id: &Value| {
            let fragment = &fragments[id.as_u64().expect("a number") as usize];
            let root = roots[fragment["root"].as_u64().expect("a number") as usize].as_str().expect("a name");
            assert!(fragment["blob"].as_str().is_some_and(|blob| blob.starts_with("swh:1:cnt:")));
            format!("{root}/{}", fragment["path"].as_str().expect("a path"))
        };
        let pairs = result["pairs"].as_array().expect("a list");
        pairs.iter().map(|pair| (place(&pair["left"]), place(&pair["right"]))).collect()
    };
    let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
    assert_eq!(pairs(""), [pair("a/x.py", "b/y.py"), pair("b/z.py", "b/z.py")]);
    assert_eq!(pairs("--between-projects"), [pair("a/x.py", "b/y.py")]);
}

#[test]
fn what_cannot_be_asked_says_what_to_do() {
    let world = world(&[("a/one.py", "x = 1\n"), ("data.bin", "\0\0"), ("prose.txt", "Words.")], "a");
    world.write("empty.py", "");
    for (arguments, expected) in [
        ("find a/one.py --in ./nothing", "nothing"),
        ("find missing.py --in ./corpus", "missing.py"),
        ("find data.bin --in ./corpus --lang python", "binary"),
        ("find prose.txt --in ./corpus", "--lang"),
        ("find - --in ./corpus", "standard input is empty"),
        ("find empty.py --in ./corpus", "empty.py: there is no code in it"),
        ("find a/one.py:5-9 --in ./corpus", "no code on lines 5 to 9"),
        ("find a/one.py:5-3 --in ./corpus", "the end, line 3, comes before the start, line 5"),
        ("find a:1-3 --in ./corpus", "a:1-3: a folder has no lines; name a file"),
        ("find a/one.py --in ./corpus --measure lines", "token-overlap"),
        ("find a/one.py --in ./corpus --encoder bultin", "there is no encoder bultin"),
        ("clones --in ./corpus a", "--in"),
        ("clones --in ./corpus --exclude a", "--exclude"),
    ] {
        world.run(arguments).fails_with(&[expected]);
    }
    let told = world.run("find a/one.py --in ./corpus --min-tokens 10").stderr();
    assert!(told.contains("--min-tokens 10 counts as 40"), "{told}");
}

#[test]
#[ignore = "long"]
fn a_flipped_bit_in_a_segment_is_an_error_and_no_answer() {
    let original = function("first", "data", 3);
    let world = world(&[("a/one.py", &original)], "a");
    let segments = std::fs::read_dir(world.at("corpus/segments")).expect("a folder");
    let files: Vec<_> = segments.map(|entry| entry.expect("just made").path()).collect();
    assert_eq!(files.len(), 2);
    for file in files {
        let whole = std::fs::read(&file).expect("just made");
        for at in (0..whole.len()).step_by(41) {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            std::fs::write(&file, &flipped).expect("just made");
            check_damaged(&world, &file);
        }
        std::fs::remove_file(&file).expect("just made");
    }
    world.run("corpus rebuild ./corpus").success();
    world.run("corpus verify ./corpus").success();
    assert_eq!(find(&world, "a/one.py")["blobs"][0]["type"], 1);
}

fn check_damaged(world: &Tree, file: &Path) {
    let output =
        familiar().args(["find", "--in"]).arg(world.at("corpus")).arg(world.at("a/one.py")).assert().code(2);
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    assert!(error.contains(&name) && error.contains("corpus rebuild"), "{error}");
}

#[test]
fn segments_of_another_layout_are_written_again_by_a_rebuild() {
    let world = world(&[("a/one.py", &function("first", "data", 3))], "a");
    let segments = std::fs::read_dir(world.at("corpus/segments")).expect("a folder");
    for file in segments.map(|entry| entry.expect("just made").path()) {
        let mut bytes = std::fs::read(&file).expect("just made");
        assert!(bytes.starts_with(b"familiar 1\r\n"));
        bytes[9] = b'9';
        std::fs::write(&file, bytes).expect("it is ours");
    }
    world.run("find a/one.py --in ./corpus").fails_with(&[
        "segments/",
        "has layout 9",
        "familiar corpus rebuild",
    ]);
    world.run("corpus rebuild ./corpus").success();
    assert_eq!(find(&world, "a/one.py")["blobs"][0]["type"], 1);
}

#[test]
#[ignore = "long"]
fn small_parts_are_merged_and_what_stands_nowhere_goes() {
    let files: Vec<(String, String)> =
        (0..9).map(|n| (format!("p{n}/f.py"), function(&format!("f{n}"), "x", n))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = Tree::new(&files);
    for n in 0..9 {
        world.run(&format!("corpus add --quiet ./corpus p{n}")).success();
    }
    let count = |name: &str| {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(world.at("corpus/manifest.json")).expect("there"))
                .expect("JSON");
        let parts = manifest["parts"].as_array().expect("a list").clone();
        let segments = parts.iter().flat_map(|part| part["segments"].as_array().expect("a list").clone());
        segments.filter(|file| file["kind"] == name).count()
    };
    assert_eq!((count("code"), count("places")), (2, 9), "eight are merged, the ninth came after");
    for (path, _) in &files {
        let best = &find(&world, path)["blobs"][0];
        assert_eq!((&best["type"], &best["coverage"]), (&json!(1), &json!(1.0)), "{path}");
    }
    let source = std::fs::canonicalize(world.at("p3")).expect("just made");
    world.run(&format!("corpus remove ./corpus dir:{}", source.display())).success();
    let gone =
        |found: &Value| found["blobs"].as_array().expect("a list").iter().all(|blob| blob["type"] != 1);
    assert!(gone(&find(&world, "p3/f.py")), "it stands nowhere");
    world.run("corpus merge ./corpus").success();
    world.run("corpus verify ./corpus").success();
    let info = world.run("corpus info ./corpus --format json").success().json();
    assert_eq!((&info["blobs"], &info["occurrences"]), (&json!(8), &json!(8)));
    assert_eq!((count("code"), count("places")), (1, 8));
    assert!(gone(&find(&world, "p3/f.py")));
    assert_eq!(find(&world, "p4/f.py")["blobs"][0]["coverage"], 1.0);
    // A file that comes again is stored again.
    world.run("corpus add --quiet ./corpus p3").success();
    assert_eq!(find(&world, "p3/f.py")["blobs"][0]["coverage"], 1.0);
}

#[test]
fn clones_of_what_was_handed_out_do_not_count() {
    let (given, shared) = (function("given", "a", 3), function("shared", "b", 5));
    let handed_in = |own: usize| format!("{given}\n{}\n{shared}", function(&format!("own{own}"), "c", own));
    let (ann, bob) = (handed_in(2), handed_in(4));
    let world = Tree::new(&[("work/ann/x.py", &ann), ("work/bob/x.py", &bob), ("template/x.py", &given)]);
    world.run("corpus add --quiet ./corpus submissions:work --base template").success();
    let names = |arguments: &str| -> Vec<String> {
        let result = json(&world, &format!("clones --types 1 --granularity function {arguments}"));
        let fragments = result["fragments"].as_array().expect("a list");
        fragments.iter().map(|fragment| fragment["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("--between-projects"), ["shared", "shared"]);
    world.run("corpus add --quiet ./corpus template").success();
    assert_eq!(names("--between-projects").iter().filter(|name| *name == "given").count(), 3);
}
