//! `familiar corpus`: what is kept, what a killed process leaves, what damage is found.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use familiar_store::Corpus;
use familiar_store::tables::{Lineages, Occurrences, Projects};
use gix::ObjectId;
use gix::objs::{Kind, Write as _};
use serde_json::Value;

const FAMILIAR: &str = env!("CARGO_BIN_EXE_familiar");

/// Runs `familiar corpus` with names in `home`; the exit code, stdout and stderr.
fn corpus(home: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(FAMILIAR)
        .arg("corpus")
        .args(arguments)
        .env("FAMILIAR_HOME", home)
        .output()
        .expect("the binary was built");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn info(home: &Path, name: &str) -> Value {
    let (code, out, err) = corpus(home, &["info", name, "--format", "json"]);
    assert_eq!(code, 0, "{err}");
    let info = serde_json::from_str(&out).expect("valid JSON");
    follows(include_str!("../../../../docs/formats/corpus-1.schema.json"), &info);
    info
}

fn follows(schema: &str, document: &Value) {
    let schema: Value = serde_json::from_str(schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{document}");
}

/// A tree of small files, every tenth equal to the one before.
fn tree(folder: &Path, files: usize) {
    for number in 0..files {
        let text = number - usize::from(number % 10 == 9);
        let code = format!(
            "def total_{text}(items):\n    count = {text}\n    for item in items:\n        count += item\n    return count\n"
        );
        let place = folder.join(format!("d{}", number % 7));
        fs::create_dir_all(&place).expect("it can be made");
        fs::write(place.join(format!("f{number}.py")), code).expect("it can be written");
    }
}

#[test]
fn sources_are_kept_read_anew_and_taken_out() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let project = given.path().join("project");
    tree(&project, 20);
    fs::write(project.join("a.bin"), b"\0\0binary").expect("it can be written");
    fs::write(project.join("script"), b"#!/bin/sh\0").expect("it can be written");
    let rows = given.path().join("rows.jsonl");
    fs::write(
        &rows,
        "{\"id\": \"x\", \"language\": \"go\", \"code\": \"func f() { a(); b(); c() }\"}\nno row\n",
    )
    .expect("it can be written");
    let (project, rows) = (project.to_str().expect("UTF-8"), rows.to_str().expect("UTF-8"));
    let (code, out, err) = corpus(home.path(), &["add", "world", project, rows]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("20 files of code, 18 of them new"), "{out}");
    assert_eq!(corpus(home.path(), &["list"]).1, "world\n");
    let first = info(home.path(), "world");
    assert_eq!((&first["blobs"], &first["occurrences"]), (&Value::from(19), &Value::from(21)));
    assert_eq!(first["languages"]["python"], 18);
    assert_eq!(first["projects"][0]["project"], "project");
    let (_, skips, _) = corpus(home.path(), &["info", "world", "--skips"]);
    assert!(skips.contains("rows.jsonl") && skips.lines().count() >= 1, "{skips}");

    fs::remove_dir_all(Path::new(project).join("d0")).expect("it is there");
    assert_eq!(corpus(home.path(), &["update", "world", "--quiet"]).0, 0);
    let second = info(home.path(), "world");
    assert_eq!((&second["blobs"], &second["occurrences"]), (&Value::from(16), &Value::from(18)));
    assert_eq!(second["unused_blobs"], 3);
    // A source that cannot be read any more stays as it was, and does not stop the others.
    fs::remove_file(rows).expect("it is there");
    fs::remove_dir_all(Path::new(project).join("d1")).expect("it is there");
    let (code, out, err) = corpus(home.path(), &["update", "world"]);
    assert!(code == 2 && err.contains("rows.jsonl"), "{err}");
    assert!(out.contains("14 files of code, 0 of them new"), "{out}");
    assert_eq!(info(home.path(), "world")["occurrences"], 15);
    let source = second["sources"][0]["source"].as_str().expect("a name");
    assert_eq!(corpus(home.path(), &["remove", "world", source]).0, 0);
    assert_eq!(info(home.path(), "world")["occurrences"], 1);
    let (code, _, err) = corpus(home.path(), &["remove", "world", source]);
    assert!(code == 2 && err.contains("corpus info"), "{err}");
}

#[test]
fn changes_follow_their_schema() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let project = given.path().join("project");
    tree(&project, 20);
    let path = project.to_str().expect("UTF-8");
    let commands: [&[&str]; 5] = [
        &["add", "kept", path],
        &["update", "kept"],
        &["list"],
        &["verify", "kept"],
        &["remove", "kept", path],
    ];
    for command in commands {
        let (code, out, err) = corpus(home.path(), &[command, &["--format", "json"]].concat());
        assert_eq!(code, 0, "{command:?}: {err}");
        let change = serde_json::from_str(&out).expect("valid JSON");
        follows(include_str!("../../../../docs/formats/corpus-change-1.schema.json"), &change);
    }
}

