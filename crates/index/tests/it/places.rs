//! Where blobs stand: a file answers as what was pushed, and damage is an error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_index::places::{Places, PlacesBuilder};
use familiar_index::project_history::FileKey;
use familiar_index::segment::SegmentError;
use familiar_source::{BlobId, Evidence, Lineage, Occurrence, Project};
use proptest::prelude::*;

use crate::damage::{Answers, Asked, Whole, told};

/// What is pushed, one after another.
#[derive(Clone, Debug)]
enum Row {
    Place(BlobId, Occurrence),
    LicenseFile(BlobId, Occurrence),
    Rename(Lineage),
    Project(Project),
}

fn blob(number: u8) -> BlobId {
    BlobId([number.wrapping_mul(157); 20])
}

fn occurrence() -> impl Strategy<Value = Occurrence> {
    let text = || prop::option::of(prop::sample::select(vec!["", "a", "MIT", "https://example.org/ä"]));
    let texts = (text(), text(), text(), text(), text(), text());
    let evidence = prop::sample::select(vec![Evidence::None, Evidence::CommitTime, Evidence::UploadTime]);
    let times = (prop::option::of(-5i64..5), prop::option::of(0i64..1 << 40));
    let project = prop::sample::select(vec!["a", "b", "bb"]);
    let path = prop::sample::select(vec!["", "x.py", "src/ö.rs"]);
    (texts, evidence, times, project, path, 0u32..9).prop_map(
        |(texts, evidence, times, project, path, line)| {
            let (purl, introduced_by, removed_by, author, link, license) = texts;
            let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
            Occurrence {
                project: project.to_owned(),
                purl: owned(purl),
                path: path.to_owned(),
                first_line: line,
                introduced_by: owned(introduced_by),
                removed_by: owned(removed_by),
                author: owned(author),
                first_seen: times.0,
                last_seen: times.1,
                evidence,
                link: owned(link),
                license: owned(license),
            }
        },
    )
}

fn rename() -> impl Strategy<Value = Lineage> {
    let name = prop::sample::select(vec!["x", "y", "z"]);
    let from = prop::option::of(prop::sample::select(vec!["x", "y", "z"]));
    (name, from, prop::sample::select(vec!["a", "b"])).prop_map(|(path, from, project)| Lineage {
        blob: blob(1),
        parent: None,
        project: project.to_owned(),
        path: path.to_owned(),
        parent_path: from.map(ToOwned::to_owned),
        revision: String::new(),
    })
}

fn row() -> impl Strategy<Value = Row> {
    let roots = prop::collection::vec(prop::sample::select(vec!["1f", "2e"]), 0..3);
    let project =
        (prop::sample::select(vec!["a", "b"]), roots, 0u64..9).prop_map(|(project, roots, commits)| {
            let roots = roots.into_iter().map(ToOwned::to_owned).collect();
            Row::Project(Project { project: project.to_owned(), roots, commits, ..Project::default() })
        });
    prop_oneof![
        6 => (0u8..5, occurrence()).prop_map(|(number, it)| Row::Place(blob(number), it)),
        2 => (0u8..5, occurrence()).prop_map(|(number, it)| Row::LicenseFile(blob(number), it)),
        2 => rename().prop_map(Row::Rename),
        1 => project,
    ]
}

/// Writes the rows, and the texts of license files: each blob's is its number, as often.
fn write(rows: &[Row]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("places");
    let mut builder = PlacesBuilder::default();
    for row in rows {
        match row {
            Row::Place(blob, it) => builder.push(*blob, it),
            Row::LicenseFile(blob, it) => builder.license_file(*blob, it),
            Row::Rename(it) => builder.lineage(it),
            Row::Project(it) => builder.project(it),
        }
    }
    for number in 0..3u8 {
        builder.license_text(blob(number), &vec![number; usize::from(number)]);
    }
    builder.write(&path).expect("there is space");
    (folder, path)
}

fn renamed_from(places: &Places, file: FileKey) -> Result<BTreeSet<FileKey>, SegmentError> {
    let mut before = BTreeSet::new();
    places.renamed_from(file, |from| {
        before.insert(from);
    })?;
    Ok(before)
}

