//! A corpus that is updated again and again says what one says that is made now, in whatever order its sources come.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use familiar_corpus::Limits;
use familiar_corpus::spec;
use familiar_files::dir::WalkOptions;
use familiar_source::Silent;
use familiar_store::Corpus;
use familiar_store::tables::{LicenseFiles, Lineages, Occurrences, Projects, Skips};

use super::{UpdateOptions, update};
use crate::{AddOptions, FindOptions, Library, QueryReader, Reading, add};

const PATHS: [&str; 10] = [
    "m.py",
    "tool.txt",
    "tool.py",
    "run",
    "LICENSE",
    "sub/LICENSE",
    "sub/b.py",
    "setup.py",
    "package.json",
    "notes.md",
];

/// Code of one language, other code of it, a script that its first line tells, a license, prose, and no text.
fn contents() -> [Vec<u8>; 6] {
    let function = |name: &str, word: &str| {
        let body = format!("    {word} = width * height\n    if {word} > 10:\n        return {word} + 1\n");
        format!("def {name}(width, height):\n{body}    return [{word}, width, height]\n\n").repeat(3)
    };
    [
        function("area", "size").into_bytes(),
        format!("{}{}", function("area", "size"), function("other", "x")).into_bytes(),
        format!("#!/usr/bin/env python\n{}", function("area", "size")).into_bytes(),
        b"SPDX-License-Identifier: MIT\n".to_vec(),
        b"Just words, as people write them.\n".to_vec(),
        b"\0\x01\0\x02\xff".to_vec(),
    ]
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// What stands in a folder or on a branch.
type Files = BTreeMap<&'static str, usize>;

fn change(files: &mut Files, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        let path = PATHS[dice.below(PATHS.len())];
        match dice.below(5) {
            0 => drop(files.remove(path)),
            // A file goes elsewhere.
            1 => {
                let to = PATHS[dice.below(PATHS.len())];
                if let Some(content) = files.remove(path) {
                    files.insert(to, content);
                }
            }
            _ => drop(files.insert(path, dice.below(contents().len()))),
        }
    }
}

/// Two folders and a repository.
struct World {
    dir: tempfile::TempDir,
    folders: [Files; 2],
    branch: Files,
    commits: usize,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        for name in ["left", "right"] {
            std::fs::create_dir(dir.path().join(name)).expect("just made");
        }
        let repository = dir.path().join("repository");
        let made = Command::new("git").args(["init", "-q", "--bare"]).arg(&repository).status();
        assert!(made.expect("git is there").success());
        Self { dir, folders: Default::default(), branch: Files::new(), commits: 0 }
    }

    fn sources(&self) -> Vec<String> {
        let root = self.dir.path().canonicalize().expect("just made");
        ["dir:left", "dir:right", "git:repository"]
            .map(|name| name.replace(':', &format!(":{}/", root.display())))
            .to_vec()
    }

    /// Some commits, and some changes in the folders.
    fn step(&mut self, dice: &mut Dice) {
        for (name, files) in ["left", "right"].into_iter().zip(&mut self.folders) {
            change(files, dice);
            let folder = self.dir.path().join(name);
            std::fs::remove_dir_all(&folder).expect("it is there");
            std::fs::create_dir_all(folder.join("sub")).expect("it can be made");
            for (path, content) in files {
                let file = folder.join(path);
                std::fs::write(&file, &contents()[*content]).expect("it can be written");
                let time = UNIX_EPOCH + Duration::from_secs(1_400_000_000);
                let file = std::fs::File::options().append(true).open(file).expect("just made");
                file.set_modified(time).expect("it is ours");
            }
        }
        for _ in 0..=dice.below(3) {
            let before = self.branch.clone();
            change(&mut self.branch, dice);
            self.commit(&before);
        }
    }

    fn commit(&mut self, before: &Files) {
        self.commits += 1;
        let time = 1_300_000_000 + self.commits * 1000;
        let mut stream =
            format!("commit refs/heads/main\ncommitter Ann <ann@example.org> {time} +0000\ndata 0\n");
        if self.commits > 1 {
            stream += "from refs/heads/main^0\n";
        }
        let mut stream = stream.into_bytes();
        for path in before.keys().filter(|path| !self.branch.contains_key(*path)) {
            writeln!(stream, "D {path}").expect("memory");
        }
        for (path, content) in &self.branch {
            let content = &contents()[*content];
            writeln!(stream, "M 100644 inline {path}\ndata {}", content.len()).expect("memory");
            stream.extend_from_slice(content);
            stream.push(b'\n');
        }
        let mut import = Command::new("git")
            .args(["fast-import", "--quiet"])
            .current_dir(self.dir.path().join("repository"))
            .stdin(Stdio::piped())
            .spawn()
            .expect("git is there");
        import.stdin.take().expect("it is piped").write_all(&stream).expect("it reads");
        assert!(import.wait().expect("it ends").success());
    }

    fn reading() -> Reading {
        Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 }
    }

    fn add(folder: &Path, names: &[String]) {
        let walk = WalkOptions::default();
        let source = |name: &String| (name.clone(), spec::source(name, &walk).expect("it is there"));
        let options = AddOptions {
            folder: folder.to_owned(),
            sources: names.iter().map(source).collect(),
            base: BTreeSet::new(),
            exclude: Vec::new(),
            text: true,
            reading: Self::reading(),
        };
        let outcome = add(&options, &Silent).expect("the corpus can be written");
        assert!(outcome.failed.is_empty(), "{:?}", outcome.failed);
    }
}

