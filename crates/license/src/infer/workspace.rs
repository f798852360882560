//! Workspaces: which packages below a folder its manifest lists as members.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::folders::{ancestors, below, parent, resolve};
use super::glob::{Dialect, Glob};
use crate::package::{Ecosystem, Format, Manifest, Members};

/// Patterns with stars that one workspace may have; names of folders it may have any number of.
const MAX_PATTERNS: usize = 256;

/// The workspaces of a tree, by their folders.
#[derive(Debug, Default)]
pub(super) struct Workspaces<'m> {
    all: BTreeMap<(&'m str, Ecosystem), Listed>,
}

/// What one workspace lists.
#[derive(Debug, Default)]
struct Listed {
    folders: FxHashSet<String>,
    patterns: Vec<Pattern>,
    excluded: FxHashSet<String>,
    excluding: Vec<Pattern>,
}

impl<'m> Workspaces<'m> {
    /// Reads what manifests list; calls `wrong` with the path of one that lists too much, and why.
    pub(super) fn new(
        manifests: &'m BTreeMap<String, (Format, Manifest)>,
        mut wrong: impl FnMut(&str, String),
    ) -> Self {
        let mut workspaces = Self::default();
        for (path, (format, manifest)) in manifests {
            let Some(members) = &manifest.members else { continue };
            let listed =
                workspaces.all.entry((parent(path).unwrap_or_default(), format.ecosystem())).or_default();
            if !listed.add(members) {
                let reason =
                    format!("more than {MAX_PATTERNS} patterns of workspace members; the rest is not read");
                wrong(path, reason);
            }
        }
        workspaces
    }

    /// The folder of the nearest workspace that lists the package of the manifest at `path`.
    pub(super) fn around(&self, path: &'m str, format: Format) -> Option<&'m str> {
        let folder = parent(path).filter(|_| format.is_of_members(path))?;
        ancestors(folder).find_map(|at| {
            let ((root, _), listed) = self.all.get_key_value(&(at, format.ecosystem()))?;
            listed.has(below(folder, at)?).then_some(*root)
        })
    }
}

impl Listed {
    /// Takes what a manifest lists; whether it is all of that.
    fn add(&mut self, members: &Members) -> bool {
        let mut is_all = true;
        let lists = [
            (&members.listed, &mut self.folders, &mut self.patterns),
            (&members.excluded, &mut self.excluded, &mut self.excluding),
        ];
        for (texts, folders, patterns) in lists {
            for folder in texts.iter().filter_map(|text| resolve("", text)) {
                if !folder.contains(['*', '?']) {
                    folders.insert(folder);
                } else if patterns.len() < MAX_PATTERNS {
                    patterns.extend(Pattern::parse(&folder));
                } else {
                    is_all = false;
                }
            }
        }
        is_all
    }

    /// Whether the package in `folder` is a member: what is left out is so with all below it.
    fn has(&self, folder: &str) -> bool {
        let mut above = std::iter::once(folder).chain(ancestors(folder)).filter(|at| !at.is_empty());
        (self.folders.contains(folder) || self.patterns.iter().any(|pattern| pattern.matches(folder)))
            && !above.any(|at| {
                self.excluded.contains(at) || self.excluding.iter().any(|pattern| pattern.matches(at))
            })
    }
}

/// A pattern of folders: `*` and `?` within a name, `**` for any number of names.
#[derive(Debug)]
struct Pattern {
    /// None stands for any number of names.
    names: Vec<Option<Glob>>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let name = |name: &str| match name {
            "**" => Some(None),
            name => Some(Some(Glob::parse(name, Dialect::Dep5)?)),
        };
        Some(Self { names: text.split('/').map(name).collect::<Option<_>>()? })
    }

