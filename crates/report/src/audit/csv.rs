//! Every pair as one row of comma-separated values (RFC 4180).

use std::io;

use super::AuditReport;
use crate::formats::field;

const HEADER: &str = "type,similarity,left_path,left_start,left_end,left_name,right_path,right_start,right_end,\
right_name,language,fingerprint,right_project,left_license,left_license_by,right_license,right_license_by,older,verdict,\
attribution,laundering,own,decision,right_title,right_author,right_since,right_link";

pub(super) fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    // Of the pairs that stand for a finding.
    let mut decisions = vec![""; report.pairs.len()];
    for finding in &report.findings {
        decisions[finding.pair as usize] = finding.decision.name();
    }
    for (pair, decision) in report.pairs.iter().zip(decisions) {
        let sides = [pair.pair.left, pair.pair.right].map(|id| report.fragment(id));
        write!(out, "{},{:.4}", pair.pair.clone_type, pair.pair.similarity)?;
        for side in sides {
            let row = &side.fragment;
            let (path, name) = (field(&row.path), field(&row.name));
            write!(out, ",{path},{},{},{name}", row.start_line, row.end_line)?;
        }
        let project = report.settings.roots.get(sides[1].fragment.root as usize).map_or("", String::as_str);
        write!(out, ",{},{},{}", sides[0].fragment.language, pair.pair.fingerprint, field(project))?;
        for side in sides {
            write!(out, ",{},{}", field(side.license.as_deref().unwrap_or("NONE")), side.license_by)?;
        }
        let (older, status) = (pair.direction.older, pair.verdict.status.name());
        let (grade, laundering, own) = (pair.attribution.grade, pair.laundering, pair.own);
        write!(out, ",{older},{status},{grade},{laundering},{own},{decision}")?;
        let place = report.place(sides[1]);
        for said in [
            place.and_then(|place| place.title.as_deref()),
            place.and_then(|place| place.author.as_deref()),
            place.and_then(|place| place.first_seen.as_deref()),
            place.and_then(|place| place.link.as_deref()),
        ] {
            write!(out, ",{}", field(said.unwrap_or_default()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
