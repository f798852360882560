//! Every pair as one row of comma-separated values (RFC 4180); streamed.

use std::borrow::Cow;
use std::io;

use crate::{CloneReport, location};

const HEADER: &str = "type,similarity,left_path,left_start,left_end,left_name,\
right_path,right_start,right_end,right_name,language,fingerprint,left_project,right_project";

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    report.all_pairs.for_each(&mut |pair| {
        let (left, right) = (&report.fragments[pair.left as usize], &report.fragments[pair.right as usize]);
        write!(out, "{},{:.4}", pair.clone_type, pair.similarity)?;
        for side in [left, right] {
            let (path, name) = (field(&side.path), field(&side.name));
            write!(out, ",{path},{},{},{name}", side.start_line, side.end_line)?;
        }
        let project = |fragment| field(location::project(report, fragment));
        writeln!(out, ",{},{},{},{}", left.language, pair.fingerprint, project(left), project(right))
    })
}

/// A field, quoted where it has to be.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
