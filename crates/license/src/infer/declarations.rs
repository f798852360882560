//! What the declaring files of one tree say of each of its files.

use rustc_hash::FxHashMap;

use super::conclude::is_explained;
use super::distribution::Distributions;
use super::folder::Folder;
use super::folders::{ancestors, below, is_vendored};
use super::role::is_license;
use super::weight::decides;
use crate::{Copyright, Expression, Layer, LayerKind};

/// What the declaring files of one tree, package or project say.
#[derive(Debug, Default)]
pub struct Declarations {
    pub(super) folders: FxHashMap<String, Folder>,
    /// By the file that they speak for.
    pub(super) sidecars: FxHashMap<String, Layer>,
    pub(super) distributions: Distributions,
    /// By the license file that has them.
    pub(super) copyrights: FxHashMap<String, Vec<Copyright>>,
    pub(super) packages: Vec<Package>,
    pub(super) unreadable: Vec<(String, String)>,
}

/// A package that the declaring files describe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Package URL.
    pub purl: String,
    pub name: String,
    pub version: Option<String>,
    /// Where it begins, below the root.
    pub folder: String,
    /// What its metadata declare, as far as that is one license or a clear choice.
    pub expression: Option<Expression>,
}

impl Declarations {
    /// The packages, by folder.
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// Paths of declaring files that cannot be read, as a whole or in part, and why.
    pub fn unreadable(&self) -> &[(String, String)] {
        &self.unreadable
    }

    /// Whose the file at `path` is by the license files that speak for it.
    pub fn copyrights(&self, path: &str) -> Vec<Copyright> {
        let layers = self.layers(path);
        let of_license_files = layers.iter().filter(|layer| layer.kind == LayerKind::LicenseFile);
        let copyrights = of_license_files.filter_map(|layer| self.copyrights.get(layer.path.as_deref()?));
        copyrights.flatten().cloned().collect()
    }

    /// What they say of the file at `path`, the word that counts most first.
    ///
    /// Conclusions, REUSE.toml and DEP-5 speak by their patterns, wherever the file lies below them. License files and
    /// package metadata are those of the nearest folder that has some; beyond the folder where the file's package begins, or
    /// where other people's code does, nothing is looked for but the license files of a workspace that lists the package.
    pub fn layers(&self, path: &str) -> Vec<Layer> {
        let mut layers: Vec<Layer> = self.sidecars.get(path).cloned().into_iter().collect();
        let (mut licenses, mut metadata, mut reuse) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_inside = !is_license(path);
        // The folder of the workspace that the file's package is a member of.
        let mut workspace: Option<&str> = None;
        let distribution = self.distributions.of(path);
        for at in ancestors(path) {
            let folder = self.folders.get(at);
            let was_inside = is_inside;
            if let (Some(folder), Some(inner)) = (folder, below(path, at)) {
                let conclusions =
                    folder.conclusions.iter().filter_map(|(from, file)| file.layer(inner, from));
                layers.extend(conclusions);
                reuse.extend(folder.reuse.iter().filter_map(|(from, file)| file.layer(inner, from)));
                layers.extend(folder.dep5.iter().filter_map(|(from, file)| file.layer(inner, from)));
            }
            if let Some(folder) = folder.filter(|_| licenses.is_empty()) {
                if is_inside {
                    licenses.extend(folder.licenses.iter().cloned());
                } else if workspace.is_some() {
                    licenses = inherited(&folder.licenses, &metadata);
                }
            }
            if workspace == Some(at) {
                workspace = folder.and_then(|folder| folder.workspace.as_deref());
            }
            if let Some(folder) = folder.filter(|_| is_inside) {
                if metadata.is_empty() {
                    metadata.extend(folder.metadata_of(path).iter().cloned());
                }
                is_inside = !folder.is_package;
                workspace = folder.workspace.as_deref();
            }
            if let Some(found) = distribution.filter(|found| found.site == at && was_inside) {
                if licenses.is_empty() {
                    licenses.extend(found.licenses.iter().cloned());
                }
                add_new(&mut metadata, &found.metadata);
                is_inside &= !found.is_installed;
            }
            // Where distributions lie is no boundary for what one of them lists.
            let ends = match distribution.and_then(|found| below(at, &found.site)) {
                Some(inner) => is_vendored(inner),
                None => is_vendored(at),
            };
            is_inside &= !ends;
            workspace = workspace.filter(|_| !ends);
        }
        layers.extend(reuse_in_order(reuse).chain(licenses).chain(metadata));
        layers.sort_by_key(|layer| layer.kind);
        layers
    }
}

