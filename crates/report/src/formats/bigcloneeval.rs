//! Every pair as BigCloneEval imports it: `dir,file,start,end,dir,file,start,end`; streamed.

use std::io;

use super::csv::field;
use crate::{CloneReport, FragmentRow, location};

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    report.all_pairs.for_each(&mut |pair| {
        side(report, &report.fragments[pair.left as usize], out)?;
        out.write_all(b",")?;
        side(report, &report.fragments[pair.right as usize], out)?;
        out.write_all(b"\n")
    })
}

/// `dir` is the name of the folder that the file stands in.
fn side(report: &CloneReport, fragment: &FragmentRow, out: &mut dyn io::Write) -> io::Result<()> {
    let dir = location::folder_name(report, fragment);
    let file = fragment.path.rsplit('/').next().unwrap_or(&fragment.path);
    write!(out, "{},{},{},{}", field(&dir), field(file), fragment.start_line, fragment.end_line)
}
