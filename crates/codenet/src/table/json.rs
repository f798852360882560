//! Rows of JSON lines.

use std::io;
use std::path::Path;

use familiar_corpus::SourceError;
use familiar_corpus::lines::{Line, Lines};

use super::row::{Content, RawRow};

pub(super) struct JsonRows {
    lines: Lines,
}

impl JsonRows {
    pub(super) fn open(path: &Path, row_bytes: u64) -> Result<Self, SourceError> {
        Ok(Self { lines: Lines::open(path, row_bytes)? })
    }

    /// The next rows; or the line at which the file is damaged, and why.
    pub(super) fn batch(&mut self, rows: usize, bytes: usize) -> Result<Vec<RawRow>, (u64, io::Error)> {
        let (mut batch, mut taken) = (Vec::new(), 0);
        while batch.len() < rows && taken < bytes {
            let Some((number, line)) = self.lines.next() else { break };
            let content = match line {
                Line::Whole(line) => {
                    taken += line.len();
                    Content::Line(line.to_vec())
                }
                Line::TooLong(reason) => Content::Unreadable(reason),
                Line::Damaged(error) => return Err((number, error)),
            };
            batch.push(RawRow { number, content });
        }
        Ok(batch)
    }
}
