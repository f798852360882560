//! Corpora of every format that was ever released open: they are kept in `fixtures/`, each as it was written then.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::common::{Tree, copy, familiar, function, other_function, rows};
use gix::ObjectId;
use gix::objs::{Kind, Write as _};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/corpus-1");

/// Where the sources of the fixture lay: in it stand the names of no machine's folders.
const SOURCES: &str = "/tmp/familiar-corpus-1";

/// The times of all files, and of when they were read: 2020-01-01.
const FILE_TIME: u64 = 1_577_836_800;

/// A copy of the fixture.
fn world() -> Tree {
    let tree = Tree::new(&[("asked/query.py", &function("add_up", "entries", 0))]);
    copy(Path::new(FIXTURE), &tree.at("corpus"));
    tree
}

fn find(tree: &Tree) -> Value {
    tree.run("find asked/query.py --in ./corpus --format json").success().json()
}

#[test]
fn a_corpus_of_the_first_format_opens() {
    let tree = world();
    tree.run("corpus verify ./corpus").success();
    let info = tree.run("corpus info ./corpus --format json").success().json();
    let count = |key: &str| info[key].as_u64().expect("a number");
    assert_eq!([count("blobs"), count("occurrences"), count("skips")], [12, 15, 1]);
    let sources: BTreeMap<&str, (u64, bool)> = info["sources"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|source| {
            let name = source["source"].as_str().expect("a name").trim_start_matches(SOURCES);
            (name, (source["occurrences"].as_u64().expect("a number"), source["base"] == true))
        })
        .collect();
    let at = |kind: &str, path: &str| format!("{kind}:{SOURCES}/{path}");
    for (name, expected) in [
        (at("dir", "left"), (2, false)),
        (at("dir", "right"), (2, false)),
        (at("jsonl", "rows.jsonl"), (2, false)),
        (at("docs", "docs"), (1, false)),
        (at("stackexchange", "example.com"), (2, false)),
        (at("submissions", "homework"), (2, false)),
        (at("dir", "template"), (1, true)),
        (at("git", "history.git"), (3, false)),
    ] {
        assert_eq!(sources.get(name.as_str()), Some(&expected), "{name}: {sources:?}");
    }
}

/// What `find` has to say of the query, whatever is done to the corpus.
#[track_caller]
fn check_origin(tree: &Tree) {
    let found = find(tree);
    let origin = &found["origin"];
    assert_eq!(origin["known"], true, "{origin}");
    let first = ["project", "path", "first_seen", "evidence", "author"].map(|key| origin[key].clone());
    let expected = ["history", "lib/sum.py", "2001-09-09T01:46:40Z", "commit-time", "Ann <ann@example.org>"];
    assert_eq!(first, expected.map(Value::from));
    assert_eq!((&found["blobs"][0]["type"], &found["blobs"][0]["coverage"]), (&json!(2), &json!(1.0)));
}

#[test]
#[ignore = "long"]
fn a_corpus_of_the_first_format_answers_and_can_be_changed() {
    let tree = world();
    check_origin(&tree);
    let pairs = tree.run("clones --in ./corpus --between-projects --format json").success().json();
    let names = |result: &Value| -> Vec<String> {
        let fragments = result["fragments"].as_array().expect("a list").iter();
        fragments.map(|fragment| fragment["name"].as_str().unwrap_or("").to_owned()).collect()
    };
    assert!(names(&pairs).contains(&"total".to_owned()), "{pairs}");
    assert!(!names(&pairs).contains(&"given".to_owned()), "what was handed out does not count");
    let before = rows(&tree.at("corpus"));
    // Its sources are not there any more; they stay as they are.
    tree.run("corpus update --quiet ./corpus").fails_with(&[SOURCES]);
    assert_eq!(rows(&tree.at("corpus")), before);
    for command in ["merge ./corpus", "rebuild ./corpus", "add --quiet ./corpus asked", "merge ./corpus"] {
        tree.run(&format!("corpus {command}")).success();
        tree.run("corpus verify ./corpus").success();
        let blobs = |rows: &[String]| rows.iter().filter(|row| row.starts_with("TextRow")).count();
        let added = usize::from(rows(&tree.at("corpus")).len() > before.len());
        assert_eq!(blobs(&rows(&tree.at("corpus"))), blobs(&before) + added, "{command}");
        if added == 0 {
            check_origin(&tree);
        }
    }
    assert_eq!(find(&tree)["blobs"][0]["type"], 1);
}

/// Makes the fixture anew, the same each time: `FAMILIAR_UPDATE_FIXTURES=1 cargo test -p familiar-cli old_corpora:: -- --ignored`.
#[test]
#[ignore = "writes the fixture"]
fn the_fixture_is_made() {
    if std::env::var_os("FAMILIAR_UPDATE_FIXTURES").is_none() {
        return;
    }
    let sources = PathBuf::from(SOURCES);
    fs::create_dir(&sources).expect("it is not there, and may be made; remove what an earlier run left");
    write_sources(&sources);
    set_times(&sources);
    let _ = fs::remove_dir_all(FIXTURE);
    let mut command = familiar();
    command.args(["corpus", "add", "--quiet", FIXTURE, "--base"]).arg(sources.join("template"));
    let paths = ["left", "rows.jsonl", "history.git"].map(|path| format!("{SOURCES}/{path}"));
    let others = ["docs:docs", "stackexchange:example.com", "submissions:homework"];
    let others = others.map(|source| source.replace(':', &format!(":{SOURCES}/")));
    command.args(paths).args(others).assert().success();
    familiar().args(["corpus", "merge", FIXTURE]).assert().success();
    // Beside the part that is merged one that is not.
    familiar().args(["corpus", "add", "--quiet", FIXTURE]).arg(sources.join("right")).assert().success();
    fs::remove_dir_all(&sources).expect("just made");
    for lock in ["lock", "readers"] {
        fs::remove_file(Path::new(FIXTURE).join(lock)).expect("just made");
    }
    read_in_2020();
}

