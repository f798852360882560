//! Repositories that are damaged, unfinished or hostile: what can be read is, and the rest is a skip.

use std::fs;
use std::ops::ControlFlow;

use familiar_source::Evidence;
use gix::ObjectId;

use super::sample::{Read, Sample, blob};
use crate::git::Git;
use crate::source::Before;
use crate::{Found, Limits, Source};

/// Why a source cannot be read.
fn says(source: &Git) -> String {
    let read = source.read(&Limits::default(), &mut |_| ControlFlow::Continue(()));
    read.expect_err("it cannot be read").to_string()
}

fn error(sample: &Sample) -> String {
    says(&sample.source())
}

/// Paths and reasons of a reading's skips, in a form that can be compared with parts of them.
fn check(read: &Read, expected: &[(&str, &str)]) {
    assert_eq!(read.skips.len(), expected.len(), "{:?}", read.skips);
    for (skip, (path, reason)) in read.skips.iter().zip(expected) {
        assert!(skip.0.contains(path) && skip.1.contains(reason), "{skip:?} is not {path}: {reason}");
    }
}

#[test]
fn links_submodules_and_odd_names() {
    let sample = Sample::new();
    let text = sample.object("blob", b"text");
    let inner = sample.tree(&[("100755", b"b\xff.py", text)]);
    let submodule = ObjectId::from_bytes_or_panic(&[1; 20]);
    let entries: [(&str, &[u8], ObjectId); 3] =
        [("120000", b"link", text), ("160000", b"module", submodule), ("40000", b"\xc3\xa4", inner)];
    let commit = sample.commit_of("100", &[], sample.tree(&entries));
    sample.branch("main", commit);
    let read = Read::of(&sample.source());
    assert_eq!(read.paths(), [("text", "ä/b%FF.py")]);
    check(&read, &[("link", "symbolic link"), ("module", "submodule")]);
    let next = sample.commit_of("200", &[commit], sample.files(&[("a.py", "x")]));
    sample.branch("main", next);
    let now = Read::since(&sample.source(), &read);
    assert_eq!(now.row("text", "ä/b%FF.py").removed_by, Some(next.to_string()), "an odd name is found again");
}

#[test]
fn a_file_that_becomes_a_link_is_gone() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "x")]);
    let link = sample.tree(&[("120000", b"a.py", sample.object("blob", b"x"))]);
    let second = sample.commit_of("200", &[first], link);
    sample.branch("main", second);
    assert_eq!(Read::of(&sample.source()).row("x", "a.py").removed_by, Some(second.to_string()));
}

#[test]
fn missing_and_damaged_objects_cost_what_they_hold() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "a"), ("d/b.py", "b"), ("d/c.py", "c"), ("e.py", "e")]);
    let second = sample.commit(200, &[first], &[("a.py", "two"), ("e.py", "e")]);
    sample.branch("main", second);
    fs::remove_file(sample.file(&blob("a").to_string())).expect("it was written");
    let damaged = sample.file(&blob("b").to_string());
    fs::remove_file(&damaged).expect("it was written");
    fs::copy(sample.file(&blob("e").to_string()), &damaged).expect("it can be written");
    let cut = sample.file(&blob("c").to_string());
    fs::remove_file(&cut).expect("it was written");
    fs::write(&cut, b"x\x9c").expect("it can be written");
    let read = Read::of(&sample.source());
    assert_eq!(read.contents, ["e", "two"]);
    assert_eq!(read.lineage.len(), 1, "what replaced what is known without the content");
    let path = |path: &str| format!("{first}:{path}");
    check(
        &read,
        &[(&path("a.py"), "missing"), (&path("d/b.py"), "damaged"), (&path("d/c.py"), "cannot be read")],
    );
}

