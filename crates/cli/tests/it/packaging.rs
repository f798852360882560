//! What is handed out: archives, the Debian package's files and the Homebrew formula.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::Tree;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("it is there")
}

fn script(tree: &Tree, name: &str, arguments: &[&str]) -> Output {
    Command::new("bash")
        .current_dir(tree.path())
        .arg(repository().join("packaging").join(name))
        .args(arguments)
        .env("PACKAGING", tree.at("packaging"))
        .output()
        .expect("there is bash")
}

/// A program in the place of Familiar that prints what it is asked for.
fn program(tree: &Tree) {
    tree.write("program", "#!/bin/sh\necho \"$@\"\n");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(tree.at("program"), executable).expect("it was written");
}

#[test]
fn an_archive_has_the_program_with_all_that_belongs_to_it_and_a_checksum() {
    let tree = Tree::new(&[]);
    program(&tree);
    let name = "familiar-v0.1.0-x86_64-unknown-linux-gnu";
    let run = script(&tree, "pack.sh", &["program", name]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let list =
        Command::new("tar").current_dir(tree.path()).args(["-tzf", &format!("{name}.tar.gz")]).output();
    let listed = String::from_utf8(list.expect("there is tar").stdout).expect("names are text");
    for file in ["familiar", "familiar.1", "README.md", "LICENSE-MIT", "completions/familiar.zsh"] {
        assert!(listed.lines().any(|line| line == format!("{name}/{file}")), "{file}: {listed}");
    }
    let sum = std::fs::read_to_string(tree.at(&format!("{name}.tar.gz.sha256"))).expect("it was written");
    let (sum, of) = sum.split_once("  ").expect("a checksum and a name");
    assert_eq!((sum.len(), of.trim_end()), (64, format!("{name}.tar.gz").as_str()));
    let bash =
        std::fs::read_to_string(tree.at("packaging/completions/familiar.bash")).expect("it was written");
    assert_eq!(bash, "completions bash\n");
}

#[test]
fn what_the_debian_package_takes_is_what_is_packed() {
    let tree = Tree::new(&[]);
    program(&tree);
    assert!(script(&tree, "pack.sh", &["program", "any"]).status.success());
    let manifest = std::fs::read_to_string(repository().join("crates/cli/Cargo.toml")).expect("it is there");
    let packed: Vec<&str> =
        manifest.split('"').filter_map(|text| text.strip_prefix("../../target/packaging/")).collect();
    assert!(packed.len() >= 4, "{packed:?}");
    for file in packed {
        assert!(tree.at("packaging").join(file).is_file(), "{file}");
    }
}

#[test]
fn a_formula_names_the_archives_of_its_release_by_their_checksums() {
    let tree = Tree::new(&[]);
    let targets = ["aarch64-apple-darwin", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];
    for (digit, target) in ('1'..).zip(targets) {
        let name = format!("familiar-v1.2.3-{target}.tar.gz");
        let sum = String::from(digit).repeat(64);
        tree.write(&format!("sums/{name}.sha256"), format!("{sum}  {name}\n"));
    }
    let run = script(&tree, "homebrew/formula.sh", &["v1.2.3", "sums"]);
    let formula = String::from_utf8(run.stdout).expect("it is text");
    assert!(
        run.status.success() && formula.contains("version \"1.2.3\"") && !formula.contains('@'),
        "{formula}"
    );
    for (digit, target) in ('1'..).zip(targets) {
        let after = formula.split_once(target).expect(target).1;
        let sum = after.split('"').nth(2).expect("a checksum");
        assert_eq!(sum, String::from(digit).repeat(64), "{target}");
    }
    tree.write("sums/familiar-v1.2.3-aarch64-apple-darwin.tar.gz.sha256", "not found\n");
    let run = script(&tree, "homebrew/formula.sh", &["v1.2.3", "sums"]);
    assert!(!run.status.success() && run.stdout.is_empty());
}

#[test]
fn cargo_binstall_takes_the_archive_that_a_release_has() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).expect(path);
    let manifest: toml::Table = read("crates/cli/Cargo.toml").parse().expect("TOML");
    let workspace: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let repository = workspace["workspace"]["package"]["repository"].as_str().expect("an address");
    let target = "x86_64-unknown-linux-gnu";
    let filled = |key: &str| {
        let template = manifest["package"]["metadata"]["binstall"][key].as_str().expect("a template");
        let values = [
            ("{ repo }", repository),
            ("{ version }", "1.2.3"),
            ("{ target }", target),
            ("{ bin }", "familiar"),
            ("{ binary-ext }", ""),
        ];
        values.into_iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    // What the workflow of releases packs and uploads to the release of the tag.
    let workflow = read(".github/workflows/release.yml");
    let packed = workflow.split_once("packaging/pack.sh ").expect("it packs").1.split('"').nth(3);
    let name = packed.expect("a name").replace("$TAG", "v1.2.3").replace("$TARGET", target);
    assert!(workflow.contains("gh release upload \"$TAG\" familiar-*.tar.gz"));
    assert_eq!(filled("pkg-url"), format!("{repository}/releases/download/v1.2.3/{name}.tar.gz"));
    let tree = Tree::new(&[]);
    program(&tree);
    assert!(script(&tree, "pack.sh", &["program", &name]).status.success());
    let packed =
        Command::new("tar").current_dir(tree.path()).args(["-tzf", &format!("{name}.tar.gz")]).output();
    let packed = String::from_utf8(packed.expect("there is tar").stdout).expect("names are text");
    assert!(packed.lines().any(|line| line == filled("bin-dir")), "{}: {packed}", filled("bin-dir"));
}
