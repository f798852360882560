//! Where an HTML report goes: a folder, or one page.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use familiar_report::html::{self, LicensePages, ResultView, found};
use familiar_report::printable;

use crate::notes::Notes;
use crate::output::{self, Target};

/// What to say where `--format html` has no place to go to.
pub(crate) const NEEDS_PLACE: &str =
    "--format html needs --output: --output DIR writes a folder of pages, --output FILE.html one page";

/// Where a report goes, and who is told so.
pub(crate) struct HtmlTarget {
    place: Place,
    /// The page to open.
    page: PathBuf,
    quiet: bool,
}

/// A folder, or a file whose name ends in `.html`.
enum Place {
    Folder(PathBuf),
    Page(Target),
}

impl HtmlTarget {
    pub(crate) fn new(path: &Path, quiet: bool) -> Self {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm") {
            let place = Place::Page(Target::new(Some(path.to_owned())));
            Self { place, page: path.to_owned(), quiet }
        } else {
            Self { place: Place::Folder(path.to_owned()), page: path.join("index.html"), quiet }
        }
    }

    /// Whether a report could be written, as far as that can be told before there is one.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let folder = match &self.place {
            Place::Page(target) => return target.check(),
            Place::Folder(folder) => folder,
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
        match &self.place {
            Place::Page(target) => target.write(page)?,
            Place::Folder(path) => output::write_folder(path, is_report, |into| {
                folder(into).with_context(|| format!("cannot write {}", path.display()))
            })?,
        }
        // A script knows what it asked for.
        if io::stderr().is_terminal() {
            Notes { quiet: self.quiet }.say(&self.what_to_open());
        }
        Ok(())
    }

    fn what_to_open(&self) -> String {
        format!("open {} in a browser", printable(&self.page.to_string_lossy()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_to_open_is_named() {
        let open = |path: &str| HtmlTarget::new(Path::new(path), false).what_to_open();
        assert_eq!(open("out/report"), "open out/report/index.html in a browser");
        assert_eq!(open("out/one.html"), "open out/one.html in a browser");
    }
}
