//! GitLab's Code Quality report: one entry for each place of each class.

use std::io;

use serde::Serialize;

use crate::{ClassRow, CloneReport, FragmentRow};

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
    let entries: Vec<Entry> = report.classes.iter().flat_map(|class| entries(report, class)).collect();
    serde_json::to_writer_pretty(&mut *out, &entries)?;
    out.write_all(b"\n")
}

fn entries<'r>(report: &'r CloneReport, class: &'r ClassRow) -> impl Iterator<Item = Entry> + 'r {
    let place = |id: u32| &report.fragments[id as usize];
    class.members.iter().enumerate().map(move |(at, &member)| {
        let fragment = place(member);
        let other =
            place(if member == class.representative { class.members[1] } else { class.representative });
        Entry {
            description: description(fragment, other, class),
            check_name: format!("familiar/type-{}", class.clone_type),
            // Every entry needs a fingerprint of its own; the class's stays the same wherever its code moves.
            fingerprint: format!("{}-{at}", class.fingerprint),
            severity: "minor",
            location: Location {
                path: fragment.path.clone(),
                lines: Lines { begin: fragment.start_line, end: fragment.end_line },
            },
        }
    })
}

fn description(fragment: &FragmentRow, other: &FragmentRow, class: &ClassRow) -> String {
    let copies = class.members.len();
    format!(
        "{} lines ({}) stand in {copies} places, also at {}:{}-{}",
        fragment.lines(),
        fragment.kind,
        other.path,
        other.start_line,
        other.end_line
    )
}
