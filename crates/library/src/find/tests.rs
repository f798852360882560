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

#[test]
fn lines_within_others_are_not_listed() {
    let mut state = 1u32;
    let mut below = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % most
    };
    let mut span = || {
        let start = below(12);
        [start, start + below(6)]
    };
    let all: Vec<[u32; 4]> = (0..300).map(|_| [span(), span()].concat().try_into().expect("four")).collect();
    let lies_in = |[a, b, c, d]: [u32; 4], [e, f, g, h]: [u32; 4]| e <= a && b <= f && g <= c && d <= h;
    let mut expected: Vec<[u32; 4]> = all.clone();
    expected.retain(|&one| !all.iter().any(|&other| one != other && lies_in(one, other)));
    expected.sort_unstable();
    expected.dedup();
    let mut found = widest(all);
    found.sort_unstable();
    assert_eq!(found, expected);
}
