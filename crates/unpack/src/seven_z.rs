//! 7z archives: blocks of entries that are compressed together.

use std::io::{self, Read, Seek};

use familiar_source::words::size;
use sevenz_rust2::{Archive, ArchiveEntry, Block, BlockDecoder, Coder, EncoderMethod, Error, Password};

/// Most memory that a method may ask for its dictionary. 7-Zip's strongest preset asks for 64 MiB.
const DICTIONARY_BYTES: u64 = 1 << 30;

/// A reader that can go back.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// An entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
    /// When it was last changed, in seconds since 1970.
    pub time: Option<i64>,
}

/// Why an archive, or a block of it, cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum SevenZError {
    #[error("encrypted")]
    Encrypted,
    #[error("unsupported compression method {0}")]
    Method(String),
    #[error("it takes more than {} of memory to unpack", size(DICTIONARY_BYTES))]
    Dictionary,
    #[error(transparent)]
    Read(io::Error),
    #[error("damaged 7z archive ({0:?})")]
    Damaged(Error),
}

impl SevenZError {
    fn of(error: Error) -> Self {
        match error {
            Error::PasswordRequired | Error::MaybeBadPassword(_) => Self::Encrypted,
            Error::UnsupportedCompressionMethod(method) if method.contains("AES") => Self::Encrypted,
            Error::UnsupportedCompressionMethod(method) => Self::Method(method),
            Error::Io(error, _) => Self::Read(error),
            other => Self::Damaged(other),
        }
    }
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Link,
    /// A folder, or the note that a file is gone.
    Other,
}

/// The list of what a 7z archive holds.
#[derive(Debug)]
pub struct SevenZ {
    archive: Archive,
}

impl SevenZ {
    /// Reads the list, which stands at the end of the archive.
    pub fn open(mut reader: &mut dyn ReadSeek) -> Result<Self, SevenZError> {
        let archive = Archive::read(&mut reader, &Password::empty()).map_err(SevenZError::of)?;
        Ok(Self { archive })
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.archive.blocks.len()
    }

    /// The entries of a block, in the order in which they are unpacked. `reader` is the archive.
    pub fn entries(&self, block: usize, mut reader: &mut dyn ReadSeek) -> Vec<Entry> {
        let password = Password::empty();
        let decoder = BlockDecoder::new(1, block, &self.archive, &password, &mut reader);
        decoder.entries().iter().map(entry).collect()
    }

    /// The entries without content, which stand in no block.
    pub fn empty_entries(&self) -> impl Iterator<Item = Entry> {
        let blocks = &self.archive.stream_map.file_block_index;
        self.archive
            .files
            .iter()
            .zip(blocks)
            .filter(|(_, block)| block.is_none())
            .map(|(file, _)| entry(file))
    }

    /// Unpacks the entries of a block, one of [`Self::blocks`], one after another, as long as `each` returns true. `reader` is
    /// the archive. Where one cannot be unpacked, those after it cannot be either.
    pub fn unpack(
        &self,
        block: usize,
        mut reader: &mut dyn ReadSeek,
        each: &mut dyn FnMut(Entry, &mut dyn Read) -> bool,
    ) -> Result<(), SevenZError> {
        if dictionary(&self.archive.blocks[block]) > DICTIONARY_BYTES {
            return Err(SevenZError::Dictionary);
        }
        let password = Password::empty();
        let decoder = BlockDecoder::new(1, block, &self.archive, &password, &mut reader);
        let mut each = |file: &ArchiveEntry, content: &mut dyn Read| Ok(each(entry(file), content));
        decoder.for_each_entries(&mut each).map(|_| ()).map_err(SevenZError::of)
    }
}

fn entry(file: &ArchiveEntry) -> Entry {
    let kind = match file {
        _ if file.is_directory || file.is_anti_item => EntryKind::Other,
        _ if is_link(file) => EntryKind::Link,
        _ => EntryKind::File,
    };
    Entry { name: file.name.clone(), kind, time: time_of(file) }
}

/// The largest dictionary that the block's methods ask for.
fn dictionary(block: &Block) -> u64 {
    let of_coder = |coder: &Coder| match (coder.encoder_method_id(), coder.properties()) {
        (EncoderMethod::ID_LZMA, [_, a, b, c, d, ..]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (EncoderMethod::ID_LZMA2, [bits @ 0..=40, ..]) => {
            u64::from(2 | (bits & 1)) << (u32::from(*bits) / 2 + 11)
        }
        _ => 0,
    };
    block.coders.iter().map(of_coder).max().unwrap_or(0)
}

/// 7-Zip on Unix writes the mode into the upper half of the attributes, and says so with a flag.
fn is_link(entry: &ArchiveEntry) -> bool {
    const UNIX: u32 = 0x8000;
    const KIND: u32 = 0o170_000;
    entry.windows_attributes & UNIX != 0 && (entry.windows_attributes >> 16) & KIND == 0o120_000
}

/// Windows counts tenths of microseconds since 1601.
fn time_of(entry: &ArchiveEntry) -> Option<i64> {
    const SECOND: u64 = 10_000_000;
    const TO_1970: i64 = 11_644_473_600;
    let seconds = i64::try_from(u64::from(entry.last_modified_date) / SECOND).ok()?;
    entry.has_last_modified_date.then_some(seconds - TO_1970)
}
