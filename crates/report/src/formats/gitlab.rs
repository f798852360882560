//! GitLab's Code Quality report: one entry for each place of each class.
//!
//! Paths are those from the current folder, which is the repository's in a GitLab job.

use std::collections::BTreeMap;
use std::io;

use familiar_source::words::counted;
use serde::Serialize;

use crate::{ClassRow, CloneReport, FragmentRow, location};

#[derive(Serialize)]
struct Entry {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

pub(crate) fn write(report: &CloneReport, out: &mut dyn io::Write) -> io::Result<()> {
    let mut numbers = BTreeMap::new();
    let entries: Vec<Entry> =
        report.classes.iter().flat_map(|class| entries(report, class, &mut numbers)).collect();
    serde_json::to_writer_pretty(&mut *out, &entries)?;
    out.write_all(b"\n")
}

/// The entries of a class; `numbers` counts those of each fingerprint, which two classes of different kinds may share.
fn entries<'r>(
    report: &'r CloneReport,
    class: &'r ClassRow,
    numbers: &mut BTreeMap<&'r str, u32>,
) -> Vec<Entry> {
    let of = |id: u32| &report.fragments[id as usize];
    let number = numbers.entry(&class.fingerprint).or_default();
    let entry = |&member: &u32| {
        let fragment = of(member);
        let other = of(if member == class.representative { class.members[1] } else { class.representative });
        *number += 1;
        Entry {
            description: description(report, fragment, other, class),
            check_name: format!("familiar/type-{}", class.clone_type),
            // Every entry needs a fingerprint of its own; the class's stays the same wherever its code moves.
            fingerprint: format!("{}-{number}", class.fingerprint),
            severity: "minor",
            location: Location {
                path: path(report, fragment),
                lines: Lines { begin: fragment.start_line, end: fragment.end_line },
            },
        }
    };
    class.members.iter().map(entry).collect()
}

fn path(report: &CloneReport, fragment: &FragmentRow) -> String {
    location::from_here(report, fragment)
        .map_or_else(|| location::as_given(report, fragment), |bytes| location::text_of(&bytes))
}

fn description(
    report: &CloneReport,
    fragment: &FragmentRow,
    other: &FragmentRow,
    class: &ClassRow,
) -> String {
    format!(
        "{} ({}) in {}, also at {}:{}-{}",
        counted(u64::from(fragment.lines()), "line"),
        fragment.kind,
        counted(class.members.len() as u64, "place"),
        path(report, other),
        other.start_line,
        other.end_line
    )
}
