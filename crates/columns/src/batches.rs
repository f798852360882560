//! Lines of JSON to record batches.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::ArrowError;

use crate::Rows;

/// Most rows of a batch.
const ROWS: usize = 8192;
/// A batch ends at the first row after so many bytes of text.
const BYTES: usize = 16 << 20;

/// Takes lines of JSON and gives record batches.
pub struct Batches<F> {
    decoder: Decoder,
    /// Bytes of the rows that are not given yet.
    bytes: usize,
    give: F,
}

impl<F: FnMut(RecordBatch) -> io::Result<()>> Batches<F> {
    /// Gives batches of `rows` to `give`, one after another.
    pub fn new(rows: Rows, give: F) -> Result<Self, ArrowError> {
        let decoder =
            ReaderBuilder::new(rows.schema()).with_batch_size(ROWS).with_strict_mode(true).build_decoder()?;
        Ok(Self { decoder, bytes: 0, give })
    }

    /// Gives what is left.
    pub fn finish(mut self) -> io::Result<()> {
        self.give_all()
    }

    fn give_all(&mut self) -> io::Result<()> {
        self.bytes = 0;
        match self.decoder.flush().map_err(io::Error::other)? {
            Some(batch) => (self.give)(batch),
            None => Ok(()),
        }
    }
}

impl<F: FnMut(RecordBatch) -> io::Result<()>> Write for Batches<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if self.bytes >= BYTES && !self.decoder.has_partial_record() {
            self.give_all()?;
        }
        let mut taken = self.decoder.decode(bytes).map_err(io::Error::other)?;
        if taken == 0 {
            // The batch is full.
            self.give_all()?;
            taken = self.decoder.decode(bytes).map_err(io::Error::other)?;
        }
        self.bytes += taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(lines: &str) -> io::Result<Vec<usize>> {
        let mut sizes = Vec::new();
        let mut batches = Batches::new(Rows::Tokens, |batch| {
            sizes.push(batch.num_rows());
            Ok(())
        })
        .map_err(io::Error::other)?;
        batches.write_all(lines.as_bytes())?;
        batches.finish()?;
        Ok(sizes)
    }

    fn line(token: &str) -> String {
        format!("{{\"line\":1,\"column\":0,\"class\":\"string\",\"token\":\"{token}\"}}\n")
    }

    #[test]
    fn a_batch_ends_when_it_is_full() -> io::Result<()> {
        assert_eq!(batches("")?, Vec::<usize>::new());
        assert_eq!(batches(&line("x").repeat(ROWS))?, [ROWS]);
        assert_eq!(batches(&line("x").repeat(2 * ROWS + 1))?, [ROWS, ROWS, 1]);
        Ok(())
    }

    #[test]
    fn large_rows_make_small_batches() -> io::Result<()> {
        let large = line(&"x".repeat(BYTES + 1));
        let mut sizes = Vec::new();
        let mut batches = Batches::new(Rows::Tokens, |batch| {
            sizes.push(batch.num_rows());
            Ok(())
        })
        .map_err(io::Error::other)?;
        (0..3).try_for_each(|_| batches.write_all(large.as_bytes()))?;
        batches.finish()?;
        assert_eq!(sizes, [1, 1, 1]);
        Ok(())
    }

    #[test]
    fn a_key_that_no_column_has_is_an_error() {
        let error = batches("{\"line\":1,\"colour\":0}\n").expect_err("the key is unknown");
        assert!(error.to_string().contains("colour"), "{error}");
    }
}
