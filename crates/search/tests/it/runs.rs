//! Runs: their limits, and what they do not depend on.

use std::collections::BTreeSet;

use familiar_index::{Collection, Side};
use familiar_search::Place;
use familiar_search::runs::{FileFingerprints, Fingerprinter, RunGroup, RunSettings, Runs, find, find_with};
use familiar_source::Span;
use familiar_syntax::normal::Renaming;
use proptest::prelude::*;

use crate::common::{Given, collection, in_order, shuffled};

fn settings(min_tokens: u32) -> RunSettings {
    RunSettings {
        min_tokens,
        type_2: false,
        renaming: Renaming::Blind,
        max_gap_tokens: 0,
        max_equal_gap: 0,
        cross_families: false,
        import_barriers: true,
        memory: usize::MAX,
    }
}

fn runs(files: &[Given], settings: &RunSettings) -> (Collection, Runs) {
    let collection = collection(files, Renaming::Blind);
    let runs = find(&collection, settings, None).expect("tokens are in memory");
    (collection, runs)
}

/// Files strung of the same few parts, with something of their own between them.
fn planted(names: u32) -> impl Strategy<Value = Vec<Given>> {
    let symbol = move || (0..names, 0u32..2).prop_map(|(name, class)| name << 3 | class << 1);
    let part = prop_oneof![
        4 => prop::collection::vec(symbol(), 1..30),
        1 => (prop::collection::vec(symbol(), 1..5), 2usize..9).prop_map(|(piece, times)| piece.repeat(times)),
    ];
    let side = prop::sample::select(vec![Side::Both, Side::Both, Side::Query, Side::Against]);
    let order = (prop::collection::vec((0usize..6, 0u32..4), 1..6), 0u8..2, side);
    (prop::collection::vec(part, 1..5), prop::collection::vec(order, 1..5)).prop_map(|(parts, orders)| {
        let mut own = 1 << 20;
        let mut file = |(order, family, side): (Vec<(usize, u32)>, u8, Side)| {
            let mut symbols = Vec::new();
            for (part, between) in order {
                symbols.extend(&parts[part % parts.len()]);
                symbols.extend((0..between).map(|_| {
                    own += 8;
                    own
                }));
            }
            Given { family, side, ..Given::of(symbols) }
        };
        orders.into_iter().map(&mut file).collect()
    })
}

/// All pairs of places that the groups imply, in file order.
fn pairs(collection: &Collection, runs: &Runs) -> BTreeSet<(Place, Place)> {
    let ordered = |(a, b): (Place, Place)| (a.min(b), a.max(b));
    runs.groups.iter().flat_map(|group| group.pairs(collection)).map(ordered).collect()
}

fn contains(outer: Place, inner: Place) -> bool {
    outer.file == inner.file && outer.tokens.contains(inner.tokens)
}

/// A pair of the limit `strict` that lies within none of the limit `loose`. A group of stretches that repeat the same piece stands for
/// what repeats within each of them, too: a lone stretch is two halves.
fn beyond(files: &[Given], loose: u32, strict: u32) -> Option<(Place, Place)> {
    let (here, loose) = runs(files, &settings(loose));
    let (there, strict) = runs(files, &settings(strict));
    let found = pairs(&here, &loose);
    let within = |left, right| {
        let holds = |&(a, b): &(Place, Place)| {
            contains(a, left) && contains(b, right) || contains(a, right) && contains(b, left)
        };
        let repeats = |group: &RunGroup| {
            let in_a_member = |place| group.members.iter().any(|member| contains(member.place, place));
            group.period > 0 && in_a_member(left) && in_a_member(right)
        };
        found.iter().any(holds) || loose.groups.iter().any(repeats)
    };
    pairs(&there, &strict).into_iter().find(|&(left, right)| !within(left, right))
}

