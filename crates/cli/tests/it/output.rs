//! Where results go: files whole or not at all, devices, readers that go away; help, completions and the man page.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{Tree, function};

fn files_in(tree: &Tree) -> Vec<String> {
    let entries = std::fs::read_dir(tree.path()).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole() {
    let tree = Tree::with_clones();
    tree.write("out.json", "x".repeat(100_000));
    let run = tree.clones("--format json --output out.json").success();
    assert_eq!(run.stdout(), "");
    assert_eq!(run.stderr(), "");
    let text = std::fs::read_to_string(tree.at("out.json")).expect("written");
    assert_eq!(text, tree.clones("--format json").success().stdout());
    assert_eq!(files_in(&tree), ["a.py", "b", "c.py", "out.json"]);
}

#[cfg(unix)]
#[test]
fn results_are_as_private_as_the_user_wants_his_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::with_clones();
    let run = |umask: &str, what: &str| {
        let command = format!("umask {umask}; \"$0\" clones {what}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &command, env!("CARGO_BIN_EXE_familiar")]).current_dir(tree.path());
        assert!(shell.status().expect("there is a shell").success());
    };
    let mode = |path: &str| tree.at(path).metadata().expect("written").permissions().mode() & 0o777;
    run("077", "--format json --output own.json");
    run("027", "--format html --output pages");
    run("022", "--format json --output all.json");
    assert_eq!([mode("own.json"), mode("pages"), mode("all.json")], [0o600, 0o750, 0o644]);
    // What was there keeps its mode.
    run("077", "--format json --output all.json");
    assert_eq!(mode("all.json"), 0o644);
}

#[test]
fn a_place_that_cannot_be_written_is_named_and_nothing_is_left() {
    let tree = Tree::with_clones();
    tree.clones("--output no/such/out.json").fails_with(&["no/such/out.json", "there is no folder no/such"]);
    tree.clones("--output b").fails_with(&["cannot write b", "it is a folder"]);
    assert_eq!(files_in(&tree), ["a.py", "b", "c.py"]);
}

#[cfg(target_os = "linux")]
mod devices {
    use super::*;

    #[test]
    fn a_full_device_is_a_failure_in_one_line() {
        let tree = Tree::with_clones();
        let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        for format in ["text", "json", "ndjson", "sarif"] {
            let run = tree.clones(&format!("--format {format} --output /dev/full"));
            run.fails_with(&["/dev/full", "No space left"]);
            assert_eq!(run.stderr().lines().count(), 1);
            let output = Command::new(env!("CARGO_BIN_EXE_familiar"))
                .args(["clones", "--format", format])
                .current_dir(tree.path())
                .stdout(full())
                .output()
                .expect("the command was built");
            assert_eq!(output.status.code(), Some(2));
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(message.contains("standard output") && message.lines().count() == 1, "{message}");
        }
        assert_eq!(files_in(&tree), ["a.py", "b", "c.py"]);
    }

    #[test]
    fn a_token_that_cannot_be_shown_is_not_made_and_a_reader_may_go() {
        let tree = Tree::new(&[]);
        let token = |words: &str, out: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_familiar"));
            command.args(["serve", "token"]).args(words.split(' ')).args(["--data", "d", "--quiet"]);
            command.current_dir(tree.path()).stdout(out).output().expect("the command was built")
        };
        let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it").into();
        let gone = || {
            let (reader, writer) = std::io::pipe().expect("there are pipes");
            drop(reader);
            writer.into()
        };
        let fails = |output: std::process::Output| {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains("standard output") && message.lines().count() == 1, "{message}");
        };
        fails(token("create ada", full()));
        let made = token("create ada", Stdio::piped());
        assert!(made.status.success(), "the name is free: {}", String::from_utf8_lossy(&made.stderr));
        fails(token("list", full()));
        assert_eq!(token("list", gone()).status.code(), Some(0));
    }

    #[test]
    fn devices_take_what_they_are_given() {
        let tree = Tree::with_clones();
        assert_eq!(tree.clones("--output /dev/null").success().stdout(), "");
        assert!(std::fs::metadata("/dev/null").is_ok_and(|metadata| !metadata.is_file()));
        let through = tree.clones("--output /dev/stdout --format csv").success().stdout();
        assert_eq!(through.lines().count(), 4);
    }

    #[test]
    fn tables_too_go_to_devices_and_through_links() {
        let tree = Tree::with_clones();
        tree.write("b/real.parquet", "old");
        std::os::unix::fs::symlink("b/real.parquet", tree.at("out.parquet")).expect("can be written");
        tree.run("tokens a.py --format parquet --output out.parquet").success();
        assert!(tree.at("out.parquet").is_symlink());
        assert!(std::fs::read(tree.at("b/real.parquet")).expect("it is there").starts_with(b"PAR1"));
        tree.run("tokens a.py --format parquet --output /dev/null").success();
        assert!(std::fs::metadata("/dev/null").is_ok_and(|metadata| !metadata.is_file()));
        tree.run("tokens a.py --format parquet --output /dev/full").fails_with(&["No space left"]);
        assert!(std::fs::metadata("/dev/full").is_ok_and(|metadata| !metadata.is_file()));
    }

    #[test]
    fn a_link_stays_a_link() {
        let tree = Tree::with_clones();
        tree.write("b/real.json", "old");
        std::os::unix::fs::symlink("b/real.json", tree.at("out.json")).expect("can be written");
        tree.clones("--output out.json --format json").success();
        assert!(tree.at("out.json").is_symlink());
        assert!(std::fs::read_to_string(tree.at("b/real.json")).expect("there").starts_with('{'));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let tree = Tree::new(&[("a.py", ""), ("b.py", "")]);
    for file in ["a.py", "b.py"] {
        let text: String = (0..150).map(|number| function(&format!("f{number}"), "x", number)).collect();
        tree.write(file, text);
    }
    for arguments in [
        &["clones", "--format", "ndjson"][..],
        &["clones", "--format", "json"],
        &["man"],
        &["clones", "--help"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_familiar"))
            .args(arguments)
            .current_dir(tree.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command was built");
        let mut first = [0; 1];
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut first).expect("there is output");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn progress_goes_to_stderr_where_it_is_asked_for() {
    let tree = Tree::with_clones();
    assert_eq!(tree.clones("").success().stderr(), "");
    let run = tree.clones("--progress always").success();
    assert!(run.stderr().contains("reading"), "{}", run.stderr());
    assert_eq!(run.stdout(), tree.clones("").success().stdout());
    assert_eq!(tree.clones("--progress always --quiet").success().stderr(), "");
}

#[test]
fn help_completions_and_the_man_page_know_every_verb() {
    let tree = Tree::new(&[]);
    let help = tree.run("--help").success().stdout();
    for verb in ["clones", "evaluate", "completions", "man"] {
        assert!(help.contains(verb), "{verb} is missing in:\n{help}");
        let of_verb = tree.run(&format!("{verb} --help")).success().stdout();
        assert!(of_verb.contains("Examples:"), "{verb} has no examples");
        assert!(of_verb.lines().all(|line| line.chars().count() <= 110), "{verb} is too wide");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(tree.run(&format!("completions {shell}")).success().stdout().contains("max-pairs-per-class"));
    }
    let man = tree.run("man").success().stdout();
    assert!(man.starts_with(".ie") || man.starts_with(".TH"), "{man}");
    assert!(man.contains("changed\\-since"));
}
