//! What stands ready for continuous integration: the scripts of the GitHub Action, the GitLab job, and the hook.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{Tree, function};
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("it is there")
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).expect("part of the repository")
}

/// Runs a script of the action in a tree, with what a runner gives.
fn script(tree: &Tree, name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let path = format!("{}:{}", tree.at("bin").display(), std::env::var("PATH").expect("it is set"));
    Command::new("bash")
        .current_dir(tree.at("work"))
        .arg(repository().join("ci/github").join(name))
        .args(arguments)
        .env("PATH", path)
        .env("RUNNER_TEMP", tree.at("temp"))
        .env("RUNNER_OS", "Linux")
        .env("RUNNER_ARCH", "X64")
        .env("GITHUB_OUTPUT", tree.at("output"))
        .env("GITHUB_STEP_SUMMARY", tree.at("summary.md"))
        .env("ACTION_PATH", repository())
        .env("FAMILIAR", env!("CARGO_BIN_EXE_familiar"))
        .envs(environment.iter().copied())
        .output()
        .expect("there is bash")
}

/// The inputs of the action with their defaults, and some others.
fn clones(tree: &Tree, inputs: &[(&str, &str)]) -> Output {
    let mut all = vec![
        ("INPUT_PATHS", "."),
        ("INPUT_EXCLUDE", ""),
        ("INPUT_TYPES", ""),
        ("INPUT_MIN_TOKENS", ""),
        ("INPUT_FAIL_OVER", ""),
        ("INPUT_BASELINE", ""),
        ("INPUT_CHANGED_SINCE", ""),
        ("INPUT_FORMAT", "sarif"),
        ("INPUT_OUTPUT", ""),
        ("INPUT_BADGE", ""),
        ("INPUT_SUMMARY", "true"),
        ("INPUT_UPLOAD_SARIF", "false"),
    ];
    all.extend(inputs);
    script(tree, "clones.sh", &[], &all)
}

fn tree() -> Tree {
    let tree = Tree::new(&[
        ("work/a.py", &function("total", "items", 0)),
        ("work/b b/$(touch stolen).py", &function("total", "items", 0)),
        ("work/c/d.py", &function("sum_all", "values", 5)),
    ]);
    std::fs::create_dir(tree.at("temp")).expect("it is new");
    std::fs::create_dir(tree.at("bin")).expect("it is new");
    tree
}

/// An output of the steps, whose last value counts.
fn output(tree: &Tree, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(tree.at("output")).unwrap_or_default();
    let start = format!("{name}=");
    text.lines().rev().find_map(|line| line.strip_prefix(&start).map(str::to_owned))
}

#[track_caller]
fn succeeds(output: &Output) {
    let streams = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{streams:?}");
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("it was written")).expect("it is JSON")
}

#[test]
fn the_action_writes_outputs_summary_and_sarif_from_one_run() {
    let tree = tree();
    succeeds(&clones(&tree, &[("INPUT_FAIL_OVER", "0"), ("INPUT_BADGE", "badge.svg")]));
    assert_eq!(output(&tree, "classes").as_deref(), Some("1"));
    let share: f64 = output(&tree, "duplication").expect("it is there").parse().expect("a number");
    assert!(share > 0.5 && share <= 1.0, "{share}");
    assert_eq!(output(&tree, "over").as_deref(), Some("true"));
    let sarif = json(Path::new(&output(&tree, "output").expect("it is there")));
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        json(Path::new(&output(&tree, "result").expect("it is there")))["schema"],
        "familiar.clones/1"
    );
    let summary = std::fs::read_to_string(tree.at("summary.md")).expect("it was written");
    assert!(summary.contains("| 1 | 2 |"), "{summary}");
    assert!(tree.at("work/badge.svg").is_file());
}

#[test]
fn inputs_of_the_action_are_data() {
    let tree = tree();
    let evil = "$(touch stolen)`touch stolen`;touch stolen\n-q\n\"; touch stolen; \"";
    for input in ["INPUT_PATHS", "INPUT_EXCLUDE", "INPUT_BASELINE", "INPUT_CHANGED_SINCE", "INPUT_TYPES"] {
        clones(&tree, &[(input, evil)]);
    }
    clones(&tree, &[("INPUT_OUTPUT", "x\nclasses=7")]);
    assert_ne!(output(&tree, "classes").as_deref(), Some("7"));
    clones(&tree, &[("INPUT_FORMAT", evil)]);
    assert!(!tree.at("work/stolen").exists());
    succeeds(&clones(&tree, &[("INPUT_PATHS", "a.py\nb b\n"), ("INPUT_EXCLUDE", "none/\n*.txt")]));
    let paths = json(Path::new(&output(&tree, "result").expect("it is there")))["settings"]["roots"].clone();
    assert_eq!(paths, serde_json::json!(["a.py", "b b"]));
    assert!(!tree.at("work/stolen").exists());
}

