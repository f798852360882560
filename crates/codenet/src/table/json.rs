//! Rows of JSON lines.

use std::path::Path;

use familiar_corpus::SourceError;
use familiar_corpus::lines::{Line, Lines};

use super::row::{Content, ROW_BYTES, RawRow};

pub(super) struct JsonRows {
    lines: Lines,
}

impl JsonRows {
    pub(super) fn open(path: &Path) -> Result<Self, SourceError> {
        Ok(Self { lines: Lines::open(path, ROW_BYTES)? })
    }

    pub(super) fn batch(&mut self, rows: usize, bytes: usize) -> Vec<RawRow> {
        let (mut batch, mut taken) = (Vec::new(), 0);
        while batch.len() < rows && taken < bytes {
            let Some((number, line)) = self.lines.next() else { break };
            let content = match line {
                Line::Whole(line) => {
                    taken += line.len();
                    Content::Line(line.to_vec())
                }
                Line::TooLong(reason) => Content::Unreadable(reason),
                Line::Damaged(error) => Content::Unreadable(format!("{error}; nothing behind it was read")),
            };
            batch.push(RawRow { number, content });
        }
        batch
    }
}
