//! What of the words of a declaring file are about itself. A manifest, REUSE.toml or DEP-5 file names licenses of the package or of
//! other files; what it declares is read as such, and once more as its own words it would be said of the file alone, and read worse.

use std::borrow::Cow;

use super::dep5::Dep5;
use super::names::{Alone, Named, classifier, named};
use super::role::Role;
use crate::detect::{Detected, LicenseMatch, MatchKind};
use crate::package::{Format, Inherits, LicenseValue, Manifest, Statement};

/// What begins a comment in a declaring file, and whether words beside its fields are a program's own.
#[derive(Clone, Copy)]
struct Kind {
    comment: Option<&'static str>,
    is_program: bool,
}

/// Those of `detected` that are about the file at `path` itself.
pub(super) fn of_itself<'d>(path: &str, text: &str, detected: &'d Detected) -> Cow<'d, Detected> {
    let Some((kind, all_tags)) = kind_of(path, text) else { return Cow::Borrowed(detected) };
    let mut comments = Comments::default();
    let is_own = |found: &&LicenseMatch| {
        let is_field = match found.kind {
            MatchKind::Tag => true,
            MatchKind::Reference => line_before(text, found.bytes.1).to_ascii_lowercase().contains("licen"),
            _ => false,
        };
        comments.hold(kind, text, found.bytes.0)
            || kind.is_program && !is_field
            || all_tags && found.kind == MatchKind::Tag && is_spdx_tag(text, found)
    };
    let matches = detected.matches.iter().filter(is_own).cloned().collect();
    Cow::Owned(Detected { matches, mentions: detected.mentions.clone() })
}

/// How a declaring file is read, and whether each of its SPDX tags is its own; none of files that declare nothing.
fn kind_of(path: &str, text: &str) -> Option<(Kind, bool)> {
    let data = |comment| Kind { comment, is_program: false };
    match Role::of(path)? {
        Role::Reuse => Some((data(Some("#")), false)),
        Role::Dep5 | Role::DebianCopyright => {
            Dep5::read(text, &|_| Detected::default()).map(|_| (data(Some("#")), false))
        }
        Role::Metadata(format) => {
            let manifest = format.read(text).ok().filter(declares_license);
            manifest.map(|_| (kind_of_format(format), true))
        }
        _ => None,
    }
}

fn kind_of_format(format: Format) -> Kind {
    let (comment, is_program) = match format {
        Format::ComposerJson | Format::PackageJson | Format::CoreMetadata => (None, false),
        Format::Pom | Format::Nuspec => (Some("<!--"), false),
        Format::GoMod => (Some("//"), false),
        Format::CargoToml | Format::PnpmWorkspace | Format::PyProject | Format::SetupCfg => {
            (Some("#"), false)
        }
        Format::Gemspec | Format::SetupPy => (Some("#"), true),
    };
    Kind { comment, is_program }
}

/// Whether a manifest says something of its license that is known. Where it is not, the words themselves may say more.
fn declares_license(manifest: &Manifest) -> bool {
    let is_known = |text: &String| matches!(named(text, Alone::Open), Named::Known(_));
    let says = |statement: &Statement| match &statement.value {
        LicenseValue::Name(text) => is_known(text),
        LicenseValue::AnyOf(all) | LicenseValue::Several(all) => all.iter().any(is_known),
        LicenseValue::Classifiers(all) => {
            all.iter().any(|text| matches!(classifier(text), Some(Named::Known(_))))
        }
        LicenseValue::Unlicensed => true,
        LicenseValue::File(_) | LicenseValue::Text(_) => false,
    };
    let inherits = matches!(
        manifest.inherits,
        Some(Inherits::Workspace { license, license_file, .. }) if license || license_file
    );
    inherits
        || manifest.statements.iter().any(says)
        || manifest.workspace.as_deref().is_some_and(declares_license)
}

/// How far back on a line is looked, in bytes.
const BACK: usize = 1024;