#[test]
fn a_stretch_beside_a_short_one_of_the_same_piece_is_no_more_than_both() {
    let symbols: Vec<u32> = [vec![0; 36], vec![1 << 20], vec![0; 12]].concat();
    assert_eq!(beyond(&[Given::of(symbols)], 5, 13), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn no_two_places_of_a_pair_overlap_and_groups_are_ordered(
        files in planted(20),
        min_tokens in 4u32..16,
        type_2 in any::<bool>(),
    ) {
        let settings = RunSettings { type_2, ..settings(min_tokens) };
        let (collection, runs) = runs(&files, &settings);
        for group in &runs.groups {
            prop_assert!(group.members.len() >= 2 && group.members.is_sorted_by(|a, b| a.place < b.place));
            for (left, right) in group.pairs(&collection) {
                let [a, b] = [left, right].map(|place| &files[place.file as usize]);
                prop_assert!(left.file != right.file || left.tokens.end <= right.tokens.start);
                prop_assert!(left.tokens.len() >= min_tokens && right.tokens.len() >= min_tokens);
                prop_assert!(a.side.pairs_with(b.side) && a.family == b.family);
                let (left, right) = (&a.symbols[left.tokens.range()], &b.symbols[right.tokens.range()]);
                prop_assert!(type_2 || group.period > 0 || left == right);
            }
        }
        let firsts = runs.groups.iter().map(|group| group.members[0].place);
        let firsts: Vec<(u32, u32)> = firsts.map(|place| (place.file, place.tokens.start)).collect();
        prop_assert!(firsts.is_sorted());
    }

    #[test]
    fn fingerprints_made_before_and_little_memory_change_nothing(
        files in planted(20),
        min_tokens in 4u32..16,
        memory in prop::sample::select(vec![1usize, 200, usize::MAX]),
    ) {
        let settings = settings(min_tokens);
        let (collection, runs) = runs(&files, &settings);
        let mut fingerprinter = Fingerprinter::new(&settings);
        let made: Vec<FileFingerprints> = files.iter().map(|file| fingerprinter.file(&file.symbols)).collect();
        let again = find_with(&collection, &settings, None, &made).expect("tokens are in memory");
        prop_assert_eq!(&again, &runs);
        let little = RunSettings { memory, ..settings };
        prop_assert_eq!(find(&collection, &little, None).expect("tokens are in memory"), runs);
    }

    #[test]
    fn the_order_of_the_files_does_not_matter(
        (files, order) in shuffled(planted(20)),
        min_tokens in 4u32..16,
        type_2 in any::<bool>(),
    ) {
        let settings = RunSettings { type_2, ..settings(min_tokens) };
        let (here, expected) = runs(&files, &settings);
        let (there, found) = runs(&in_order(&files, &order), &settings);
        let moved = |place: Place| Place { file: order[place.file as usize] as u32, ..place };
        let moved = |(a, b): (Place, Place)| (moved(a).min(moved(b)), moved(a).max(moved(b)));
        let found: BTreeSet<(Place, Place)> = pairs(&there, &found).into_iter().map(moved).collect();
        prop_assert_eq!(found, pairs(&here, &expected));
    }

    #[test]
    fn a_stricter_limit_finds_no_more(files in planted(200), min_tokens in 4u32..12, more in 1u32..12) {
        prop_assert_eq!(beyond(&files, min_tokens, min_tokens + more), None);
    }

    #[test]
    fn pieces_over_gaps_are_in_order_and_no_gap_is_too_long(
        files in planted(60),
        min_tokens in 4u32..12,
        max_gap_tokens in 1u32..8,
    ) {
        let (_, runs) = runs(&files, &RunSettings { max_gap_tokens, ..settings(min_tokens) });
        prop_assert!(runs.pairs.is_sorted_by_key(|pair| (pair.left, pair.right)));
        for pair in &runs.pairs {
            let symbols = |place: Place, start: u32, tokens: u32| {
                &files[place.file as usize].symbols[Span::new(start, start + tokens).range()]
            };
            prop_assert!(pair.left.file != pair.right.file || pair.left.tokens.end <= pair.right.tokens.start);
            prop_assert!(pair.pieces.len() >= 2);
            for window in pair.pieces.windows(2) {
                let [(left, right, tokens), (next_left, next_right, _)] = [window[0], window[1]];
                for gap in [next_left.checked_sub(left + tokens), next_right.checked_sub(right + tokens)] {
                    prop_assert!(gap.is_some_and(|gap| gap <= max_gap_tokens), "{gap:?}");
                }
            }
            for &(left, right, tokens) in &pair.pieces {
                prop_assert_eq!(symbols(pair.left, left, tokens), symbols(pair.right, right, tokens));
            }
            let (first, last) = (pair.pieces[0], pair.pieces[pair.pieces.len() - 1]);
            prop_assert_eq!(pair.left.tokens, Span::new(first.0, last.0 + last.2));
            prop_assert_eq!(pair.right.tokens, Span::new(first.1, last.1 + last.2));
            let equal: u32 = pair.pieces.iter().map(|piece| piece.2).sum();
            let longer = pair.left.tokens.len().max(pair.right.tokens.len());
            prop_assert!((pair.similarity - f64::from(equal) / f64::from(longer)).abs() < 1e-9);
        }
    }
}
