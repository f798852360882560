//! A corpus keeps what was committed, shows nothing else, and tells what was damaged.

use std::fs;
use std::path::Path;

use familiar_source::{BlobId, Evidence, FragmentKind, Lines, Occurrence};
use familiar_store::tables::{
    BlobRow, Blobs, FragmentRow, Fragments, OccurrenceRow, Occurrences, SkipRow, Skips, TextRow, Texts,
};
use familiar_store::{Corpus, StoreError, Writer};

const BLOB: BlobId = BlobId([7; 20]);

fn blob(id: BlobId) -> BlobRow {
    let artifact = Some("generated");
    BlobRow {
        blob: id,
        size: 12,
        language: "python",
        lines: 2,
        tokens: 5,
        artifact,
        ignored_lines: 1,
        gave_up: Some(7),
    }
}

fn fragment() -> FragmentRow {
    FragmentRow {
        blob: BLOB,
        kind: FragmentKind::Function,
        name: "größe".to_owned(),
        lines: Lines::new(1, 2),
        bytes: (0, 12),
        tokens: 5,
        exact_hash: u64::MAX,
        renamed_hash: 1,
    }
}

fn occurrence(path: &str) -> OccurrenceRow {
    let occurrence = Occurrence {
        project: "p".to_owned(),
        path: path.to_owned(),
        first_line: 1,
        author: Some("someone".to_owned()),
        first_seen: Some(-5),
        evidence: Evidence::CommitTime,
        ..Occurrence::default()
    };
    OccurrenceRow { blob: BLOB, occurrence }
}

/// Adds one source with one blob at `paths`.
fn add(writer: &mut Writer, source: &str, paths: &[&str], with_blob: bool) {
    let mut part = writer.part(source).expect("the folder can be written");
    if with_blob {
        part.blob(&blob(BLOB), &[fragment()], b"def f(): x\n".to_vec()).expect("it can be written");
    }
    for path in paths {
        part.occurrence(&occurrence(path)).expect("it can be written");
    }
    part.skip(&SkipRow { path: "x.bin".to_owned(), reason: "binary".to_owned() }).expect("it can be written");
    let part = part.finish().expect("it can be written");
    writer.add(part, 100);
}

fn paths(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let corpus = Corpus::open(folder).expect("it was committed");
    corpus.read::<Occurrences>(|_, row| paths.push(row.occurrence.path)).expect("it is whole");
    paths
}

#[test]
fn what_was_committed_is_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "dir:/a", &["a.py", "b.py"], true);
    assert!(matches!(Corpus::open(folder.path()), Err(StoreError::None { .. })));
    writer.commit().expect("it can be written");
    let corpus = Corpus::open(folder.path()).expect("it was committed");
    let (mut blobs, mut fragments, mut occurrences) = (vec![], vec![], vec![]);
    let (mut skips, mut texts) = (vec![], vec![]);
    corpus.read::<Blobs>(|_, row| blobs.push(row)).expect("it is whole");
    corpus.read::<Fragments>(|_, row| fragments.push(row)).expect("it is whole");
    corpus.read::<Occurrences>(|_, row| occurrences.push(row)).expect("it is whole");
    corpus.read::<Skips>(|part, row| skips.push((part.source.clone(), row.reason))).expect("it is whole");
    corpus.read::<Texts>(|_, row| texts.push(row)).expect("it is whole");
    assert_eq!(blobs, [blob(BLOB)]);
    assert_eq!(fragments, [fragment()]);
    assert_eq!(occurrences, [occurrence("a.py"), occurrence("b.py")]);
    assert_eq!(skips, [("dir:/a".to_owned(), "binary".to_owned())]);
    assert_eq!(texts, [TextRow { blob: BLOB, text: b"def f(): x\n".to_vec() }]);
    assert_eq!(corpus.verify(), []);
}

#[test]
fn a_source_added_again_replaces_its_places_and_keeps_its_blobs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "dir:/a", &["old.py"], true);
    add(&mut writer, "dir:/b", &["other.py"], false);
    writer.commit().expect("it can be written");
    add(&mut writer, "dir:/a", &["new.py"], false);
    writer.commit().expect("it can be written");
    assert_eq!(paths(folder.path()), ["other.py", "new.py"]);
    assert!(writer.remove("dir:/b"));
    assert!(!writer.remove("dir:/b"));
    writer.commit().expect("it can be written");
    assert_eq!(paths(folder.path()), ["new.py"]);
    let corpus = Corpus::open(folder.path()).expect("it was committed");
    let mut blobs = 0;
    corpus.read::<Blobs>(|_, _| blobs += 1).expect("it is whole");
    assert_eq!((blobs, corpus.manifest().generation), (1, 3));
    let files = fs::read_dir(folder.path().join("tables")).expect("it is there").count();
    assert_eq!(files, corpus.manifest().files().count(), "files that count no more are gone");
}

