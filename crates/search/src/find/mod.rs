//! Who has this code? One piece of code, looked up in the segments of a corpus.
//!
//! [`fingerprint`] says what blobs are found by; [`Finder::find`] looks those up, reads the tokens of the blobs that they
//! lead to, and keeps what really corresponds. Runs: every one of at least [`RUN_TOKENS`] equal tokens is found, by the
//! sampled k-gram that any such run holds, and reported whole. Fragments that are smaller are found by their
//! normal form. Functions that are similar are found by shared n-grams (with the default measure, and so not all of them)
//! or by their rarest tokens (with token overlap, and so every one).
//!
//! # Files
//!
//! `settings` says what counts as a match, and `query` holds what is looked for. `fingerprint` says
//! what blobs are found by, the same for corpus and query, and `groups` has what of a query is found
//! by the same. `hits` are the places that it leads to, `piece` is what corresponds there, and
//! `cover` what of the query that covers. `runs` and `similar` look up and compare, `hashes` does so
//! for code that is known by its fingerprints alone, and `blob` reads of a blob no more than is
//! looked at.

mod blob;
mod cover;
pub mod fingerprint;
mod groups;
mod hashes;
mod hits;
mod piece;
mod query;
mod runs;
mod settings;
mod similar;
#[cfg(test)]
mod tests;

use familiar_index::segment::{BlobRecord, Segment, SegmentError};
use rayon::prelude::*;

use blob::Blob;
use fingerprint::FUNCTION;
use groups::Groups;
use hits::{Hit, Hits};

pub use fingerprint::{BlobFingerprinter, Fingerprints, RUN_TOKENS};
pub use hashes::{Hashed, Hashes};
pub use piece::Piece;
pub use query::Query;
pub use settings::{FindMeasure, FindSettings};

/// What a blob has of the query.
#[derive(Clone, Debug)]
pub struct BlobMatch {
    /// Number of the segment that holds the blob.
    pub segment: usize,
    pub record: BlobRecord,
    /// By where they stand in the query. Pieces of similar functions may lie within runs.
    pub pieces: Vec<Piece>,
}

/// By which hashes a query is looked up, and where it has them.
#[derive(Default)]
struct Places {
    samples: Groups,
    forms: Groups,
}

impl Places {
    fn of(query: &Query, settings: &FindSettings) -> Self {
        if query.hashes.is_some() {
            return Self::default();
        }
        let samples = Groups::new(query.fingerprints.runs.iter().copied());
        Self { samples, forms: similar::forms_of(settings, query) }
    }
}

/// Looks queries up in the segments of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Finder<'s> {
    pub segments: &'s [Segment],
    pub settings: &'s FindSettings,
}

/// Blobs that a thread looks at before another may take over.
const BLOBS_AT_A_TIME: usize = 16;

impl Finder<'_> {
    /// What the blobs of the segments have of a query; `wants` tells by its label whether a blob is asked for. In the order
    /// of the segments.
    pub fn find(
        &self,
        query: &Query,
        wants: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<BlobMatch>, SegmentError> {
        let edited =
            query.hashes.is_none() && self.settings.edited && self.settings.kinds[usize::from(FUNCTION)];
        let similar =
            if edited { similar::look_up(self.segments, self.settings, query, wants)? } else { Vec::new() };
        let places = Places::of(query, self.settings);
        let in_segment = |number: usize| {
            let similar = similar.iter().filter(|(segment, _)| *segment == number).map(|(_, hit)| *hit);
            self.in_segment(number, (query, &places), similar.collect(), wants)
        };
        let parts = (0..self.segments.len()).into_par_iter().map(in_segment);
        Ok(parts.collect::<Result<Vec<_>, SegmentError>>()?.into_iter().flatten().collect())
    }

    /// What the blobs of one segment have of the query, some of whose functions may be `similar`.
    fn in_segment(
        &self,
        number: usize,
        (query, places): (&Query, &Places),
        similar: Vec<Hit>,
        wants: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<BlobMatch>, SegmentError> {
        let mut hits = Hits { segment: &self.segments[number], found: similar };
        if let Some(hashes) = &query.hashes {
            hashes.look_up(self.settings, query.tokens(), &mut hits)?;
        } else {
            if self.settings.runs {
                runs::look_up(query, &places.samples, &mut hits)?;
            }
            similar::look_up_forms(self.settings, query, &places.forms, &mut hits)?;
        }
        let mut hits = hits.found;
        hits.sort_unstable();
        let blobs: Vec<&[Hit]> = hits.chunk_by(|a, b| a.blob == b.blob).collect();
        let init = || (similar::Functions::new(query), Vec::new());
        let found: Vec<Option<BlobMatch>> = blobs
            .par_iter()
            .with_min_len(BLOBS_AT_A_TIME)
            .map_init(init, |(functions, buffer), hits| {
                self.blob(number, (query, places), hits, wants, functions, buffer)
            })
            .collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What a blob has of the query, if it has any.
    fn blob<'q>(
        &self,
        number: usize,
        (query, places): (&'q Query, &Places),
        hits: &[Hit],
        wants: &dyn Fn(&str) -> bool,
        functions: &mut similar::Functions<'q>,
        buffer: &mut Vec<u32>,
    ) -> Result<Option<BlobMatch>, SegmentError> {
        let segment = &self.segments[number];
        let record = segment.blob(hits[0].blob)?;
        if !wants(segment.label(&record)?) {
            return Ok(None);
        }
        let mut blob = Blob::new(segment, record, std::mem::take(buffer));
        let mut pieces = if let Some(hashes) = &query.hashes {
            hashes.pieces(self.settings, query.tokens(), &mut blob, hits)?
        } else {
            let mut pieces = runs::pieces(self.settings, query, &places.samples, &mut blob, hits)?;
            similar::forms(self.settings, query, &places.forms, &mut blob, hits, &mut pieces)?;
            functions.pieces(self.settings, query, &mut blob, hits, &mut pieces)?;
            pieces
        };
        *buffer = blob.into_buffer();
        pieces.retain(|piece| self.settings.asks_for(piece.clone_type));
        pieces.sort_unstable_by_key(|piece| (piece.query, piece.blob, piece.clone_type));
        pieces.dedup_by_key(|piece| (piece.query, piece.blob));
        let found = BlobMatch { segment: number, record, pieces };
        Ok((!found.pieces.is_empty()).then_some(found))
    }
}