    fn matches(&self, folder: &str) -> bool {
        let parts: Vec<&str> = folder.split('/').collect();
        // On a failure the last `**` takes one name more: what comes before it is matched for good.
        let (mut at, mut name, mut any) = (0, 0, None);
        loop {
            match (self.names.get(name), parts.get(at)) {
                (Some(None), _) => {
                    any = Some((at, name));
                    name += 1;
                    continue;
                }
                (Some(Some(glob)), Some(part)) if glob.matches(part) => {
                    (at, name) = (at + 1, name + 1);
                    continue;
                }
                (None, None) => return true,
                _ => {}
            }
            match any {
                Some((from, star)) if from < parts.len() => {
                    any = Some((from + 1, star));
                    (at, name) = (from + 1, star + 1);
                }
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::{declarations, layers_as_text};

    fn has(listed: &[&str], excluded: &[&str], folder: &str) -> bool {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let mut all = Listed::default();
        assert!(all.add(&Members { listed: owned(listed), excluded: owned(excluded) }));
        all.has(folder)
    }

    #[test]
    fn members_are_listed_by_names_and_patterns() {
        for (pattern, folder, expected) in [
            ("a", "a", true),
            ("./a/", "a", true),
            ("a", "a/b", false),
            ("crates/*", "crates/a", true),
            ("crates/*", "crates/a/b", false),
            ("crates/*", "crates", false),
            ("crates/x-?", "crates/x-1", true),
            ("packages/**", "packages/a/b", true),
            ("**/plugin", "plugin", true),
            ("**/a/**/b", "x/a/y/a/b", true),
            ("**/a/**/b", "x/a/y/c", false),
            ("../a", "a", false),
            ("/a", "a", false),
        ] {
            assert_eq!(has(&[pattern], &[], folder), expected, "{pattern} {folder}");
        }
    }

    #[test]
    fn what_is_excluded_is_no_member_with_all_below_it() {
        assert!(has(&["crates/*"], &["crates/b"], "crates/a"));
        assert!(!has(&["crates/*"], &["crates/a"], "crates/a"));
        assert!(!has(&["**"], &["test*"], "tests/a"));
    }

    #[test]
    fn more_patterns_than_people_write_are_not_read() {
        let listed: Vec<String> = (0..=MAX_PATTERNS).map(|n| format!("{n}/*")).collect();
        let mut all = Listed::default();
        assert!(!all.add(&Members { listed, excluded: Vec::new() }));
        assert!(all.has("0/a") && !all.has(&format!("{MAX_PATTERNS}/a")));
    }

    const ROOT: (&str, &str) =
        ("Cargo.toml", "[workspace]\nmembers = ['crates/*']\nexclude = ['crates/out']");
    const LICENSE: (&str, &str) = ("LICENSE", "TEXT MIT");

    #[test]
    fn a_member_without_license_files_takes_those_of_its_workspace() {
        let package = "[package]\nname = 'a'";
        let files = [
            ROOT,
            LICENSE,
            ("crates/a/Cargo.toml", package),
            ("crates/b/Cargo.toml", package),
            ("crates/b/COPYING", "TEXT ISC"),
        ];
        assert_eq!(layers_as_text(&files, "crates/a/src/x.rs"), ["license-file MIT LICENSE"]);
        assert_eq!(layers_as_text(&files, "crates/b/src/x.rs"), ["license-file ISC crates/b/COPYING"]);
        let layers = declarations(&files).layers("crates/a/x.rs");
        assert!(
            layers[0].evidence.ends_with("; of the workspace that the package is a member of"),
            "{layers:?}"
        );
    }

    #[test]
    fn every_kind_of_workspace_lists_its_members() {
        let (npm, pnpm) = ("{\"workspaces\": [\"a\"]}", "packages:\n  - a\n");
        let (uv, maven) = (
            "[tool.uv.workspace]\nmembers = ['a']",
            "<project><modules><module>a</module></modules></project>",
        );
        let json = ("a/package.json", "{\"name\": \"a\"}");
        for (root, member) in [
            (("package.json", npm), json),
            (("pnpm-workspace.yaml", pnpm), json),
            (("pyproject.toml", uv), ("a/pyproject.toml", "[project]\nname = 'a'")),
            (("pom.xml", maven), ("a/pom.xml", "<project><artifactId>a</artifactId></project>")),
        ] {
            assert_eq!(
                layers_as_text(&[root, LICENSE, member], "a/x"),
                ["license-file MIT LICENSE"],
                "{root:?}"
            );
            assert_eq!(layers_as_text(&[LICENSE, member], "a/x"), [""; 0], "{root:?}");
        }
    }

    #[test]
    fn what_a_workspace_does_not_list_or_what_is_vendored_takes_nothing() {
        let package = "[package]\nname = 'a'";
        for (path, listed) in [
            ("other/a", "crates/*"),
            ("crates/out", "crates/*"),
            ("crates/a/deep", "crates/*"),
            ("vendor/a", "vendor/*"),
            ("crates/third_party/a", "**"),
            ("node_modules/a", "node_modules/*"),
        ] {
            let manifest = format!("{path}/Cargo.toml");
            let root = format!("[workspace]\nmembers = ['{listed}']\nexclude = ['crates/out']");
            let files = [("Cargo.toml", root.as_str()), LICENSE, (manifest.as_str(), package)];
            assert_eq!(layers_as_text(&files, &format!("{path}/x.rs")), [""; 0], "{path}");
        }
        // A package of another kind is no member of a Cargo workspace.
        let files = [ROOT, LICENSE, ("crates/a/package.json", "{\"name\": \"a\"}")];
        assert_eq!(layers_as_text(&files, "crates/a/x.js"), [""; 0]);
    }

    #[test]
    fn between_a_member_and_its_workspace_the_nearest_license_file_counts() {
        let package = "{\"name\": \"a\"}";
        let root = (
            "package.json",
            "{\"name\": \"root\", \"license\": \"MIT\", \"workspaces\": [\"ee/*\", \"a/b\"]}",
        );
        let files = [
            root,
            LICENSE,
            ("ee/LICENSE", "TEXT LicenseRef-ee"),
            ("ee/a/package.json", package),
            ("a/b/package.json", package),
        ];
        assert_eq!(layers_as_text(&files, "ee/a/x.js"), ["license-file LicenseRef-ee ee/LICENSE"]);
        assert_eq!(
            layers_as_text(&files, "a/b/x.js"),
            ["license-file MIT LICENSE"],
            "not the metadata of the workspace's own package"
        );
    }

    #[test]
    fn members_of_members_take_what_is_around_both() {
        let module = |name: &str| {
            format!("<project><artifactId>x</artifactId><modules><module>{name}</module></modules></project>")
        };
        let (root, a) = (module("a"), module("b"));
        let b = "<project><artifactId>b</artifactId></project>";
        let files = [("pom.xml", root.as_str()), LICENSE, ("a/pom.xml", a.as_str()), ("a/b/pom.xml", b)];
        assert_eq!(layers_as_text(&files, "a/b/X.java"), ["license-file MIT LICENSE"]);
        assert_eq!(layers_as_text(&files[1..], "a/b/X.java"), [""; 0]);
    }

    #[test]
    fn a_members_own_metadata_count_before_the_workspaces_license_file() {
        let of = |license: &str| {
            let member = format!("[package]\nname = 'a'\nlicense = '{license}'");
            layers_as_text(&[ROOT, LICENSE, ("crates/a/Cargo.toml", &member)], "crates/a/x.rs")
        };
        let metadata = |license: &str| format!("package-metadata {license} crates/a/Cargo.toml");
        assert_eq!(of("MIT"), ["license-file MIT LICENSE".to_owned(), metadata("MIT")]);
        assert_eq!(of("ISC"), ["license-file - LICENSE".to_owned(), metadata("ISC")]);
    }
}