#[test]
fn the_action_passes_flags_on_and_fails_where_familiar_does() {
    let tree = tree();
    let run = clones(&tree, &[("INPUT_FAIL_OVER", "many")]);
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("--fail-over"));
    assert_eq!(output(&tree, "classes"), None);
    let run = clones(&tree, &[("INPUT_UPLOAD_SARIF", "true"), ("INPUT_FORMAT", "json")]);
    assert_eq!(run.status.code(), Some(2));
    let inputs = [
        ("INPUT_TYPES", "1"),
        ("INPUT_EXCLUDE", "b b/"),
        ("INPUT_MIN_TOKENS", "60"),
        ("INPUT_FAIL_OVER", "5%"),
        ("INPUT_FORMAT", "html"),
        ("INPUT_OUTPUT", "../report"),
        ("INPUT_SUMMARY", "false"),
    ];
    succeeds(&clones(&tree, &inputs));
    assert_eq!((output(&tree, "classes").as_deref(), output(&tree, "over")), (Some("0"), None));
    assert!(tree.at("report/index.html").is_file() && !tree.at("summary.md").exists());
    succeeds(&clones(&tree, &[("INPUT_FORMAT", "json"), ("INPUT_OUTPUT", "base.json")]));
    succeeds(&clones(&tree, &[("INPUT_BASELINE", "base.json"), ("INPUT_FAIL_OVER", "0")]));
    assert_eq!(output(&tree, "classes").as_deref(), Some("0"));
}

/// A program in the way of the real one.
fn stands_in(tree: &Tree, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    tree.write(&format!("bin/{name}"), format!("#!/usr/bin/env bash\nset -eu\n{script}\n"));
    let all = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(tree.at(&format!("bin/{name}")), all).expect("it is ours");
}

#[test]
fn the_action_installs_its_own_version_or_the_one_that_is_asked_for() {
    let tree = tree();
    let choose = |version: &str, reference: &str| {
        let environment = [("INPUT_VERSION", version), ("ACTION_REF", reference)];
        script(&tree, "install.sh", &["choose"], &environment).status.success()
    };
    let tag = || output(&tree, "tag").expect("it is there");
    assert!(choose("", "v0.1.0") && tag() == "v0.1.0");
    assert!(output(&tree, "key").is_some_and(|key| key.ends_with("-Linux-X64-v0.1.0")));
    assert!(choose("1.2.3-rc.1", "v0.1.0") && tag() == "v1.2.3-rc.1");
    assert!(choose("", "main") && tag().is_empty());
    let key = output(&tree, "key").expect("it is there");
    assert_eq!(key.rsplit('-').next().map(str::len), Some(40), "{key}");
    for wrong in ["main", "v1", "1.2.3 --git=elsewhere", "1.2.3\ntag=x", "$(touch stolen)"] {
        assert!(!choose(wrong, "v0.1.0"), "{wrong}");
    }
    let windows = script(&tree, "install.sh", &["choose"], &[("RUNNER_OS", "Windows")]);
    assert!(String::from_utf8_lossy(&windows.stdout).contains("Linux and macOS"));
}

#[test]
fn the_action_takes_a_binary_with_the_right_checksum_and_builds_where_there_is_none() {
    let tree = tree();
    let name = "familiar-v0.1.0-x86_64-unknown-linux-gnu";
    tree.write(&format!("release/{name}/familiar"), "#!/bin/sh\necho released\n");
    let pack = format!(
        "cd release && chmod +x {name}/familiar && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz > {name}.tar.gz.sha256"
    );
    let packed = Command::new("bash").current_dir(tree.path()).args(["-c", &pack]).output();
    succeeds(&packed.expect("there is bash"));
    let release = tree.at("release");
    stands_in(&tree, "curl", &format!("cp '{}'/\"$(basename \"${{!#}}\")\" .", release.display()));
    stands_in(&tree, "cargo", "echo \"$@\" > \"$RUNNER_TEMP/cargo\"");
    let folder = tree.at("temp/install");
    let install = |tag: &str| {
        // Nothing of the run before counts.
        let _ = (std::fs::remove_dir_all(&folder), std::fs::remove_file(tree.at("temp/cargo")));
        let folder = folder.to_string_lossy().into_owned();
        script(&tree, "install.sh", &["install"], &[("CHOSEN_TAG", tag), ("CHOSEN_FOLDER", &folder)])
    };
    let built = || std::fs::read_to_string(tree.at("temp/cargo")).unwrap_or_default();
    succeeds(&install("v0.1.0"));
    assert!(folder.join("bin/familiar").is_file() && built().is_empty());
    succeeds(&install("v0.2.0"));
    assert!(built().ends_with("--git https://github.com/familiar-code/familiar --tag v0.2.0 familiar-cli\n"));
    succeeds(&install(""));
    assert!(built().trim_end().ends_with("crates/cli") && built().contains("--locked"), "{}", built());
    tree.write(&format!("release/{name}.tar.gz.sha256"), format!("{} {name}.tar.gz\n", "0".repeat(64)));
    let run = install("v0.1.0");
    assert!(!run.status.success() && built().is_empty() && !folder.join("bin/familiar").exists());
    assert!(String::from_utf8_lossy(&run.stdout).contains("not what its checksum says"));
}

