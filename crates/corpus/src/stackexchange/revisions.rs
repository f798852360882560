//! When each code block of a post first stood there, from the revisions in `PostHistory.xml`.
//!
//! Revisions come in the order of time and posts in the order of their numbers, so that neither can be looked up in the
//! other. What the revisions say is therefore sorted by post outside memory: one [`Record`] for each block of each revision
//! is gathered up to [`IN_MEMORY`] records (24 MiB), sorted, and written to a temporary file; the files are merged while the
//! posts are read. More than [`MOST_RUNS`] files are merged into one. Of a single post, at most [`BLOCKS_OF_A_POST`] blocks
//! are held.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::iter::Peekable;

/// Most records that are held in memory.
const IN_MEMORY: usize = 1 << 20;

/// Most temporary files at the same time.
const MOST_RUNS: usize = 64;

/// Most different blocks of one post, of all its revisions; further ones have no revision.
const BLOCKS_OF_A_POST: usize = 1 << 14;

const RECORD_BYTES: usize = 24;

/// A block that a revision of a post has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record {
    pub(super) post: u64,
    pub(super) block: BlockHash,
    /// Seconds since 1970.
    pub(super) time: i64,
}

/// Of a block's text without white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockHash(u64);

impl BlockHash {
    /// Layout does not count, for a revision is Markdown and a post HTML.
    pub(super) fn of(code: &str) -> Self {
        // FNV-1a: nobody gains anything by a collision but a wrong date for a post of their own.
        let bytes = code.bytes().filter(|byte| !byte.is_ascii_whitespace());
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }
}

impl Record {
    fn write(self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.post.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.block.0.to_le_bytes());
        bytes[16..].copy_from_slice(&self.time.to_le_bytes());
        out.write_all(&bytes)
    }

    fn of_bytes(bytes: [u8; RECORD_BYTES]) -> Self {
        let eight = |at: usize| std::array::from_fn(|n| bytes[at + n]);
        Self {
            post: u64::from_le_bytes(eight(0)),
            block: BlockHash(u64::from_le_bytes(eight(8))),
            time: i64::from_le_bytes(eight(16)),
        }
    }
}

/// Takes records in any order.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    records: Vec<Record>,
    /// Each in order.
    runs: Vec<File>,
}

impl Sorter {
    pub(super) fn push(&mut self, record: Record) -> io::Result<()> {
        self.records.push(record);
        if self.records.len() < IN_MEMORY {
            return Ok(());
        }
        self.spill()
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let records = std::mem::take(&mut self.records);
        self.runs.push(written(records.into_iter().map(Ok))?);
        if self.runs.len() == MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            self.runs.push(written(Merge::new(runs, Vec::new())?)?);
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.records.sort_unstable();
        // The earliest of equal blocks is the first.
        self.records.dedup_by_key(|record| (record.post, record.block));
    }

    pub(super) fn finish(mut self) -> io::Result<Revisions> {
        self.sort();
        let merge = Merge::new(self.runs, self.records)?;
        Ok(Revisions { merge: merge.peekable(), post: 0, blocks: BTreeMap::new() })
    }
}

/// Writes records to a temporary file without a name.
fn written(records: impl Iterator<Item = io::Result<Record>>) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(1 << 16, tempfile::tempfile()?);
    for record in records {
        record?.write(&mut out)?;
    }
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// Several sorted runs as one; of records for the same block of the same post only the earliest.
struct Merge {
    runs: Vec<Run>,
    last: Option<Record>,
}

enum Run {
    File { file: BufReader<File>, next: Record },
    Memory(Peekable<std::vec::IntoIter<Record>>),
}

impl Merge {
    fn new(files: Vec<File>, records: Vec<Record>) -> io::Result<Self> {
        let mut runs = vec![Run::Memory(records.into_iter().peekable())];
        for file in files {
            let mut file = BufReader::with_capacity(1 << 14, file);
            if let Some(next) = read(&mut file)? {
                runs.push(Run::File { file, next });
            }
        }
        Ok(Self { runs, last: None })
    }

