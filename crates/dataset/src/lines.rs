//! Files of JSON lines: read line after line, and written whole or not at all.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use familiar_corpus::lines::{Line, Lines};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::DatasetError;

/// Most bytes of a line of our own files.
const LINE: u64 = 512 << 20;

/// Reads the rows of one of a project's own files; none where it does not exist. `step` is the command that makes the file.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    step: &'static str,
    take: &mut dyn FnMut(T) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    if !path.exists() {
        return Ok(());
    }
    let mut lines = Lines::open(path, LINE)?;
    while let Some((line, text)) = lines.next() {
        let damaged = |reason: String| DatasetError::Damaged { path: path.to_owned(), line, reason, step };
        let text = match text {
            Line::Whole(text) => text,
            Line::TooLong(reason) => return Err(damaged(reason)),
            Line::Damaged(error) => return Err(damaged(error.to_string())),
        };
        take(serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?)?;
    }
    Ok(())
}

/// All rows of a file.
pub(crate) fn all<T: DeserializeOwned>(path: &Path, step: &'static str) -> Result<Vec<T>, DatasetError> {
    let mut rows = Vec::new();
    read(path, step, &mut |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

/// Writes a file that takes its name when it is whole.
pub(crate) struct Writer {
    path: PathBuf,
    unfinished: PathBuf,
    out: BufWriter<File>,
}

impl Writer {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let unfinished = PathBuf::from(unfinished);
        let file = File::create(&unfinished)
            .map_err(|source| DatasetError::Write { path: unfinished.clone(), source })?;
        Ok(Self { path: path.to_owned(), unfinished, out: BufWriter::new(file) })
    }

    pub(crate) fn row<T: Serialize>(&mut self, row: &T) -> Result<(), DatasetError> {
        let written = serde_json::to_writer(&mut self.out, row)
            .map_err(std::io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"));
        written.map_err(|source| DatasetError::Write { path: self.unfinished.clone(), source })
    }

    /// Writes rows that are text already.
    pub(crate) fn text(&mut self, rows: &[u8]) -> Result<(), DatasetError> {
        let written = self.out.write_all(rows);
        written.map_err(|source| DatasetError::Write { path: self.unfinished.clone(), source })
    }

    pub(crate) fn finish(mut self) -> Result<(), DatasetError> {
        let path = &self.path;
        let written = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        written
            .and_then(|()| fs::rename(&self.unfinished, path))
            .map_err(|source| DatasetError::Write { path: path.clone(), source })
    }
}

/// Writes all rows of a file.
pub(crate) fn write<'r, T: Serialize + 'r>(
    path: &Path,
    rows: impl IntoIterator<Item = &'r T>,
) -> Result<(), DatasetError> {
    let mut writer = Writer::create(path)?;
    for row in rows {
        writer.row(row)?;
    }
    writer.finish()
}
