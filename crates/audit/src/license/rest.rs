//! What is told of all files together.

use familiar_license::Declarations;
use familiar_report::license::{NotRead, PackageRow};

use crate::above::Above;
use crate::declared;

/// What is told of all files together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseRest {
    pub packages: Vec<PackageRow>,
    pub skipped: Vec<NotRead>,
}

/// What is told of all files together, as far as it is known before they are read.
pub(super) fn rest(declarations: &Declarations, above: &Above) -> LicenseRest {
    let concerned = declarations.packages().iter().filter(|package| above.concerns(&package.folder));
    let package = |package: &familiar_license::Package| PackageRow {
        purl: package.purl.clone(),
        name: package.name.clone(),
        version: package.version.clone(),
        path: above.relative(&package.folder),
        expression: package.expression.as_ref().map(ToString::to_string),
    };
    let skip = |(path, reason)| NotRead { path, path_bytes: None, reason };
    LicenseRest {
        packages: concerned.map(package).collect(),
        skipped: declared::unreadable(declarations, above).map(skip).collect(),
    }
}