#[test]
fn what_cannot_be_done_says_what_to_do() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    fs::write(given.path().join("notes.txt"), "mine").expect("it can be written");
    let other = given.path().to_str().expect("UTF-8");
    for (arguments, says) in [
        (&["info", "nowhere"][..], "familiar corpus add"),
        (&["add", "world", "ftp:/a"], "the kinds are dir"),
        (&["add", "world", "/no/such/folder"], "/no/such/folder"),
        (&["add", other, other], "contains other files"),
    ] {
        let (code, _, err) = corpus(home.path(), arguments);
        assert!(code == 2 && err.contains(says), "{arguments:?}: {err}");
    }
}

#[test]
fn what_has_no_effect_is_told() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    tree(given.path(), 2);
    fs::write(given.path().join("rows.jsonl"), "{\"code\": \"x = 1\", \"language\": \"python\"}\n")
        .expect("it can be written");
    let path = given.path().to_str().expect("UTF-8");
    let rows = format!("{path}/rows.jsonl");
    let (code, _, err) = corpus(home.path(), &["add", "world", &rows, "--exclude", "*.py"]);
    assert!(
        code == 0 && err.contains("--exclude has no effect here, since it is always taken whole"),
        "{err}"
    );
    assert_eq!(info(home.path(), "world")["sources"][0]["exclude"], Value::Null);
    let (code, _, err) = corpus(home.path(), &["add", "world", path, "--no-text"]);
    assert!(code == 2 && err.contains("keeps its source text"), "{err}");
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    tree(given.path(), 10);
    assert_eq!(corpus(home.path(), &["add", "world", given.path().to_str().expect("UTF-8")]).0, 0);
    assert_eq!(corpus(home.path(), &["verify", "world"]).0, 0);
    let file = home.path().join("world/tables/fragments-00000001.parquet");
    let mut bytes = fs::read(&file).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).expect("it can be written");
    let (code, out, _) = corpus(home.path(), &["verify", "world"]);
    assert!(code == 2 && out.contains("fragments-00000001.parquet"), "{out}");
}