/// All that counts in a corpus, row by row.
fn rows(folder: &Path) -> BTreeSet<String> {
    let corpus = Corpus::open(folder).expect("it is there");
    let mut rows = BTreeSet::new();
    macro_rules! table {
        ($table:ty) => {
            let taken = corpus.read_latest::<$table>(|part, row| {
                rows.insert(format!("{} {row:?}", part.source));
            });
            taken.expect("sound tables");
        };
    }
    table!(Occurrences);
    table!(LicenseFiles);
    table!(Lineages);
    table!(Projects);
    table!(Skips);
    rows
}

/// What a corpus answers, for each code that may stand in it.
fn answers(folder: &Path) -> String {
    let library = Library::open(folder).expect("it is there");
    let mut answers = String::new();
    for content in &contents()[..3] {
        let query = QueryReader::new(1 << 30).read("q.py", content, None, None).expect("it is code");
        let report = library.find(&query, &FindOptions::default()).expect("it answers");
        let _ = writeln!(answers, "{}", serde_json::to_string_pretty(&report).expect("plain data"));
    }
    answers
}

#[test]
fn a_corpus_that_is_updated_is_as_if_it_were_made_now() {
    for seed in 0..4 {
        let (mut world, mut dice) = (World::new(), Dice(seed));
        world.step(&mut dice);
        let updated: PathBuf = world.dir.path().join("updated");
        World::add(&updated, &world.sources());
        for step in 0..6 {
            world.step(&mut dice);
            let options = UpdateOptions {
                folder: updated.clone(),
                walk: WalkOptions::default(),
                reading: World::reading(),
            };
            update(&options, &Silent).expect("the corpus can be written");
            let mut names = world.sources();
            names.rotate_left(step % 3);
            let fresh = world.dir.path().join(format!("fresh-{step}"));
            World::add(&fresh, &names);
            let (ours, theirs) = (rows(&updated), rows(&fresh));
            let differ: Vec<&String> = ours.symmetric_difference(&theirs).collect();
            assert!(differ.is_empty(), "seed {seed}, step {step}: {differ:#?}");
            assert_eq!(answers(&updated), answers(&fresh), "seed {seed}, step {step}");
        }
    }
}
