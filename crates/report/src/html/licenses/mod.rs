//! The pages of `familiar license`: the licenses of files, written as the files come.
//!
//! Files, what speaks for them and their texts go to chunks that are closed when they hold enough, so that no more than a few
//! chunks are held, however many files there are.

mod details;
mod files;
mod packages;
mod words;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::safe::to_json;
use super::sink::{Folder, Page, Sink};
use crate::Tool;
use crate::license::{LicensedFile, NotRead, PackageRow, PageText};
use details::Details;
use files::FileTable;

/// Writes the licenses of files one after another.
pub struct LicensePages<'o> {
    sink: Where<'o>,
    root: String,
    table: FileTable,
    details: Details,
    texts: Texts,
    files: u64,
    chunks: u32,
}

/// Where the pages go to.
enum Where<'o> {
    Folder(Folder),
    Page(Page, &'o mut dyn Write),
}

impl Sink for Where<'_> {
    fn put(&mut self, name: &str, json: &[u8]) -> io::Result<()> {
        match self {
            Self::Folder(folder) => folder.put(name, json),
            Self::Page(page, _) => page.put(name, json),
        }
    }
}

#[derive(Serialize)]
struct Head<'r> {
    schema: &'static str,
    /// What kind of result the pages show.
    result: &'static str,
    tool: Tool,
    /// What was read, as it was named.
    root: &'r str,
    counts: Counts,
}

#[derive(Serialize)]
struct Counts {
    files: u64,
    /// How many chunks `files-N` there are.
    chunks: u32,
    packages: usize,
    skipped: usize,
}

impl<'o> LicensePages<'o> {
    /// Pages in `folder`, which is there; `root` is what was read, as readers know it.
    pub fn in_folder(root: &str, folder: &Path) -> io::Result<Self> {
        Ok(Self::new(root, Where::Folder(Folder::new(folder)?)))
    }

    /// One page. Where it would take more than `most` bytes, that is an error that says what to do.
    pub fn as_page(root: &str, most: usize, out: &'o mut dyn Write) -> Self {
        Self::new(root, Where::Page(Page::new(most), out))
    }

    fn new(root: &str, sink: Where<'o>) -> Self {
        let (table, details, texts) = (FileTable::default(), Details::default(), Texts::default());
        Self { sink, root: root.to_owned(), table, details, texts, files: 0, chunks: 0 }
    }

    /// Writes a file, which comes with its text ([`LicensedFile::shown`]); they come in the order of their paths.
    pub fn file(&mut self, file: &LicensedFile) -> io::Result<()> {
        let text = self.texts.put(file, &mut self.sink)?;
        let details = self.details.put(file, &mut self.sink)?;
        self.table.push(file, text, details);
        self.files += 1;
        if self.table.is_full() { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> io::Result<()> {
        self.sink.put(&format!("files-{}", self.chunks), &to_json(&self.table)?)?;
        self.chunks += 1;
        self.table = FileTable::default();
        Ok(())
    }

    /// Writes what is told of all files together, and the page itself.
    pub fn end(mut self, packages: &[PackageRow], skipped: &[NotRead]) -> io::Result<()> {
        self.texts.close(&mut self.sink)?;
        self.details.close(&mut self.sink)?;
        if !self.table.is_empty() {
            self.close()?;
        }
        packages::put(packages, &mut self.sink)?;
        let rows: Vec<(&str, &str)> =
            skipped.iter().map(|skip| (skip.path.as_str(), skip.reason.as_str())).collect();
        self.sink.put("skipped", &to_json(&rows)?)?;
        let counts = Counts {
            files: self.files,
            chunks: self.chunks,
            packages: packages.len(),
            skipped: skipped.len(),
        };
        let (tool, root) = (Tool::default(), self.root.as_str());
        let head = Head { schema: super::SCHEMA, result: "licenses", tool, root, counts };
        self.sink.put("head", &to_json(&head)?)?;
        match self.sink {
            Where::Folder(folder) => folder.finish(),
            Where::Page(page, out) => page.finish(out),
        }
    }
}

/// Bytes after which a pack of texts is full.
const PACK: usize = 64 << 10;

/// Texts that wait for a pack.
#[derive(Default)]
struct Texts {
    pack: Vec<String>,
    bytes: usize,
    number: u32,
}

impl Texts {
    /// The pack that holds the file's text plus one, or 0 where it is missing.
    fn put(&mut self, file: &LicensedFile, sink: &mut dyn Sink) -> io::Result<u32> {
        let Some(PageText::Text { text, .. }) = &file.page_text else { return Ok(0) };
        let pack = self.number + 1;
        self.bytes += text.len();
        self.pack.push(text.clone());
        if self.bytes >= PACK {
            self.close(sink)?;
        }
        Ok(pack)
    }

    fn close(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        if !self.pack.is_empty() {
            sink.put(&format!("text-{}", self.number), &to_json(&self.pack)?)?;
            *self = Self { number: self.number + 1, ..Self::default() };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
