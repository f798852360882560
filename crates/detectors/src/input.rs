//! Opens outputs.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::error::DetectorError;

pub(crate) fn open(path: &Path) -> Result<BufReader<File>, DetectorError> {
    File::open(path)
        .map(BufReader::new)
        .map_err(|source| DetectorError::Read { path: path.to_owned(), source })
}

/// Calls `each` with every line and its number, from 1. What is not UTF-8 is replaced.
pub(crate) fn lines(
    path: &Path,
    each: &mut dyn FnMut(u64, &str) -> Result<(), DetectorError>,
) -> Result<(), DetectorError> {
    let mut input = open(path)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        let read = read.map_err(|source| DetectorError::Read { path: path.to_owned(), source })?;
        if read == 0 {
            break;
        }
        each(number, String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']))?;
    }
    Ok(())
}
