//! What happens to a corpus where writing fails: on a full disk, in a folder that may not be written, beside another writer, and
//! what readers see meanwhile.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{Run, Tree, copy, rows};
use familiar_store::tables::{Occurrences, Texts};
use familiar_store::{Corpus, Writer};

const FAMILIAR: &str = env!("CARGO_BIN_EXE_familiar");

/// A function that is a clone of no other with another number.
fn function(number: usize) -> String {
    let operators = ["+", "-", "*", "//", "%", "|", "&", "^"];
    let line = |line: usize| {
        let operator = |at: usize| operators[(line * 7 + number * at + line * line) % operators.len()];
        format!("    sum = sum {} data[{line}] {} call_{number}({line})\n", operator(1), operator(2))
    };
    format!(
        "def f{number}(data):\n    sum = {number}\n{}    return sum\n",
        (0..9).map(line).collect::<String>()
    )
}

/// Three folders of code.
fn sources() -> Tree {
    let tree = Tree::new(&[]);
    for number in 0..60 {
        tree.write(&format!("{}/f{number}.py", ["a", "b", "c"][number % 3]), function(number));
    }
    tree
}

/// The command with these words, in a folder where no file may grow beyond `blocks` of 512 bytes (or 1024).
fn limited(tree: &Tree, blocks: u32, arguments: &str) -> Run {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(tree.path()).args(["-c", &script, "sh", FAMILIAR]).args(arguments.split_whitespace());
    Run(command.output().expect("there is a shell"))
}

#[test]
#[ignore = "long"]
fn a_full_disk_is_one_clear_error_and_takes_nothing_away() {
    let tree = sources();
    tree.run("corpus add --quiet ./start a").success();
    tree.run("corpus add --quiet ./start b").success();
    tree.write("b/new.py", function(100));
    std::fs::remove_file(tree.at("a/f0.py")).expect("just made");
    for (case, command) in
        ["add --quiet {} c", "update --quiet {}", "merge {}", "rebuild {}"].iter().enumerate()
    {
        let undisturbed = format!("undisturbed{case}");
        copy(&tree.at("start"), &tree.at(&undisturbed));
        let run = |name: &str| format!("corpus {}", command.replace("{}", &format!("./{name}")));
        tree.run(&run(&undisturbed)).success();
        let mut failed = 0;
        for blocks in [0, 1, 2, 6, 12, 24] {
            let name = format!("full{case}-{blocks}");
            copy(&tree.at("start"), &tree.at(&name));
            let before = rows(&tree.at(&name));
            let files = || std::fs::read_dir(tree.at(&name).join("segments")).expect("a folder").count();
            let had = files();
            let result = limited(&tree, blocks, &run(&name));
            if result.code() != 0 {
                failed += 1;
                assert_eq!(result.stderr().lines().count(), 1, "{}", result.stderr());
                result.fails_with(&[&format!("cannot write ./{name}/"), "check the free space"]);
                assert_eq!(rows(&tree.at(&name)), before, "{command} {blocks}");
                assert_eq!(files(), had, "what was begun gives its space back");
            }
            tree.run(&format!("corpus verify ./{name}")).success();
            tree.run(&run(&name)).success();
            assert_eq!(rows(&tree.at(&name)), rows(&tree.at(&undisturbed)), "{command} {blocks}");
        }
        assert!(failed > 1, "{command}");
    }
    limited(&tree, 1, "corpus add ./made c").fails_with(&["cannot write ./made/"]);
    tree.run("corpus info ./made").fails_with(&["there is no corpus"]);
    tree.run("corpus add --quiet ./made c").success();
}

