//! What speaks for the licenses of files in a corpus: tags, metadata, license files, platforms.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_corpus::{Found, Item, LanguageHint, Limits, Sink, Source, SourceError};
use familiar_source::Occurrence;

use super::*;
use crate::license_text::MOST_BYTES;
use crate::{AddOptions, Reading, add, merge, rebuild, remove_projects};
use familiar_source::Silent;

/// Some files and where they stand.
struct Files(Vec<(Occurrence, String)>);

impl Source for Files {
    fn read(&self, _: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        for (occurrence, text) in self.0.clone() {
            let item = Item::new(text.into_bytes(), LanguageHint::Unspecified, occurrence);
            let _goes_on = sink(Found::Item(item));
        }
        Ok(())
    }
}

const CODE: &str = "def f(a):\n    return a + 1\n";
const TAGGED: &str = "# SPDX-License-Identifier: Apache-2.0\ndef g(a):\n    return a + 2\n";

fn at(project: &str, path: &str) -> Occurrence {
    Occurrence { project: project.to_owned(), path: path.to_owned(), first_line: 1, ..Occurrence::default() }
}

fn metadata(license: &str) -> String {
    format!("{{\"name\": \"a\", \"license\": \"{license}\"}}\n")
}

fn corpus(source: &str, files: Vec<(Occurrence, String)>, text: bool) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let options = AddOptions {
        folder: dir.path().to_owned(),
        sources: vec![(source.to_owned(), Box::new(Files(files)))],
        base: BTreeSet::new(),
        exclude: Vec::new(),
        text,
        reading: Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 },
    };
    let outcome = add(&options, &Silent).expect("the corpus can be written");
    assert!(outcome.failed.is_empty());
    dir
}

/// `layer expression` of everything that speaks for some code, at each of its places.
fn layers_of(folder: &Path, code: &str) -> Vec<Vec<String>> {
    let library = Library::open(folder).expect("just made");
    let blob = parse::id(code.as_bytes());
    let words = |layer: Layer| match layer.expression {
        Some(expression) => format!("{} {expression}", layer.kind.name()),
        None => layer.kind.name().to_owned(),
    };
    let of = |witness: &Witness| {
        let layers = library.licenses().of(&blob, witness).expect("a whole corpus");
        layers.into_iter().map(words).collect()
    };
    library.witnesses(&blob).expect("a whole corpus").iter().map(of).collect()
}

#[test]
fn a_tag_in_the_file_comes_before_the_packages_metadata_whether_or_not_text_is_kept() {
    for text in [true, false] {
        let files = vec![
            (at("a", "lib/tagged.py"), TAGGED.to_owned()),
            (at("a", "lib/plain.py"), CODE.to_owned()),
            (at("a", "package.json"), metadata("MIT")),
        ];
        let dir = corpus("dir:/a", files, text);
        let check = || {
            let both = ["file-tag Apache-2.0", "package-metadata MIT"];
            assert_eq!(layers_of(dir.path(), TAGGED), [both], "text: {text}");
            assert_eq!(layers_of(dir.path(), CODE), [["package-metadata MIT"]], "text: {text}");
        };
        check();
        merge(dir.path(), 1 << 30, &Silent).expect("it can be written");
        check();
        if text {
            rebuild(dir.path(), 1, 1 << 30, &Silent).expect("it can be written");
            check();
        }
    }
}

#[test]
fn the_license_at_a_place_of_a_result_is_that_of_the_place() {
    let files = vec![
        (at("a", "lib/x.py"), CODE.to_owned()),
        (at("a", "package.json"), metadata("MIT")),
        (at("b", "x.py"), CODE.to_owned()),
        (at("b", "package.json"), metadata("Zlib")),
    ];
    let dir = corpus("dir:/a", files, true);
    let library = Library::open(dir.path()).expect("just made");
    let blob = parse::id(CODE.as_bytes());
    let mut places: Vec<OccurrenceRow> =
        library.witnesses(&blob).expect("a whole corpus").iter().map(Witness::row).collect();
    places[1].source = Some("dir:/a".to_owned());
    let elsewhere = OccurrenceRow { path: "y.py".to_owned(), ..places[0].clone() };
    let license = |place| library.licenses().of_place(&blob, place).expect("a whole corpus");
    assert_eq!(license(&places[0]).as_deref(), Some("MIT"));
    assert_eq!(license(&places[1]).as_deref(), Some("Zlib"));
    assert_eq!(license(&elsewhere), None);
}

/// Changes what the manifest says of who found the licenses of segments.
fn found_by(folder: &Path, finder: Option<&str>) {
    let path = folder.join("manifest.json");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let mut manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    manifest.as_object_mut().expect("an object").remove("checksum");
    for part in manifest["parts"].as_array_mut().expect("a list") {
        for segment in part["segments"].as_array_mut().expect("a list") {
            let segment = segment.as_object_mut().expect("an object");
            if segment.remove("licenses_by").is_some() {
                segment.extend(finder.map(|finder| ("licenses_by".to_owned(), finder.into())));
            }
        }
    }
    std::fs::write(&path, manifest.to_string()).expect("it can be written");
}