#[test]
fn of_rows_about_the_same_place_the_later_part_is_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "git:/a", &["a.py", "b.py"], true);
    add(&mut writer, "git:/b", &["a.py"], false);
    let mut part = writer.part("git:/a").expect("the folder can be written");
    let mut row = occurrence("a.py");
    row.occurrence.removed_by = Some("someone".to_owned());
    part.occurrence(&row).expect("it can be written");
    part.skip(&SkipRow { path: "x.bin".to_owned(), reason: "binary".to_owned() }).expect("it can be written");
    writer.extend(part.finish().expect("it can be written"), 200, Some("as far as here".to_owned()));
    writer.commit().expect("it can be written");
    let corpus = Corpus::open(folder.path()).expect("it was committed");
    let (mut rows, mut skips) = (Vec::new(), 0);
    let mut take = |part: &str, row: OccurrenceRow| {
        rows.push((part.to_owned(), row.occurrence.path, row.occurrence.removed_by));
    };
    corpus.read_latest::<Occurrences>(|part, row| take(&part.source, row)).expect("it is whole");
    corpus.read_latest::<Skips>(|_, _| skips += 1).expect("it is whole");
    let expected = [("git:/a", "b.py", None), ("git:/b", "a.py", None), ("git:/a", "a.py", Some("someone"))];
    let owned = |(source, path, by): (&str, &str, Option<&str>)| {
        (source.to_owned(), path.to_owned(), by.map(ToOwned::to_owned))
    };
    assert_eq!((rows, skips), (expected.map(owned).to_vec(), 2));
    assert_eq!(corpus.manifest().sources[0].state.as_deref(), Some("as far as here"));
}

#[test]
fn a_writer_that_ends_early_leaves_the_corpus_as_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), false).expect("an empty folder");
    add(&mut writer, "dir:/a", &["a.py"], true);
    writer.commit().expect("it can be written");
    add(&mut writer, "dir:/b", &["b.py"], false);
    let unfinished = writer.part("dir:/c").expect("the folder can be written");
    assert!(matches!(Writer::open(folder.path(), true), Err(StoreError::Locked { .. })));
    drop((writer, unfinished));
    assert_eq!(paths(folder.path()), ["a.py"]);
    let writer = Writer::open(folder.path(), true).expect("nobody else writes");
    assert!(!writer.manifest().text, "only a new corpus takes the setting");
    let files = fs::read_dir(folder.path().join("tables")).expect("it is there").count();
    assert_eq!(files, writer.manifest().files().count());
}

#[test]
fn every_flipped_bit_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "dir:/a", &["a.py"], true);
    writer.commit().expect("it can be written");
    let corpus = Corpus::open(folder.path()).expect("it was committed");
    for file in corpus.manifest().files() {
        let path = folder.path().join(&file.file);
        let whole = fs::read(&path).expect("it was written");
        for at in (0..whole.len()).step_by(37).chain([whole.len() - 1]) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, &flipped).expect("it can be written");
            let damage = corpus.verify();
            assert_eq!((damage.len(), &damage[0].file), (1, &file.file));
        }
        fs::write(&path, &whole[..whole.len() - 1]).expect("it can be written");
        assert!(corpus.verify()[0].reason.contains("bytes instead of"));
        fs::remove_file(&path).expect("it is there");
        assert_eq!(corpus.verify().len(), 1);
        fs::write(&path, &whole).expect("it can be written");
    }
    assert_eq!(corpus.verify(), []);
}

