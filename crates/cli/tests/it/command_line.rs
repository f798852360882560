//! What all commands have in common: flags, refusals, warnings, suggestions, summaries.

use std::path::Path;

use crate::common::{Tree, familiar, function, other_function};

/// `familiar` with these words, run in the folder with a home of its own for corpora.
fn run(tree: &Tree, arguments: &str) -> crate::common::Run {
    let mut command = familiar();
    command.current_dir(tree.path()).env("FAMILIAR_HOME", tree.at("home"));
    command.args(arguments.split_whitespace()).timeout(std::time::Duration::from_secs(60));
    crate::common::Run(command.output().expect("the command was built"))
}

/// Clones, a corpus of one of them, and results to report.
fn world() -> Tree {
    let tree = Tree::with_clones();
    run(&tree, "corpus add world b --quiet").success();
    run(&tree, "clones a.py c.py --format json --output clones.json").success();
    run(&tree, "audit a.py --against world --format json --output audit.json");
    tree
}

#[test]
#[ignore = "long"]
fn the_same_flags_work_on_every_command() {
    let tree = world();
    let pairs = format!(
        "{{\"code1\": {0:?}, \"code2\": {0:?}, \"lang1\": \"python\", \"lang2\": \"python\", \"label\": 1}}\n",
        function("total", "items", 0)
    );
    tree.write("pairs.jsonl", pairs);
    tree.write("bags.jsonl", "{\"id\": \"a\", \"bag\": {\"x\": 3}}\n");
    tree.write("d.json", "");
    std::fs::remove_file(tree.at("d.json")).expect("just made");
    run(&tree, "decisions add d.json 0123456789abcdef0123456789abcdef --as accepted --author me").success();
    for command in [
        "clones . --format csv",
        "find a.py --in world --format json",
        "find b c.py --in world --format text",
        "audit a.py --against world --format spdx-json",
        "license . --format csv",
        "trend --help",
        "fingerprint a.py --format ndjson",
        "report clones.json --format sarif",
        "report clones.json --format text",
        "report audit.json --format text",
        "report audit.json --format spdx-json",
        "report audit.json --format csv",
        "evaluate pairs pairs.jsonl --format json",
        "evaluate bags bags.jsonl --similarity 0.5 --format csv",
        "corpus add world a.py --format json",
        "corpus update world --format json",
        "corpus list --format json",
        "corpus info world --format json",
        "corpus verify world --format json",
        "decisions list d.json --format json",
        "decisions export d.json --format policy",
    ] {
        let file = tree.at("result");
        // An audit may deny.
        let whole = run(&tree, &format!("{command} --quiet --color never --output {}", file.display()));
        assert!(whole.code() < 2, "{command}: {}", whole.stderr());
        assert_eq!(whole.stderr(), "", "{command}");
        if !command.contains("--help") {
            assert_eq!(whole.stdout(), "", "{command}");
            assert!(file.metadata().is_ok_and(|file| file.len() > 0), "{command} writes no result");
            std::fs::remove_file(file).expect("just made");
        }
    }
    run(&tree, "report clones.json --format html --output pages").success();
    assert!(tree.at("pages/index.html").is_file());
    run(&tree, "report clones.json --format csv")
        .fails_with(&["--format csv is for results of familiar audit"]);
    run(&tree, "report audit.json --format gitlab").fails_with(&["is for results of familiar clones"]);
    run(&tree, "corpus export world --output tables --format csv --quiet --progress never").success();
    run(&tree, "embed a.py --format npy --output vectors --encoder static --quiet").success();
    assert!(tree.at("vectors.jsonl").is_file());
}

#[test]
#[ignore = "long"]
fn colors_follow_the_flag_then_the_environment() {
    let tree = world();
    let colored = |arguments: &str, variable: Option<&str>| {
        let mut command = familiar();
        command.current_dir(tree.path()).env("FAMILIAR_HOME", tree.at("home"));
        command.args(arguments.split_whitespace()).envs(variable.map(|name| (name, "1")));
        let output = command.output().expect("the command was built");
        String::from_utf8_lossy(&output.stdout).contains('\u{1b}')
    };
    for verb in ["clones", "report clones.json", "report audit.json", "audit a.py --against world"] {
        assert!(colored(&format!("{verb} --color always"), Some("NO_COLOR")), "{verb}");
        assert!(!colored(&format!("{verb} --color never"), Some("CLICOLOR_FORCE")), "{verb}");
        assert!(colored(verb, Some("CLICOLOR_FORCE")), "{verb}");
        assert!(!colored(verb, None), "{verb}");
    }
}

