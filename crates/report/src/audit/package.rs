//! Where findings are from, by package or project: for the formats that list those.

use std::collections::BTreeMap;

use super::{AuditFragment, AuditReport, Decision, Finding};

/// A package, a repository or a site that code is from, with the license of that code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) project: String,
    pub(super) purl: Option<String>,
    pub(super) license: Option<String>,
}

impl Package {
    pub(super) fn of(report: &AuditReport, fragment: &AuditFragment) -> Self {
        let root = report.settings.roots.get(fragment.fragment.root as usize);
        let place = report.place(fragment);
        Self {
            project: root.cloned().unwrap_or_default(),
            purl: place.and_then(|place| place.purl.clone()),
            license: fragment.license.clone(),
        }
    }

    pub(super) fn version(&self) -> Option<&str> {
        let purl = self.purl.as_deref()?.split(['?', '#']).next()?;
        purl.rsplit_once('@').map(|(_, version)| version)
    }
}

/// The packages that findings are from, each with its findings in the order of files and lines. The project's own code is left out.
pub(super) fn packages(
    report: &AuditReport,
    wants: impl Fn(&Finding) -> bool,
) -> BTreeMap<Package, Vec<&Finding>> {
    let mut packages: BTreeMap<Package, Vec<&Finding>> = BTreeMap::new();
    let counted = |finding: &&Finding| finding.decision != Decision::Own && wants(finding);
    let mut findings: Vec<&Finding> = report.findings.iter().filter(counted).collect();
    findings.sort_by_key(|finding| finding.fragment);
    for finding in findings {
        packages.entry(Package::of(report, report.fragment(finding.origin))).or_default().push(finding);
    }
    packages
}

/// The licenses of an expression that SPDX does not name.
pub(super) fn references(expression: &str) -> impl Iterator<Item = &str> {
    expression
        .split([' ', '(', ')'])
        .map(|word| word.trim_end_matches('+'))
        .filter(|word| word.starts_with("LicenseRef-"))
}
