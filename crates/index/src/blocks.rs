//! A file of sections, in blocks with a checksum each that is compared when the block is first read.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Opens every such file; the number is the version of the format. What kind of file it is follows.
const MAGIC: [u8; 12] = *b"familiar 1\r\n";

/// What a file holds.
pub(crate) type Kind = [u8; 4];

/// Bytes before the first section.
const HEAD: usize = MAGIC.len() + size_of::<Kind>();

/// Bytes under one checksum.
const BLOCK: usize = 1 << 16;

/// The end of the file: number of sections, bytes before the footer, checksum of the footer.
const TAIL: usize = 24;

/// Why a file of an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is damaged: {reason}; `familiar corpus rebuild` repairs it", path.display())]
    Damaged { path: PathBuf, reason: String },
}

/// A written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub bytes: u64,
    /// XXH3 (128 bits) of the whole file.
    pub checksum: u128,
}

/// Writes a new file with these sections, in this order.
pub(crate) fn write(path: &Path, kind: Kind, sections: &[impl AsRef<[u8]>]) -> Result<Written, SegmentError> {
    let fail = |source| SegmentError::Write { path: path.to_owned(), source };
    let mut out = Checked {
        file: File::create_new(path).map_err(fail)?,
        whole: Xxh3::new(),
        block: Vec::with_capacity(BLOCK),
        checksums: Vec::new(),
        bytes: 0,
    };
    out.put(&MAGIC).map_err(fail)?;
    out.put(&kind).map_err(fail)?;
    let mut ends = Vec::new();
    for section in sections {
        out.put(section.as_ref()).map_err(fail)?;
        ends.push(out.bytes);
    }
    let body = out.bytes;
    out.end_block().map_err(fail)?;
    let mut footer: Vec<u8> =
        out.checksums.iter().chain(&ends).flat_map(|number| number.to_le_bytes()).collect();
    footer.extend((sections.len() as u64).to_le_bytes());
    footer.extend(body.to_le_bytes());
    footer.extend(xxh3_64(&footer).to_le_bytes());
    out.whole.update(&footer);
    out.file.write_all(&footer).map_err(fail)?;
    out.file.sync_all().map_err(fail)?;
    Ok(Written { bytes: body + footer.len() as u64, checksum: out.whole.digest128() })
}

/// A file that is cut into blocks as it is written.
struct Checked {
    file: File,
    whole: Xxh3,
    block: Vec<u8>,
    checksums: Vec<u64>,
    bytes: u64,
}

impl Checked {
    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.checksums.push(xxh3_64(&self.block));
            self.whole.update(&self.block);
            self.file.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }
}

/// Whether a file begins as one that holds this does.
pub(crate) fn is_of_kind(path: &Path, kind: Kind) -> Result<bool, SegmentError> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.map_err(|source| SegmentError::Read { path: path.to_owned(), source })?;
    Ok(head == [&MAGIC[..], &kind].concat())
}

/// Such a file in memory.
#[derive(Debug)]
pub(crate) struct Blocks {
    path: PathBuf,
    map: Mmap,
    /// Where each section starts, with the end of the last.
    starts: Vec<usize>,
    checksums: Vec<u64>,
    /// For each block, and for each section as a whole, whether its checksums were compared.
    verified: Vec<AtomicU8>,
    whole: Vec<AtomicU8>,
}

