//! Files of JSON lines, plain or compressed by zstd.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use familiar_engine::named;

use crate::EvaluateError;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The lines of a file that are not blank, in batches, each with its number from 1.
pub(crate) struct JsonLines {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    line: u64,
}

impl JsonLines {
    pub(crate) fn open(path: &Path) -> Result<Self, EvaluateError> {
        let reader = open(path).map_err(|source| EvaluateError::Read { path: path.to_path_buf(), source })?;
        Ok(Self { path: path.to_path_buf(), reader, line: 0 })
    }

    /// The next lines, `most` at most; none at the end.
    pub(crate) fn batch(&mut self, most: usize) -> Result<Vec<(u64, Vec<u8>)>, EvaluateError> {
        let mut lines = Vec::new();
        while lines.len() < most {
            let mut line = Vec::new();
            let read = self.reader.read_until(b'\n', &mut line);
            let bytes = read.map_err(|source| EvaluateError::Read { path: self.path.clone(), source })?;
            if bytes == 0 {
                break;
            }
            self.line += 1;
            if self.line == 1 && line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
            if !line.trim_ascii().is_empty() {
                lines.push((self.line, line));
            }
        }
        Ok(lines)
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = named::open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut start)?;
    let compressed = start == ZSTD_MAGIC;
    let whole = io::Cursor::new(start).chain(file);
    Ok(if compressed {
        Box::new(BufReader::with_capacity(1 << 17, zstd::Decoder::new(whole)?))
    } else {
        Box::new(BufReader::with_capacity(1 << 17, whole))
    })
}
