//! The notices that code from elsewhere obliges to: whose it is, under which license, where it is from, what of it was changed.

use std::collections::BTreeSet;
use std::io;

use super::package;
use super::text::counted;
use super::{AuditReport, Decision, Finding, Status};
use crate::plain::printable;

/// Writes the notices of all code that may stay: that which is accepted, and that whose license is compatible.
pub fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    let stays = |finding: &Finding| {
        let may_be = matches!(finding.status, Status::Same | Status::Compatible);
        let is_theirs = report.pair_of(finding).direction.older != "left";
        finding.decision == Decision::Accepted || may_be && is_theirs && finding.decision != Decision::Denied
    };
    let packages = package::packages(report, stays);
    if packages.is_empty() {
        let denied = report.audit.denied;
        writeln!(out, "No code from elsewhere was found that needs a notice.")?;
        if denied > 0 {
            let left = "left out, because it is denied. If it may stay, accept it first.";
            writeln!(out, "The code of {} is {left}", counted(denied, "finding", "findings"))?;
        }
        return Ok(());
    }
    writeln!(out, "This software contains code from elsewhere.")?;
    for (package, findings) in packages {
        let version = package.version().map_or_else(String::new, |version| format!(" {version}"));
        writeln!(out, "\n{}\n", "-".repeat(72))?;
        writeln!(out, "{}{version}", printable(&package.project))?;
        let origins = || findings.iter().map(|finding| report.fragment(finding.origin));
        let places = || origins().filter_map(|origin| report.place(origin));
        let titles: BTreeSet<&String> = places().filter_map(|place| place.title.as_ref()).collect();
        let links: BTreeSet<&String> = places().filter_map(|place| place.link.as_ref()).collect();
        let authors: BTreeSet<&String> = places().filter_map(|place| place.author.as_ref()).collect();
        let statements: BTreeSet<&String> = origins().flat_map(|origin| &origin.copyrights).collect();
        for (what, lines) in [("", titles), ("", links), ("by ", authors), ("", statements)] {
            for line in lines {
                writeln!(out, "{what}{}", printable(line))?;
            }
        }
        match &package.license {
            Some(license) => {
                writeln!(out, "License: {license}")?;
                for id in ids(license) {
                    writeln!(out, "  {id}: {}", page_of(id))?;
                }
            }
            None => writeln!(out, "License: none was found")?,
        }
        writeln!(out, "Code:")?;
        for finding in &findings {
            let left = report.fragment(finding.fragment);
            let row = &left.fragment;
            let changed = match report.pair_of(finding).pair.clone_type {
                1 => "unchanged",
                2 => "with other names or values",
                _ => "changed",
            };
            let path = report.named(row);
            writeln!(out, "  {} lines {}-{} ({changed})", printable(&path), row.start_line, row.end_line)?;
            if finding.decision == Decision::Accepted {
                writeln!(out, "    {}", printable(&finding.reason))?;
            }
        }
        let duties: BTreeSet<&String> = findings.iter().flat_map(|finding| &finding.duties).collect();
        if !duties.is_empty() {
            writeln!(out, "What the license requires:")?;
        }
        for duty in duties {
            writeln!(out, "  {duty}")?;
        }
    }
    writeln!(out, "\n{}\n\n{}", "-".repeat(72), report.disclaimer)
}

/// The page of a license, if an expression is one license that SPDX names.
pub fn license_page(expression: &str) -> Option<String> {
    let mut ids = ids(expression).into_iter();
    let (id, rest) = (ids.next()?, ids.next());
    (rest.is_none() && id == expression.trim_end_matches('+')).then(|| page_of(id))
}

fn page_of(id: &str) -> String {
    format!("https://spdx.org/licenses/{id}.html")
}

/// The licenses of an expression that SPDX names.
fn ids(expression: &str) -> BTreeSet<&str> {
    let is_name = |word: &&str| {
        !word.is_empty()
            && !matches!(*word, "AND" | "OR" | "WITH" | "NONE" | "NOASSERTION")
            && !word.contains("Ref-")
    };
    expression.split([' ', '(', ')']).map(|word| word.trim_end_matches('+')).filter(is_name).collect()
}
