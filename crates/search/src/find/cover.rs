//! What of the query the pieces of a blob cover.

use familiar_source::Span;

use super::piece::Piece;

/// The tokens of the query that lie in any of some pieces, and those that lie in one of them together.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// In order, and apart from each other.
    stretches: Vec<Span>,
    /// Where pieces start, in order, with the furthest end of all pieces that start there or before.
    ends: Vec<(u32, u32)>,
}

impl Cover {
    pub(super) fn new<'p>(pieces: impl Iterator<Item = &'p Piece>) -> Self {
        let mut spans: Vec<Span> = pieces.map(|piece| piece.query).collect();
        spans.sort_unstable();
        spans.dedup();
        let mut cover = Self::default();
        for span in spans {
            match cover.stretches.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => cover.stretches.push(span),
            }
            let furthest = cover.ends.last().map_or(span.end, |&(_, end)| end.max(span.end));
            cover.ends.push((span.start, furthest));
        }
        cover
    }

    /// Whether each of some tokens lies in a piece.
    pub(super) fn covers(&self, tokens: Span) -> bool {
        let after = self.stretches.partition_point(|stretch| stretch.start <= tokens.start);
        after.checked_sub(1).is_some_and(|last| self.stretches[last].contains(tokens))
    }

    /// Whether some tokens lie in one piece.
    pub(super) fn holds(&self, tokens: Span) -> bool {
        let after = self.ends.partition_point(|&(start, _)| start <= tokens.start);
        after.checked_sub(1).is_some_and(|last| self.ends[last].1 >= tokens.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lie_in_one_piece_or_in_several() {
        let piece = |start, end| Piece {
            query: Span::new(start, end),
            blob: Span::new(0, 0),
            clone_type: 1,
            similarity: 1.0,
            extent: end - start,
        };
        let cover = Cover::new([piece(20, 30), piece(0, 10), piece(5, 15), piece(2, 4)].iter());
        let asked = [(0, 10), (3, 12), (6, 15), (9, 21), (20, 31), (16, 18)].map(|(a, b)| Span::new(a, b));
        assert_eq!(asked.map(|tokens| cover.covers(tokens)), [true, true, true, false, false, false]);
        assert_eq!(asked.map(|tokens| cover.holds(tokens)), [true, false, true, false, false, false]);
    }
}
