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
//! `fingerprint` says what blobs are found by, the same for corpus and query. `runs` and `similar`
//! look up and compare, `hashes` does so for code that is known by its fingerprints alone, and
//! `blob` reads of a blob no more than is looked at.

mod blob;
pub mod fingerprint;
mod hashes;
mod runs;
mod similar;
#[cfg(test)]
mod tests;

use familiar_index::segment::{BlobParts, BlobRecord, Details, Segment, SegmentError, SegmentFragment};
use familiar_source::{FragmentKind, Span};
use familiar_syntax::normal::{self, Symbol};
use rayon::prelude::*;

use blob::Blob;
pub use fingerprint::{BlobFingerprinter, Fingerprints, RUN_TOKENS};
pub use hashes::{Hashed, Hashes};

use crate::runs::text::Form;

/// What counts as a match.
#[derive(Clone, Copy, Debug)]
pub struct FindSettings {
    /// Which clone types are asked for.
    pub exact: bool,
    pub renamed: bool,
    pub edited: bool,
    /// Which kinds of fragments are asked for, by number, and whether runs are. Similar ones are found of functions alone.
    pub kinds: [bool; FragmentKind::ALL.len()],
    pub runs: bool,
    /// A run has at least this many tokens, and never less than [`RUN_TOKENS`].
    pub min_tokens: u32,
    /// How similar functions are told.
    pub measure: FindMeasure,
    /// Least similarity of functions that are not equal.
    pub similarity: f64,
}

impl FindSettings {
    fn asks_for(&self, clone_type: u8) -> bool {
        match clone_type {
            1 => self.exact,
            2 => self.renamed,
            _ => self.edited,
        }
    }
}

/// How similar functions are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindMeasure {
    /// `crate::aligned`.
    Aligned,
    /// `crate::overlap`; complete for similarities of at least `familiar_index::segment::LEAST_SHARE`.
    TokenOverlap,
}

/// Code that is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    pub symbols: Box<[u32]>,
    pub details: Details,
    blind: Vec<u32>,
    fingerprints: Fingerprints,
    /// In the place of symbols, of a query that is known by its fingerprints alone.
    hashes: Option<Hashes>,
}

impl Query {
    /// The query that some tokens make. Where no function is among them, all of them together are compared as one.
    pub fn new(symbols: Box<[u32]>, mut details: Details, fingerprinter: &mut BlobFingerprinter) -> Self {
        if !details.fragments.iter().any(|fragment| fragment.kind == FUNCTION) {
            let lines = details.lines.first().zip(details.lines.last());
            let lines = lines.map_or((1, 1), |(first, last)| (first.0, last.1));
            let tokens = symbols.len() as u32;
            details.fragments.push(SegmentFragment { kind: FUNCTION, first: 0, tokens, lines });
        }
        Self::of_blob(symbols, details, fingerprinter)
    }

    /// A blob's tokens with its fragments as they are.
    pub fn of_blob(symbols: Box<[u32]>, details: Details, fingerprinter: &mut BlobFingerprinter) -> Self {
        let blind: Vec<u32> = symbols.iter().map(|&symbol| Symbol(symbol).blind().0).collect();
        let forms = details.fragments.iter().map(|fragment| {
            let tokens = tokens_of(fragment).range();
            (normal::hash(&blind[tokens.clone()]), normal::hash(&symbols[tokens]))
        });
        let forms: Vec<(u64, u64)> = forms.collect();
        let fingerprints = fingerprinter.of(&blind, &details, &forms);
        Self { symbols, details, blind, fingerprints, hashes: None }
    }

    /// A query that is known by its fingerprints alone, and by the lines of its tokens.
    pub fn of_hashes(hashes: Hashes, lines: Vec<(u32, u32)>) -> Self {
        Self {
            symbols: Box::default(),
            details: Details { lines, ..Details::default() },
            blind: Vec::new(),
            fingerprints: Fingerprints::default(),
            hashes: Some(hashes),
        }
    }

    /// What of the query can be told without its tokens.
    pub fn hashes(&self) -> Hashes {
        let of_tokens = || Hashes::of(&self.symbols, &self.blind, &self.details, &self.fingerprints);
        self.hashes.clone().unwrap_or_else(of_tokens)
    }

    /// What a segment keeps of a blob whose tokens these are.
    pub fn into_parts(self, id: [u8; 20], label: &'static str) -> BlobParts {
        self.fingerprints.into_parts(id, label, self.symbols, self.details)
    }

    /// Number of tokens.
    pub fn tokens(&self) -> u32 {
        self.details.lines.len() as u32
    }
}

const FUNCTION: u8 = FragmentKind::Function as u8;

fn tokens_of(fragment: &SegmentFragment) -> Span {
    Span::new(fragment.first, fragment.first + fragment.tokens)
}

