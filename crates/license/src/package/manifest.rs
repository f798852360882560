//! What one file with metadata says of a package.

use super::field::filled;

/// What one file says of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    /// Whether a package begins at its folder. It may have no name that can be read.
    pub(crate) is_package: bool,
    /// What it says of the license, the field that counts most first.
    pub(crate) statements: Vec<Statement>,
    pub(crate) inherits: Option<Inherits>,
    /// Of a Cargo workspace: what its members may inherit.
    pub(crate) workspace: Option<Box<Manifest>>,
    /// Of a workspace: which packages below are its members.
    pub(crate) members: Option<Members>,
}

/// Folders of a workspace's members, from its own: names and patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members {
    pub(crate) listed: Vec<String>,
    pub(crate) excluded: Vec<String>,
}

impl Members {
    /// Patterns of which those that begin with `!` leave out.
    pub(super) fn of_patterns<'t>(patterns: impl Iterator<Item = &'t str>) -> Self {
        let mut members = Self::default();
        for text in patterns.filter_map(filled) {
            match text.strip_prefix('!') {
                Some(text) => members.excluded.push(text.to_owned()),
                None => members.listed.push(text),
            }
        }
        members
    }
}

/// What a manifest takes from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inherits {
    Workspace { license: bool, license_file: bool, version: bool },
    Parent(Parent),
}

/// The parent that a project of Maven names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    /// `group/artifact`.
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    /// Where its `pom.xml` is looked for first, from the folder of this one; none where it is to be fetched.
    pub(crate) path: Option<String>,
}

/// One field that speaks of the license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// As the format names it.
    pub(crate) field: &'static str,
    pub(crate) value: LicenseValue,
}

/// What a field says, as it is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LicenseValue {
    /// A name or an expression.
    Name(String),
    /// Several of these, any of which may be chosen.
    AnyOf(Vec<String>),
    /// Several of these, of which nothing says how they go together.
    Several(Vec<String>),
    /// Classifiers of the Python Package Index, which do not say how they go together.
    Classifiers(Vec<String>),
    /// The path of a file that holds it, from the manifest's folder.
    File(String),
    /// The text of a license.
    Text(String),
    /// That there is none.
    Unlicensed,
}

impl Statement {
    pub(super) fn new(field: &'static str, value: LicenseValue) -> Self {
        Self { field, value }
    }

    /// A field of free text: a name on one line, or the license's text.
    pub(super) fn free(field: &'static str, text: &str) -> Option<Self> {
        let text = text.trim();
        // A long line is a text whose lines are joined.
        let is_name = !text.contains('\n') && text.len() <= 200;
        let says_nothing = text.is_empty() || text.eq_ignore_ascii_case("unknown");
        let value = if is_name { LicenseValue::Name } else { LicenseValue::Text };
        (!says_nothing).then(|| Self::new(field, value(text.to_owned())))
    }
}
