//! Vectors with the fragments of blobs that they stand for.

use std::collections::BTreeSet;

use super::VectorIndex;

/// A fragment of a blob that a vector stands for, as the notes of a file of vectors have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EncodedFragment {
    pub number: u32,
    pub blob: [u8; 20],
    /// Which of the blob's fragments it is.
    pub ordinal: u32,
}

/// Bytes of an fragment in notes.
const ENTRY: usize = 28;

impl EncodedFragment {
    /// Adds the fragment to notes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.number.to_le_bytes());
        out.extend(self.blob);
        out.extend(self.ordinal.to_le_bytes());
    }

    /// All fragments, from notes of a file.
    pub fn all(notes: &[u8]) -> impl Iterator<Item = Self> {
        (0..).map_while(|at| Self::at(notes, at))
    }

    fn at(notes: &[u8], at: usize) -> Option<Self> {
        let bytes = notes.get(at * ENTRY..(at + 1) * ENTRY)?;
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let blob = bytes[4..24].try_into().ok()?;
        Some(Self { number: number(0), blob, ordinal: number(24) })
    }

    /// The fragments of a vector, among notes of a file.
    pub fn of(notes: &[u8], number: u32) -> impl Iterator<Item = Self> {
        let at = |at: usize| Self::at(notes, at);
        let (mut low, mut high) = (0, notes.len() / ENTRY);
        while low < high {
            let middle = low.midpoint(high);
            if at(middle).is_some_and(|fragment| fragment.number < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..).map_while(at).take_while(move |fragment| fragment.number == number)
    }
}

/// Vectors of fragments of blobs, looked up by blob and fragment.
#[derive(Debug, Default)]
pub struct FragmentVectors {
    indexes: Vec<VectorIndex>,
    places: Vec<Place>,
}

/// Blob and fragment, and the index and the number in it that have its vector.
type Place = ([u8; 20], u32, u32, u32);

impl FragmentVectors {
    /// The vectors of `blobs` that the indexes have.
    pub fn of(indexes: Vec<VectorIndex>, blobs: &BTreeSet<[u8; 20]>) -> Self {
        let mut places = Vec::new();
        for (at, index) in (0u32..).zip(&indexes) {
            let wanted =
                EncodedFragment::all(index.notes()).filter(|fragment| blobs.contains(&fragment.blob));
            places.extend(wanted.map(|fragment| (fragment.blob, fragment.ordinal, at, fragment.number)));
        }
        places.sort_unstable();
        let indexes = indexes.into_iter().map(|index| index.with_notes(Vec::new())).collect();
        Self { indexes, places }
    }

    /// The index that has the vector of a blob's fragment, and its number there.
    pub fn find(&self, blob: [u8; 20], ordinal: u32) -> Option<(&VectorIndex, u32)> {
        let at = self.places.partition_point(|place| (place.0, place.1) < (blob, ordinal));
        let place = self.places.get(at).filter(|place| (place.0, place.1) == (blob, ordinal))?;
        Some((&self.indexes[place.2 as usize], place.3))
    }

    /// Bytes that they take.
    pub fn memory(&self) -> usize {
        let vectors: usize = self.indexes.iter().map(VectorIndex::memory).sum();
        vectors + self.places.capacity() * size_of::<Place>()
    }
}