impl Blocks {
    /// Maps a file of `sections` sections; its length and footer are checked, its blocks when they are read.
    pub(crate) fn open(path: &Path, kind: Kind, sections: usize) -> Result<Self, SegmentError> {
        let fail = |source| SegmentError::Read { path: path.to_owned(), source };
        let damaged =
            |reason: &str| SegmentError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let file = File::open(path).map_err(fail)?;
        #[allow(unsafe_code)]
        // SAFETY: the files of a corpus never change once its manifest names them.
        let map = unsafe { Mmap::map(&file) }.map_err(fail)?;
        let number = |at: usize| {
            let bytes = map.get(at..at + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let tail = map.len().checked_sub(TAIL).ok_or_else(|| damaged("it is too short"))?;
        if map.get(..HEAD) != Some(&[&MAGIC[..], &kind].concat()) {
            return Err(damaged("its beginning is wrong"));
        }
        let body = number(tail + 8).unwrap_or(0);
        let body = usize::try_from(body).ok().filter(|&body| body <= tail);
        let body = body.ok_or_else(|| damaged("its length is not what it was"))?;
        let blocks = body.div_ceil(BLOCK);
        let whole = number(tail) == Some(sections as u64) && tail == body + (blocks + sections) * 8;
        if !whole || number(tail + 16) != Some(xxh3_64(&map[body..tail + 16])) {
            return Err(damaged("its footer has changed"));
        }
        let numbers =
            |from: usize, count: usize| (0..count).map(move |at| number(body + (from + at) * 8).unwrap_or(0));
        let checksums = numbers(0, blocks).collect();
        let mut starts = vec![HEAD];
        starts.extend(numbers(blocks, sections).map(|end| end as usize));
        if !starts.is_sorted() || starts.last() != Some(&body) {
            return Err(damaged("its footer has changed"));
        }
        let unknown = |count: usize| (0..count).map(|_| AtomicU8::new(0)).collect();
        let (verified, whole) = (unknown(blocks), unknown(sections));
        Ok(Self { path: path.to_owned(), map, starts, checksums, verified, whole })
    }

    /// Length of a section.
    pub(crate) fn len(&self, section: usize) -> usize {
        self.starts[section + 1] - self.starts[section]
    }

    /// Bytes of a section; what lies beyond its end is damage.
    #[inline]
    pub(crate) fn get(&self, section: usize, range: Range<usize>) -> Result<&[u8], SegmentError> {
        if range.start > range.end || range.end > self.len(section) {
            return Err(self.damaged("it points past its end"));
        }
        let start = self.starts[section];
        let range = start + range.start..start + range.end;
        if range.is_empty() {
            return Ok(&[]);
        }
        for block in range.start / BLOCK..=(range.end - 1) / BLOCK {
            if self.verified[block].load(Ordering::Relaxed) == 0 {
                self.verify(block)?;
            }
        }
        Ok(&self.map[range])
    }

    /// All of a section.
    pub(crate) fn all(&self, section: usize) -> Result<&[u8], SegmentError> {
        if self.whole[section].load(Ordering::Relaxed) == 0 {
            self.get(section, 0..self.len(section))?;
            self.whole[section].store(1, Ordering::Relaxed);
        }
        Ok(&self.map[self.starts[section]..self.starts[section + 1]])
    }

    #[cold]
    fn verify(&self, block: usize) -> Result<(), SegmentError> {
        let body = self.starts[self.starts.len() - 1];
        let bytes = &self.map[block * BLOCK..((block + 1) * BLOCK).min(body)];
        if xxh3_64(bytes) != self.checksums[block] {
            return Err(self.damaged("its content has changed"));
        }
        self.verified[block].store(1, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn damaged(&self, reason: &str) -> SegmentError {
        SegmentError::Damaged { path: self.path.clone(), reason: reason.to_owned() }
    }
}

/// The number at `at` of an array of numbers.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let start = at * 4;
    u32::from_le_bytes([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_read_back_and_any_flipped_bit_is_found() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("a");
        let sections = [vec![], (0..200_000u32).map(|n| n as u8).collect(), b"end".to_vec()];
        let written = write(&path, *b"test", &sections).expect("just made");
        assert_eq!(written.bytes, std::fs::metadata(&path).expect("just made").len());
        let read = |path: &Path| -> Result<Vec<Vec<u8>>, SegmentError> {
            let blocks = Blocks::open(path, *b"test", 3)?;
            (0..3).map(|section| blocks.all(section).map(<[u8]>::to_vec)).collect()
        };
        assert_eq!(read(&path).expect("whole"), sections);
        let bytes = std::fs::read(&path).expect("just made");
        for at in (0..bytes.len()).step_by(997).chain(bytes.len() - 90..bytes.len()) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            std::fs::write(&path, &flipped).expect("just made");
            assert!(matches!(read(&path), Err(SegmentError::Damaged { .. })), "byte {at}");
        }
        for length in [0, 10, 100, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).expect("just made");
            assert!(read(&path).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn what_lies_past_a_section_is_damage() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("a");
        write(&path, *b"test", &[vec![1, 2, 3], vec![4]]).expect("just made");
        let blocks = Blocks::open(&path, *b"test", 2).expect("whole");
        assert_eq!(blocks.get(0, 1..3).expect("inside"), [2, 3]);
        assert!(blocks.get(0, 2..4).is_err());
        assert!(Blocks::open(&path, *b"test", 3).is_err());
    }
}