    fn take(&mut self) -> io::Result<Option<Record>> {
        let heads = self.runs.iter_mut().enumerate().filter_map(|(number, run)| Some((run.head()?, number)));
        let Some((record, number)) = heads.min() else { return Ok(None) };
        let goes_on = match &mut self.runs[number] {
            Run::Memory(records) => records.next().is_some(),
            Run::File { file, next } => match read(file)? {
                Some(record) => {
                    *next = record;
                    true
                }
                None => false,
            },
        };
        if !goes_on {
            self.runs.remove(number);
        }
        Ok(Some(record))
    }
}

impl Run {
    fn head(&mut self) -> Option<Record> {
        match self {
            Self::File { next, .. } => Some(*next),
            Self::Memory(records) => records.peek().copied(),
        }
    }
}

fn read(file: &mut impl Read) -> io::Result<Option<Record>> {
    let mut bytes = [0; RECORD_BYTES];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Record::of_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

impl Iterator for Merge {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        loop {
            let record = match self.take() {
                Ok(record) => record?,
                Err(error) => return Some(Err(error)),
            };
            let is_new = self.last.is_none_or(|last| (last.post, last.block) != (record.post, record.block));
            self.last = Some(record);
            if is_new {
                return Some(Ok(record));
            }
        }
    }
}

/// What the revisions say, post after post.
pub(super) struct Revisions {
    merge: Peekable<Merge>,
    /// The post that `blocks` are of.
    post: u64,
    blocks: BTreeMap<BlockHash, i64>,
}

impl Revisions {
    /// The time of the earliest revision of a post that has a block. Posts are asked for in the order of their numbers, as
    /// dumps have them; of one that comes after a greater number nothing is known any more.
    pub(super) fn first(&mut self, post: u64, block: BlockHash) -> io::Result<Option<i64>> {
        if post > self.post {
            self.advance(post)?;
        }
        Ok((post == self.post).then(|| self.blocks.get(&block).copied()).flatten())
    }

    fn advance(&mut self, post: u64) -> io::Result<()> {
        self.post = post;
        self.blocks.clear();
        let is_wanted =
            |record: &io::Result<Record>| record.as_ref().map_or(true, |record| record.post <= post);
        while let Some(record) = self.merge.next_if(is_wanted) {
            let record = record?;
            if record.post == post && self.blocks.len() < BLOCKS_OF_A_POST {
                self.blocks.insert(record.block, record.time);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(post: u64, block: &str, time: i64) -> Record {
        Record { post, block: BlockHash::of(block), time }
    }

    #[test]
    fn the_earliest_revision_with_the_block_counts_layout_aside() {
        let mut sorter = Sorter::default();
        for (post, block, time) in
            [(2, "b", 30), (1, "a\n  b", 20), (1, "ab", 10), (1, "c", 25), (2, "b", 40)]
        {
            sorter.push(record(post, block, time)).expect("memory");
        }
        let mut revisions = sorter.finish().expect("memory");
        let mut first = |post, block| revisions.first(post, BlockHash::of(block)).expect("memory");
        assert_eq!((first(1, "a b"), first(1, "c"), first(1, "x")), (Some(10), Some(25), None));
        assert_eq!((first(2, "b"), first(1, "c"), first(3, "b")), (Some(30), None, None));
    }

    #[test]
    fn what_is_sorted_on_disk_is_the_same() {
        let mut sorter = Sorter::default();
        let posts = 500_u64;
        for number in 0..100 * posts {
            let post = number * 7919 % posts;
            sorter
                .push(record(post, &(number % 50).to_string(), (number / 50).cast_signed()))
                .expect("the disk");
            if number % 600 == 0 {
                sorter.spill().expect("the disk");
            }
        }
        assert!(sorter.runs.len() > 1 && sorter.runs.len() < MOST_RUNS);
        let mut revisions = sorter.finish().expect("the disk");
        let block = BlockHash::of("0");
        for post in 1..posts {
            let expected = (0..100 * posts).find(|n| n % 50 == 0 && n * 7919 % posts == post);
            let expected = expected.map(|number| (number / 50).cast_signed());
            assert_eq!(revisions.first(post, block).expect("the disk"), expected, "{post}");
        }
    }
}