/// A part of the query and a part of a blob that correspond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Tokens of the query, and of the blob.
    pub query: Span,
    pub blob: Span,
    /// 1 to 4.
    pub clone_type: u8,
    /// Of the functions or runs that the piece is part of, and how many tokens of the query that function or run has.
    pub similarity: f32,
    pub extent: u32,
}

/// What a blob has of the query.
#[derive(Clone, Debug)]
pub struct BlobMatch {
    /// Number of the segment that holds the blob.
    pub segment: usize,
    pub record: BlobRecord,
    /// By where they stand in the query. Pieces of similar functions may lie within runs.
    pub pieces: Vec<Piece>,
}

/// What leads from the query to a place in a blob of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    blob: u32,
    lead: Lead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lead {
    /// The same k-gram, at a distance from blob to query, and its position in the query.
    Run { shift: i64, query: u32 },
    /// A stretch that repeats the same piece: number of the query's, and first token in the blob.
    Periodic { query: u32, blob: u32 },
    /// Fragments of the same form, counted in the query and in the blob.
    Form { query: u32, blob: u32 },
    /// Functions that may be similar.
    Similar { query: u32, blob: u32 },
}

/// The hits in one segment.
struct Hits<'s> {
    segment: &'s Segment,
    found: Vec<Hit>,
}

impl Hits<'_> {
    /// Adds a hit for each of some tokens of the segment, fastest where they are ascending; `lead` is told where in its blob one stands.
    fn add_tokens(&mut self, tokens: &[u32], lead: impl Fn(u32) -> Lead) -> Result<(), SegmentError> {
        // The blob of the token before, and its tokens.
        let mut blob = (0, 0..0);
        for &token in tokens {
            if !blob.1.contains(&token) {
                let number = self.segment.blob_of_token(token)?;
                let record = self.segment.blob(number)?;
                blob = (number, record.first_token..record.first_token.saturating_add(record.tokens));
            }
            let lead = lead(token.wrapping_sub(blob.1.start));
            self.found.push(Hit { blob: blob.0, lead });
        }
        Ok(())
    }

    /// Adds a hit for a fragment of the segment; `lead` is told its number in its blob.
    fn add_fragment(&mut self, fragment: u32, lead: impl Fn(u32) -> Lead) -> Result<(), SegmentError> {
        let blob = self.segment.blob_of_fragment(fragment)?;
        let first = self.segment.blob(blob)?.first_fragment;
        self.found.push(Hit { blob, lead: lead(fragment.wrapping_sub(first)) });
        Ok(())
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
        let similar = if edited { similar::look_up(self, query, wants)? } else { Vec::new() };
        let in_segment = |number: usize| {
            let similar = similar.iter().filter(|(segment, _)| *segment == number).map(|(_, hit)| *hit);
            self.in_segment(number, query, similar.collect(), wants)
        };
        let parts = (0..self.segments.len()).into_par_iter().map(in_segment);
        Ok(parts.collect::<Result<Vec<_>, SegmentError>>()?.into_iter().flatten().collect())
    }

    /// What the blobs of one segment have of the query, some of whose functions may be `similar`.
    fn in_segment(
        &self,
        number: usize,
        query: &Query,
        similar: Vec<Hit>,
        wants: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<BlobMatch>, SegmentError> {
        let mut hits = Hits { segment: &self.segments[number], found: similar };
        if let Some(hashes) = &query.hashes {
            hashes.look_up(self.settings, query.tokens(), &mut hits)?;
        } else {
            if self.settings.runs {
                runs::look_up(query, &mut hits)?;
            }
            similar::look_up_forms(self.settings, query, &mut hits)?;
        }
        let mut hits = hits.found;
        hits.sort_unstable();
        let blobs: Vec<&[Hit]> = hits.chunk_by(|a, b| a.blob == b.blob).collect();
        let init = || (similar::Functions::new(query), Vec::new());
        let found: Vec<Option<BlobMatch>> = blobs
            .par_iter()
            .with_min_len(BLOBS_AT_A_TIME)
            .map_init(init, |(functions, buffer), hits| {
                self.blob(number, query, hits, wants, functions, buffer)
            })
            .collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// What a blob has of the query, if it has any.
    fn blob<'q>(
        &self,
        number: usize,
        query: &'q Query,
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
            let mut pieces = runs::pieces(self.settings, query, &mut blob, hits)?;
            similar::forms(self.settings, query, &mut blob, hits, &mut pieces)?;
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

/// The form in which runs are compared.
fn form(settings: &FindSettings) -> Form {
    Form { blind: settings.renamed || settings.edited, barriers: false }
}

/// The smallest type of two stretches that are equal in the form of the settings.
fn type_of(left: &[u32], right: &[u32]) -> u8 {
    if left == right { 1 } else { 2 }
}