/// Kills `add` at moments spread over its run; whatever it did, the corpus is whole, and in the end it is the same.
#[test]
#[ignore = "long"]
fn a_killed_process_leaves_a_whole_corpus() {
    let given = tempfile::tempdir().expect("a temporary folder");
    tree(given.path(), 300);
    fs::write(given.path().join("package.json"), "{\"license\": \"MIT\"}").expect("it can be written");
    let (whole, killed) =
        (tempfile::tempdir().expect("a temporary folder"), tempfile::tempdir().expect("a temporary folder"));
    let source = given.path().to_str().expect("UTF-8");
    let start = std::time::Instant::now();
    assert_eq!(corpus(whole.path(), &["add", "world", source, source]).0, 0);
    let took = start.elapsed();
    for moment in 0..12 {
        let mut child = Command::new(FAMILIAR)
            .args(["corpus", "add", "world", source, source, "--quiet"])
            .env("FAMILIAR_HOME", killed.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary was built");
        std::thread::sleep(took.mul_f64(f64::from(moment) / 10.0).min(Duration::from_secs(2)));
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        let (code, out, err) = corpus(killed.path(), &["verify", "world"]);
        assert!(code == 0 || err.contains("there is no corpus"), "{out}{err}");
        if code == 0 {
            let found = info(killed.path(), "world");
            let counts = ["occurrences", "blobs", "license_files"].map(|key| &found[key]);
            assert_eq!(counts, [300, 270, 1], "{found}");
        }
    }
    assert_eq!(corpus(killed.path(), &["add", "world", source]).0, 0);
    let rows = |home: &Path| {
        let info = info(home, "world");
        (info["blobs"].clone(), info["occurrences"].clone(), info["fragments"].clone(), info["bytes"].clone())
    };
    assert_eq!(rows(killed.path()), rows(whole.path()));
    let tables = fs::read_dir(killed.path().join("world/tables")).expect("it is there").count();
    assert!(tables <= 10, "files of killed processes are gone: {tables}");
}

/// How often a process is killed: more often with `FAMILIAR_KILLS=100 cargo test …`.
fn kills() -> u32 {
    std::env::var("FAMILIAR_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

#[test]
#[ignore = "long"]
fn killed_at_any_moment_of_add_update_and_merge_a_corpus_answers_and_ends_as_undisturbed() {
    let given = tempfile::tempdir().expect("a temporary folder");
    let sources: Vec<String> = (0..9)
        .map(|number| {
            let folder = given.path().join(format!("source{number}"));
            tree(&folder, 10 + number);
            folder.to_str().expect("UTF-8").to_owned()
        })
        .collect();
    let add =
        [&["add", "world", "--quiet"], &sources.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat();
    let commands = [&add[..], &["update", "world", "--quiet"], &["merge", "world"]];
    let (whole, killed) =
        (tempfile::tempdir().expect("a temporary folder"), tempfile::tempdir().expect("a temporary folder"));
    let start = std::time::Instant::now();
    let all = |home: &Path| {
        for command in commands {
            let (code, _, err) = corpus(home, command);
            assert_eq!(code, 0, "{err}");
        }
    };
    all(whole.path());
    let took = start.elapsed().div_f64(3.0);
    let asked = Path::new(&sources[0]).join("d0/f0.py");
    for moment in 0..kills() {
        let mut child = Command::new(FAMILIAR)
            .arg("corpus")
            .args(commands[moment as usize % 3])
            .env("FAMILIAR_HOME", killed.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary was built");
        let share = f64::from(moment * 7 % 11) / 10.0;
        std::thread::sleep(took.mul_f64(share).min(Duration::from_secs(2)));
        child.kill().expect("it is our child");
        child.wait().expect("it is our child");
        let (code, out, err) = corpus(killed.path(), &["verify", "world"]);
        assert!(code == 0 || err.contains("there is no corpus"), "{out}{err}");
        if code == 0 {
            let output = Command::new(FAMILIAR)
                .args(["find", "--in", "world"])
                .arg(&asked)
                .env("FAMILIAR_HOME", killed.path())
                .output()
                .expect("the binary was built");
            let out = String::from_utf8(output.stdout).expect("UTF-8");
            // The first source counts as a whole or not at all.
            let answer = out.starts_with("100% of") || out.contains("no code like lines");
            assert!(output.status.success() && answer, "{out}");
        }
    }
    all(killed.path());
    assert_eq!(places(&killed.path().join("world")), places(&whole.path().join("world")));
    let counts = |home: &Path| {
        let info = info(home, "world");
        ["blobs", "occurrences", "fragments", "bytes", "lines"].map(|key| info[key].clone())
    };
    assert_eq!(counts(killed.path()), counts(whole.path()));
}

/// A commit of Python files in a repository.
fn commit(repository: &gix::Repository, time: u32, parents: &[ObjectId], files: &[(&str, &str)]) -> ObjectId {
    let write = |kind, bytes: &[u8]| repository.objects.write_buf(kind, bytes).expect("it can be written");
    let mut tree = Vec::new();
    for (name, value) in files {
        let blob = write(Kind::Blob, format!("def f(a):\n    b = a\n    return b + {value}\n").as_bytes());
        tree.extend([b"100644 ", name.as_bytes(), b"\0", blob.as_bytes()].concat());
    }
    let tree = write(Kind::Tree, &tree);
    let parents = parents.iter().fold(String::new(), |text, parent| format!("{text}parent {parent}\n"));
    let who = format!("Ann <ann@example.org> {time} +0000");
    write(Kind::Commit, format!("tree {tree}\n{parents}author {who}\ncommitter {who}\n\nx\n").as_bytes())
}

/// All that a corpus says of places, without the order.
fn places(folder: &Path) -> Vec<String> {
    let corpus = Corpus::open(folder).expect("it was made");
    let mut rows = Vec::new();
    corpus.read_latest::<Occurrences>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read_latest::<Lineages>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    corpus.read_latest::<Projects>(|_, row| rows.push(format!("{row:?}"))).expect("it is whole");
    rows.sort();
    rows
}

#[test]
#[ignore = "long"]
fn a_history_that_grew_is_as_if_it_were_added_now() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let repository = gix::init_bare(given.path().join("project.git")).expect("an empty folder");
    let branch = |commit: ObjectId| {
        fs::write(repository.path().join("refs/heads/main"), format!("{commit}\n"))
            .expect("it can be written");
    };
    let first = commit(&repository, 1000, &[], &[("a.py", "1"), ("b.py", "2")]);
    let side = commit(&repository, 2000, &[first], &[("a.py", "3"), ("b.py", "2")]);
    branch(side);
    let path = repository.path().to_str().expect("UTF-8");
    let (code, out, err) = corpus(home.path(), &["add", "grown", path]);
    assert!(code == 0 && out.contains("3 files of code, 3 of them new"), "{out}{err}");
    assert!(out.starts_with("git:"), "a bare repository is recognised: {out}");

    let other = commit(&repository, 1500, &[first], &[("c.py", "2")]);
    branch(commit(&repository, 3000, &[side, other], &[("c.py", "2"), ("d.py", "4")]));
    let (code, out, err) = corpus(home.path(), &["update", "grown"]);
    assert!(code == 0 && out.contains("1 of them new"), "{out}{err}");
    assert_eq!(corpus(home.path(), &["add", "fresh", path]).0, 0);
    let grown = places(&home.path().join("grown"));
    assert_eq!(grown, places(&home.path().join("fresh")));
    assert!(grown.iter().any(|row| row.contains("commits: 4")), "{grown:?}");
    let counts = |name: &str| {
        let info = info(home.path(), name);
        ["blobs", "occurrences", "fragments", "skips", "projects"].map(|key| info[key].clone())
    };
    assert_eq!(counts("grown"), counts("fresh"));

    let manifest = || fs::read_to_string(home.path().join("grown/manifest.json")).expect("it is there");
    let parts = |manifest: &str| manifest.matches("occurrences-").count();
    let before = parts(&manifest());
    assert_eq!(corpus(home.path(), &["update", "grown"]).0, 0);
    assert_eq!(parts(&manifest()), before, "nothing new is no part");
    // Commits that were there are there no more.
    branch(first);
    assert_eq!(corpus(home.path(), &["update", "grown"]).0, 0);
    assert_eq!(info(home.path(), "grown")["occurrences"], 2);
    assert_eq!(corpus(home.path(), &["remove", "grown", &format!("git:{path}")]).0, 0);
    assert_eq!(fs::read_dir(home.path().join("grown/sources")).expect("it is there").count(), 0);
}

#[test]
fn a_list_is_its_lines_and_what_was_handed_out_is_marked() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let (work, template, list) =
        (given.path().join("work"), given.path().join("template"), given.path().join("list"));
    tree(&work, 3);
    tree(&template, 1);
    fs::write(&list, format!("# ours\n{}\n{}\n", work.display(), template.display()))
        .expect("it can be written");
    let list = format!("list:{}", list.display());
    let (code, _, err) =
        corpus(home.path(), &["add", "class", &list, "--base", template.to_str().expect("UTF-8")]);
    assert_eq!(code, 0, "{err}");
    let marks = || -> Vec<bool> {
        let info = info(home.path(), "class");
        let sources = info["sources"].as_array().expect("a list");
        sources.iter().map(|source| source["base"] == true).collect()
    };
    assert_eq!(marks(), [true, false]);
    assert_eq!(corpus(home.path(), &["update", "class", "--quiet"]).0, 0);
    assert_eq!(marks(), [true, false]);
    assert_eq!(corpus(home.path(), &["add", "class", template.to_str().expect("UTF-8")]).0, 0);
    assert_eq!(marks(), [false, false]);
}

/// Runs `familiar` on the corpus `class`; what it writes.
fn of_class(home: &Path, arguments: &[&str]) -> String {
    let output = Command::new(FAMILIAR)
        .args(arguments)
        .args(["--in", "class"])
        .env("FAMILIAR_HOME", home)
        .output()
        .expect("the binary was built");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn of_several_corpora_projects_are_named_behind_theirs() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let code = "def mean(values, weights):\n    total = 0\n    for value, weight in zip(values, weights):\n        total += value * weight\n        print(total, value, weight)\n    return total / sum(weights) if weights else None\n";
    for class in ["class", "earlier"] {
        let author = given.path().join(class).join("ann");
        fs::create_dir_all(&author).expect("it can be made");
        fs::write(author.join("mean.py"), code).expect("it can be written");
        let source = format!("submissions:{}", given.path().join(class).display());
        assert_eq!(corpus(home.path(), &["add", class, &source]).0, 0);
    }
    let flags =
        ["clones", "--beside", "earlier", "--between-projects", "--min-tokens", "30", "--format", "json"];
    let result: Value = serde_json::from_str(&of_class(home.path(), &flags)).expect("JSON");
    assert_eq!(result["settings"]["roots"], serde_json::json!(["class/ann", "earlier/ann"]));
    assert_eq!(result["summary"]["pairs"], 1);
    let alone = of_class(home.path(), &["clones", "--min-tokens", "30", "--format", "json"]);
    let alone: Value = serde_json::from_str(&alone).expect("JSON");
    assert_eq!(alone["settings"]["roots"], serde_json::json!(["ann"]));
}

#[test]
#[ignore = "long"]
fn a_project_is_taken_out_of_every_source_and_stays_out() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let (homework, bob) = (given.path().join("homework"), given.path().join("bob"));
    tree(&homework.join("ann"), 3);
    tree(&homework.join("bob"), 6);
    fs::write(homework.join("bob/x.py"), b"\0\0binary").expect("it can be written");
    tree(&bob, 8);
    let (submissions, bob) = (format!("submissions:{}", homework.display()), bob.display().to_string());
    assert_eq!(corpus(home.path(), &["add", "class", &submissions, &bob]).0, 0);
    let before = info(home.path(), "class");
    assert_eq!((&before["blobs"], &before["skips"]), (&Value::from(8), &Value::from(1)));
    let (code, _, err) = corpus(home.path(), &["remove", "class", "--project", "ann", "--project", "bobb"]);
    assert!(code == 2 && err.contains("no project bobb (did you mean bob?)"), "{err}");
    assert_eq!(info(home.path(), "class"), before, "all of them or none");

    let (code, out, err) = corpus(home.path(), &["remove", "class", "--project", "bob"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("6 places removed\n") && out.contains("bob: 8 places removed; it had no other project"),
        "{out}"
    );
    let shown = || {
        let info = info(home.path(), "class");
        let names = info["projects"].as_array().expect("a list").iter().map(|row| row["project"].to_string());
        let sources = info["sources"].as_array().map(Vec::len);
        (
            names.collect::<Vec<_>>().join(" "),
            sources,
            info["skips"].clone(),
            info["sources"][0]["without"].clone(),
        )
    };
    let without_bob = ("\"ann\"".to_owned(), Some(1), Value::from(0), serde_json::json!(["bob"]));
    assert_eq!(shown(), without_bob);
    let asked = homework.join("bob/d0/f0.py");
    let found = of_class(home.path(), &["find", asked.to_str().expect("UTF-8"), "--format", "json"]);
    assert!(found.contains("\"ann\"") && !found.contains("bob\""), "{found}");
    let clones =
        of_class(home.path(), &["clones", "--min-tokens", "5", "--min-lines", "1", "--format", "json"]);
    assert!(!clones.contains("bob/"), "{clones}");
    let tables = home.path().join("class/tables");
    let texts = || -> u64 {
        tables_of(&tables, "texts").iter().map(|file| fs::metadata(file).expect("it is there").len()).sum()
    };
    let whole = texts();
    let blobs = || {
        let info = info(home.path(), "class");
        (info["blobs"].clone(), info["unused_blobs"].clone())
    };
    let three = (Value::from(3), Value::Null);
    assert_eq!(blobs(), (Value::from(3), Value::from(5)), "others may stand on them");
    assert_eq!(corpus(home.path(), &["merge", "class"]).0, 0);
    assert_eq!(blobs(), three);
    assert!(texts() < whole);
    assert_eq!(corpus(home.path(), &["verify", "class"]).0, 0);
    assert_eq!(corpus(home.path(), &["rebuild", "class"]).0, 0);

    assert_eq!(corpus(home.path(), &["update", "class", "--quiet"]).0, 0);
    assert_eq!((shown(), blobs()), (without_bob, three));
    assert_eq!(corpus(home.path(), &["add", "class", &submissions]).0, 0);
    assert_eq!(shown(), ("\"ann\" \"bob\"".to_owned(), Some(1), Value::from(1), Value::Null));
}

/// The files of a table.
fn tables_of(folder: &Path, table: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("it is there").path());
    let of = |path: &std::path::PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(table))
    };
    entries.filter(of).collect()
}