#[test]
fn a_table_that_is_wrong_with_a_checksum_that_is_right_is_read_or_is_damaged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "dir:/a", &["a.py", "b.py"], true);
    writer.commit().expect("it can be written");
    let text = fs::read(folder.path().join("manifest.json")).expect("it was written");
    let mut manifest: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
    manifest.as_object_mut().expect("an object").remove("checksum");
    let named = manifest["parts"][0]["tables"].as_array().expect("a list").clone();
    let mut damaged = 0;
    for (number, table) in named.iter().enumerate() {
        let path = folder.path().join(table["file"].as_str().expect("a path"));
        let whole = fs::read(&path).expect("it was written");
        for at in (0..whole.len()).step_by(23) {
            let mut changed = whole.clone();
            changed[at] = changed[at].wrapping_add(1 + (at % 255) as u8);
            fs::write(&path, &changed).expect("it can be written");
            let mut manifest = manifest.clone();
            let checksum = xxhash_rust::xxh3::xxh3_128(&changed);
            manifest["parts"][0]["tables"][number]["checksum"] = format!("{checksum:032x}").into();
            fs::write(folder.path().join("manifest.json"), manifest.to_string()).expect("it can be written");
            let corpus = Corpus::open(folder.path()).expect("a sound manifest");
            let read = [
                corpus.read::<Blobs>(|_, _| {}),
                corpus.read::<Fragments>(|_, _| {}),
                corpus.read::<Texts>(|_, _| {}),
                corpus.read_latest::<Occurrences>(|_, _| {}),
                corpus.read_latest::<Skips>(|_, _| {}),
            ];
            for error in read.into_iter().filter_map(Result::err) {
                assert!(
                    matches!(&error, StoreError::Damaged { path: named, .. } if *named == path),
                    "{error}"
                );
                damaged += 1;
            }
        }
        fs::write(&path, &whole).expect("it can be written");
    }
    assert!(damaged > 0);
}

#[test]
fn other_folders_and_newer_formats_are_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("notes.txt");
    fs::write(&file, "mine").expect("it can be written");
    assert!(matches!(Writer::open(folder.path(), true), Err(StoreError::NotACorpus { .. })));
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    fs::write(folder.path().join("manifest.json"), r#"{"format": 99}"#).expect("it can be written");
    for error in [Corpus::open(folder.path()).err(), Writer::open(folder.path(), true).err()] {
        assert!(matches!(error, Some(StoreError::Newer { found: 99, .. })));
    }
}

#[test]
fn a_number_of_a_part_is_never_used_twice() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    add(&mut writer, "dir:/a", &["a.py"], false);
    writer.commit().expect("it can be written");
    writer.remove("dir:/a");
    writer.commit().expect("it can be written");
    drop(writer);
    let mut writer = Writer::open(folder.path(), true).expect("nobody else writes");
    assert!(writer.manifest().parts.is_empty());
    add(&mut writer, "dir:/b", &["b.py"], false);
    assert_eq!(writer.manifest().parts[0].number, 2);
    drop(writer);
    let manifest = format!(
        r#"{{"format": 1, "generation": 1, "text": true, "sources": [], "parts": [], "next_part": {}}}"#,
        u64::MAX
    );
    fs::write(folder.path().join("manifest.json"), manifest).expect("it is ours");
    let mut writer = Writer::open(folder.path(), true).expect("nobody else writes");
    assert!(matches!(writer.part("dir:/c"), Err(StoreError::Manifest { .. })));
}

#[test]
fn a_change_counts_though_what_it_replaced_cannot_be_taken_away() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = Writer::open(folder.path(), true).expect("an empty folder");
    fs::remove_file(folder.path().join("readers")).expect("just made");
    fs::create_dir(folder.path().join("readers")).expect("it is ours");
    add(&mut writer, "dir:/a", &["a.py"], true);
    writer.commit().expect("the manifest can be written");
    assert_eq!(paths(folder.path()), ["a.py"]);
}

#[test]
fn chosen_contents_come_by_themselves_and_a_changed_one_is_an_error() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let mut writer = Writer::open(dir.path(), true).expect("an empty folder");
    let named = [
        ("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", ""),
        ("ce013625030ba8dba906f756967f9e9ca394464a", "hello\n"),
    ];
    let named = named.map(|(id, text)| (id.parse::<BlobId>().expect("an id"), text.as_bytes().to_vec()));
    let mut part = writer.part("dir:/a").expect("the folder can be written");
    for (id, text) in named.clone() {
        part.blob(&blob(id), &[], text).expect("it can be written");
    }
    part.blob(&blob(BLOB), &[], b"not what is named so".to_vec()).expect("it can be written");
    writer.add(part.finish().expect("it can be written"), 100);
    writer.commit().expect("it can be written");
    let corpus = Corpus::open(dir.path()).expect("it was committed");
    let read = |wanted: &[BlobId]| {
        let mut rows = Vec::new();
        let wanted = wanted.iter().copied().collect();
        corpus.texts_of_blobs(&wanted, |row| {
            rows.push((row.blob, row.text));
            Ok(())
        })?;
        Ok::<_, StoreError>(rows)
    };
    assert_eq!(read(&[named[1].0, BlobId([1; 20])]).expect("sound"), [named[1].clone()]);
    assert_eq!(read(&[named[0].0, named[1].0]).expect("sound"), named);
    let error = read(&[BLOB]).expect_err("another content").to_string();
    assert!(error.contains("texts-") && error.contains("has changed"), "{error}");
}
