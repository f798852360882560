//! What leads from a query to places in the blobs of a segment.

use familiar_index::segment::{CONTEXT_BITS, Key, Segment, SegmentError};

/// What leads from the query to a place in a blob of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) blob: u32,
    pub(super) seed: Seed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seed {
    /// The same k-gram, at a distance from blob to query, and its position in the query.
    Run { shift: i64, query: u32 },
    /// The same k-gram: the group of the query's, its position in the blob, and what stands around it there.
    Sample { group: u32, blob: u32, context: u8 },
    /// A stretch that repeats the same piece: number of the query's, and first token in the blob.
    Periodic { query: u32, blob: u32 },
    /// Fragments of the same form, counted in the query and in the blob.
    Form { query: u32, blob: u32 },
    /// Fragments of the same form: the group of the query's, the number in the blob, and some bits of the form as written.
    Same { group: u32, blob: u32, bits: u8 },
    /// Functions that may be similar.
    Similar { query: u32, blob: u32 },
}

/// The hits in one segment.
pub(super) struct Hits<'s> {
    pub(super) segment: &'s Segment,
    pub(super) found: Vec<Hit>,
}

impl Hits<'_> {
    /// Adds a hit for each of some tokens of the segment, fastest where they are ascending. `seed` gets the place of a token
    /// in its blob, and its context.
    pub(super) fn add_tokens(
        &mut self,
        tokens: &[(u32, u8)],
        seed: impl Fn(u32, u8) -> Seed,
    ) -> Result<(), SegmentError> {
        // The blob of the token before, and its tokens.
        let mut blob = (0, 0..0);
        for &(token, context) in tokens {
            if !blob.1.contains(&token) {
                let number = self.segment.blob_of_token(token)?;
                let record = self.segment.blob(number)?;
                blob = (number, record.first_token..record.first_token.saturating_add(record.tokens));
            }
            let seed = seed(token.wrapping_sub(blob.1.start), context);
            self.found.push(Hit { blob: blob.0, seed });
        }
        Ok(())
    }

    /// Adds a hit for a fragment of the segment. `seed` gets its number in its blob.
    pub(super) fn add_fragment(
        &mut self,
        fragment: u32,
        seed: impl Fn(u32) -> Seed,
    ) -> Result<(), SegmentError> {
        let blob = self.segment.blob_of_fragment(fragment)?;
        let first = self.segment.blob(blob)?.first_fragment;
        self.found.push(Hit { blob, seed: seed(fragment.wrapping_sub(first)) });
        Ok(())
    }

    /// Adds a hit for each fragment with a blind form, and with bits of the form as written that are `wanted`. `seed` gets its
    /// number in its blob, and these bits.
    pub(super) fn add_forms(
        &mut self,
        hash: u32,
        wanted: impl Fn(u8) -> bool,
        seed: impl Fn(u32, u8) -> Seed,
    ) -> Result<(), SegmentError> {
        let values = self.segment.find(Key::Form, hash)?;
        let mut wanted = values.iter().filter(|&value| wanted(value as u8));
        wanted.try_for_each(|value| {
            self.add_fragment((value >> CONTEXT_BITS) as u32, |blob| seed(blob, value as u8))
        })
    }

    /// Replaces `out` by the places of a sample in the segment, in contexts that are `wanted`, with the contexts.
    pub(super) fn samples(
        &self,
        hash: u32,
        wanted: impl Fn(u8) -> bool,
        out: &mut Vec<(u32, u8)>,
    ) -> Result<(), SegmentError> {
        out.clear();
        let values = self.segment.find(Key::Run, hash)?;
        let wanted = values.iter().filter(|&value| wanted(value as u8));
        out.extend(wanted.map(|value| ((value >> CONTEXT_BITS) as u32, value as u8)));
        Ok(())
    }
}
