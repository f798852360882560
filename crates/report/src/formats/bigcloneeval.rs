//! Every pair as BigCloneEval imports it: `dir,file,start,end,dir,file,start,end`; streamed.

use std::io;

use super::csv::field;
use crate::{CloneReport, FragmentRow};

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    report.all_pairs.for_each(&mut |pair| {
        side(report, &report.fragments[pair.left as usize], out)?;
        out.write_all(b",")?;
        side(report, &report.fragments[pair.right as usize], out)?;
        out.write_all(b"\n")
    })
}

/// `dir` is the name of the file's parent folder; of a file right below a root, the root's own name.
fn side(report: &CloneReport, fragment: &FragmentRow, out: &mut dyn io::Write) -> io::Result<()> {
    let (folder, file) = fragment.path.rsplit_once('/').unwrap_or(("", &fragment.path));
    let root = report.settings.roots.get(fragment.root as usize).map_or("", String::as_str);
    let folder = if folder.is_empty() { root.trim_end_matches('/') } else { folder };
    let dir = folder.rsplit('/').next().unwrap_or(folder);
    write!(out, "{},{},{},{}", field(dir), field(file), fragment.start_line, fragment.end_line)
}
