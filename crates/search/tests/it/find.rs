//! Look-ups in segments: they do not depend on how blobs are stored, and a blob that is asked for is found whole.

use std::collections::BTreeMap;

use familiar_index::segment::{Details, Segment, SegmentBuilder, SegmentFragment};
use familiar_search::find::{
    BlobFingerprinter, BlobMatch, FindMeasure, FindSettings, Finder, Piece, Query, RUN_TOKENS, fingerprint,
};
use familiar_source::{FragmentKind, Span};
use familiar_syntax::normal::Symbol;
use proptest::prelude::*;

use crate::common::{in_order, shuffled};

const SETTINGS: FindSettings = FindSettings {
    exact: true,
    renamed: true,
    edited: true,
    kinds: [true; FragmentKind::ALL.len()],
    runs: true,
    min_tokens: 0,
    measure: FindMeasure::Aligned,
    similarity: 0.7,
};

/// A blob: its symbols, and whether its label is the first.
type Blob = ([u8; 20], Vec<u32>, bool);

/// A function of ten tokens a statement, which is all of the blob.
fn details(tokens: u32) -> Details {
    let lines = (0..tokens).map(|at| (at / 10 + 1, at / 10 + 1)).collect();
    let whole = SegmentFragment {
        kind: FragmentKind::Function as u8,
        first: 0,
        tokens,
        lines: (1, tokens.div_ceil(10)),
    };
    Details { lines, statements: (0..tokens).step_by(10).collect(), fragments: vec![whole] }
}

fn blobs() -> impl Strategy<Value = Vec<Blob>> {
    let symbol = (0u32..12, 0u32..2).prop_map(|(name, class)| name << 3 | class << 1);
    let base = prop::collection::vec(symbol, 45..120);
    let change = (any::<bool>(), 0usize..40, 0usize..30, any::<bool>());
    (prop::collection::vec(base, 1..4), prop::collection::vec(change, 1..6)).prop_map(|(bases, changes)| {
        let mut blobs = Vec::new();
        for (number, (renamed, at, cut, label)) in (0u8..).zip(changes) {
            let mut symbols = bases[usize::from(number) % bases.len()].clone();
            if renamed {
                for symbol in symbols.iter_mut().filter(|symbol| **symbol & 7 == 2) {
                    *symbol ^= 1 << 9;
                }
            }
            symbols.drain(at..(at + cut).min(symbols.len() - 42).max(at));
            blobs.push(([number.wrapping_mul(157); 20], symbols, label));
        }
        blobs
    })
}

fn query(symbols: &[u32]) -> Query {
    let tokens = symbols.len() as u32;
    Query::new(symbols.into(), details(tokens), &mut BlobFingerprinter::default())
}

/// Segments with so many blobs each.
fn segments(blobs: &[Blob], each: usize) -> (tempfile::TempDir, Vec<Segment>) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let segment = |(number, blobs): (usize, &[Blob])| {
        let mut builder = SegmentBuilder::default();
        for (id, symbols, label) in blobs {
            builder.push(&query(symbols).into_parts(*id, if *label { "python" } else { "go" }));
        }
        let path = folder.path().join(number.to_string());
        builder.write(&path, fingerprint::VERSION, fingerprint::counts).expect("there is space");
        Segment::open(&path, fingerprint::VERSION).expect("just written")
    };
    let segments = blobs.chunks(each).enumerate().map(segment).collect();
    (folder, segments)
}

/// What each blob has of a query.
fn find(
    segments: &[Segment],
    settings: &FindSettings,
    query: &Query,
    wants: &(dyn Fn(&str) -> bool + Sync),
) -> BTreeMap<[u8; 20], Vec<Piece>> {
    let found = Finder { segments, settings }.find(query, wants).expect("the segments are whole");
    assert!(found.is_sorted_by_key(|found| found.segment));
    let of_blob = |found: BlobMatch| (found.record.id, found.pieces);
    found.into_iter().map(of_blob).collect()
}

fn blind(symbols: &[u32]) -> Vec<u32> {
    symbols.iter().map(|&symbol| Symbol(symbol).blind().0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_order_of_the_blobs_and_the_number_of_segments_do_not_matter(
        (blobs, order) in shuffled(blobs()),
        each in 1usize..4,
        asked in any::<prop::sample::Index>(),
        only_python in any::<bool>(),
    ) {
        let (_one, one) = segments(&blobs, blobs.len());
        let (_several, several) = segments(&in_order(&blobs, &order), each);
        let query = query(&asked.get(&blobs).1);
        let all = find(&one, &SETTINGS, &query, &|_| true);
        prop_assert_eq!(&find(&several, &SETTINGS, &query, &|_| true), &all);
        let wanted = |label: &str| (label == "python") == only_python;
        let found = find(&several, &SETTINGS, &query, &wanted);
        let is_wanted = |id: &[u8; 20]| blobs.iter().any(|blob| blob.0 == *id && blob.2 == only_python);
        prop_assert_eq!(found, all.into_iter().filter(|(id, _)| is_wanted(id)).collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn pieces_are_what_they_say_and_a_blob_finds_itself(blobs in blobs(), asked in any::<prop::sample::Index>()) {
        let (_folder, segments) = segments(&blobs, 2);
        let (id, symbols, _) = asked.get(&blobs);
        let query = query(symbols);
        let found = find(&segments, &SETTINGS, &query, &|_| true);
        let whole = Span::new(0, symbols.len() as u32);
        let is_whole = |piece: &Piece| (piece.query, piece.blob, piece.clone_type) == (whole, whole, 1);
        prop_assert!(found.get(id).is_some_and(|pieces| pieces.iter().any(is_whole)));
        for (id, pieces) in &found {
            let theirs = &blobs.iter().find(|blob| blob.0 == *id).expect("only these were pushed").1;
            prop_assert!(pieces.is_sorted_by_key(|piece| (piece.query, piece.blob, piece.clone_type)));
            for piece in pieces {
                let (ours, theirs) = (&symbols[piece.query.range()], &theirs[piece.blob.range()]);
                prop_assert_eq!(piece.clone_type == 1, ours == theirs && piece.similarity == 1.0);
                prop_assert!(piece.clone_type != 2 || blind(ours) == blind(theirs));
                prop_assert!(piece.clone_type == 3 || piece.similarity == 1.0);
                prop_assert!(piece.clone_type != 3 || (0.7..=1.0).contains(&piece.similarity));
            }
        }
    }

    #[test]
    fn who_asks_for_less_gets_no_more(blobs in blobs(), asked in any::<prop::sample::Index>(), min_tokens in 0u32..90) {
        let (_folder, segments) = segments(&blobs, 2);
        let query = query(&asked.get(&blobs).1);
        let exact = FindSettings { renamed: false, edited: false, ..SETTINGS };
        let pieces = find(&segments, &exact, &query, &|_| true).into_values().flatten();
        prop_assert!(pieces.into_iter().all(|piece| piece.clone_type == 1));
        let runs = FindSettings { kinds: [false; 5], edited: false, min_tokens, ..SETTINGS };
        for piece in find(&segments, &runs, &query, &|_| true).into_values().flatten() {
            prop_assert!(piece.query.len() >= min_tokens.max(RUN_TOKENS) && piece.query.len() == piece.blob.len());
        }
        let nothing = FindSettings { kinds: [false; 5], runs: false, ..SETTINGS };
        prop_assert!(find(&segments, &nothing, &query, &|_| true).is_empty());
    }
}