/// The lines of a file below a folder, each a JSON object.
fn rows(folder: &Path, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(file)).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect()
}

#[test]
fn what_counts_is_written_for_others() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    let repository = gix::init_bare(given.path().join("project.git")).expect("an empty folder");
    let grow = |commit: ObjectId| {
        let branch = repository.path().join("refs/heads/main");
        fs::write(branch, format!("{commit}\n")).expect("it can be written");
    };
    let first = commit(&repository, 1000, &[], &[("a.py", "1"), ("b.py", "2")]);
    grow(first);
    let (path, other) = (repository.path().to_str().expect("UTF-8"), given.path().join("other"));
    tree(&other, 3);
    fs::write(other.join("odd.py"), b"def f(a):\n    return '\xe9' + a\n").expect("it can be written");
    let other = other.to_str().expect("UTF-8");
    assert_eq!(corpus(home.path(), &["add", "world", path, other]).0, 0);
    grow(commit(&repository, 2000, &[first], &[("a.py", "3"), ("b.py", "2")]));
    assert_eq!(corpus(home.path(), &["update", "world"]).0, 0);
    assert_eq!(corpus(home.path(), &["remove", "world", &format!("dir:{other}")]).0, 0);

    let out = given.path().join("tables");
    let export = |arguments: &[&str]| {
        let to = out.to_str().expect("UTF-8");
        corpus(home.path(), &[&["export", "world", "--output", to], arguments].concat())
    };
    let (code, said, err) = export(&["--format", "ndjson"]);
    assert!(code == 0 && said.contains("occurrences.ndjson: 3 rows"), "{said}{err}");
    assert_eq!(rows(&out, "blobs.ndjson").len(), 3, "not those of the source that was taken out");
    assert_eq!(rows(&out, "texts.ndjson").len(), 3);
    let gone: Vec<Value> =
        rows(&out, "occurrences.ndjson").into_iter().filter(|row| !row["removed_by"].is_null()).collect();
    assert_eq!((gone.len(), &gone[0]["last_seen"]), (1, &Value::from("1970-01-01T00:33:20Z")));
    assert_eq!(rows(&out, "projects.ndjson")[0]["commits"], 2);
    assert_eq!(rows(&out, "lineage.ndjson").len(), 1);

    let (code, _, err) = export(&[]);
    assert!(code == 2 && err.contains("not empty"), "{err}");
    fs::remove_dir_all(&out).expect("it is there");
    fs::create_dir(&out).expect("it can be made");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&out).expect("it is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(export(&["--tables", "skips,blobs,texts", "--no-text", "--quiet"]).1, "");
    assert_eq!(names(), ["blobs.parquet", "skips.parquet"]);
    fs::remove_dir_all(&out).expect("it is there");
    let (code, _, err) = export(&["--tables", "texts", "--no-text"]);
    assert!(code == 2 && err.contains("leave out --no-text") && !out.exists(), "{err}");
    fs::remove_file(&tables_of(&home.path().join("world/tables"), "fragments")[0]).expect("it is there");
    let (code, _, err) = export(&["--format", "csv"]);
    assert!(code == 2 && err.contains("fragments") && !out.exists(), "{err}");
    assert_eq!(fs::read_dir(given.path()).expect("it is there").count(), 2, "nothing half written is left");
}

