//! A file of sections, in blocks with a checksum each that is compared when the block is first read.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use memmap2::Mmap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Opens every such file. The version of the layout follows, in decimal digits, then [`LINE_END`] and the kind of the file.
const MAGIC: &[u8] = b"familiar ";
const LINE_END: &[u8] = b"\r\n";

/// Most bytes before the first section: a version has at most ten digits.
const LONGEST_HEAD: u64 = 32;

/// What a file holds, and in which sections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Four letters that name what it holds.
    pub(crate) kind: [u8; 4],
    /// Grows with each change after which a reader would take one thing for another.
    pub(crate) version: u32,
    /// How many sections it may have. Files that are older than the last sections have fewer.
    pub(crate) sections: &'static [usize],
}

impl Layout {
    fn head(&self) -> Vec<u8> {
        [MAGIC, self.version.to_string().as_bytes(), LINE_END, &self.kind].concat()
    }
}

/// The version of the layout and the kind, as the first bytes of a file name them.
fn read_head(bytes: &[u8]) -> Option<(u32, [u8; 4])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (version, rest) = rest.split_at(digits);
    let version = std::str::from_utf8(version).ok()?.parse().ok()?;
    let kind = rest.strip_prefix(LINE_END)?.first_chunk()?;
    Some((version, *kind))
}

/// Bytes under one checksum.
const BLOCK: usize = 1 << 16;

/// The end of the file: number of sections, bytes before the footer, checksum of the footer.
const TAIL: usize = 24;

/// Why a file of an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    #[error("cannot read {}: {source}{}", path.display(), advice(source))]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is damaged: {reason}; `familiar corpus rebuild` repairs it", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "{} has layout {found}, and this version of Familiar reads layout {expected}; `familiar corpus rebuild` writes it again",
        path.display()
    )]
    Layout { path: PathBuf, found: u32, expected: u32 },
    #[error(
        "{} has fingerprints of version {found}, and this version of Familiar looks up version {expected}; `familiar corpus rebuild` writes it again",
        path.display()
    )]
    Fingerprints { path: PathBuf, found: u32, expected: u32 },
}

/// What to do about a file that cannot be read.
fn advice(error: &io::Error) -> &'static str {
    let is_gone = error.kind() == io::ErrorKind::NotFound;
    if is_gone { "; `familiar corpus rebuild` writes it again" } else { "" }
}

/// A written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub bytes: u64,
    /// XXH3 (128 bits) of the whole file.
    pub checksum: u128,
}

/// Writes a new file with these sections, in this order.
pub(crate) fn write(
    path: &Path,
    layout: &Layout,
    sections: &[impl AsRef<[u8]>],
) -> Result<Written, SegmentError> {
    let fail = |source| SegmentError::Write { path: path.to_owned(), source };
    let mut out = Checked {
        file: File::create_new(path).map_err(fail)?,
        whole: Xxh3::new(),
        block: Vec::with_capacity(BLOCK),
        checksums: Vec::new(),
        bytes: 0,
    };
    out.put(&layout.head()).map_err(fail)?;
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

/// Whether a file begins as one of this kind does, whatever the version of its layout.
pub(crate) fn is_of_kind(path: &Path, kind: [u8; 4]) -> Result<bool, SegmentError> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST_HEAD).read_to_end(&mut head));
    read.map_err(|source| SegmentError::Read { path: path.to_owned(), source })?;
    Ok(read_head(&head).is_some_and(|(_, found)| found == kind))
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
    /// Maps a file of this layout; its length and footer are checked, its blocks when they are read.
    pub(crate) fn open(path: &Path, layout: &Layout) -> Result<Self, SegmentError> {
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
        let beginning = || damaged("its beginning is wrong");
        let (found, kind) = read_head(&map).ok_or_else(beginning)?;
        if found != layout.version {
            return Err(SegmentError::Layout { path: path.to_owned(), found, expected: layout.version });
        }
        let head = layout.head();
        if kind != layout.kind || !map.starts_with(&head) {
            return Err(beginning());
        }
        let body = number(tail + 8).unwrap_or(0);
        let body = usize::try_from(body).ok().filter(|&body| body <= tail);
        let body = body.ok_or_else(|| damaged("its length is not what it was"))?;
        let blocks = body.div_ceil(BLOCK);
        let sections = layout.sections.iter().copied().find(|&count| number(tail) == Some(count as u64));
        let sections = sections.ok_or_else(|| damaged("its footer has changed"))?;
        let whole = tail == body + (blocks + sections) * 8;
        if !whole || number(tail + 16) != Some(xxh3_64(&map[body..tail + 16])) {
            return Err(damaged("its footer has changed"));
        }
        let numbers =
            |from: usize, count: usize| (0..count).map(move |at| number(body + (from + at) * 8).unwrap_or(0));
        let checksums = numbers(0, blocks).collect();
        let mut starts = vec![head.len()];
        starts.extend(numbers(blocks, sections).map(|end| end as usize));
        if !starts.is_sorted() || starts.last() != Some(&body) {
            return Err(damaged("its footer has changed"));
        }
        let unknown = |count: usize| (0..count).map(|_| AtomicU8::new(0)).collect();
        let (verified, whole) = (unknown(blocks), unknown(sections));
        Ok(Self { path: path.to_owned(), map, starts, checksums, verified, whole })
    }

    /// Number of sections.
    pub(crate) fn sections(&self) -> usize {
        self.starts.len() - 1
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

    const TEST: Layout = Layout { kind: *b"test", version: 1, sections: &[3] };

    #[test]
    fn sections_read_back_and_any_flipped_bit_is_found() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("a");
        let sections = [vec![], (0..200_000u32).map(|n| n as u8).collect(), b"end".to_vec()];
        let written = write(&path, &TEST, &sections).expect("just made");
        assert_eq!(written.bytes, std::fs::metadata(&path).expect("just made").len());
        let read = |path: &Path| -> Result<Vec<Vec<u8>>, SegmentError> {
            let blocks = Blocks::open(path, &TEST)?;
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
        let two = Layout { sections: &[2], ..TEST };
        write(&path, &two, &[vec![1, 2, 3], vec![4]]).expect("just made");
        let blocks = Blocks::open(&path, &two).expect("whole");
        assert_eq!(blocks.get(0, 1..3).expect("inside"), [2, 3]);
        assert!(blocks.get(0, 2..4).is_err());
        assert!(Blocks::open(&path, &TEST).is_err());
        let newer = Layout { sections: &[3, 2], ..TEST };
        assert_eq!(Blocks::open(&path, &newer).expect("older than the last section").sections(), 2);
    }

    #[test]
    fn another_layout_is_not_damage() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("a");
        let later = Layout { version: 12, ..TEST };
        write(&path, &later, &[b"more", b"than", b"that"]).expect("just made");
        let error = Blocks::open(&path, &TEST).expect_err("another layout");
        assert!(matches!(error, SegmentError::Layout { found: 12, expected: 1, .. }), "{error}");
        assert!(error.to_string().ends_with(
            "has layout 12, and this version of Familiar reads layout 1; `familiar corpus rebuild` writes it again"
        ));
        assert_eq!(Blocks::open(&path, &later).expect("its own").all(1).expect("whole"), b"than");
        assert!(is_of_kind(&path, TEST.kind).expect("it is there"));
        let other = Layout { kind: *b"tost", ..later };
        assert!(matches!(Blocks::open(&path, &other), Err(SegmentError::Damaged { .. })));
    }
}
