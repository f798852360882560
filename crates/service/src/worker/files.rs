//! The files of a job's folder and of a result.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use familiar_library::Extent;
use familiar_report::html::{self, ResultView};
use familiar_report::{Format, audit};
use familiar_source::BlobId;

use super::progress::Failure;

/// What a job's folder holds.
pub(crate) const TASK: &str = "task.json";
pub(crate) const RESULT: &str = "result";
/// What the peers answered, where some take part.
pub(crate) const PEERS: &str = "peers.json";
/// In the folder of a result: the report to browse.
pub(crate) const REPORT: &str = "report";

/// The formats in which the results of each kind are kept, and the names of their files.
pub(super) const CLONES: [(Format, &str); 6] = [
    (Format::Json, "clones.json"),
    (Format::Csv, "clones.csv"),
    (Format::Ndjson, "clones.ndjson"),
    (Format::Markdown, "clones.md"),
    (Format::Sarif, "clones.sarif"),
    (Format::Gitlab, "clones.gitlab.json"),
];
pub(super) const AUDIT: [(audit::Format, &str); 7] = [
    (audit::Format::Text, "audit.txt"),
    (audit::Format::Json, "audit.json"),
    (audit::Format::Csv, "audit.csv"),
    (audit::Format::Ndjson, "audit.ndjson"),
    (audit::Format::Sarif, "audit.sarif"),
    (audit::Format::SpdxJson, "audit.spdx.json"),
    (audit::Format::CycloneDx, "audit.cdx.json"),
];
pub(super) const LICENSES: [(Format, &str); 4] = [
    (Format::Text, "licenses.txt"),
    (Format::Json, "licenses.json"),
    (Format::Csv, "licenses.csv"),
    (Format::Ndjson, "licenses.ndjson"),
];

/// The file that holds a result of some kind in a format.
pub(crate) fn file_of(kind: &str, format: &str) -> Option<&'static str> {
    let plain = |all: &[(Format, &'static str)]| {
        all.iter().find(|(known, _)| known.name() == format).map(|&(_, name)| name)
    };
    match kind {
        "clones" => plain(&CLONES),
        "audit" => AUDIT.iter().find(|(known, _)| known.name() == format).map(|&(_, name)| name),
        "licenses" => plain(&LICENSES),
        _ => None,
    }
    .or_else(|| (format == "excerpt").then_some(EXCERPT))
}

/// What is left for a server that asked for it.
pub(super) const EXCERPT: &str = "excerpt.ndjson.zst";

/// Leaves the pages to browse.
pub(super) fn leave_pages(view: &ResultView<'_>, result: &Path) -> Result<(), Failure> {
    let pages = result.join(REPORT);
    std::fs::create_dir_all(&pages)?;
    Ok(html::write_folder(view, &pages)?)
}

/// Writes a file that is there after a crash.
pub(super) fn keep(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Leaves what the corpora have of some blobs.
pub(super) fn write_excerpt(
    names: &[String],
    folders: &[PathBuf],
    blobs: &BTreeSet<BlobId>,
    extent: Extent,
    result: &Path,
) -> Result<(), Failure> {
    let corpora: Vec<(String, PathBuf)> = names.iter().cloned().zip(folders.iter().cloned()).collect();
    let out = BufWriter::new(File::create(result.join(EXCERPT))?);
    let out = familiar_library::write_excerpt(&corpora, blobs, extent, out)?;
    Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?)
}
