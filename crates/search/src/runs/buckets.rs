//! Samples with the same hash, brought together.

use super::fingerprints::FileFingerprints;
use super::refine::{Found, Refiner};
use super::settings::RunSearch;
use super::text::At;
use crate::SearchError;
use familiar_index::{Collection, FileEntry};
use rayon::prelude::*;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Partitions by the top bits of the hash: each is sorted and searched by itself.
const PARTITIONS: usize = 256;

/// Bytes of places that are held whatever the memory.
const FEW_PLACES: usize = 4 << 20;

/// Positions of all files as one range of numbers.
pub(super) struct Positions {
    /// The first position of each file, and the end of the last.
    starts: Vec<u32>,
    /// The file that holds each `1 << STEP`th position.
    files: Vec<u32>,
}

const STEP: u32 = 10;

impl Positions {
    /// Fails for collections of more than `u32::MAX` tokens.
    pub(super) fn new(collection: &Collection) -> Result<Self, SearchError> {
        let tokens = &collection.tokens;
        if u32::try_from(tokens.total()).is_err() {
            return Err(SearchError::TooManyTokens(tokens.total()));
        }
        let mut starts = vec![0];
        let mut files = Vec::new();
        for file in 0..tokens.files() as u32 {
            let end = starts[file as usize] + tokens.len(file);
            starts.push(end);
            // An empty file ends where it starts and holds no position.
            while ((files.len() as u64) << STEP) < u64::from(end) {
                files.push(file);
            }
        }
        Ok(Self { starts, files })
    }

    fn at(&self, position: u32) -> At {
        let mut file = self.files[(position >> STEP) as usize];
        while self.starts[file as usize + 1] <= position {
            file += 1;
        }
        At { file, offset: position - self.starts[file as usize] }
    }
}

/// Searches the samples whose hashes lie in `hashes`.
pub(super) fn search(
    search: RunSearch<'_>,
    files: &[FileFingerprints],
    hashes: &RangeInclusive<u32>,
) -> Result<Found, SearchError> {
    let positions = Positions::new(search.collection)?;
    let (mut entries, partitions) = partition(search, files, hashes, &positions);
    let mut slices = Vec::new();
    let mut rest = entries.as_mut_slice();
    for range in partitions {
        let (slice, tail) = rest.split_at_mut(range.len());
        slices.push(slice);
        rest = tail;
    }
    let bytes = AtomicUsize::new(0);
    let parts: Vec<Found> = slices
        .into_par_iter()
        .map_init(
            || Refiner::new(search, files),
            |refiner, slice| {
                slice.sort_unstable();
                for bucket in slice.chunk_by(|a, b| a >> 32 == b >> 32).filter(|bucket| bucket.len() > 1) {
                    refiner.bucket(bucket.iter().map(|&entry| positions.at(entry as u32)))?;
                }
                let found = refiner.take();
                let all = bytes.fetch_add(found.bytes(), Ordering::Relaxed) + found.bytes();
                // The tables of the search are gone once all is found.
                if all > search.settings.memory.saturating_mul(2).max(FEW_PLACES) {
                    return Err(SearchError::TooMuchAlike);
                }
                Ok(found)
            },
        )
        .collect::<Result<_, SearchError>>()?;
    let mut found = Found::default();
    for part in parts {
        found.append(part);
    }
    Ok(found)
}

/// Hash above position, by partition. Families that are not compared have different hashes.
fn partition(
    search: RunSearch<'_>,
    files: &[FileFingerprints],
    hashes: &RangeInclusive<u32>,
    positions: &Positions,
) -> (Vec<u64>, Vec<Range<usize>>) {
    let RunSearch { collection, settings, .. } = search;
    let salt = |file: &FileEntry| {
        if settings.cross_families { 0 } else { u32::from(file.family).wrapping_mul(0x9e37_79b1) }
    };
    let entries = || {
        files.iter().zip(&collection.files).zip(&positions.starts).flat_map(move |((file, entry), &start)| {
            let salt = salt(entry);
            let wanted = file.kgrams.iter().filter(|(hash, _)| hashes.contains(hash));
            wanted.map(move |&(hash, at)| (hash ^ salt, start + at))
        })
    };
    let of = |hash: u32| (hash >> 24) as usize;
    let mut ends = vec![0; PARTITIONS];
    entries().for_each(|(hash, _)| ends[of(hash)] += 1);
    let mut total = 0;
    let ranges: Vec<_> = ends
        .iter()
        .map(|count| {
            total += count;
            total - count..total
        })
        .collect();
    let mut next: Vec<usize> = ranges.iter().map(|range| range.start).collect();
    let mut sorted = vec![0; total];
    for (hash, position) in entries() {
        let slot = &mut next[of(hash)];
        sorted[*slot] = u64::from(hash) << 32 | u64::from(position);
        *slot += 1;
    }
    (sorted, ranges)
}