#[test]
fn what_a_source_leaves_out_stays_out_until_other_globs_are_given() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let given = tempfile::tempdir().expect("a temporary folder");
    tree(given.path(), 7);
    let path = given.path().to_str().expect("UTF-8");
    let excluded = |arguments: &[&str]| {
        let (code, _, err) = corpus(home.path(), arguments);
        assert_eq!(code, 0, "{err}");
        let source = &info(home.path(), "world")["sources"][0];
        (source["occurrences"].clone(), source["exclude"].clone())
    };
    let left = (Value::from(5), serde_json::json!(["d0/", "d1/"]));
    assert_eq!(excluded(&["add", "world", path, "--exclude", "d0/", "--exclude", "d1/"]), left);
    assert_eq!(excluded(&["update", "world"]), left);
    assert_eq!(excluded(&["update", "world", "--exclude", "d2/"]), (6.into(), serde_json::json!(["d2/"])));
    assert_eq!(excluded(&["add", "world", path]), (7.into(), Value::Null));
}

#[test]
fn wrong_lists_and_packages_are_told_before_anything_is_fetched() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let list = home.path().join("list");
    fs::write(&list, "pypi:six\npypi:not/a/name\n").expect("it can be written");
    let (code, _, err) = corpus(home.path(), &["add", "world", &format!("list:{}", list.display())]);
    assert!(code == 2 && err.contains("line 2: pypi:not/a/name: it is not the name of a package"), "{err}");
    let (code, _, err) = corpus(home.path(), &["add", "world", "--base", "pypi:six"]);
    assert!(code == 2 && err.contains("it cannot be a package"), "{err}");
    assert!(!home.path().join("world").exists());
}

/// An index that nobody serves: pip's configuration is heard, and the corpus is as it was.
#[test]
fn a_package_that_cannot_be_had_is_an_error_that_says_so() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let config = home.path().join("pip.conf");
    fs::write(&config, "[global]\nno-index = true\n").expect("it can be written");
    let output = Command::new(FAMILIAR)
        .args(["corpus", "add", "world", "pypi:six"])
        .env("FAMILIAR_HOME", home.path())
        .env("PIP_CONFIG_FILE", config)
        .output()
        .expect("the binary was built");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("pypi:six: pip is configured without an index"), "{err}");
}