/// Adds what says something else than all that is known.
fn add_new(known: &mut Vec<Layer>, layers: &[Layer]) {
    let is_new = |layer: &&Layer| !known.iter().any(|known| known.expression == layer.expression);
    let added: Vec<Layer> = layers.iter().filter(is_new).cloned().collect();
    known.extend(added);
}

/// What REUSE.toml files say, given the nearest one first. Of those that count before the file, the outermost counts most, and of
/// the others the nearest.
fn reuse_in_order(layers: Vec<Layer>) -> impl Iterator<Item = Layer> {
    let (mut overriding, closest): (Vec<_>, Vec<_>) =
        layers.into_iter().partition(|layer| layer.kind == LayerKind::ReuseOverride);
    overriding.reverse();
    overriding.into_iter().chain(closest)
}

/// What license files around a package say of it as a member of a workspace. What its own metadata say counts before, unless it says
/// how they go together.
fn inherited(licenses: &[Layer], metadata: &[Layer]) -> Vec<Layer> {
    let own = metadata.iter().find(|layer| decides(layer)).and_then(|layer| layer.expression.as_ref());
    let counts = own.is_none_or(|own| is_explained(licenses, own));
    let mut layers = licenses.to_vec();
    for layer in &mut layers {
        layer.evidence.push_str("; of the workspace that the package is a member of");
        if !counts {
            layer.expression = None;
            layer.evidence.push_str(", which says something else than its own metadata");
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::infer::conclude;
    use crate::infer::read::read;
    use crate::infer::testing::{declarations, detect, layers_as_text};

    const MIT: &str = "TEXT MIT";
    const ISC: &str = "TEXT ISC";

    #[test]
    fn the_nearest_license_file_counts() {
        let files = [("LICENSE", MIT), ("a/b/COPYING", ISC), ("a/b/LICENSE-MIT", MIT)];
        assert_eq!(layers_as_text(&files, "a/x.c"), ["license-file MIT LICENSE"]);
        assert_eq!(
            layers_as_text(&files, "a/b/c/x.c"),
            ["license-file ISC a/b/COPYING", "license-file MIT a/b/LICENSE-MIT"]
        );
        assert!(layers_as_text(&files, "a/b/COPYING").is_empty());
    }

    #[test]
    fn license_files_say_whose_the_files_beside_them_are() {
        let gnu = "Copyright (C) 2007 Free Software Foundation, Inc.\nTEXT GPL-3.0-only\nCopyright (C) 2020 Ann Author\n";
        let files = [("LICENSE", gnu), ("vendor/x/LICENSE", "Copyright 2019 Ben Other\n\nTEXT MIT")];
        let declarations = declarations(&files);
        let holders = |path: &str| -> Vec<String> {
            declarations.copyrights(path).into_iter().filter_map(|copyright| copyright.holder).collect()
        };
        assert_eq!(
            (holders("src/a.c"), holders("vendor/x/b.c")),
            (vec!["Ann Author".to_owned()], vec!["Ben Other".to_owned()])
        );
    }

    #[test]
    fn a_license_file_does_not_speak_beyond_its_package_or_for_vendored_code() {
        let package = "{\"name\": \"b\"}";
        let files =
            [("LICENSE", MIT), ("b/package.json", package), ("c/package.json", "{\"type\": \"module\"}")];
        assert!(layers_as_text(&files, "b/x.js").is_empty());
        assert_eq!(layers_as_text(&files, "c/x.js"), ["license-file MIT LICENSE"]);
        for path in [
            "vendor/x.c",
            "vendor/x/y.c",
            "a/third_party/x.c",
            "node_modules/x/y.js",
            "lib/site-packages/x.py",
        ] {
            assert!(layers_as_text(&files, path).is_empty(), "{path}");
        }
        let vendored = [("LICENSE", MIT), ("vendor/x/LICENSE", ISC)];
        assert_eq!(layers_as_text(&vendored, "vendor/x/y/z.c"), ["license-file ISC vendor/x/LICENSE"]);
        assert!(layers_as_text(&vendored, "vendor/y/z.c").is_empty());
    }

    #[test]
    fn packages_within_packages_speak_for_themselves() {
        let files = [
            ("package.json", "{\"name\": \"a\", \"license\": \"MIT\"}"),
            ("node_modules/b/package.json", "{\"name\": \"b\", \"license\": \"ISC\"}"),
            ("node_modules/b/node_modules/@s/c/package.json", "{\"name\": \"@s/c\", \"license\": \"Zlib\"}"),
            ("odd/package.json", "{"),
        ];
        assert_eq!(layers_as_text(&files, "x.js"), ["package-metadata MIT package.json"]);
        assert_eq!(
            layers_as_text(&files, "node_modules/b/x.js"),
            ["package-metadata ISC node_modules/b/package.json"]
        );
        let inner = "node_modules/b/node_modules/@s/c/package.json";
        assert_eq!(
            layers_as_text(&files, "node_modules/b/node_modules/@s/c/x/y.js"),
            [format!("package-metadata Zlib {inner}")]
        );
        assert!(layers_as_text(&files, "odd/x.js").is_empty());
        let declarations = declarations(&files);
        let purls: Vec<&str> = declarations.packages().iter().map(|package| package.purl.as_str()).collect();
        assert_eq!(purls, ["pkg:npm/a", "pkg:npm/b", "pkg:npm/%40s/c"]);
        let (path, reason) = &declarations.unreadable()[0];
        assert!(path == "odd/package.json" && reason.contains("metadata cannot be read"), "{reason}");
    }

    #[test]
    fn reuse_speaks_by_patterns_the_outermost_override_and_the_nearest_otherwise() {
        let row = |path: &str, license: &str, more: &str| {
            format!(
                "version = 1\n[[annotations]]\npath = '{path}'\nSPDX-License-Identifier = '{license}'\n{more}"
            )
        };
        let (outer, inner) = (row("**", "MIT", ""), row("**", "ISC", ""));
        let files = [("REUSE.toml", outer.as_str()), ("vendor/x/REUSE.toml", inner.as_str())];
        assert_eq!(
            layers_as_text(&files, "vendor/x/y.c"),
            ["reuse ISC vendor/x/REUSE.toml", "reuse MIT REUSE.toml"]
        );
        let (outer, inner) =
            (row("**", "MIT", "precedence = 'override'"), row("**", "ISC", "precedence = 'override'"));
        let files = [("REUSE.toml", outer.as_str()), ("a/REUSE.toml", inner.as_str())];
        assert_eq!(
            layers_as_text(&files, "a/y.c"),
            ["reuse-override MIT REUSE.toml", "reuse-override ISC a/REUSE.toml"]
        );
    }

    #[test]
    fn conclusions_and_sidecars_and_dep5_speak_for_what_they_name() {
        let concluded = "[[license.concluded]]\npath = 'vendor/**'\nexpression = 'MIT'\nreason = 'asked'";
        let dep5 = "Format: x\n\nFiles: *.png\nLicense: CC0-1.0\n";
        let files = [
            ("familiar.toml", concluded),
            (".reuse/dep5", dep5),
            ("img/a.png.license", "SPDX-License-Identifier: ISC"),
            ("vendor/x/familiar.toml", concluded),
        ];
        assert_eq!(
            layers_as_text(&files, "img/a.png"),
            ["sidecar ISC img/a.png.license", "dep5 CC0-1.0 .reuse/dep5"]
        );
        assert_eq!(layers_as_text(&files, "vendor/x/y.c"), ["concluded MIT familiar.toml"]);
        let declarations = declarations(&files);
        assert!(declarations.unreadable()[0].1.contains("not yours"));
    }

    #[test]
    fn debian_copyright_speaks_for_the_folder_around_it() {
        let files = [("p/debian/copyright", "Format: x\n\nFiles: *\nLicense: GPL-2+\n")];
        assert_eq!(layers_as_text(&files, "p/src/a.c"), ["dep5 GPL-2.0-or-later p/debian/copyright"]);
        assert!(layers_as_text(&files, "q/a.c").is_empty());
        let prose = [("debian/copyright", "This is free.\nNOTICE MIT")];
        assert_eq!(layers_as_text(&prose, "src/a.c"), ["package-metadata MIT debian/copyright"]);
    }

    #[test]
    fn a_distribution_speaks_for_the_files_it_lists() {
        let site = |path: &str| format!("lib/site-packages/{path}");
        let files = [
            (
                site("a-1.dist-info/METADATA"),
                "Name: a\nVersion: 1\nLicense-Expression: MIT\nLicense-File: LICENSE\n",
            ),
            (site("a-1.dist-info/licenses/LICENSE"), MIT),
            (
                site("a-1.dist-info/RECORD"),
                "a/x.py,,\na/_vendor/b/y.py,,\na-1.dist-info/METADATA,,\nsingle.py,,\n",
            ),
            (site("b.egg-info/PKG-INFO"), "Name: b\nLicense: ISC\n"),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let license = format!("license-file MIT {}", site("a-1.dist-info/licenses/LICENSE"));
        let metadata = format!("package-metadata MIT {}", site("a-1.dist-info/METADATA"));
        assert_eq!(layers_as_text(&files, &site("a/x.py")), [license.clone(), metadata.clone()]);
        assert_eq!(layers_as_text(&files, &site("single.py")), [license, metadata]);
        assert!(layers_as_text(&files, &site("a/_vendor/b/y.py")).is_empty());
        assert!(layers_as_text(&files, &site("other.py")).is_empty());
        let egg = format!("package-metadata ISC {}", site("b.egg-info/PKG-INFO"));
        assert_eq!(layers_as_text(&files, &site("b/x.py")), [egg]);
    }

    #[test]
    fn what_a_workspace_shares_is_said_of_the_files_around_its_members() {
        let root = "[workspace.package]\nlicense = 'MIT OR ISC'";
        let files = [
            ("LICENSE-MIT", MIT),
            ("LICENSE-ISC", ISC),
            ("Cargo.toml", root),
            ("a/Cargo.toml", "[package]\nname='a'"),
        ];
        let declarations = declarations(&files);
        let concluded = conclude(&declarations.layers("tools/x.sh"));
        assert_eq!(concluded.expression.map(|e| e.to_string()).as_deref(), Some("MIT OR ISC"));
        assert!(declarations.layers("a/x.rs").is_empty());
    }

    #[test]
    fn several_packages_in_one_folder_say_nothing_of_its_files() {
        let pom = |artifact: &str, license: &str| {
            format!(
                "<project><groupId>g</groupId><artifactId>{artifact}</artifactId><licenses><license><name>{license}</name>\
                 </license></licenses></project>"
            )
        };
        let (a, b) = (pom("a", "MIT"), pom("b", "ISC"));
        let one = [("META-INF/maven/g/a/pom.xml", a.as_str())];
        assert_eq!(layers_as_text(&one, "g/A.java"), ["package-metadata MIT META-INF/maven/g/a/pom.xml"]);
        let two = [one[0], ("META-INF/maven/g/b/pom.xml", b.as_str())];
        assert_eq!(layers_as_text(&two, "g/A.java"), ["package-metadata - META-INF/maven/g/a/pom.xml"]);
    }

    #[test]
    fn one_package_of_several_files_is_one() {
        let files = [
            ("PKG-INFO", "Name: My.Pkg\nVersion: 1.0\n"),
            ("pyproject.toml", "[project]\nname = 'my-pkg'\nlicense = 'MIT'"),
            ("setup.py", "from setuptools import setup\nsetup(name='my_pkg', license='MIT')"),
            ("src/my_pkg.egg-info/PKG-INFO", "Name: my-pkg\nVersion: 1.0\n"),
        ];
        let declarations = declarations(&files);
        assert_eq!(declarations.packages().len(), 1);
        let package = &declarations.packages()[0];
        assert_eq!((package.purl.as_str(), package.folder.as_str()), ("pkg:pypi/my-pkg@1.0", ""));
        assert_eq!(package.expression.as_ref().map(ToString::to_string).as_deref(), Some("MIT"));
    }

    #[test]
    fn cyclic_parents_are_recorded() {
        let pom = |artifact: &str, parent: &str| {
            format!(
                "<project><parent><groupId>g</groupId><artifactId>{parent}</artifactId></parent><artifactId>{artifact}</artifactId></project>"
            )
        };
        let (a, b) = (pom("a", "b"), pom("b", "a"));
        let declarations = declarations(&[("a/pom.xml", &a), ("b/pom.xml", &b)]);
        assert_eq!(declarations.unreadable().len(), 2);
        assert!(declarations.unreadable()[0].1.contains("lead back"));
    }

    #[test]
    fn what_is_too_large_or_binary_is_recorded() {
        let files = [("LICENSE", vec![0; 100]), ("COPYING", vec![b'a'; 17 << 20])];
        let declarations =
            Declarations::with(files.iter().map(|(path, bytes)| read(path, bytes, &detect)), &detect);
        assert_eq!(declarations.unreadable().len(), 2);
        assert!(declarations.layers("a.c").is_empty());
    }

    proptest! {
        #[test]
        fn any_declaring_files_are_read(
            files in prop::collection::vec((
                prop::sample::select(vec![
                    "LICENSE", "a/COPYING", "REUSE.toml", "familiar.toml", ".reuse/dep5", "debian/copyright", "a/x.c.license",
                    "Cargo.toml", "a/Cargo.toml", "package.json", "a/package.json", "pnpm-workspace.yaml", "pom.xml", "a/pom.xml", "x.nuspec", "go.mod", "setup.cfg", "setup.py",
                    "pyproject.toml", "a-1.dist-info/METADATA", "a-1.dist-info/RECORD", "a.egg-info/top_level.txt",
                ]),
                "(?s)[a-zA-Z:/\"\\[\\]{}<>=*.\n \u{e9}-]{0,60}",
            ), 0..6),
            path in "[a/x.c-]{0,12}",
        ) {
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
            let layers = declarations(&files).layers(&path);
            prop_assert!(layers.is_sorted_by_key(|layer| layer.kind));
            let _ = conclude(&layers);
        }
    }
}