/// What stands on its line before the byte `at`, or the end of that.
fn line_before(text: &str, at: usize) -> &str {
    let start = (at.saturating_sub(BACK)..=at).find(|&at| text.is_char_boundary(at)).unwrap_or(at);
    let before = text.get(start..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or(before)
}

/// Which marks of comments stand before a match; matches come in the order of the text, which is read once.
#[derive(Default)]
struct Comments {
    read: usize,
    is_open: bool,
}

impl Comments {
    /// Whether the byte `at` of a text stands in a comment.
    fn hold(&mut self, kind: Kind, text: &str, at: usize) -> bool {
        match kind.comment {
            None => false,
            Some(mark @ "<!--") => {
                let more = text.get(self.read..at).unwrap_or_default();
                let (opened, closed) = (more.rfind(mark), more.rfind("-->"));
                if opened.is_some() || closed.is_some() {
                    self.is_open = opened > closed;
                }
                self.read = self.read.max(at);
                self.is_open
            }
            Some(mark) => line_before(text, at).trim_start().starts_with(mark),
        }
    }
}

/// Whether a match is SPDX's tag, or its value.
fn is_spdx_tag(text: &str, found: &LicenseMatch) -> bool {
    let before = line_before(text, found.bytes.0);
    let own = text.get(found.bytes.0..found.bytes.1).unwrap_or_default();
    [before, own].iter().any(|part| part.to_ascii_lowercase().contains("spdx-license-identifier"))
}

#[cfg(test)]
mod tests {
    use crate::infer::{Declared, conclude_file, file_layers_at};
    use crate::{Declarations, Detector};

    /// What is concluded of a file of a tree that holds nothing else.
    #[track_caller]
    fn check(path: &str, text: &str, expected: Option<&str>) {
        let detector = Detector::embedded();
        let mut layers = file_layers_at(path, text, &detector.detect(text));
        let read = Declared::read(path, text.as_bytes(), detector);
        layers.extend(Declarations::of([read], detector).layers(path));
        layers.sort_by_key(|layer| layer.kind);
        let concluded = conclude_file(&layers).expression.map(|it| it.to_string());
        assert_eq!(concluded.as_deref(), expected, "{path}: {text}\n{layers:#?}");
    }

    #[test]
    fn a_manifest_stands_under_what_it_declares() {
        for (path, text, expected) in [
            (
                "composer.json",
                r#"{"name": "a/b", "license": ["LGPL-2.1-only", "GPL-3.0-or-later"]}"#,
                Some("LGPL-2.1-only OR GPL-3.0-or-later"),
            ),
            (
                "composer.json",
                r#"{"name": "a/b", "license": ["MIT", "GPL-2.0-or-later"]}"#,
                Some("MIT OR GPL-2.0-or-later"),
            ),
            (
                "a.gemspec",
                "Gem::Specification.new do |s|\n  s.name = 'a'\n  s.licenses = ['MIT', 'GPL-2.0']\nend\n",
                None,
            ),
            (
                "a-1.dist-info/METADATA",
                "Metadata-Version: 2.4\nName: a\nVersion: 1\nLicense-Expression: MIT AND (Apache-2.0 OR BSD-2-Clause)\n\n\
                 # A\nIt links foo, which is licensed under the GNU General Public License version 2.\n",
                Some("MIT AND (Apache-2.0 OR BSD-2-Clause)"),
            ),
            (
                "Cargo.toml",
                "[package]\nname = \"a\"\nlicense = \"MIT OR GPL-3.0-only\"\n",
                Some("MIT OR GPL-3.0-only"),
            ),
        ] {
            check(path, text, expected);
        }
    }

    #[test]
    fn what_a_head_says_of_the_manifest_itself_counts() {
        let notice = "Licensed under the Apache License, Version 2.0 (the \"License\")";
        for (path, text) in [
            (
                "pom.xml",
                format!(
                    "<!-- {notice}\n-->\n<project><groupId>g</groupId><artifactId>a</artifactId>\
                <licenses><license><name>MIT</name></license></licenses></project>"
                ),
            ),
            ("Cargo.toml", format!("# {notice}\n[package]\nname = 'a'\nlicense = 'MIT'\n")),
            (
                "setup.py",
                format!(
                    "\"\"\"{notice}\"\"\"\nfrom setuptools import setup\nsetup(name='a', license='MIT')\n"
                ),
            ),
        ] {
            check(path, &text, Some("Apache-2.0"));
        }
        let tag = ["SPDX-License", "-Identifier: ISC"].concat();
        check(
            "package.json",
            &format!("{{\"//\": \"{tag}\", \"name\": \"a\", \"license\": \"MIT\"}}"),
            Some("ISC"),
        );
    }

    #[test]
    fn a_manifest_whose_field_is_not_known_is_read_as_any_file() {
        let pom = "<project><groupId>g</groupId><artifactId>a</artifactId><licenses><license>\
            <name>The MIT License (MIT)</name></license></licenses></project>";
        check("pom.xml", pom, Some("MIT"));
        let setup =
            "from setuptools import setup\nsetup(name='a', license='Mozilla Public License 2.0 (MPL 2.0)')\n";
        check("setup.py", setup, Some("MPL-2.0"));
        let of_both = "\"\"\"Released under the GPLv3.\"\"\"\nfrom setuptools import setup\nsetup(name='a', license='MIT')\n";
        check("setup.py", of_both, Some("GPL-3.0-only"));
    }

    #[test]
    fn a_manifest_that_declares_nothing_is_read_as_any_file() {
        check("package.json", r#"{"name": "a", "description": "under the MIT license"}"#, Some("MIT"));
        check("package.json", r#"{"name": "a", "license": "MIT", "#, Some("MIT"));
    }

    #[test]
    fn what_is_declared_of_other_files_is_not_said_of_the_declaring_one() {
        let row = |path: &str, license: &str| {
            format!("[[annotations]]\npath = '{path}'\n{}{} = '{license}'\n", "SPDX-License", "-Identifier")
        };
        let reuse = format!("version = 1\n{}{}", row("a/**", "MIT"), row("img/**", "CC0-1.0"));
        check("REUSE.toml", &reuse, None);
        check("REUSE.toml", &format!("# {}{}: ISC\n{reuse}", "SPDX-License", "-Identifier"), Some("ISC"));
        let dep5 = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: a/*\nCopyright: x\n\
            License: MIT\n\nFiles: img/*\nCopyright: x\nLicense: CC0-1.0\n";
        check(".reuse/dep5", dep5, None);
        let all = format!("{dep5}\nFiles: *\nCopyright: x\nLicense: GPL-2+\n");
        check("debian/copyright", &all, Some("GPL-2.0-or-later"));
    }
}