#[test]
fn what_is_whole_and_not_well_formed_is_not_looked_for_again() {
    let sample = Sample::new();
    let bad_commit = sample.object("commit", b"tree x\n");
    let bad_tree = sample.object("tree", b"100644 a");
    let not_blob = sample.files(&[("a.py", "inner")]);
    let entries: [(&str, &[u8], ObjectId); 3] = [
        ("100644", b"a.py", sample.object("blob", b"a")),
        ("100644", b"b.py", not_blob),
        ("40000", b"d", bad_tree),
    ];
    let first = sample.commit_of("100", &[bad_commit], sample.tree(&entries));
    sample.branch("main", first);
    let before = Read::of(&sample.source());
    assert_eq!((before.contents.len(), before.skips.len()), (1, 3), "{:?}", before.skips);
    assert!(Read::since(&sample.source(), &before).continues, "nothing has changed");
    // A damaged one is.
    let (there, away) = (sample.file(&first.to_string()), sample.path().join("away"));
    fs::rename(&there, &away).expect("it was written");
    fs::copy(sample.file(&bad_commit.to_string()), &there).expect("it can be written");
    sample.branch("other", sample.commit(200, &[], &[("b.py", "b")]));
    let damaged = Read::of(&sample.source());
    assert_eq!(damaged.contents, ["b"]);
    fs::remove_file(&there).expect("it was written");
    fs::rename(&away, &there).expect("it is there");
    assert!(!Read::since(&sample.source(), &damaged).continues);
}

#[test]
fn a_tree_that_is_missing_costs_what_is_below_it() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "a"), ("d/b.py", "b")]);
    let second = sample.commit(200, &[first], &[("a.py", "a"), ("d/b.py", "b2")]);
    sample.branch("main", second);
    fs::remove_file(sample.file(&sample.files(&[("b.py", "b")]).to_string())).expect("it was written");
    let read = Read::of(&sample.source());
    assert_eq!(read.paths(), [("a", "a.py"), ("b2", "d/b.py")]);
    assert_eq!(read.row("b2", "d/b.py").first_seen, Some(200));
    check(&read, &[(&format!("{first}:d"), "missing")]);
}

#[test]
fn a_history_without_its_start_says_so() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "a")]);
    let second = sample.commit(200, &[first], &[("a.py", "a"), ("b.py", "b")]);
    sample.branch("main", second);
    fs::remove_file(sample.file(&first.to_string())).expect("it was written");
    let read = Read::of(&sample.source());
    assert_eq!(read.paths(), [("a", "a.py"), ("b", "b.py")]);
    assert_eq!(read.row("a", "a.py").evidence, Evidence::None, "it may be older");
    check(&read, &[(&first.to_string(), "missing")]);
    fs::write(sample.path().join("shallow"), format!("{second}\n")).expect("it can be written");
    let read = Read::of(&sample.source());
    let a = read.row("a", "a.py");
    assert_eq!((a.first_seen, a.evidence, a.author.as_ref()), (Some(200), Evidence::None, None));
    check(&read, &[(".", "shallow")]);
    assert!(read.project.expect("one").roots.is_empty(), "its root is not known");
}

#[test]
fn what_is_no_repository_says_what_to_name() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    gix::init(dir.path()).expect("an empty folder");
    let below = dir.path().join("src");
    fs::create_dir(&below).expect("just made");
    let read = |path| {
        let git = crate::git::Git { path, exclude: Vec::new() };
        git.read(&Limits::default(), &mut |_| ControlFlow::Continue(())).expect_err("no").to_string()
    };
    assert!(read(below).contains("inside the repository"));
    let own = dir.path().join("own");
    let repository = gix::init_bare(&own).expect("an empty folder");
    drop(repository);
    let sha256 =
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n";
    fs::write(own.join("config"), sha256).expect("just made");
    assert!(read(own).contains("SHA-256"), "a repository inside another says what is wrong with it");
    fs::create_dir(dir.path().join(".git/reftable")).expect("just made");
    assert!(read(dir.path().to_owned()).contains("reftable"));
}

