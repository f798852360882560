//! Histories made object by object, read whole and read again.

mod agreement;
mod net;
mod odd;
mod sample;

use familiar_source::Evidence;

use super::{Place, Tags, Tip};
use crate::{Found, Limits, Source};
use sample::{Read, Sample};

#[test]
fn a_blob_stands_from_the_commit_that_brought_it_to_the_one_that_took_it_away() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one"), ("src/b.py", "b")]);
    let second = sample.commit(200, &[first], &[("a.py", "two"), ("src/b.py", "b")]);
    let third = sample.commit(300, &[second], &[("a.py", "two"), ("lib/b.py", "b")]);
    sample.branch("main", third);
    let read = Read::of(&sample.source());
    let row = |text: &str, path: &str| read.row(text, path).clone();
    let one = row("one", "a.py");
    assert_eq!((one.first_seen, one.last_seen, one.evidence), (Some(100), Some(200), Evidence::CommitTime));
    assert_eq!((one.introduced_by, one.removed_by), (Some(first.to_string()), Some(second.to_string())));
    assert_eq!((one.author.as_deref(), one.project.as_str()), (Some("Ann <ann@example.org>"), "sample"));
    let two = row("two", "a.py");
    assert_eq!((two.first_seen, two.last_seen, two.removed_by), (Some(200), Some(300), None));
    assert_eq!(row("b", "src/b.py").removed_by, Some(third.to_string()));
    let replaced = [("two", "one", "a.py", None), ("b", "b", "lib/b.py", Some("src/b.py"))];
    assert_eq!(
        read.lineage,
        replaced.map(|(blob, parent, path, from)| sample::lineage(blob, parent, path, from)).into()
    );
    assert_eq!(read.contents, ["b", "one", "two"], "each blob comes once");
    let project = read.project.expect("one");
    assert_eq!((project.roots, project.commits), (vec![first.to_string()], 3));
    assert_eq!((project.first_commit, project.last_commit), (Some(100), Some(300)));
    assert_eq!(read.skips, []);
}

#[test]
fn a_tip_has_the_files_of_head_and_nothing_else() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one"), ("gone.py", "gone")]);
    let side = sample.commit(150, &[first], &[("side.py", "side")]);
    let second = sample.commit(200, &[first], &[("a.py", "two"), ("src/b.py", "b"), ("vendor/v.py", "v")]);
    sample.branch("main", second);
    sample.branch("side", side);
    let tip = Tip { place: Place::Folder(sample.path()), exclude: vec!["vendor/".to_owned()] };
    assert_eq!(sample::files(&tip), [("a.py", "two"), ("src/b.py", "b")].map(sample::owned));
    std::fs::write(sample.path().join("HEAD"), format!("{side}\n")).expect("it is there");
    assert_eq!(sample::files(&tip), [("side.py", "side")].map(sample::owned));
    std::fs::write(sample.path().join("HEAD"), "ref: refs/heads/none\n").expect("it is there");
    let read = tip.read(&Limits::default(), &mut |_| std::ops::ControlFlow::Continue(()));
    let error = read.expect_err("there is no commit").to_string();
    assert!(error.contains("HEAD does not lead to a commit"), "{error}");
}

#[test]
fn tags_come_by_time_with_their_files() {
    let sample = Sample::new();
    let old = sample.commit(100, &[], &[("a.py", "one"), ("src/b.py", "b"), ("src/vendor/v.py", "v")]);
    let new = sample.commit(200, &[old], &[("a.py", "two")]);
    let annotated = sample.object("tag", format!("object {new}\ntype commit\ntag v2\n\nx").as_bytes());
    sample.reference("refs/tags/v2", annotated);
    for (name, commit) in [("v10", old), ("v9", old), ("nightly/1", new)] {
        sample.reference(&format!("refs/tags/{name}"), commit);
    }
    sample.reference("refs/tags/tree", sample.files(&[("a.py", "one")]));
    let exclude = ["vendor/".to_owned()];
    let tags =
        Tags::open(&sample.path(), &exclude, &Limits::default()).expect("it opens").expect("a repository");
    let list = tags.list(&[]).expect("refs can be read");
    let names = |list: &super::TagList| list.tags.iter().map(|tag| tag.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&list), ["v9", "v10", "nightly/1", "v2"]);
    assert_eq!((list.tags[3].time, &list.tags[3].commit), (Some(200), &new.to_string()));
    assert_eq!(list.skips, [("tree".to_owned(), "leads to a tree, not to a commit".to_owned())]);
    assert!(list.tags[2].is_same(&list.tags[3]) && !list.tags[1].is_same(&list.tags[2]));
    let chosen = |globs: &[&str]| {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
        names(&tags.list(&globs).expect("refs can be read"))
    };
    assert_eq!(chosen(&["v1*", "night*"]), ["v10", "nightly/1"]);
    assert_eq!(chosen(&["w*"]), [""; 0]);
    let files = tags.files(&list.tags[0]).expect("whole");
    let text = |file: &super::TagFile| tags.content(file.blob).expect("it is there").expect("it is small");
    let files: Vec<_> = files.iter().map(|file| (file.path.as_str(), text(file))).collect();
    assert_eq!(files, [("a.py", b"one".to_vec()), ("src/b.py", b"b".to_vec())]);
    let none = tempfile::tempdir().expect("a temporary folder");
    assert!(Tags::open(none.path(), &[], &Limits::default()).expect("it can be read").is_none());
    assert!(Tags::open(&none.path().join("no"), &[], &Limits::default()).is_err());
}