#[test]
#[ignore = "long"]
fn what_may_never_end_is_refused_with_a_message() {
    let tree = world();
    let status = std::process::Command::new("mkfifo").arg(tree.at("pipe")).status();
    assert!(status.is_ok_and(|status| status.success()), "mkfifo is part of every Unix");
    let _listener = std::os::unix::net::UnixListener::bind(tree.at("socket")).expect("a new name");
    let zero = Path::new("/dev/zero").exists().then_some(("/dev/zero", "device"));
    for (path, what) in [("pipe", "pipe"), ("socket", "socket")].into_iter().chain(zero) {
        for command in [
            format!("clones {path}"),
            format!("clones a.py --baseline {path}"),
            format!("clones a.py --decisions {path}"),
            format!("clones --query a.py --against {path}"),
            format!("find {path} --in world"),
            format!("find a.py {path} --in world"),
            format!("find --list {path} --in world"),
            format!("find --fingerprints {path} --in world"),
            format!("license {path}"),
            format!("audit {path} --against world"),
            format!("audit a.py --against {path}"),
            format!("report {path} --format text"),
            format!("report {path} --html pages"),
            format!("corpus add world {path}"),
            format!("corpus add world dir:{path}"),
            format!("corpus add world archive:{path}"),
            format!("corpus add world jsonl:{path}"),
            format!("corpus add world stackexchange:{path}"),
            format!("corpus add world list:{path}"),
            format!("fingerprint {path}"),
            format!("embed {path} --output v.npy --encoder static"),
            format!("evaluate pairs {path}"),
            format!("evaluate bags {path} --similarity 0.5"),
            format!("decisions list {path}"),
        ] {
            let refused = run(&tree, &command);
            assert_eq!(refused.code(), 2, "{command}: {}", refused.stderr());
            for part in [path, what, "regular file"] {
                assert!(refused.stderr().contains(part), "{command}: {part}: {}", refused.stderr());
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn memory_holds_for_what_is_named() {
    let tree = world();
    tree.write("large.py", "x = 1\n".repeat(15_000_000));
    for command in
        ["find large.py --in world", "report large.py --format text", "find --list large.py --in world"]
    {
        run(&tree, &format!("{command} --memory 64M")).fails_with(&["larger than 64 MiB", "raise --memory"]);
    }
    let mut command = familiar();
    command.current_dir(tree.path()).env("FAMILIAR_HOME", tree.at("home"));
    command.args("find - --lang python --in world --memory 64M".split_whitespace());
    command.write_stdin("x = 1\n".repeat(15_000_000));
    crate::common::Run(command.output().expect("built"))
        .fails_with(&["standard input", "larger than 64 MiB"]);
}

#[test]
#[ignore = "long"]
fn nothing_read_is_a_warning() {
    let tree = world();
    tree.write("notes/read.me", "prose\n");
    std::fs::create_dir(tree.at("hollow")).expect("can be written");
    for command in [
        "clones hollow",
        "clones notes",
        "license hollow",
        "audit hollow --against world",
        "find hollow --in world",
        "find notes --in world",
        "fingerprint notes",
        "corpus add world hollow",
    ] {
        let warned = run(&tree, command).success();
        assert!(warned.stderr().contains("warning: ") && warned.stderr().contains("0 files"), "{command}");
        let quiet = run(&tree, &format!("{command} --quiet")).success();
        assert_eq!(quiet.stderr(), "", "{command}");
    }
    assert_eq!(run(&tree, "clones a.py").success().stderr(), "");
}

#[test]
#[ignore = "long"]
fn an_archive_of_which_nothing_can_be_read_is_a_failure_everywhere() {
    let tree = world();
    tree.write("cut.zip", b"PK\x03\x04 and then nothing");
    tree.write("cut.tar.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03nonsense");
    tree.write("cut.7z", b"7z\xbc\xaf\x27\x1c\0\0nonsense");
    for file in ["cut.zip", "cut.tar.gz", "cut.7z"] {
        for command in [
            format!("corpus add world {file}"),
            format!("corpus add world submissions:{file}"),
            format!("license {file}"),
            format!("audit {file} --against world"),
            format!("audit a.py --against {file}"),
            format!("embed {file} --output v.npy --encoder static"),
        ] {
            let failed = run(&tree, &command);
            assert_eq!(failed.code(), 2, "{command}: {}", failed.stdout());
            assert!(failed.stderr().contains(file), "{command}: {}", failed.stderr());
        }
    }
}

#[test]
#[ignore = "long"]
fn misspelt_names_get_a_suggestion() {
    let tree = world();
    for (command, meant) in [
        ("clones --format jsno", "json"),
        ("audit a.py --against world --format spdx", "spdx-json"),
        ("clones --mesure lines", "--measure"),
        ("clones --measure line", "lines"),
        ("clones --lang pyhton", "python"),
        ("clones --granularity functoin", "function"),
        ("clones --progress alway", "always"),
        ("clones --color alwyas", "always"),
        ("find a.py --in wrold", "world"),
        ("clones --in worl", "world"),
        ("corpus info wordl", "world"),
        ("audit a.py --against wrold", "world"),
        ("corpus add world archiv:b", "archive"),
        ("corpus export world --output t --tables blob", "blobs"),
        ("clones --types 4 --encoder bultin", "builtin"),
        ("decisions add d.json x --as acepted", "accepted"),
        ("clnes .", "clones"),
    ] {
        let failed = run(&tree, command);
        assert_eq!(failed.code(), 2, "{command}");
        let message = failed.stderr();
        assert!(message.contains("did you mean") || message.contains("similar"), "{command}: {message}");
        assert!(message.contains(meant), "{command}: {message}");
    }
    tree.write("familiar.toml", "min-token = 3\n");
    run(&tree, "clones").fails_with(&["line 1", "min-token", "did you mean min-tokens"]);
    tree.write("familiar.toml", "[audit]\nalowed = [\"MIT\"]\n");
    run(&tree, "audit a.py --against world").fails_with(&["alowed", "did you mean allowed?"]);
    tree.write("familiar.toml", "[audit]\nfail = [\"contestet\"]\n");
    run(&tree, "audit a.py --against world").fails_with(&["contestet", "did you mean contested?"]);
}

#[test]
fn sizes_are_said_as_they_were_given() {
    let tree = world();
    run(&tree, "clones --memory 32000K").fails_with(&["32000K", "at least 65536K"]);
    run(&tree, "clones --memory 1M").fails_with(&["at least 64M"]);
    tree.write("large.py", "x = 1\n".repeat(3_000));
    run(&tree, "corpus add world large.py --max-file 10K").success();
    let skips = run(&tree, "corpus info world --skips").success().stdout();
    assert!(skips.contains("larger than 10 KiB"), "{skips}");
}

#[test]
fn long_results_begin_and_end_with_a_summary() {
    let tree = Tree::new(&[]);
    for number in 0..30 {
        let other = other_function(&format!("read_{number}"));
        tree.write(&format!("src/m{number}.py"), format!("# SPDX-License-Identifier: MIT\n{other}"));
    }
    let license = run(&tree, "license src").success().stdout();
    assert!(license.starts_with("30 files\n      30  MIT\n"), "{license}");
    assert!(license.trim_end().ends_with("30 files\n      30  MIT"), "{license}");
    let one = run(&tree, "license src/m1.py").success().stdout();
    assert!(one.starts_with("m1.py: MIT\n") && one.contains("1 file\n       1  MIT"), "{one}");
    run(&tree, "corpus add world src --quiet").success();
    let found = run(&tree, "find src --in world").success().stdout();
    let summary = "30 files of code looked up: the corpus has code of 30 files";
    assert!(found.starts_with(summary) && found.trim_end().ends_with(summary), "{found}");
}

#[test]
#[ignore = "long"]
fn formats_of_pairs_between_projects_name_both_projects() {
    let tree = Tree::new(&[
        ("homework/ann/sum.py", &function("total", "items", 0)),
        ("homework/bob/sum.py", &function("total", "items", 0)),
    ]);
    run(&tree, "corpus add class submissions:homework --quiet").success();
    let written = |format: &str| {
        let arguments = format!("clones --in class --between-projects --format {format}");
        run(&tree, &arguments).success().stdout()
    };
    let csv = written("csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).expect("a column");
    let of = |name: &str| rows[1][column(name)];
    assert_eq!((of("left_project"), of("left_path")), ("ann", "sum.py"), "{csv}");
    assert_eq!((of("right_project"), of("right_path")), ("bob", "sum.py"), "{csv}");
    let line: serde_json::Value = serde_json::from_str(written("ndjson").trim()).expect("one line");
    assert_eq!((&line["left"]["project"], &line["right"]["project"]), (&"ann".into(), &"bob".into()));
    for format in ["text", "json", "markdown", "sarif", "gitlab", "bigcloneeval"] {
        let text = written(format);
        assert!(text.contains("ann") && text.contains("bob"), "{format}: {text}");
    }
}

#[test]
fn at_most_none_is_no_number() {
    let tree = Tree::new(&[("rows.jsonl", "")]);
    for command in [
        "attack rows.jsonl --programs 0",
        "evaluate robustness rows.jsonl --programs 0",
        "evaluate diversity rows.jsonl --programs 0",
        "evaluate mutants rows.jsonl --pairs 0",
        "benchmark inject b dir --output o --pairs 0",
        "benchmark test b --pairs 0",
        "benchmark seeds b --count 0",
        "codenet benchmark rows.jsonl --output o --problems 0",
        "codenet benchmark rows.jsonl --output o --solutions 0",
        "transform rows.jsonl --set all --count 0",
    ] {
        tree.run(command).fails_with(&["give at least 1"]);
    }
}

#[test]
fn an_encoder_that_nothing_needs_has_a_name_all_the_same() {
    let tree = Tree::with_clones();
    tree.clones(". --encoder bultin").fails_with(&["there is no encoder bultin", "builtin"]);
    tree.clones(". --encoder weights:none").success();
}