fn write_sources(at: &Path) {
    let write = |path: &str, text: &str| {
        let path = at.join(path);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    };
    let (sum, read) = (function("total", "items", 0), other_function("read_lines"));
    write("left/sum.py", &sum);
    write(
        "left/main.go",
        "package main\n\nfunc main() {\n\tfor i := 0; i < 10; i++ {\n\t\tprintln(i * i)\n\t}\n}\n",
    );
    write("right/tools/read.py", &read);
    write("right/copy.py", &(sum.clone() + &read));
    write("right/broken.py", "\0\0");
    let row = |id: &str, code: &str| json!({"id": id, "language": "python", "code": code}).to_string();
    write(
        "rows.jsonl",
        &format!("{}\n{}\n", row("one", &sum), row("two", "def two(a):\n    return a * 2\n")),
    );
    write("docs/guide.md", &format!("# Reading\n\n```python\n{read}```\n"));
    let code = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<pre class=\"lang-py\"><code>{text}</code></pre>")
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;")
    };
    let post = |id: u32, body: &str| {
        format!(
            "  <row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"2012-03-04T05:06:07.000\" OwnerUserId=\"7\" \
             Tags=\"&lt;python&gt;\" ContentLicense=\"CC BY-SA 3.0\" Body=\"{}\" />\n",
            code(body)
        )
    };
    let answers =
        [function("add", "prices", 1), "def three(a, b):\n    c = a + b\n    return c * 3\n".to_owned()];
    let posts: String = (1..).zip(&answers).map(|(id, body)| post(id, body)).collect();
    write(
        "example.com/Posts.xml",
        &format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n{posts}</posts>\n"),
    );
    let given = "def given(path):\n    with open(path) as file:\n        text = file.read()\n    return text.split()\n\n\n";
    write("template/task.py", given);
    for (author, factor) in [("ann", 2), ("bob", 3)] {
        let own = format!("def solve(words):\n    best = max(words, key=len)\n    return best * {factor}\n");
        write(&format!("homework/{author}/task.py"), &(given.to_owned() + &own));
    }
    write_history(&at.join("history.git"), &sum, &read);
}

/// A repository of three commits, in which the function of the query stands since the first.
fn write_history(folder: &Path, sum: &str, read: &str) {
    let repository = gix::init_bare(folder).expect("an empty folder");
    let write = |kind, bytes: &[u8]| repository.objects.write_buf(kind, bytes).expect("it can be written");
    let commit = |parent: Option<ObjectId>, files: &[(&str, String)], who: &str, time: u32| {
        let mut entries = Vec::new();
        for (name, text) in files {
            let blob = write(Kind::Blob, text.as_bytes());
            entries.extend([b"100644 ", name.as_bytes(), b"\0", blob.as_bytes()].concat());
        }
        let inner = write(Kind::Tree, &entries);
        let tree = write(Kind::Tree, &[b"40000 lib\0", inner.as_bytes()].concat());
        let parent = parent.map_or(String::new(), |parent| format!("parent {parent}\n"));
        let who = format!("{who} {time} +0000");
        write(Kind::Commit, format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\nx\n").as_bytes())
    };
    let (ann, bob) = ("Ann <ann@example.org>", "Bob <bob@example.org>");
    let older = function("total", "items", 0) + "# first\n";
    let first = commit(None, &[("sum.py", older)], ann, 1_000_000_000);
    let both = [("read.py", read.to_owned()), ("sum.py", sum.to_owned())];
    let second = commit(Some(first), &both, bob, 1_100_000_000);
    let last = commit(Some(second), &both[1..], ann, 1_200_000_000);
    fs::write(folder.join("refs/heads/main"), format!("{last}\n")).expect("it can be written");
    fs::write(folder.join("HEAD"), "ref: refs/heads/main\n").expect("it can be written");
}

fn set_times(path: &Path) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("it is there");
        return entries.for_each(|entry| set_times(&entry.expect("it is there").path()));
    }
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(FILE_TIME);
    // What is in a repository may only be read, and has its times from commits.
    if let Ok(file) = fs::File::options().append(true).open(path) {
        file.set_modified(time).expect("it is ours");
    }
}

/// Says in the manifest that everything was read at one time, with the checksum that this makes.
fn read_in_2020() {
    let path = Path::new(FIXTURE).join("manifest.json");
    let text = fs::read_to_string(&path).expect("just made");
    let (body, _) = text.split_once(",\n  \"checksum\"").expect("it has a checksum");
    let lines = body.lines().map(|line| match line.split_once("\"read\": ") {
        Some((before, _)) if line.ends_with(',') => format!("{before}\"read\": {FILE_TIME},"),
        Some((before, _)) => format!("{before}\"read\": {FILE_TIME}"),
        None => line.to_owned(),
    });
    let body = lines.collect::<Vec<_>>().join("\n");
    let checksum = xxh3_128(body.as_bytes());
    fs::write(path, format!("{body},\n  \"checksum\": \"{checksum:032x}\"\n}}")).expect("it can be written");
}
