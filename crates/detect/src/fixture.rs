//! Files that are kept alike on purpose: what tests read, and documents of several versions.

use familiar_syntax::test_code::{is_test, is_test_folder, words};

/// Folders of what tests read, wherever they stand.
const FIXTURES: [&str; 8] =
    ["fixture", "fixtures", "golden", "goldens", "snapshots", "testdata", "testfixtures", "testresources"];

/// The same below a folder of tests, for files that are not called as tests are: tests of a module `data` stand in
/// `tests/data`.
const IN_TESTS: [&str; 16] = [
    "assets",
    "baselines",
    "corpus",
    "data",
    "expected",
    "files",
    "input",
    "inputs",
    "output",
    "outputs",
    "programs",
    "resources",
    "samples",
    "source",
    "sources",
    "target",
];

/// What may follow `test` in the name of such a folder.
const OF_TESTS: [&str; 6] = ["data", "expected", "files", "input", "inputs", "resources"];

/// Parts of a file's name that say what a tool should make of the file of the same name without it: `rule.inc.fixed`, and below
/// tests `page.approved.html`.
const EXPECTED: [&str; 8] =
    ["actual", "approved", "expected", "fixed", "golden", "received", "snap", "verified"];

/// Folders of documents, below which a version has a folder of its own.
const DOCUMENTS: [&str; 7] = ["doc", "docs", "documentation", "manual", "site", "versioneddocs", "website"];

/// Versions that have a name.
const NAMED: [&str; 9] =
    ["current", "dev", "edge", "latest", "main", "master", "next", "stable", "unreleased"];

/// Whether a path names what tests read: input, and what is expected of it. A search of a tree leaves such files out.
pub fn is_fixture(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let in_test_folder = folders.split('/').any(is_test_folder);
    let ends = file.split_once('.').map_or("", |(_, ends)| ends);
    let mut parts = ends.rsplit('.');
    let is_expected = |part: &str| EXPECTED.contains(&part);
    if parts.next().is_some_and(is_expected) || in_test_folder && parts.any(is_expected) {
        return true;
    }
    let is_test_name = is_test(file);
    let mut in_tests = false;
    folders.split('/').any(|folder| {
        let names = words(folder);
        let name = names.concat();
        let is_within = |name: &str| !is_test_name && IN_TESTS.contains(&name);
        // `test_js_data` is a folder of both.
        let is_both = !is_test_name
            && names.first().is_some_and(|first| is_test_folder(first))
            && names.last().is_some_and(|last| OF_TESTS.contains(&last.as_str()));
        let is_fixture = FIXTURES.contains(&name.as_str()) || in_tests && is_within(&name) || is_both;
        in_tests |= is_test_folder(folder);
        is_fixture
    })
}

/// Whether a page lies among documents, and is no template of them.
pub(crate) fn is_document(path: &str) -> bool {
    const DOCUMENTS: [&str; 3] = ["doc", "docs", "documentation"];
    const TEMPLATES: [&str; 6] = ["includes", "layout", "layouts", "template", "templates", "views"];
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let has =
        |names: &[&str]| folders.split('/').any(|folder| names.contains(&words(folder).concat().as_str()));
    has(&DOCUMENTS) && !has(&TEMPLATES)
}

/// Whether a path names a document of one version, of which other versions stand beside it: `docs/v1.8/manual.html`,
/// `docs/notes-1.8.html`.
pub(crate) fn is_kept_version(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut in_documents = false;
    let below_version = folders.split('/').any(|folder| {
        let is_version = in_documents && (is_version(folder) || NAMED.contains(&folder));
        in_documents |= DOCUMENTS.contains(&words(folder).concat().as_str());
        is_version
    });
    below_version || in_documents && ends_in_version(file.rsplit_once('.').map_or(file, |(stem, _)| stem))
}

/// Whether a name ends as `notes-4.5` and `Notes4.5.1` do.
fn ends_in_version(name: &str) -> bool {
    let number = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    number.contains('.') && is_version(number)
}

/// Whether a folder is called as versions are: `v1`, `1.8`, `2.x`, `version-3.0.1`.
fn is_version(folder: &str) -> bool {
    let number = folder.strip_prefix("version").unwrap_or(folder);
    let number = number.trim_start_matches(['-', '_', 'v', 'V']);
    number.starts_with(|first: char| first.is_ascii_digit())
        && number.split(['.', '-', '_']).all(|part| {
            matches!(part, "x" | "X") || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_read_is_told_from_tests() {
        let fixtures = [
            "tests/source/chains.rs",
            "tests/target/chains.rs",
            "src/test/resources/a.groovy",
            "parser/testdata/loop.go",
            "test-data/a.py",
            "test/views/test_js_data/a.js",
            "packages/a/__fixtures__/b.js",
            "Acme.Tests/TestData/A.cs",
            "fixtures/a/b/c.ts",
            "fixtures/test_a.py",
            "Standards/Tests/Spaces.2.inc.fixed",
            "a.Tests/page.approved.html",
        ];
        assert_eq!(fixtures.into_iter().find(|path| !is_fixture(path)), None);
        let others = [
            "src/source/chains.rs",
            "src/data/test_a.py",
            "tests/data/test_a.py",
            "tests/ui/login.ts",
            "src/test/java/A.java",
            "tests/helpers.py",
            "target/a.rs",
            "fixtures.rs",
            "expected.rs",
            "src/snap.ts",
            "src/order.approved.event.ts",
            "crates/test-programs/src/a.rs",
        ];
        assert_eq!(others.into_iter().find(|path| is_fixture(path)), None);
    }

    #[test]
    fn documents_of_versions_stand_below_documents() {
        let versions = [
            "docs/manual/v1.8/manual.yml",
            "docs/dev/a.html",
            "versioned_docs/version-2.x/a.html",
            "doc/ReleaseNotes4.5.html",
        ];
        for path in versions {
            assert!(is_kept_version(path), "{path}");
        }
        for path in [
            "api/v1/a.html",
            "docs/guide/a.html",
            "docs/video/a.html",
            "1.8/docs/a.html",
            "docs/v/a.html",
            "docs/a1.html",
        ] {
            assert!(!is_kept_version(path), "{path}");
        }
        assert!(is_document("a/docs/guide/a.html"));
        assert!(!["web/docs.html", "website/a.html", "docs/_layouts/a.html"].into_iter().any(is_document));
    }
}
