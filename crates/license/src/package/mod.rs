//! What a package's own metadata say of its license.
//!
//! # Files
//!
//! One for each ecosystem's metadata. `manifest` is what each of them gives, `error` why it cannot, and `ecosystem`
//! where packages come from. `xml` reads small documents, and `field` the value of one field.

mod cargo;
mod composer;
mod core_metadata;
mod ecosystem;
mod error;
mod field;
mod gemspec;
mod go;
mod manifest;
mod maven;
mod npm;
mod nuget;
mod pnpm;
mod pyproject;
mod setup;
mod xml;

pub(crate) use ecosystem::{Ecosystem, normalized};
pub(crate) use error::MetadataError;
pub(crate) use manifest::{Inherits, LicenseValue, Manifest, Members, Statement};

/// A kind of file with metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    CargoToml,
    ComposerJson,
    Gemspec,
    GoMod,
    Pom,
    PackageJson,
    PnpmWorkspace,
    Nuspec,
    PyProject,
    SetupCfg,
    SetupPy,
    /// PKG-INFO and METADATA.
    CoreMetadata,
}

impl Format {
    /// The kind of metadata that a file of this path holds.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some(match name {
            "Cargo.toml" => Self::CargoToml,
            "composer.json" => Self::ComposerJson,
            "go.mod" => Self::GoMod,
            "pom.xml" => Self::Pom,
            "package.json" => Self::PackageJson,
            "pnpm-workspace.yaml" => Self::PnpmWorkspace,
            "pyproject.toml" => Self::PyProject,
            "setup.cfg" => Self::SetupCfg,
            "setup.py" => Self::SetupPy,
            "PKG-INFO" => Self::CoreMetadata,
            "METADATA" if folder.ends_with(".dist-info") => Self::CoreMetadata,
            name => match name.rsplit_once('.')?.1 {
                "gemspec" => Self::Gemspec,
                "pom" => Self::Pom,
                "nuspec" => Self::Nuspec,
                "egg-info" => Self::CoreMetadata,
                _ => return None,
            },
        })
    }

    pub(crate) const fn ecosystem(self) -> Ecosystem {
        match self {
            Self::CargoToml => Ecosystem::Cargo,
            Self::ComposerJson => Ecosystem::Composer,
            Self::Gemspec => Ecosystem::Gem,
            Self::GoMod => Ecosystem::Golang,
            Self::Pom => Ecosystem::Maven,
            Self::PackageJson | Self::PnpmWorkspace => Ecosystem::Npm,
            Self::Nuspec => Ecosystem::Nuget,
            Self::PyProject | Self::SetupCfg | Self::SetupPy | Self::CoreMetadata => Ecosystem::Pypi,
        }
    }

    /// Whether a workspace can have the package of such a file at `path` as a member.
    pub(crate) fn is_of_members(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        match self {
            Self::CargoToml | Self::PackageJson | Self::PyProject => true,
            Self::Pom => name == "pom.xml",
            _ => false,
        }
    }

    /// What `text` says, or why it cannot be read.
    pub(crate) fn read(self, text: &str) -> Result<Manifest, MetadataError> {
        match self {
            Self::CargoToml => cargo::read(text),
            Self::ComposerJson => composer::read(text),
            Self::Gemspec => Ok(gemspec::read(text)),
            Self::GoMod => Ok(go::read(text)),
            Self::Pom => maven::read(text),
            Self::PackageJson => npm::read(text),
            Self::PnpmWorkspace => Ok(pnpm::read(text)),
            Self::Nuspec => nuget::read(text),
            Self::PyProject => pyproject::read(text),
            Self::SetupCfg => Ok(setup::read_cfg(text)),
            Self::SetupPy => Ok(setup::read_py(text)),
            Self::CoreMetadata => Ok(core_metadata::read(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn metadata_are_known_by_their_names() {
        for (path, format) in [
            ("a/Cargo.toml", Some(Format::CargoToml)),
            ("x-1.0.dist-info/METADATA", Some(Format::CoreMetadata)),
            ("METADATA", None),
            ("x.egg-info/PKG-INFO", Some(Format::CoreMetadata)),
            ("lib/x.nuspec", Some(Format::Nuspec)),
            ("x.gemspec", Some(Format::Gemspec)),
            ("repo/x-1.0.pom", Some(Format::Pom)),
            ("cargo.rs", None),
        ] {
            assert_eq!(Format::of(path), format, "{path}");
        }
    }

    #[test]
    fn package_urls_are_as_their_ecosystems_spell_them() {
        for (ecosystem, name, purl) in [
            (Ecosystem::Npm, "@babel/core", "pkg:npm/%40babel/core@1.0%2B2"),
            (Ecosystem::Pypi, "Zope.Interface", "pkg:pypi/zope-interface@1.0%2B2"),
            (Ecosystem::Maven, "org.a/b", "pkg:maven/org.a/b@1.0%2B2"),
        ] {
            assert_eq!(ecosystem.purl(name, Some("1.0+2")), purl);
        }
        assert_eq!(Ecosystem::Golang.purl("GitHub.com/x/y", None), "pkg:golang/github.com/x/y");
    }

    #[test]
    fn every_ecosystem_names_its_packages_even_without_a_license() {
        for (path, text, purl) in [
            (
                "pyproject.toml",
                "[project]\nname = 'Zope.Interface'\n[[tool.uv.index]]\nname = 'private'",
                Some("pkg:pypi/zope-interface"),
            ),
            ("pyproject.toml", "[tool.poetry]\nname = 'My_Pkg'", Some("pkg:pypi/my-pkg")),
            ("pyproject.toml", "[[tool.uv.index]]\nname = 'private'\n[tool.poetry.source]\nname = 'x'", None),
            ("setup.cfg", "[metadata]\nname = A_b", Some("pkg:pypi/a-b")),
            ("setup.py", "setup(name='A.b')", Some("pkg:pypi/a-b")),
            ("PKG-INFO", "Name: A\nVersion: 1", Some("pkg:pypi/a@1")),
            ("a-1.dist-info/METADATA", "Name: A", Some("pkg:pypi/a")),
            ("package.json", "{\"name\": \"@S/a\"}", Some("pkg:npm/%40s/a")),
            ("Cargo.toml", "[package]\nname = 'a_b'", Some("pkg:cargo/a_b")),
            ("composer.json", "{\"name\": \"A/b\"}", Some("pkg:composer/a/b")),
            ("a.gemspec", "s.name = 'a'\ns.version = '1'", Some("pkg:gem/a@1")),
            ("go.mod", "module github.com/X/y", Some("pkg:golang/github.com/x/y")),
            (
                "pom.xml",
                "<project><groupId>g</groupId><artifactId>a</artifactId></project>",
                Some("pkg:maven/g/a"),
            ),
            ("pom.xml", "<project><groupId>g</groupId><artifactId>${a}</artifactId></project>", None),
            (
                "a.nuspec",
                "<package><metadata><id>A.b</id><version>$v$</version></metadata></package>",
                Some("pkg:nuget/A.b"),
            ),
            ("a.nuspec", "<package><metadata><id>$id$</id></metadata></package>", None),
        ] {
            let declarations = crate::infer::testing::declarations(&[(path, text)]);
            let purls: Vec<&str> =
                declarations.packages().iter().map(|package| package.purl.as_str()).collect();
            assert_eq!(purls, Vec::from_iter(purl), "{path}: {text}");
        }
    }

    const FORMATS: [Format; 12] = [
        Format::CargoToml,
        Format::ComposerJson,
        Format::Gemspec,
        Format::GoMod,
        Format::Pom,
        Format::PackageJson,
        Format::PnpmWorkspace,
        Format::Nuspec,
        Format::PyProject,
        Format::SetupCfg,
        Format::SetupPy,
        Format::CoreMetadata,
    ];

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
            for format in FORMATS {
                let _ = format.read(&text);
            }
        }

        #[test]
        fn any_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(vec![
            "<project>", "</project>", "<license", ">", "<licenses>", "&amp;", "&#0;", "<![CDATA[", "]]>", "{", "}", "[", "]",
            "\"license\"", ":", "\"MIT\"", ",", "[package]\n", "[project]\n", "license = ", "workspace = true\n", "{file=", "workspaces:", "packages:", "\n- ", "[workspace]\n", "members = ", "<modules>", "<module>",
            "'", "\"\"\"", "\\", "setup(", ")", "license=", "License: ", "\n", "\n  ", "Classifier: License :: ", "module ", "é", "#",
        ]), 0..40)) {
            for format in FORMATS {
                let _ = format.read(&pieces.concat());
            }
        }
    }

    #[test]
    fn nesting_without_end_is_refused() {
        let deep = |open: &str| open.repeat(200_000);
        assert!(Format::PackageJson.read(&deep("[")).is_err());
        assert!(Format::PackageJson.read(&deep("{\"license\":")).is_err());
        assert!(Format::CargoToml.read(&format!("a = {}", deep("["))).is_err());
        assert!(Format::PyProject.read(&format!("[{}a]", deep("a."))).is_err());
        assert!(Format::Pom.read(&deep("<a>")).is_err());
        assert!(Format::Nuspec.read(&deep("<a>")).is_err());
    }
}
