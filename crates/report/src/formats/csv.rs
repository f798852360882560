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

/// Text of people from elsewhere, as a field. Spreadsheets take what begins so for a formula and run it: an apostrophe makes it text.
pub(crate) fn foreign(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(field(&format!("'{text}")).into_owned())
    } else {
        field(text)
    }
}

/// A field, quoted where it has to be.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_is_no_formula() {
        assert_eq!(foreign("=cmd|'/c calc'!A0"), "'=cmd|'/c calc'!A0");
        assert_eq!(foreign("@SUM(1,2)"), "\"'@SUM(1,2)\"");
        assert_eq!(foreign("How to add - in C"), "How to add - in C");
        assert_eq!(field("-x.py"), "-x.py", "a path is what it is");
    }
}
