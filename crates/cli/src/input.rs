//! What commands read: files and standard input, and what lies below folders.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use familiar_files::dir::{self, Listing, WalkOptions};
use familiar_files::{Document, named};
use familiar_source::Lines;

use crate::notes::Notes;

/// The text of a file, or of standard input for `-`, of at most `most` bytes.
pub(crate) fn text_of(file: &Path, most: u64) -> anyhow::Result<String> {
    if file == Path::new("-") {
        return named::read_stdin_text(most).map_err(stdin_error);
    }
    named::read_text(file, most).map_err(|error| anyhow::Error::msg(named::cannot_read(file, &error)))
}

/// Why standard input cannot be read.
pub(crate) fn stdin_error(error: io::Error) -> anyhow::Error {
    anyhow::Error::new(error).context("cannot read standard input")
}

/// `FILE:START-END` or `FILE:LINE`, unless there is a file with that very name.
pub(crate) fn file_and_lines(text: &str) -> anyhow::Result<(PathBuf, Option<Lines>)> {
    let whole = PathBuf::from(text);
    let Some((file, range)) = text.rsplit_once(':').filter(|_| !whole.exists()) else {
        return Ok((whole, None));
    };
    let (start, end) = range.split_once('-').unwrap_or((range, range));
    let (Ok(start), Ok(end)) = (start.parse::<u32>(), end.parse::<u32>()) else { return Ok((whole, None)) };
    ensure!(start > 0, "{text}: lines count from 1");
    ensure!(start <= end, "{text}: the end, line {end}, comes before the start, line {start}");
    Ok((PathBuf::from(file), Some(Lines { start, end })))
}

/// The files below some paths; their names are the paths as given with what lies below.
pub(crate) fn documents(
    paths: &[PathBuf],
    exclude: &[String],
    notes: Notes,
) -> anyhow::Result<Vec<Document>> {
    let walk = WalkOptions { exclude: exclude.to_vec(), ..WalkOptions::default() };
    Ok(listing(paths, &walk, notes)?.documents)
}

/// The same, with what is left out.
pub(crate) fn listing(paths: &[PathBuf], walk: &WalkOptions, notes: Notes) -> anyhow::Result<Listing> {
    let listing = dir::walk(paths, walk)?;
    for skip in &listing.skips {
        notes.left_out(skip.path.as_str(), &skip.reason);
    }
    Ok(listing)
}
