//! Segments: immutable files that answer which blobs hold some tokens, without reading the rest of the corpus.
//!
//! A segment holds some blobs' tokens, the lines they stand on and the blobs' fragments, and postings from hashes to
//! token positions and fragments ([`Key`]). The file is mapped, not read; each of its blocks is compared with its
//! checksum when it is first used, so damage is an error and never a wrong answer. `docs/formats/segment.md` describes
//! the bytes.
//!
//! `builder` makes a segment. `tokens`, `details` and `postings` are its parts, and `overlap` looks
//! up similar functions.

mod builder;
mod details;
mod overlap;
mod postings;
#[cfg(test)]
mod tests;
mod tokens;

use std::ops::Range;
use std::path::Path;

pub use builder::{BlobParts, SegmentBuilder};
pub use details::{Details, SegmentFragment};
pub use overlap::LEAST_OVERLAP;
pub use postings::Values;

pub use crate::blocks::{SegmentError, Written};

use crate::Fraction;
use crate::blocks::{Blocks, Layout, u32_at};
use postings::Postings;
use tokens::Tokens;

/// What is looked up in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Sampled k-grams of the tokens; gives token positions above [`CONTEXT_BITS`] of what stands around them.
    Run,
    /// The repeated pieces of periodic stretches; gives the positions of their first tokens.
    Periodic,
    /// The blind forms of fragments; gives numbers of fragments above [`CONTEXT_BITS`] of the form as written.
    Form,
    /// Sampled n-grams of fragments; gives numbers of fragments.
    Gram,
    /// The rarest elements of fragments' token bags; gives numbers of fragments.
    Element,
}

impl Key {
    pub const ALL: [Self; 5] = [Self::Run, Self::Periodic, Self::Form, Self::Gram, Self::Element];
}

/// Bits of a value of [`Key::Run`] that say something of the tokens around, and of [`Key::Form`] of the names: whoever asks
/// leaves out what cannot be meant without reading any tokens.
pub const CONTEXT_BITS: u32 = 8;

/// One blob of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobRecord {
    pub id: [u8; 20],
    /// Number of its label in [`Segment::label`].
    label: u32,
    /// First token in the segment, and number of tokens.
    pub first_token: u32,
    pub tokens: u32,
    /// The number of its first fragment in the segment.
    pub first_fragment: u32,
    details: (u32, u32),
}

/// Files that are older than what is kept of licenses lack the last section.
const LAYOUT: Layout = Layout { kind: *b"code", version: 1, sections: &[section::COUNT, section::COUNT - 1] };

/// Bytes of a [`BlobRecord`], and where in it two of its numbers stand.
const RECORD: usize = 20 + 6 * 4;
const FIRST_TOKEN: usize = 20 + 4;
const FIRST_FRAGMENT: usize = 20 + 3 * 4;

/// The sections of the file, in order.
mod section {
    pub(super) const HEAD: usize = 0;
    pub(super) const BLOBS: usize = 1;
    pub(super) const BY_ID: usize = 2;
    pub(super) const LABELS: usize = 3;
    pub(super) const DETAILS: usize = 4;
    pub(super) const TOKENS: usize = 5;
    pub(super) const POSTINGS: usize = 9;
    pub(super) const LICENSES: usize = POSTINGS + super::Key::ALL.len();
    pub(super) const COUNT: usize = LICENSES + 1;
}

/// Numbers in the head: version of the fingerprints, blobs, fragments, tokens.
const HEAD: usize = 4;

/// An open segment. Any number of threads may read it.
#[derive(Debug)]
pub struct Segment {
    blocks: Blocks,
    blobs: u32,
    fragments: u32,
    tokens: Tokens,
    all_tokens: u32,
    labels: Vec<String>,
    postings: [Postings; Key::ALL.len()],
}