#[test]
#[ignore = "long"]
fn temporary_files_that_cannot_be_written_are_an_error() {
    let tree = sources();
    tree.run("corpus add --quiet ./corpus a b").success();
    let says = "cannot write a temporary file";
    limited(&tree, 0, "clones --in ./corpus").fails_with(&[says, "TMPDIR"]);
    limited(&tree, 0, "clones a --output out.json").fails_with(&["cannot write out.json"]);
    assert!(!tree.at("out.json").exists());
    let mut command = Command::new(FAMILIAR);
    command.current_dir(tree.path()).args(["clones", "--in", "./corpus"]).env("TMPDIR", "/no/such/folder");
    Run(command.output().expect("it was built")).fails_with(&[says, "TMPDIR"]);
    // More revisions than are sorted in memory.
    let revision = "```&#xA;x&#xA;```&#xA;".repeat(1 << 14);
    let time = "CreationDate=\"2010-01-01T00:00:00.000\"";
    let revision = format!("<row PostHistoryTypeId=\"2\" PostId=\"1\" {time} Text=\"{revision}\" />");
    tree.write("posts/PostHistory.xml", format!("<posthistory>{}</posthistory>", revision.repeat(65)));
    tree.write("posts/Posts.xml", "<posts></posts>");
    let mut command = Command::new(FAMILIAR);
    command.current_dir(tree.path()).args(["corpus", "add", "./posts-corpus", "stackexchange:posts"]);
    Run(command.env("TMPDIR", "/no/such/folder").output().expect("it was built"))
        .fails_with(&[says, "TMPDIR"]);
}

/// The command as somebody who is not root, to whom every folder may be written; it was copied to where others may run it.
fn as_user(tree: &Tree, arguments: &str) -> Run {
    let mut command = Command::new(tree.at("familiar"));
    command.current_dir(tree.path()).args(arguments.split_whitespace());
    // The owner of what this process makes.
    if tree.path().metadata().expect("it is there").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    Run(command.output().expect("it may be run"))
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// Folders that may not be written while this lives.
struct ReadOnly(Vec<PathBuf>);

impl ReadOnly {
    fn new(folders: Vec<PathBuf>) -> Self {
        for folder in &folders {
            set_mode(folder, 0o555);
        }
        Self(folders)
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        for folder in &self.0 {
            set_mode(folder, 0o755);
        }
    }
}

#[test]
fn a_corpus_that_may_not_be_written_can_be_read() {
    let tree = sources();
    tree.run("corpus add --quiet ./corpus a b").success();
    set_mode(tree.path(), 0o755);
    // By another process: what a fork of this one has open for writing cannot be run.
    let copied = Command::new("cp").arg(FAMILIAR).arg(tree.at("familiar")).status();
    assert!(copied.expect("every Unix has it").success());
    set_mode(&tree.at("familiar"), 0o755);
    let folders = ["corpus/tables", "corpus/segments", "corpus"];
    for folder in folders {
        for entry in std::fs::read_dir(tree.at(folder)).expect("it is there") {
            let path = entry.expect("it is there").path();
            if path.is_file() {
                set_mode(&path, 0o444);
            }
        }
    }
    let _read_only = ReadOnly::new(folders.map(|folder| tree.at(folder)).into());
    let before = rows(&tree.at("corpus"));
    let reading = ["find a/f0.py --in ./corpus", "corpus info ./corpus", "corpus info ./corpus --skips"];
    for command in reading.iter().chain(&["corpus verify ./corpus", "clones --in ./corpus --types 1"]) {
        as_user(&tree, command).success();
    }
    let writing = ["add ./corpus c", "update ./corpus", "merge ./corpus", "rebuild ./corpus"];
    let source = std::fs::canonicalize(tree.at("a")).expect("just made");
    let remove = format!("remove ./corpus dir:{}", source.display());
    for command in writing.into_iter().chain([remove.as_str()]) {
        let run = as_user(&tree, &format!("corpus {command}"));
        assert_eq!(run.stderr().lines().count(), 1, "{}", run.stderr());
        run.fails_with(&["cannot write ./corpus/lock", "your permissions"]);
    }
    assert_eq!(rows(&tree.at("corpus")), before);
}

#[test]
#[ignore = "long"]
fn a_second_writer_is_told_at_once_and_loses_nothing() {
    let tree = sources();
    tree.run("corpus add --quiet ./corpus a").success();
    let before = rows(&tree.at("corpus"));
    let writer = Writer::open(&tree.at("corpus"), true).expect("nobody else writes");
    let source = std::fs::canonicalize(tree.at("a")).expect("just made");
    let remove = format!("remove ./corpus dir:{}", source.display());
    for command in ["add ./corpus b", "update ./corpus", "merge ./corpus", "rebuild ./corpus", &remove] {
        tree.run(&format!("corpus {command}"))
            .fails_with(&["./corpus: another process is changing this corpus"]);
    }
    drop(writer);
    assert_eq!(rows(&tree.at("corpus")), before);
    // Those who come at the same time are added one after another, or told.
    let add = |source: &str| {
        loop {
            let run = tree.run(&format!("corpus add --quiet ./corpus {source}"));
            if run.code() == 0 {
                return;
            }
            run.fails_with(&["another process is changing this corpus"]);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add("b"));
        scope.spawn(|| add("c"));
    });
    tree.run("corpus verify ./corpus").success();
    tree.run("corpus add --quiet ./all a b c").success();
    assert_eq!(rows(&tree.at("corpus")).len(), rows(&tree.at("all")).len());
}

