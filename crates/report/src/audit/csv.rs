//! Every pair as one row of comma-separated values (RFC 4180).

use std::io;

use super::{AuditReport, Decision};
use crate::formats::{field, foreign};

const HEADER: &str = "type,similarity,left_path,left_start,left_end,left_name,right_path,right_start,right_end,\
right_name,language,fingerprint,right_project,left_license,left_license_by,right_license,right_license_by,older,verdict,\
attribution,laundering,own,decision,right_title,right_author,right_since,right_link,left_project";

pub(super) fn write(report: &AuditReport, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for (pair, decision) in report.pairs.iter().zip(report.decisions_of_pairs()) {
        let decision = decision.map_or("", Decision::name);
        let sides = [pair.pair.left, pair.pair.right].map(|id| report.fragment(id));
        write!(out, "{},{:.4}", pair.pair.clone_type, pair.pair.similarity)?;
        for side in sides {
            let row = &side.fragment;
            let (path, name) = (field(&row.path), field(&row.name));
            write!(out, ",{path},{},{},{name}", row.start_line, row.end_line)?;
        }
        let [left_project, project] = sides.map(|side| field(report.project(&side.fragment)));
        write!(out, ",{},{},{project}", sides[0].fragment.language, pair.pair.fingerprint)?;
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
            write!(out, ",{}", foreign(said.unwrap_or_default()))?;
        }
        writeln!(out, ",{left_project}")?;
    }
    Ok(())
}
