//! NumPy's format of arrays, and JSON lines beside it that say what each row is.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use familiar_model::Vectors;

use super::{EmbeddedRow, VectorWriter};

/// Bytes before the numbers: room for any number of rows, and a multiple of 64, as the format asks.
const HEADER: usize = 128;

/// Writes version 1.0 of the format: 32-bit numbers, row after row.
#[derive(Debug)]
pub struct Npy {
    vectors: BufWriter<File>,
    rows: BufWriter<File>,
    dimensions: usize,
    count: u64,
}

impl Npy {
    /// Writes vectors to one empty file and what they are to another.
    pub fn new(vectors: File, rows: File, dimensions: usize) -> io::Result<Self> {
        let (mut vectors, rows) = (BufWriter::new(vectors), BufWriter::new(rows));
        // The number of rows is known at the end.
        vectors.write_all(&header(0, dimensions))?;
        Ok(Self { vectors, rows, dimensions, count: 0 })
    }
}

impl VectorWriter for Npy {
    fn write(&mut self, rows: &[EmbeddedRow], vectors: &Vectors) -> io::Result<()> {
        for row in rows {
            serde_json::to_writer(&mut self.rows, row)?;
            writeln!(self.rows)?;
        }
        self.count += rows.len() as u64;
        vectors.values().iter().try_for_each(|value| self.vectors.write_all(&value.to_le_bytes()))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.rows.flush()?;
        self.vectors.seek(SeekFrom::Start(0))?;
        self.vectors.write_all(&header(self.count, self.dimensions))?;
        self.vectors.flush()
    }
}

fn header(rows: u64, dimensions: usize) -> [u8; HEADER] {
    let shape = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {dimensions}), }}");
    let mut header = [b' '; HEADER];
    header[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    header[8..10].copy_from_slice(&(HEADER as u16 - 10).to_le_bytes());
    // Two numbers of 20 digits at most leave room.
    header[10..10 + shape.len()].copy_from_slice(shape.as_bytes());
    header[HEADER - 1] = b'\n';
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_fits_whatever_the_shape() {
        let header = header(u64::MAX, usize::MAX);
        assert!(header.ends_with(b" \n") && header.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr'"));
    }
}
