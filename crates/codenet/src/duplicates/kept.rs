//! The rows that stay when of near-duplicates only one does.

use std::io::{self, Write};

use super::found::Duplicates;
use crate::DataError;
use crate::data::Data;

/// Bytes that are read together.
const BATCH_BYTES: usize = 4 << 20;

/// Why rows cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl Duplicates {
    /// Writes the rows that stay as JSON lines, and says how many. Rows that were not compared stay, if they can be read. The data
    /// are read a second time for it.
    pub fn write_kept(&self, out: &mut dyn Write) -> Result<u64, KeptError> {
        let kept = self.kept();
        let mut dropped =
            self.rows.iter().zip(kept).filter(|(_, kept)| !kept).map(|(&row, _)| row).peekable();
        let (mut number, mut written) = (0, 0);
        for path in &self.data {
            let mut data = Data::open(path, true)?;
            loop {
                let rows = data.batch(BATCH_BYTES)?;
                if rows.is_empty() {
                    break;
                }
                for row in rows {
                    if dropped.next_if_eq(&number).is_none() {
                        written += u64::from(row.write_json(out)?);
                    }
                    number += 1;
                }
            }
        }
        Ok(written)
    }
}