#[test]
fn what_code_says_is_kept_and_read_anew_where_another_found_it_or_nobody() {
    let files = vec![(at("a", "lib/tagged.py"), TAGGED.to_owned()), (at("a", "b.py"), CODE.to_owned())];
    let dir = corpus("dir:/a", files, true);
    let knows = || Library::open(dir.path()).expect("just made").knows_licenses();
    let check = || {
        assert_eq!(layers_of(dir.path(), TAGGED), [["file-tag Apache-2.0"]]);
        assert_eq!(layers_of(dir.path(), CODE), [["none"]]);
    };
    for finder in [None, Some("0000000000000000")] {
        assert!(knows());
        found_by(dir.path(), finder);
        assert!(!knows(), "found by {finder:?}");
        check();
        // A merge takes none of it over, and whoever asks reads the texts.
        merge(dir.path(), 1 << 30, &Silent).expect("it can be written");
        check();
        rebuild(dir.path(), 1, 1 << 30, &Silent).expect("it can be written");
        check();
    }
    for file in std::fs::read_dir(dir.path().join("tables")).expect("a folder") {
        let path = file.expect("it is there").path();
        if path.to_string_lossy().contains("texts-") {
            std::fs::write(path, "no table").expect("it can be written");
        }
    }
    check();
    found_by(dir.path(), None);
    let library = Library::open(dir.path()).expect("it is there");
    library.licenses().of_blob(&parse::id(CODE.as_bytes())).expect_err("the text is damaged");
}

#[test]
fn every_release_has_the_license_of_its_own_metadata() {
    let release = |version: &str, path: &str| Occurrence {
        purl: Some(format!("pkg:npm/a@{version}")),
        introduced_by: Some(version.to_owned()),
        ..at("npm/a", path)
    };
    let files = [("1", "MIT"), ("2", "GPL-3.0-only")].into_iter().flat_map(|(version, license)| {
        [
            (release(version, &format!("{version}.py")), CODE.to_owned()),
            (release(version, "package.json"), metadata(license)),
        ]
    });
    let dir = corpus("npm:a", files.collect(), true);
    assert_eq!(layers_of(dir.path(), CODE), [["package-metadata MIT"], ["package-metadata GPL-3.0-only"]]);
}

#[test]
fn a_post_has_the_license_of_its_platform_and_of_other_code_nothing_is_known() {
    let license = Some("CC BY-SA 4.0".to_owned());
    let post = Occurrence { license, first_seen: Some(1_600_000_000), ..at("example.com", "a/1.py") };
    let dir = corpus("stackexchange:/example.com", vec![(post, CODE.to_owned())], true);
    assert_eq!(layers_of(dir.path(), CODE), [["platform CC-BY-SA-4.0"]]);
    let dir = corpus("dir:/a", vec![(at("a", "x.py"), CODE.to_owned())], true);
    assert_eq!(layers_of(dir.path(), CODE), [["none"]]);
}

#[test]
fn projects_that_stay_keep_their_license_files_and_the_others_do_not_speak() {
    let projects = [("ann", "MIT"), ("bob", "ISC"), ("eve", "MIT")];
    let files = projects.into_iter().flat_map(|(project, license)| {
        [(at(project, "a.py"), CODE.to_owned()), (at(project, "package.json"), metadata(license))]
    });
    let dir = corpus("submissions:/homework", files.collect(), true);
    let all = [["package-metadata MIT"], ["package-metadata ISC"], ["package-metadata MIT"]];
    assert_eq!(layers_of(dir.path(), CODE), all);
    remove_projects(dir.path(), &["ann".to_owned()].into(), 1 << 30).expect("it is there");
    assert_eq!(layers_of(dir.path(), CODE), all[1..]);
    assert_eq!(crate::info(dir.path()).expect("it is there").license_files, 2);
}

#[test]
fn a_license_file_that_is_too_large_is_a_skip() {
    let large = format!("{}{}", metadata("MIT"), " ".repeat(MOST_BYTES));
    let files = vec![(at("a", "a.py"), CODE.to_owned()), (at("a", "package.json"), large)];
    let dir = corpus("dir:/a", files, true);
    assert_eq!(layers_of(dir.path(), CODE), [["none"]]);
    let mut skips = Vec::new();
    crate::skips(dir.path(), |_, row| skips.push((row.path, row.reason))).expect("it is there");
    assert!(skips.len() == 1 && skips[0].0 == "package.json" && skips[0].1.contains("1 MiB"), "{skips:?}");
}
