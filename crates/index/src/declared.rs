//! The files of projects that speak for the license of others: where they stand, by project, and their content, by blob.

use std::ops::Range;

use familiar_source::BlobId;
use xxhash_rust::xxh3::xxh3_64;

use crate::blocks::u32_at;

/// Hash of a project, a blob, and where its place starts.
const PLACE: usize = 8 + CONTENT;

/// A blob, and where its content starts.
const CONTENT: usize = 24;

/// Collects such files.
#[derive(Debug, Default)]
pub(crate) struct DeclaredBuilder {
    /// Hash of the project, blob, and which bytes say where it stands.
    places: Vec<(u64, BlobId, Range<usize>)>,
    bytes: Vec<u8>,
    contents: Vec<(BlobId, Range<usize>)>,
    texts: Vec<u8>,
}

impl DeclaredBuilder {
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.contents.is_empty()
    }

    /// About the bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.len() + self.bytes.len() + (self.places.len() + self.contents.len()) * 48
    }

    /// Bytes of the longest section.
    pub(crate) fn longest(&self) -> usize {
        self.texts.len().max(self.bytes.len())
    }

    /// Takes a place of a blob, as bytes.
    pub(crate) fn place(&mut self, project: &str, blob: BlobId, place: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend(place);
        self.places.push((xxh3_64(project.as_bytes()), blob, start..self.bytes.len()));
    }

    /// Takes the content of a blob.
    pub(crate) fn content(&mut self, blob: BlobId, content: &[u8]) {
        let start = self.texts.len();
        self.texts.extend(content);
        self.contents.push((blob, start..self.texts.len()));
    }

    /// The four sections.
    pub(crate) fn sections(mut self) -> [Vec<u8>; 4] {
        // Stable: the places of a project stay in the order in which they came.
        self.places.sort_by_key(|(project, ..)| *project);
        self.contents.sort_by_key(|(blob, _)| *blob);
        let (mut places, mut rows) = (Vec::new(), Vec::with_capacity(self.bytes.len()));
        for (project, blob, range) in self.places {
            places.extend(project.to_le_bytes());
            places.extend(blob.0);
            places.extend((rows.len() as u32).to_le_bytes());
            rows.extend(&self.bytes[range]);
        }
        let (mut contents, mut texts) = (Vec::new(), Vec::with_capacity(self.texts.len()));
        for (blob, range) in self.contents {
            contents.extend(blob.0);
            contents.extend((texts.len() as u32).to_le_bytes());
            texts.extend(&self.texts[range]);
        }
        [places, rows, contents, texts]
    }
}

/// The places of a project: each blob, and which of the `rows` bytes say where it stands.
pub(crate) fn places(
    places: &[u8],
    rows: usize,
    project: &str,
) -> impl Iterator<Item = (BlobId, Range<usize>)> {
    let (entries, _) = places.as_chunks::<PLACE>();
    let hash = xxh3_64(project.as_bytes());
    let key = |entry: &[u8; PLACE]| u64::from_le_bytes(*entry.first_chunk().expect("a place is longer"));
    let first = entries.partition_point(|entry| key(entry) < hash);
    let end = entries.partition_point(|entry| key(entry) <= hash);
    (first..end.max(first)).map(move |at| entry(entries, at, rows, |entry| &entry[8..]))
}

/// Which of the `texts` bytes are the content of a blob, where there is one.
pub(crate) fn content(contents: &[u8], texts: usize, blob: &BlobId) -> Option<Range<usize>> {
    let (entries, _) = contents.as_chunks::<CONTENT>();
    let at = entries.binary_search_by(|entry| entry[..20].cmp(&blob.0)).ok()?;
    Some(entry(entries, at, texts, |entry| &entry[..]).1)
}

/// A blob, and the bytes up to the next one's or the end of all.
fn entry<const SIZE: usize>(
    entries: &[[u8; SIZE]],
    at: usize,
    all: usize,
    tail: impl Fn(&[u8; SIZE]) -> &[u8],
) -> (BlobId, Range<usize>) {
    let start = |at: usize| entries.get(at).map_or(all, |entry| u32_at(&tail(entry)[20..], 0) as usize);
    let blob = *tail(&entries[at]).first_chunk().expect("an entry is longer");
    (BlobId(blob), start(at)..start(at + 1))
}
