//! What a result says of all files together.

use familiar_license::Declarations;
use familiar_report::license::{NotRead, PackageRow};

use crate::surroundings::Surroundings;
use crate::tree_declarations;

/// What a result says of all files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseSummary {
    pub packages: Vec<PackageRow>,
    pub skipped: Vec<NotRead>,
}

/// What a result says of all files together, as far as it is known before they are read.
pub(super) fn summary(declarations: &Declarations, surroundings: &Surroundings) -> LicenseSummary {
    let concerned = declarations.packages().iter().filter(|package| surroundings.concerns(&package.folder));
    let package = |package: &familiar_license::Package| PackageRow {
        purl: package.purl.clone(),
        name: package.name.clone(),
        version: package.version.clone(),
        path: surroundings.relative(&package.folder),
        expression: package.expression.as_ref().map(ToString::to_string),
    };
    let skip = |(path, reason)| NotRead { path, path_bytes: None, reason };
    LicenseSummary {
        packages: concerned.map(package).collect(),
        skipped: tree_declarations::unreadable(declarations, surroundings).map(skip).collect(),
    }
}
