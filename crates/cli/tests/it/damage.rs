//! One flipped bit anywhere in a corpus is found by `verify`, and never makes another command answer wrongly.

use std::path::{Path, PathBuf};

use crate::common::{Run, Tree, copy, function, other_function, rows};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// How many bits are flipped, one at a time: more with `FAMILIAR_FLIPS=5000 cargo test …`, as `.ci/run` does. That readers find
/// every changed byte is tested in `index` and in `store`; here the question is what the program does then.
fn flips() -> usize {
    std::env::var("FAMILIAR_FLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(75)
}

/// A corpus with all kinds of files in it: two parts, something handed out, something left out.
fn world() -> Tree {
    let tree = Tree::new(&[
        ("a/one.py", &(function("total", "items", 0) + &other_function("read"))),
        ("a/two.py", &function("sum_all", "values", 5)),
        ("b/copy.py", &function("total", "items", 0)),
        ("template/given.py", &other_function("read")),
        ("a/package.json", r#"{"name": "a", "license": "MIT"}"#),
    ]);
    tree.write("b/binary.py", b"\0\0");
    tree.run("corpus add --quiet ./whole a --base template").success();
    tree.run("corpus add --quiet ./whole b").success();
    tree
}

/// The files that count.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![folder.join("manifest.json")];
    for inner in ["tables", "segments"] {
        let entries = std::fs::read_dir(folder.join(inner)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("it is there").path()));
    }
    files.sort();
    files
}

/// What cannot be told without reading everything.
fn answer(tree: &Tree, command: &str) -> Run {
    match command {
        "find" => tree.run("find a/one.py --in ./damaged --format json"),
        "clones" => tree.run("clones --in ./damaged --between-projects --types 1,2 --format json"),
        "info" => tree.run("corpus info ./damaged --format json"),
        "skips" => tree.run("corpus info ./damaged --skips"),
        other => tree.run(&format!("corpus {other} ./damaged")),
    }
}

#[test]
#[ignore = "long"]
fn a_flipped_bit_is_found_and_answers_nothing_wrong() {
    let tree = world();
    let damaged = tree.at("damaged");
    copy(&tree.at("whole"), &damaged);
    let asking = ["find", "clones", "info", "skips"];
    let right = asking.map(|command| answer(&tree, command).success().stdout());
    let (whole, files) = (rows(&damaged), files(&damaged));
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for flip in 0..flips() {
        let file = &files[flip % files.len()];
        let mut bytes = std::fs::read(file).expect("it is there");
        let bit = numbers.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(file, &bytes).expect("it is ours");
        let place = format!("bit {bit} of {}", file.display());

        let found = tree.run("corpus verify ./damaged");
        let name = file.file_name().expect("a file").to_string_lossy();
        assert!(found.code() == 2 && (found.stdout() + &found.stderr()).contains(&*name), "{place}");
        let number = numbers.below(asking.len());
        let said = answer(&tree, asking[number]);
        match said.code() {
            0 => assert_eq!(said.stdout(), right[number], "{} with {place}", asking[number]),
            _ => said.fails_with(&[&name]),
        }
        let changing = ["merge", "rebuild", "update --quiet"][numbers.below(3)];
        let changed = answer(&tree, changing);
        if changed.code() == 0 {
            // What was not looked at is still damaged; what was made anew is right.
            let still = tree.run("corpus verify ./damaged").code();
            assert!(still == 2 || rows(&damaged) == whole, "{changing} with {place}");
        } else {
            changed.fails_with(&[&name]);
        }
        std::fs::remove_dir_all(&damaged).expect("it is ours");
        copy(&tree.at("whole"), &damaged);
    }
}

/// Puts a table in the place of the one of `part` in ./whole, with a manifest that says that this is right.
fn replace(tree: &Tree, table: &str, with: &Path) {
    let bytes = std::fs::read(with).expect("it is there");
    tree.write(&format!("whole/tables/{table}-00000001.parquet"), &bytes);
    let manifest = std::fs::read(tree.at("whole/manifest.json")).expect("it is there");
    let mut manifest: Value = serde_json::from_slice(&manifest).expect("it is JSON");
    manifest.as_object_mut().expect("an object").remove("checksum");
    for known in manifest["parts"][0]["tables"].as_array_mut().expect("a list") {
        if known["table"] == table {
            known["bytes"] = bytes.len().into();
            known["checksum"] = format!("{:032x}", xxh3_128(&bytes)).into();
        }
    }
    tree.write("whole/manifest.json", manifest.to_string());
}

#[test]
#[ignore = "long"]
fn tables_that_do_not_agree_are_not_merged() {
    for table in ["blobs", "fragments", "texts"] {
        let tree = world();
        tree.run("corpus add --quiet ./other b").success();
        replace(&tree, table, &tree.at(&format!("other/tables/{table}-00000001.parquet")));
        let before = rows(&tree.at("whole"));
        tree.run("corpus merge ./whole")
            .fails_with(&["part 1: its tables contradict each other", "corpus verify"]);
        assert_eq!(rows(&tree.at("whole")), before);
        tree.run("corpus verify ./whole").success();
    }
}

#[test]
#[ignore = "long"]
fn what_does_not_fit_the_memory_is_not_left_out_of_what_is_made_anew() {
    let body = "  if a > b\n    c = a + b\n    puts(c)\n  end\n";
    let ruby: Vec<String> = (0..3000).map(|n| format!("def f{n}(a, b)\n{body}  a\nend\n")).collect();
    let python: Vec<String> = (0..60_000).map(|n| format!("x{n} = {n} + f(a, b)\n")).collect();
    // Without syntax trees the first has no functions that might not fit.
    let large = [("large.py", python), ("large.rb", ruby)];
    let large = large.into_iter().take(1 + usize::from(cfg!(feature = "trees")));
    for (name, text) in large.map(|(name, lines)| (name, lines.concat())) {
        let tree = Tree::new(&[(&format!("a/{name}"), &text), ("a/small.py", &function("f", "x", 1))]);
        tree.run("corpus add --quiet ./whole a").success();
        let segments = || -> Vec<PathBuf> { files(&tree.at("whole")) };
        let before = segments();
        tree.run("corpus rebuild ./whole --memory 64M")
            .fails_with(&["cannot read swh:1:cnt:", "the --memory"]);
        assert_eq!(segments(), before);
        tree.run("corpus verify ./whole").success();
        tree.run("corpus rebuild ./whole").success();
    }
}
