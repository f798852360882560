//! Where an HTML report goes: a folder, or one page.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use familiar_report::html::{self, LicensePages, ResultView, found};

use crate::output::{self, Target};

/// What to say where `--format html` has no place to go to.
pub(crate) const NEEDS_PLACE: &str =
    "--format html needs --output: --output DIR writes a folder of pages, --output FILE.html one page";

/// A folder, or a file whose name ends in `.html`.
pub(crate) enum HtmlTarget {
    Folder(PathBuf),
    Page(Target),
}

impl HtmlTarget {
    pub(crate) fn new(path: &Path) -> Self {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm") {
            Self::Page(Target::new(Some(path.to_owned())))
        } else {
            Self::Folder(path.to_owned())
        }
    }

    /// Whether a report could be written, as far as that can be told before there is one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let folder = match self {
            Self::Page(target) => return target.check(),
            Self::Folder(folder) => folder,
        };
        if folder.exists() && !folder.is_dir() {
            bail!(
                "cannot write {}: it is a file; name a folder, or a file that ends in .html",
                folder.display()
            );
        }
        if is_filled(folder) && !is_report(folder) {
            bail!(
                "cannot write {}: the folder contains files that are not part of a report; name a new or an empty folder",
                folder.display()
            );
        }
        Ok(())
    }

    pub(crate) fn write<'r>(&self, report: impl Into<ResultView<'r>>) -> anyhow::Result<()> {
        let report = report.into();
        self.fill(
            |folder| html::write_folder(&report, folder),
            |out| html::write_page(&report, html::MOST_IN_ONE_FILE, out),
        )
    }

    /// Writes pages as they come, into a folder or as one page.
    pub(crate) fn write_licenses(
        &self,
        root: &str,
        fill: impl Fn(LicensePages<'_>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        self.fill(
            |folder| fill(LicensePages::in_folder(root, folder)?),
            |out| fill(LicensePages::as_page(root, html::MOST_IN_ONE_FILE, out)),
        )
    }

    /// Writes what is found of one query after another.
    pub(crate) fn write_found(&self, fill: &found::Fill<'_>) -> anyhow::Result<()> {
        self.fill(
            |folder| found::write_folder(fill, folder),
            |out| found::write_page(fill, html::MOST_IN_ONE_FILE, out),
        )
    }

    fn fill(
        &self,
        folder: impl FnOnce(&Path) -> io::Result<()>,
        page: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        match self {
            Self::Page(target) => target.write(page),
            Self::Folder(path) => output::write_folder(path, is_report, |into| {
                folder(into).with_context(|| format!("cannot write {}", path.display()))
            }),
        }
    }
}

fn is_filled(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// Whether a folder is an earlier report and nothing else.
fn is_report(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let known =
        |name: std::ffi::OsString| ["index.html", "assets", "data"].iter().any(|known| name == *known);
    folder.join("data/head.js").is_file()
        && entries.into_iter().all(|entry| entry.is_ok_and(|entry| known(entry.file_name())))
}
