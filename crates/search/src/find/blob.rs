//! A blob as it is read for a query: no more of it than is looked at.

use familiar_index::segment::{BlobRecord, Segment, SegmentError, SegmentFragment};
use familiar_source::Span;

use super::fingerprint::tokens_of;

/// Tokens that are read beside those that are asked for, so that a run that goes on is at hand.
const BESIDE: u32 = 32;

/// A blob of a segment.
pub(super) struct Blob<'s> {
    segment: &'s Segment,
    pub(super) record: BlobRecord,
    /// The tokens that are at hand, and which they are.
    tokens: Vec<u32>,
    at_hand: Span,
    fragments: Option<Vec<SegmentFragment>>,
}

impl<'s> Blob<'s> {
    pub(super) fn new(segment: &'s Segment, record: BlobRecord, mut buffer: Vec<u32>) -> Self {
        buffer.clear();
        let at_hand = Span::new(0, 0);
        Self { segment, record, tokens: buffer, at_hand, fragments: None }
    }

    /// Gives the buffer back.
    pub(super) fn into_buffer(self) -> Vec<u32> {
        self.tokens
    }

    /// The symbols of some of the blob's tokens.
    pub(super) fn tokens(&mut self, span: Span) -> Result<&[u32], SegmentError> {
        if !self.at_hand.contains(span) {
            let last = self.record.tokens;
            let near =
                Span::new(span.start.saturating_sub(BESIDE), (span.end.saturating_add(BESIDE)).min(last));
            let at_hand = self.at_hand;
            self.at_hand = Span::new(0, 0);
            let first = self.record.first_token;
            let of_segment = |span: Span| first.saturating_add(span.start)..first.saturating_add(span.end);
            let wanted = if near.start <= at_hand.end && at_hand.start <= near.end {
                // Reading goes on, and what is at hand stays, so that it need not be read again and again.
                let wanted = Span::new(near.start.min(at_hand.start), near.end.max(at_hand.end));
                if wanted.start < at_hand.start {
                    let mut before = Vec::with_capacity(wanted.len() as usize);
                    self.segment.symbols(of_segment(Span::new(wanted.start, at_hand.start)), &mut before)?;
                    before.append(&mut self.tokens);
                    self.tokens = before;
                }
                self.segment.symbols(of_segment(Span::new(at_hand.end, wanted.end)), &mut self.tokens)?;
                wanted
            } else {
                self.tokens.clear();
                self.segment.symbols(of_segment(near), &mut self.tokens)?;
                near
            };
            self.at_hand = wanted;
        }
        let from = (span.start - self.at_hand.start) as usize;
        Ok(&self.tokens[from..from + span.len() as usize])
    }

    /// The tokens of a fragment; none where the blob has no such fragment.
    pub(super) fn fragment(&mut self, number: u32) -> Result<Option<Span>, SegmentError> {
        let fragments = match &mut self.fragments {
            Some(fragments) => fragments,
            unread => unread.insert(self.segment.fragments_of(&self.record)?),
        };
        Ok(fragments.get(number as usize).map(tokens_of))
    }

    /// Replaces `out` by where statements start in some tokens, counted from the first of them.
    pub(super) fn statements(&self, tokens: Span, out: &mut Vec<u32>) -> Result<(), SegmentError> {
        self.segment.statements_of(&self.record, &(tokens.start..tokens.end), out)?;
        for at in out {
            *at -= tokens.start;
        }
        Ok(())
    }
}