impl Segment {
    /// Opens a segment whose fingerprints were made by the version `fingerprints` of whoever makes them. A segment with
    /// other fingerprints, or of another layout, is an error that says so.
    pub fn open(path: &Path, fingerprints: u32) -> Result<Self, SegmentError> {
        let blocks = Blocks::open(path, &LAYOUT)?;
        let head = blocks.all(section::HEAD)?;
        if head.len() != HEAD * 4 {
            return Err(blocks.damaged("its head has changed"));
        }
        let [version, blobs, fragments, all_tokens] = [0, 1, 2, 3].map(|at| u32_at(head, at));
        if version != fingerprints {
            let path = path.to_owned();
            return Err(SegmentError::Fingerprints { path, found: version, expected: fingerprints });
        }
        if blocks.len(section::BLOBS) != blobs as usize * RECORD
            || blocks.len(section::BY_ID) != blobs as usize * 4
        {
            return Err(blocks.damaged("its blobs have changed"));
        }
        let labels = std::str::from_utf8(blocks.all(section::LABELS)?);
        let labels = labels.map_err(|_| blocks.damaged("its labels are not what they were"))?;
        let labels = labels.lines().map(str::to_owned).collect();
        let tokens = Tokens::open(&blocks, section::TOKENS, all_tokens)?;
        let open = |key: Key| Postings::open(&blocks, section::POSTINGS + key as usize);
        let [run, periodic, form, gram, element] = Key::ALL;
        let postings = [open(run)?, open(periodic)?, open(form)?, open(gram)?, open(element)?];
        Ok(Self { blocks, blobs, fragments, tokens, all_tokens, labels, postings })
    }

    /// Number of blobs.
    pub fn blobs(&self) -> u32 {
        self.blobs
    }

    /// Number of fragments of all blobs.
    pub fn fragments(&self) -> u32 {
        self.fragments
    }

    /// Number of tokens of all blobs.
    pub fn tokens(&self) -> u32 {
        self.all_tokens
    }

    /// The blob with this number.
    pub fn blob(&self, number: u32) -> Result<BlobRecord, SegmentError> {
        let at = number as usize * RECORD;
        let bytes = self.blocks.get(section::BLOBS, at..at + RECORD)?;
        let (id, numbers) = bytes.split_at(20);
        let [label, first_token, tokens, first_fragment, from, to] =
            [0, 1, 2, 3, 4, 5].map(|at| u32_at(numbers, at));
        if first_token.checked_add(tokens).is_none_or(|end| end > self.all_tokens) || from > to {
            return Err(self.blocks.damaged("its blobs have changed"));
        }
        Ok(BlobRecord {
            id: id.try_into().expect("twenty bytes"),
            label,
            first_token,
            tokens,
            first_fragment,
            details: (from, to),
        })
    }

    /// What the builder was told of the blob: its language.
    pub fn label(&self, blob: &BlobRecord) -> Result<&str, SegmentError> {
        let label = self.labels.get(blob.label as usize);
        label.map(String::as_str).ok_or_else(|| self.blocks.damaged("its labels are not what they were"))
    }