#[test]
fn tags_count_and_notes_do_not() {
    let sample = Sample::new();
    let tagged = sample.commit(100, &[], &[("old.py", "old")]);
    let tag = sample.object("tag", format!("object {tagged}\ntype commit\ntag v1\n\nx").as_bytes());
    sample.reference("refs/tags/v1", tag);
    let note = sample.commit(150, &[], &[("note", "note")]);
    sample.reference("refs/notes/commits", note);
    let read = Read::of(&sample.source());
    assert_eq!(read.contents, ["old"]);
    assert_eq!(read.row("old", "old.py").removed_by, None);
}

#[test]
fn what_the_corpus_knows_is_not_read_again() {
    let sample = Sample::new();
    let commit = sample.commit(100, &[], &[("a.py", "one"), ("b.py", "two")]);
    sample.branch("main", commit);
    let known = sample::blob("one");
    let read = Read::with(&sample.source(), None, &[], &|blob, _| *blob == known, None);
    assert_eq!(read.contents, ["two"]);
    assert_eq!(read.rows.len(), 2);
}

#[test]
fn content_comes_once_for_each_kind_of_name() {
    let sample = Sample::new();
    let names = ["LICENSE.txt", "a.txt", "b.py", "c.py", "notes.txt"];
    let commit = sample.commit(100, &[], &names.map(|name| (name, "x")));
    sample.branch("main", commit);
    let found = crate::tree::tests::all(&sample.source(), &Limits::default());
    let items = found.iter().filter(|found| matches!(found, Found::Item(_))).count();
    let known = found.iter().filter(|found| matches!(found, Found::Known { .. })).count();
    assert_eq!((items, known), (3, 2), "a license file is of a kind of its own");
}

#[test]
fn a_history_that_was_rewritten_is_read_anew() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one")]);
    let second = sample.commit(200, &[first], &[("a.py", "two")]);
    sample.branch("main", second);
    let before = Read::of(&sample.source());
    let other = sample.commit(250, &[first], &[("a.py", "three")]);
    sample.branch("main", other);
    let now = Read::since(&sample.source(), &before);
    assert!(!now.continues);
    assert_eq!(now.paths(), [("one", "a.py"), ("three", "a.py")]);
    let again = Read::since(&sample.source(), &now);
    assert!(again.continues && again.rows.is_empty() && again.skips.is_empty());
}

/// The paths of rows, each once.
fn names(read: &Read) -> Vec<&str> {
    let mut names: Vec<&str> = read.rows.keys().map(|(_, path)| path.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn what_is_left_out_is_no_part_of_the_history_and_other_globs_read_it_anew() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one"), ("vendor/v.py", "v"), ("src/vendor", "x")]);
    let second = sample.commit(200, &[first], &[("a.py", "two"), ("src/vendor", "x"), ("src/m.min.js", "m")]);
    sample.branch("main", second);
    let all = Read::of(&sample.source());
    let excluding = |globs: &[&str]| crate::git::Git {
        exclude: globs.iter().map(ToString::to_string).collect(),
        ..sample.source()
    };
    let without = excluding(&["vendor/", "*.min.js"]);
    let before = Read::since(&without, &all);
    assert!(!before.continues);
    assert_eq!(names(&before), ["a.py", "src/vendor"]);
    let third = sample.commit(300, &[second], &[("a.py", "two"), ("vendor/w.py", "w"), ("new.py", "new")]);
    sample.branch("main", third);
    let now = Read::since(&without, &before);
    assert!(now.continues);
    assert_eq!(names(&now), ["a.py", "new.py", "src/vendor"]);
    let other = Read::since(&excluding(&["/new.py"]), &now);
    assert!(!other.continues);
    assert_eq!(names(&other), ["a.py", "src/m.min.js", "src/vendor", "vendor/v.py", "vendor/w.py"]);
}

#[test]
fn what_could_not_be_read_is_read_once_it_can_be() {
    let sample = Sample::new();
    let large = "x".repeat(100);
    let first = sample.commit(100, &[], &[("a.py", "one"), ("b.py", "two"), ("c.py", large.as_str())]);
    sample.branch("main", first);
    let (there, away) = (sample.file(&sample::blob("two").to_string()), sample.path().join("away"));
    std::fs::rename(&there, &away).expect("it was written");
    let small = Limits { item_bytes: 50, ..Limits::default() };
    let before = Read::within(&sample.source(), None, &small);
    assert_eq!((before.contents.len(), before.skips.len()), (1, 2));
    let still = Read::within(&sample.source(), Some(&before), &small);
    assert!(still.continues, "nothing has changed");
    // What was missing is looked for again after any number of readings.
    let second = sample.commit(200, &[first], &[("a.py", "one"), ("b.py", "two"), ("d.py", "new")]);
    sample.branch("main", second);
    let more = Read::within(&sample.source(), Some(&still), &small);
    assert!(more.continues);
    std::fs::rename(&away, &there).expect("it is there");
    let whole = Read::within(&sample.source(), Some(&more), &small);
    assert!(!whole.continues);
    assert_eq!((whole.contents.len(), whole.skips.len()), (3, 1));
    let all = Read::within(&sample.source(), Some(&whole), &Limits::default());
    assert!(!all.continues);
    assert_eq!((all.contents.len(), all.skips.len()), (4, 0));
    assert!(Read::since(&sample.source(), &all).continues);
}

#[test]
fn a_cache_that_is_gone_costs_a_whole_reading_and_nothing_else() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one")]);
    sample.branch("main", first);
    let before = Read::of(&sample.source());
    let state = before.cache.path().join(before.state.as_deref().expect("there is one"));
    std::fs::remove_file(state).expect("it was written");
    let now = Read::since(&sample.source(), &before);
    assert!(!now.continues);
    assert_eq!(now.rows, before.rows);
}