/// The answers to everything that can be asked.
fn ask(path: &Path) -> Asked<SegmentError> {
    let places = Places::open(path)?;
    let mut answers: Answers<SegmentError> = vec![told(places.roots())];
    for number in 0..5 {
        answers.push(told(places.of(&blob(number))));
        answers.push(told(places.license_text(&blob(number))));
    }
    for project in ["a", "b", "bb", "c"] {
        answers.push(told(places.license_files(project)));
        for file in ["x", "y", "z"] {
            answers.push(told(renamed_from(&places, FileKey::new(project, file, 1))));
        }
    }
    Ok((answers, places.verify()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn a_file_answers_as_the_rows_that_were_pushed(rows in prop::collection::vec(row(), 0..30)) {
        let (_folder, path) = write(&rows);
        let places = Places::open(&path).expect("just written");
        places.verify().expect("just written");
        for number in 0..5 {
            let of = |row: &Row| match row {
                Row::Place(of, it) if *of == blob(number) => Some(it.clone()),
                _ => None,
            };
            prop_assert_eq!(places.of(&blob(number)).expect("whole"), rows.iter().filter_map(of).collect::<Vec<_>>());
            let text = vec![number; usize::from(number)];
            let known = (number < 3).then_some(&text[..]);
            prop_assert_eq!(places.license_text(&blob(number)).expect("whole"), known);
        }
        for project in ["a", "b", "bb", "c"] {
            let of = |row: &Row| match row {
                Row::LicenseFile(of, it) if it.project == project => Some((*of, it.clone())),
                _ => None,
            };
            let expected: Vec<_> = rows.iter().filter_map(of).collect();
            prop_assert_eq!(places.license_files(project).expect("whole"), expected);
            for file in ["x", "y", "z"] {
                let before = |row: &Row| match row {
                    Row::Rename(it) if it.project == project && it.path == file => it.parent_path.clone(),
                    _ => None,
                };
                let key = |path: &str| FileKey::new(project, path, 1);
                let expected = rows.iter().filter_map(before).map(|from| key(&from)).collect();
                prop_assert_eq!(renamed_from(&places, key(file)).expect("whole"), expected);
            }
        }
        let root = |row: &Row| match row {
            Row::Project(it) if !it.roots.is_empty() => Some((it.project.clone(), it.roots.clone(), it.commits)),
            _ => None,
        };
        let roots = places.roots().expect("whole").into_iter().map(|it| (it.project, it.roots, it.commits));
        prop_assert_eq!(roots.collect::<Vec<_>>(), rows.iter().filter_map(root).collect::<Vec<_>>());
    }

    /// Only the order of what is said of one blob, or of one project, is kept.
    #[test]
    fn blobs_do_not_depend_on_one_another(rows in prop::collection::vec(row(), 0..30)) {
        let group = |row: &Row| match row {
            Row::Place(blob, _) => blob.0[0],
            Row::LicenseFile(_, it) => it.project.len() as u8,
            Row::Rename(_) | Row::Project(_) => 0,
        };
        let mut other = rows.clone();
        other.sort_by_key(group);
        let [(_a, left), (_b, right)] = [write(&rows), write(&other)];
        let [places, others] = [left, right].map(|path| Places::open(&path).expect("just written"));
        for number in 0..5 {
            prop_assert_eq!(places.of(&blob(number)).expect("whole"), others.of(&blob(number)).expect("whole"));
        }
        prop_assert_eq!(places.license_files("bb").expect("whole"), others.license_files("bb").expect("whole"));
    }
}

#[test]
fn no_damaged_byte_changes_an_answer() {
    let place = |project: &str, path: &str| Occurrence {
        project: project.to_owned(),
        path: path.to_owned(),
        ..Occurrence::default()
    };
    let lineage = Lineage {
        blob: blob(1),
        parent: None,
        project: "a".to_owned(),
        path: "x".to_owned(),
        parent_path: Some("y".to_owned()),
        revision: String::new(),
    };
    let project = Project { project: "a".to_owned(), roots: vec!["1f".to_owned()], ..Project::default() };
    let (_folder, path) = write(&[
        Row::Place(blob(3), place("a", "x.py")),
        Row::Place(blob(1), place("b", "y.py")),
        Row::LicenseFile(blob(2), place("a", "LICENSE")),
        Row::Rename(lineage),
        Row::Project(project),
    ]);
    Whole::new(&path, ask).finds_all_damage();
}