#[test]
fn no_input_is_part_of_a_script_of_the_action() {
    let action = text_of("action.yml");
    let mut inside = None;
    for line in action.lines() {
        let indent = line.len() - line.trim_start().len();
        if inside.is_some_and(|run| indent <= run) {
            inside = None;
        }
        let run = line.trim_start().trim_start_matches("- ").starts_with("run:");
        assert!(!(line.contains("${{") && (run || inside.is_some())), "{line}");
        if run {
            inside = Some(indent);
        }
    }
    let others = action.lines().filter_map(|line| line.trim().strip_prefix("uses: "));
    for other in others {
        let (_, version) = other.split_once('@').expect("a version");
        let commit = version.split(' ').next().expect("a word");
        assert!(commit.len() == 40 && version.contains(" # v"), "{other} is no commit with its version");
    }
}

/// The block of a job's key in GitLab's file.
fn block(key: &str) -> String {
    let text = text_of("ci/gitlab/familiar.yml");
    let start = format!("  {key}:\n    - |\n");
    let (_, rest) = text.split_once(&start).expect("the job has it");
    let lines: Vec<&str> = rest.lines().map_while(|line| line.strip_prefix("      ")).collect();
    lines.join("\n") + "\n"
}

#[test]
fn the_job_for_gitlab_writes_its_reports_and_fails_over_the_limit() {
    let tree = tree();
    std::fs::create_dir_all(tree.at("work/.familiar/bin")).expect("it is new");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_familiar"), tree.at("work/.familiar/bin/familiar"))
        .expect("it is new");
    // It would be an error to fetch what is there.
    for program in ["curl", "cargo"] {
        stands_in(&tree, program, "exit 9");
    }
    let script = format!("set -eo pipefail\n{}{}", block("before_script"), block("script"));
    let run = |variables: &[(&str, &str)]| {
        let path = format!("{}:{}", tree.at("bin").display(), std::env::var("PATH").expect("it is set"));
        let mut command = Command::new("bash");
        command.current_dir(tree.at("work")).args(["-c", &script]).env("PATH", path);
        command.env("CI_PROJECT_DIR", tree.at("work")).envs(variables.iter().copied());
        command.output().expect("there is bash")
    };
    succeeds(&run(&[]));
    let report = json(&tree.at("work/gl-code-quality-report.json"));
    assert_eq!(report.as_array().map(Vec::len), Some(3));
    assert!(tree.at("work/duplication.svg").is_file());
    let over = run(&[("FAMILIAR_FAIL_OVER", "0"), ("FAMILIAR_PATHS", "a.py c")]);
    assert_eq!(over.status.code(), Some(1));
    assert_eq!(json(&tree.at("work/gl-code-quality-report.json")).as_array().map(Vec::len), Some(2));
    let evil = "$(touch stolen);`touch stolen`";
    let wrong = run(&[("FAMILIAR_TYPES", evil), ("FAMILIAR_PATHS", evil)]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(!tree.at("work/stolen").exists());
}

#[test]
fn what_is_copied_from_here_names_the_version_that_this_is() {
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    for path in ["ci/gitlab/familiar.yml", "docs/ci.md"] {
        let text = text_of(path);
        let starts = text.match_indices("v0.").chain(text.match_indices("v1."));
        let names: Vec<&str> = starts.map(|(at, _)| text[at..].get(..version.len()).unwrap_or("")).collect();
        assert!(!names.is_empty() && names.iter().all(|name| *name == version), "{path}: {names:?}");
    }
}

#[test]
fn the_hook_lets_a_commit_without_copies_pass() {
    let text = text_of(".pre-commit-hooks.yaml");
    let entry = text.lines().find_map(|line| line.strip_prefix("  entry: familiar ")).expect("one");
    let args = text.lines().find_map(|line| line.strip_prefix("  args: [")).expect("a list");
    let args = args.trim_end_matches(']').replace([',', '"'], " ");
    let tree =
        Tree::new(&[("a.py", &function("total", "items", 0)), ("b.py", &function("total", "items", 0))]);
    tree.git("init -q");
    tree.git("add .");
    tree.git("commit -qm first");
    tree.write("c.py", "x = 1\n");
    tree.git("add .");
    assert_eq!(tree.run(&format!("{entry} {args}")).code(), 0, "old copies are no news");
    tree.write("d.py", function("total", "items", 0));
    tree.git("add .");
    assert_eq!(tree.run(&format!("{entry} {args}")).code(), 1);
}