    /// The number of the blob with this id.
    pub fn find_blob(&self, id: &[u8; 20]) -> Result<Option<u32>, SegmentError> {
        let by_id = self.blocks.all(section::BY_ID)?;
        let (mut low, mut high) = (0, self.blobs as usize);
        while low < high {
            let middle = low.midpoint(high);
            let number = u32_at(by_id, middle);
            match self.blob(number)?.id.cmp(id) {
                std::cmp::Ordering::Equal => return Ok(Some(number)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// The number of the blob that holds a token.
    pub fn blob_of_token(&self, token: u32) -> Result<u32, SegmentError> {
        self.last_blob(FIRST_TOKEN, token)
    }

    /// The number of the blob that holds a fragment.
    pub fn blob_of_fragment(&self, fragment: u32) -> Result<u32, SegmentError> {
        self.last_blob(FIRST_FRAGMENT, fragment)
    }

    /// The last blob of whose record the number at byte `field` is at most `most`.
    fn last_blob(&self, field: usize, most: u32) -> Result<u32, SegmentError> {
        let records = self.blocks.all(section::BLOBS)?;
        let (mut low, mut high) = (0, self.blobs);
        while low < high {
            let middle = low.midpoint(high);
            if u32_at(&records[middle as usize * RECORD + field..], 0) <= most {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.checked_sub(1).ok_or_else(|| self.blocks.damaged("it points past its blobs"))
    }

    /// Adds to `out` the symbols of the tokens `range`, counted over the whole segment.
    pub fn symbols(&self, range: Range<u32>, out: &mut Vec<u32>) -> Result<(), SegmentError> {
        self.tokens.read(&self.blocks, range, out)
    }

    /// What the builder was given to keep of the licenses of the blob with this number; nothing where nothing was given.
    pub fn licenses(&self, number: u32) -> Result<&[u8], SegmentError> {
        if self.blocks.sections() <= section::LICENSES || self.blocks.len(section::LICENSES) == 0 {
            return Ok(&[]);
        }
        let (at, ends) = (number as usize * 4, self.blobs as usize * 4);
        let end = |at: usize| -> Result<usize, SegmentError> {
            Ok(u32_at(self.blocks.get(section::LICENSES, at..at + 4)?, 0) as usize)
        };
        let start = if at == 0 { 0 } else { end(at - 4)? };
        self.blocks.get(section::LICENSES, ends + start..ends + end(at)?)
    }

    /// The lines and fragments of a blob.
    pub fn details(&self, blob: &BlobRecord) -> Result<Details, SegmentError> {
        Details::decode(&self.blocks, self.details_of(blob)?, blob.tokens)
    }

    /// The fragments of a blob, without their lines.
    pub fn fragments_of(&self, blob: &BlobRecord) -> Result<Vec<SegmentFragment>, SegmentError> {
        let fragments = Details::decode_fragments(self.details_of(blob)?, blob.tokens);
        fragments.ok_or_else(|| self.blocks.damaged("the fragments of a blob are not what they were"))
    }

    /// Replaces `out` by the positions of those of a blob's tokens `within` that start a statement.
    pub fn statements_of(
        &self,
        blob: &BlobRecord,
        within: &Range<u32>,
        out: &mut Vec<u32>,
    ) -> Result<(), SegmentError> {
        let read = Details::decode_statements(self.details_of(blob)?, blob.tokens, within, out);
        read.ok_or_else(|| self.blocks.damaged("the lines of a blob are not what they were"))
    }

    fn details_of(&self, blob: &BlobRecord) -> Result<&[u8], SegmentError> {
        self.blocks.get(section::DETAILS, blob.details.0 as usize..blob.details.1 as usize)
    }

    /// What stands under a hash. A few may be those of other hashes, so each is to be verified.
    #[inline]
    pub fn find(&self, key: Key, hash: u32) -> Result<Values<'_>, SegmentError> {
        self.postings[key as usize].find(&self.blocks, hash)
    }

    /// Calls `each` with the fragments whose token bag may hold `threshold` of the larger of it and the bag of `tokens`: all of
    /// those, and others. `threshold` is at least [`LEAST_OVERLAP`].
    pub fn find_overlapping(
        &self,
        tokens: &[u32],
        threshold: Fraction,
        mut each: impl FnMut(u64),
    ) -> Result<(), SegmentError> {
        let mut ranks = Vec::with_capacity(tokens.len());
        for &token in tokens {
            ranks.push(self.tokens.rank(&self.blocks, token)?);
        }
        let prefix = overlap::prefix(ranks.len() as u32, threshold) as usize;
        for element in overlap::elements(&mut ranks).take(prefix) {
            if element.0 != tokens::UNKNOWN {
                self.find(Key::Element, overlap::hash(element))?.iter().for_each(&mut each);
            }
        }
        Ok(())
    }

    /// Compares every block with its checksum.
    pub fn verify(&self) -> Result<(), SegmentError> {
        (0..self.blocks.sections()).try_for_each(|section| self.blocks.all(section).map(|_| ()))
    }
}