#[test]
#[ignore = "long"]
fn a_reader_sees_the_generation_that_it_opened() {
    let tree = sources();
    tree.run("corpus add --quiet ./corpus a b").success();
    let folder = tree.at("corpus");
    let read = |corpus: &Corpus| {
        let mut rows = Vec::new();
        corpus.read::<Texts>(|_, row| rows.push(row.blob)).expect("it is whole");
        corpus.read::<Occurrences>(|_, row| rows.push(row.blob)).expect("it is whole");
        rows
    };
    let files = || -> Vec<_> {
        let tables = std::fs::read_dir(folder.join("tables")).expect("it is there");
        let segments = std::fs::read_dir(folder.join("segments")).expect("it is there");
        tables.chain(segments).map(|entry| entry.expect("it is there").file_name()).collect()
    };
    let early = Corpus::open(&folder).expect("it was made");
    for command in ["merge ./corpus", "rebuild ./corpus", "rebuild ./corpus", "update --quiet ./corpus"] {
        tree.run(&format!("corpus {command}")).success();
    }
    let source = std::fs::canonicalize(tree.at("a")).expect("just made");
    tree.run(&format!("corpus remove ./corpus dir:{}", source.display())).success();
    tree.run("corpus add --quiet ./corpus c").success();
    assert_eq!(read(&early).len(), 80);
    assert_eq!(early.verify(), []);
    drop(early);
    let held = files().len();
    tree.run("corpus merge ./corpus").success();
    assert!(files().len() < held, "what nobody reads any more goes");
    let named = Corpus::open(&folder).expect("it is there");
    assert_eq!(files().len(), named.manifest().files().count() + named.manifest().segments().count());
}

#[test]
#[ignore = "long"]
fn whoever_reads_while_others_write_gets_an_answer_of_one_generation() {
    let tree = sources();
    tree.run("corpus add --quiet ./corpus a b").success();
    let asked = std::fs::canonicalize(tree.at("b")).expect("just made");
    let ends = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..4 {
                tree.run("corpus update --quiet ./corpus").success();
                tree.run("corpus merge ./corpus").success();
                tree.run(&format!("corpus remove ./corpus dir:{}", asked.display())).success();
                tree.run("corpus rebuild ./corpus").success();
                tree.run("corpus add --quiet ./corpus b").success();
            }
            ends.store(true, Ordering::Relaxed);
        });
        let mut answers: BTreeMap<String, u32> = BTreeMap::new();
        while !ends.load(Ordering::Relaxed) {
            let info = tree.run("corpus info ./corpus --format json").success().json();
            *answers.entry(info["occurrences"].to_string()).or_default() += 1;
            let found = tree.run("find a/f0.py --in ./corpus --format json").success().json();
            assert_eq!(found["blobs"][0]["coverage"], 1.0);
            tree.run("corpus verify ./corpus").success();
            tree.run("clones --in ./corpus --types 1 --format json").success();
        }
        let known = ["20", "40"];
        assert!(answers.keys().all(|answer| known.contains(&answer.as_str())), "{answers:?}");
    });
}