#[test]
fn times_that_cannot_be_are_unknown() {
    let sample = Sample::new();
    let first = sample.commit_of("-5", &[], sample.files(&[("a.py", "a")]));
    let second = sample.commit_of("999999999999", &[first], sample.files(&[("b.py", "b")]));
    let third = sample.commit(300, &[second], &[("a.py", "a"), ("b.py", "b")]);
    sample.branch("main", third);
    let read = Read::of(&sample.source());
    let a = read.row("a", "a.py");
    assert_eq!(
        (a.introduced_by.as_ref(), a.first_seen),
        (Some(&third.to_string()), Some(300)),
        "known comes first"
    );
    let b = read.row("b", "b.py");
    assert_eq!((b.introduced_by.as_ref(), b.first_seen), (Some(&second.to_string()), None));
    assert_eq!(read.skips.len(), 2);
}

#[test]
fn refs_that_lead_to_no_commit_are_skips() {
    let sample = Sample::new();
    sample.reference("refs/tags/file", sample.object("blob", b"x"));
    sample.reference("refs/heads/gone", ObjectId::from_bytes_or_panic(&[1; 20]));
    let looped = sample.object("tag", b"object 1234\n");
    sample.reference("refs/tags/odd", looped);
    assert!(error(&sample).contains("none of its branches and tags leads to a commit"));
    sample.branch("main", sample.commit(100, &[], &[("a.py", "a")]));
    let read = Read::of(&sample.source());
    check(
        &read,
        &[("refs/heads/gone", "missing"), ("refs/tags/file", "blob"), ("refs/tags/odd", "names no object")],
    );
    assert_eq!(read.project.expect("one").commits, 1);
}

#[test]
fn a_repository_of_which_nothing_can_be_read_is_an_error() {
    let sample = Sample::new();
    assert!(error(&sample).contains("it has no branches and no tags"));
    let first = sample.commit(100, &[], &[("a.py", "a")]);
    sample.branch("main", first);
    for (object, expected) in [
        (blob("a").to_string(), "none of its files"),
        (sample.files(&[("a.py", "a")]).to_string(), "none of its files"),
        (first.to_string(), "none of its branches"),
    ] {
        fs::remove_file(sample.file(&object)).expect("it was written");
        assert!(error(&sample).contains(expected), "{}", error(&sample));
    }
}

#[test]
fn a_repository_that_lost_what_was_read_before_is_an_error() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "a")]);
    let second = sample.commit(200, &[first], &[("a.py", "b")]);
    sample.branch("main", second);
    let before = Read::of(&sample.source());
    sample.branch("old", first);
    fs::remove_file(sample.file(&second.to_string())).expect("it was written");
    let state = before.state.as_deref();
    let last = Before { state, cache: Some(before.cache.path()), ..Before::NONE };
    let read = sample.source().read_since(&last, &Limits::default(), &mut |_| ControlFlow::Continue(()));
    let error = read.expect_err("a commit is gone").to_string();
    assert!(error.contains(&format!("commit {second} was read before")), "{error}");
}

#[test]
fn what_a_shallow_clone_may_have_had_before_has_no_time() {
    let sample = Sample::new();
    let root = sample.commit(50, &[], &[("old.py", "old")]);
    let early = sample.commit(100, &[], &[("old.py", "old")]);
    let first = sample.commit(200, &[root], &[("old.py", "old")]);
    let second = sample.commit(300, &[first], &[("old.py", "old"), ("new.py", "new")]);
    sample.branch("main", second);
    fs::write(sample.path().join("shallow"), format!("{first}\n")).expect("it can be written");
    let before = Read::of(&sample.source());
    let of = |read: &Read, text: &str, path: &str| {
        (read.row(text, path).first_seen, read.row(text, path).evidence)
    };
    assert_eq!(of(&before, "old", "old.py"), (Some(200), Evidence::None));
    assert_eq!(of(&before, "new", "new.py"), (Some(300), Evidence::CommitTime));
    // Another branch has it with an earlier commit that has no parents.
    sample.branch("other", early);
    let expected = (Some(100), Evidence::None);
    assert_eq!(of(&Read::since(&sample.source(), &before), "old", "old.py"), expected);
    assert_eq!(of(&Read::of(&sample.source()), "old", "old.py"), expected);
}

