//! A history is read whatever stands in its trees, commits and tags: names, modes, times and people are bytes.
#![no_main]

mod common;

use std::ops::ControlFlow;

use common::LIMITS;
use familiar_corpus::{Found, Source, git};
use gix::ObjectId;
use gix::objs::{Kind, Write};
use libfuzzer_sys::fuzz_target;

/// Mode and name of a file, and its content.
type Entry = (Vec<u8>, Vec<u8>, Vec<u8>);
/// What stands between the parents and the message, for a commit on top of those before whose bit is set.
type Commit = (u8, Vec<Entry>, Vec<u8>);

fuzz_target!(|input: (bool, Vec<Commit>)| {
    let (raw, commits) = input;
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let root = folder.path().join("a.git");
    let repository = gix::init_bare(&root).expect("an empty folder");
    let write = |kind, bytes: &[u8]| repository.objects.write_buf(kind, bytes).expect("just made");
    let mut made: Vec<ObjectId> = Vec::new();
    for (parents, entries, rest) in commits.iter().take(8) {
        let mut tree = Vec::new();
        for (mode, name, text) in entries {
            let blob = write(Kind::Blob, text);
            let mode: &[u8] = if raw { mode } else { b"100644" };
            tree.extend([mode, b" ", name, b"\0", blob.as_bytes()].concat());
        }
        let mut commit = format!("tree {}\n", write(Kind::Tree, &tree)).into_bytes();
        let parents = made.iter().enumerate().filter(|(at, _)| parents & 1 << at != 0);
        parents.for_each(|(_, parent)| commit.extend(format!("parent {parent}\n").bytes()));
        let people = ["author A <a@b> ", "committer A <a@b> "];
        match raw {
            true => commit.extend(rest),
            false => {
                people.iter().for_each(|person| commit.extend([person.as_bytes(), rest, b"\n"].concat()))
            }
        }
        commit.extend(b"\n\nmessage\n");
        made.push(write(Kind::Commit, &commit));
    }
    if let Some(last) = made.last() {
        std::fs::write(root.join("refs/heads/main"), format!("{last}\n")).expect("just made");
    }
    let _ = git::Git { path: root, exclude: Vec::new() }.read(&LIMITS, &mut |found| {
        if let Found::Item(item) = found {
            let _ = item.occurrence.first_seen.map(familiar_source::time::utc);
        }
        ControlFlow::Continue(())
    });
});
