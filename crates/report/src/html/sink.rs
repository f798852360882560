//! Where chunks go: scripts in a folder, or blocks of data in one page.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::page;

/// Rows and bytes after which a chunk is full that holds some of many rows.
pub(crate) const PACK_ROWS: u32 = 1_000;
pub(crate) const PACK_BYTES: usize = 128 << 10;

/// Takes the chunks of a report, each once.
pub(crate) trait Sink {
    fn put(&mut self, name: &str, json: &[u8]) -> io::Result<()>;
}

/// A folder with a script for each chunk: a page that is opened from a disk may load scripts, and nothing else.
pub(crate) struct Folder {
    folder: PathBuf,
}

impl Folder {
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir(folder.join("data"))?;
        fs::create_dir(folder.join("assets"))?;
        Ok(Self { folder: folder.to_owned() })
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        fs::write(self.folder.join("assets/report.js"), page::SCRIPT)?;
        fs::write(self.folder.join("assets/report.css"), page::STYLE)?;
        fs::write(self.folder.join("index.html"), page::of_folder())
    }
}

impl Sink for Folder {
    fn put(&mut self, name: &str, json: &[u8]) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(self.folder.join("data").join(format!("{name}.js")))?);
        write!(out, "familiar(\"{name}\",")?;
        out.write_all(json)?;
        out.write_all(b");\n")?;
        out.flush()
    }
}

/// One page, in memory until it is known to be small enough.
pub(crate) struct Page {
    most: usize,
    blocks: Vec<u8>,
}

impl Page {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, blocks: Vec::new() }
    }

    pub(crate) fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        page::write_single(&self.blocks, out)
    }
}

impl Sink for Page {
    fn put(&mut self, name: &str, json: &[u8]) -> io::Result<()> {
        write!(self.blocks, "<script type=\"application/json\" id=\"data-{name}\">")?;
        self.blocks.extend_from_slice(json);
        self.blocks.extend_from_slice(b"</script>\n");
        if self.blocks.len() > self.most {
            let message = format!(
                "the report takes more than {} MiB, too much for one file; give a folder, with a name that does not end in .html",
                self.most >> 20
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(())
    }
}