#[test]
fn what_is_too_large_or_too_much_is_left_out() {
    let sample = Sample::new();
    let commit = sample.commit(100, &[], &[("a.py", "small"), ("b.py", "far too large")]);
    sample.branch("main", commit);
    let limits = Limits { item_bytes: 5, ..Limits::default() };
    let summaries = crate::tree::tests::summaries(&crate::tree::tests::all(&sample.source(), &limits));
    assert!(summaries[..2].contains(&"a.py=small".to_owned()));
    assert!(summaries[..2].contains(&format!("{commit}:b.py!larger than 5 bytes, the limit for one file")));
    // Each level has ten times the one below it: a hundred million folders, of which nobody stores more than eight.
    let mut bomb = sample.files(&[("x.py", "x")]);
    for _ in 0..8 {
        let names: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        let entries: Vec<_> = names.iter().map(|name| ("40000", name.as_bytes(), bomb)).collect();
        bomb = sample.tree(&entries);
    }
    sample.branch("main", sample.commit_of("200", &[], bomb));
    let limits = Limits { archive_entries: 1000, ..Limits::default() };
    let found = crate::tree::tests::all(&sample.source(), &limits);
    assert!(found.len() < 2000);
    let is_bound = |found: &Found| matches!(found, Found::Skip { reason, .. } if reason.contains("the limit for one tree"));
    assert!(found.iter().any(is_bound));
    let mut deep = sample.files(&[("x.py", "x")]);
    for _ in 0..300 {
        deep = sample.tree(&[("40000", b"d", deep)]);
    }
    sample.branch("main", sample.commit_of("200", &[], deep));
    assert!(Read::of(&sample.source()).skips.iter().any(|(_, reason)| reason.contains("deep")));
}

#[test]
fn a_configuration_reaches_nothing_outside() {
    let sample = Sample::new();
    let commit = sample.commit(100, &[], &[("a.py", "a")]);
    sample.branch("main", commit);
    let included = sample.path().join("included");
    fs::write(&included, "[remote \"origin\"]\n\turl = https://example.org/owner/name\n")
        .expect("it can be written");
    let marker = sample.path().join("ran");
    let command = format!("touch {}", marker.display());
    let config = format!(
        "[include]\n\tpath = {}\n[core]\n\tbare = true\n\tfsmonitor = {command}\n\tsshCommand = {command}\n\talternateRefsCommand = {command}\n[extensions]\n\tpartialClone = origin\n",
        included.display()
    );
    fs::write(sample.path().join("config"), config).expect("it can be written");
    fs::create_dir_all(sample.path().join("objects/info")).expect("it can be made");
    fs::write(sample.path().join("objects/info/alternates"), "/no/such/objects\n")
        .expect("it can be written");
    let read = Read::of(&sample.source());
    assert_eq!(read.project.expect("one").project, "sample");
    assert_eq!(read.contents, ["a"]);
    assert!(!marker.exists());
}

#[test]
fn the_remote_names_the_project() {
    let sample = Sample::new();
    let commit = sample.commit(100, &[], &[("a.py", "a")]);
    sample.branch("main", commit);
    let config = "[core]\n\tbare = true\n[remote \"origin\"]\n\turl = git@github.com:Owner/name.git\n";
    fs::write(sample.path().join("config"), config).expect("it can be written");
    let read = Read::of(&sample.source());
    let row = read.row("a", "a.py");
    assert_eq!(row.project, "github.com/Owner/name");
    assert_eq!(row.link, Some(format!("https://github.com/Owner/name/blob/{commit}/a.py")));
}

#[test]
fn what_is_no_repository_of_this_kind_is_an_error() {
    let sample = Sample::new();
    let config =
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n";
    fs::write(sample.path().join("config"), config).expect("it can be written");
    assert!(error(&sample).contains("SHA-256") && error(&sample).contains("`dir:`"), "{}", error(&sample));
    assert!(says(&Git { path: "no/such".into(), exclude: Vec::new() }).contains("cannot read no/such"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(says(&Git { path: folder.path().to_owned(), exclude: Vec::new() }).contains("git"));
}
