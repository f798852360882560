//! The lines of a file that may be compressed as a whole, each within a limit.

use std::io::{self, BufRead, Read};
use std::path::Path;

use familiar_source::words::size;

use crate::SourceError;
use crate::compressed;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Opens a file, and unpacks it while it is read if it is compressed as a whole.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, SourceError> {
    compressed::open(path)
}

/// The lines of a file, one after the other. Blank ones are counted and left out.
pub struct Lines {
    reader: Box<dyn BufRead>,
    /// Most bytes of a line.
    most: u64,
    /// The number of the line that was read last.
    number: u64,
    line: Vec<u8>,
    ended: bool,
}

/// What stands in the place of a line.
pub enum Line<'l> {
    Whole(&'l [u8]),
    /// It has more bytes than a line may have; it was passed over. This is the reason in words.
    TooLong(String),
    /// The file cannot be read from here on.
    Damaged(io::Error),
}

impl Lines {
    /// Opens a file of lines of which none may have more than `most` bytes.
    pub fn open(path: &Path, most: u64) -> Result<Self, SourceError> {
        Ok(Self { reader: compressed::open(path)?, most, number: 0, line: Vec::new(), ended: false })
    }

    /// The next line with its number, from 1; `None` at the end, and after a damaged place.
    #[expect(clippy::should_implement_trait, reason = "a line is borrowed until the next one is read")]
    pub fn next(&mut self) -> Option<(u64, Line<'_>)> {
        while !self.ended {
            self.number += 1;
            match self.read() {
                Ok(Step::End) => self.ended = true,
                Ok(Step::Whole) if self.line.trim_ascii().is_empty() => {}
                Ok(Step::Whole) => return Some((self.number, Line::Whole(&self.line))),
                Ok(Step::TooLong) => {
                    let reason = format!("a line that is larger than {}", size(self.most));
                    return Some((self.number, Line::TooLong(reason)));
                }
                Err(error) => {
                    self.ended = true;
                    return Some((self.number, Line::Damaged(error)));
                }
            }
        }
        None
    }

    /// Reads a line, and passes over one that is too long. A byte order mark before the first one is no part of it.
    fn read(&mut self) -> io::Result<Step> {
        self.line.clear();
        if self.reader.by_ref().take(self.most).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(Step::End);
        }
        if self.line.ends_with(b"\n") || (self.line.len() as u64) < self.most {
            if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
            }
            return Ok(Step::Whole);
        }
        loop {
            let buffer = self.reader.fill_buf()?;
            let (used, over) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.reader.consume(used);
            if over {
                self.line.clear();
                return Ok(Step::TooLong);
            }
        }
    }
}

/// What was read.
enum Step {
    Whole,
    TooLong,
    End,
}
