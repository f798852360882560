//! Which pieces count first.

use super::*;

#[test]
fn larger_pieces_count_before_smaller_ones() {
    let piece = |start, end, blob, clone_type, extent| Piece {
        query: Span::new(start, end),
        blob: Span::new(blob, blob + (end - start)),
        clone_type,
        similarity: 1.0,
        extent,
    };
    let large = piece(10, 100, 10, 1, 90);
    let (inside, over) = (piece(20, 60, 500, 2, 40), piece(90, 140, 700, 2, 50));
    let again = piece(10, 100, 900, 1, 90);
    let mut pieces = vec![inside, over, large, again];
    let stretches = stretches(&mut pieces);
    assert_eq!(pieces, [large, again, over], "what lies inside says nothing; what is as large does");
    let spans: Vec<_> = stretches.iter().map(|s| (s.tokens.start, s.tokens.end, s.clone_type)).collect();
    assert_eq!(spans, [(10, 100, 1), (100, 140, 2)]);
}
