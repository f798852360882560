//! A blob as it is read for a query: no more of it than is looked at.

use familiar_index::segment::{BlobRecord, Segment, SegmentError, SegmentFragment};
use familiar_source::Span;

use super::tokens_of;

/// Tokens that are read beside those that are asked for, so that a run that goes on is at hand.
const BESIDE: u32 = 64;

/// A blob of a segment.
pub(super) struct Blob<'s> {
    segment: &'s Segment,
    pub(super) record: BlobRecord,
    /// The tokens that are at hand, and which they are.
    tokens: Vec<u32>,
    at_hand: Span,
    fragments: Option<Vec<SegmentFragment>>,
    statements: Option<Vec<u32>>,
}

impl<'s> Blob<'s> {
    pub(super) fn new(segment: &'s Segment, record: BlobRecord, buffer: Vec<u32>) -> Self {
        let at_hand = Span::new(0, 0);
        Self { segment, record, tokens: buffer, at_hand, fragments: None, statements: None }
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
            // Where reading goes on, what is at hand is read along, so that it need not be read again and again.
            let wanted = if near.start <= self.at_hand.end && self.at_hand.start <= near.end {
                Span::new(near.start.min(self.at_hand.start), near.end.max(self.at_hand.end))
            } else {
                near
            };
            let first = self.record.first_token;
            let range = first.saturating_add(wanted.start)..first.saturating_add(wanted.end);
            self.at_hand = Span::new(0, 0);
            self.segment.symbols(range, &mut self.tokens)?;
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
    pub(super) fn statements(&mut self, tokens: Span, out: &mut Vec<u32>) -> Result<(), SegmentError> {
        let statements = match &mut self.statements {
            Some(statements) => statements,
            unread => unread.insert(self.segment.statements_of(&self.record)?),
        };
        super::similar::statements_in(statements, tokens, out);
        Ok(())
    }
}
