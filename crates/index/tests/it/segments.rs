//! Segments: a file answers as the blobs that were pushed, in whatever order they came, and damage is an error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_index::Fraction;
use familiar_index::segment::{
    BlobParts, BlobRecord, CONTEXT_BITS, Details, Key, LEAST_OVERLAP, Segment, SegmentBuilder, SegmentError,
    SegmentFragment,
};
use proptest::prelude::*;

use crate::bags::in_common;
use crate::damage::{Answers, Asked, Whole, told};

/// What makes the fingerprints of these tests.
const FINGERPRINTS: u32 = 7;

/// Symbols that are part of token bags.
fn counts(symbol: u32) -> bool {
    symbol % 5 != 4
}

fn details() -> impl Strategy<Value = (Details, Vec<u32>)> {
    let tokens = prop::collection::vec((0u32..40, 0u32..3, 0u32..3, any::<bool>()), 0..90);
    let fragments = prop::collection::vec((0u8..4, any::<u8>(), any::<u8>()), 0..6);
    (tokens, fragments).prop_map(|(tokens, fragments)| {
        let (mut details, mut symbols, mut line) = (Details::default(), Vec::new(), 1);
        for (at, (symbol, step, long, starts)) in (0..).zip(tokens) {
            symbols.push(symbol);
            line += step;
            details.lines.push((line, line + long));
            details.statements.extend(starts.then_some(at));
        }
        let most = symbols.len() as u32;
        for (kind, first, len) in fragments {
            let first = u32::from(first).min(most);
            let tokens = u32::from(len).min(most - first);
            details.fragments.push(SegmentFragment { kind, first, tokens, lines: (first + 1, first + 9) });
        }
        (details, symbols)
    })
}

fn parts() -> impl Strategy<Value = BlobParts> {
    let keys = prop::collection::vec(
        (0usize..4, prop::sample::select(vec![0, 1, 77 << 20, u32::MAX]), 0u64..90),
        0..12,
    );
    let label = prop::sample::select(vec!["python", "rust", "java"]);
    (details(), keys, label, prop::collection::vec(any::<u8>(), 0..5)).prop_map(
        |(made, keys, label, licenses)| {
            let (details, symbols) = made;
            let context = |key: Key, value: u64| match key {
                Key::Run | Key::Form => (value << CONTEXT_BITS) | (value % 11),
                _ => value,
            };
            let keys = keys.into_iter().map(|(key, hash, value)| {
                let key = Key::ALL[key];
                let places = match key {
                    Key::Run | Key::Periodic => symbols.len(),
                    _ => details.fragments.len(),
                };
                (key, hash, context(key, value % places.max(1) as u64))
            });
            let (keys, bags) = (keys.collect(), (0..details.fragments.len() as u32).collect());
            BlobParts { id: [0; 20], label, symbols: symbols.into(), details, keys, bags, licenses }
        },
    )
}

/// Blobs, each with an id of its own.
fn blobs() -> impl Strategy<Value = Vec<BlobParts>> {
    prop::collection::vec(parts(), 1..8).prop_map(|mut blobs| {
        for (number, blob) in (0u8..).zip(&mut blobs) {
            blob.id = [number.wrapping_mul(157); 20];
        }
        blobs
    })
}

fn write(blobs: &[BlobParts]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = folder.path().join("segment");
    let mut builder = SegmentBuilder::default();
    for blob in blobs {
        builder.push(blob);
    }
    let written = builder.write(&path, FINGERPRINTS, counts).expect("there is space");
    assert_eq!(written.bytes, std::fs::metadata(&path).expect("just written").len());
    (folder, path)
}

/// The blob and the place in it that a value of a key means, and its context.
fn place(segment: &Segment, key: Key, value: u64) -> Result<([u8; 20], u64, u64), SegmentError> {
    let (at, context) = match key {
        Key::Run | Key::Form => (value >> CONTEXT_BITS, value & ((1 << CONTEXT_BITS) - 1)),
        _ => (value, 0),
    };
    let of_tokens = matches!(key, Key::Run | Key::Periodic);
    let number =
        if of_tokens { segment.blob_of_token(at as u32)? } else { segment.blob_of_fragment(at as u32)? };
    let blob = segment.blob(number)?;
    let first = if of_tokens { blob.first_token } else { blob.first_fragment };
    Ok((blob.id, at - u64::from(first), context))
}

/// All places under a key.
fn places(segment: &Segment, key: Key, hash: u32) -> Result<BTreeSet<([u8; 20], u64, u64)>, SegmentError> {
    segment.find(key, hash)?.iter().map(|value| place(segment, key, value)).collect()
}

/// The fragments that may overlap enough with some tokens, by blob and number.
fn overlapping(
    segment: &Segment,
    tokens: &[u32],
    least: Fraction,
) -> Result<BTreeSet<([u8; 20], u64)>, SegmentError> {
    let mut values = Vec::new();
    segment.find_overlapping(tokens, least, |value| values.push(value))?;
    let place = |value| place(segment, Key::Element, value).map(|(id, at, _)| (id, at));
    values.into_iter().map(place).collect()
}

fn bag(symbols: &[u32]) -> Vec<u32> {
    symbols.iter().copied().filter(|&symbol| counts(symbol)).collect()
}

/// A question about a blob.
type Question<'q> = &'q dyn Fn(&BlobRecord) -> Result<String, SegmentError>;

/// The answers of a segment to everything that can be asked of `blobs`.
fn ask(path: &Path, blobs: &[BlobParts]) -> Asked<SegmentError> {
    let segment = Segment::open(path, FINGERPRINTS)?;
    let mut answers: Answers<SegmentError> = vec![told(Ok((segment.blobs(), segment.fragments())))];
    for (number, parts) in (0u32..).zip(blobs) {
        let bag = bag(&parts.symbols);
        answers.push(told(segment.find_blob(&parts.id)));
        answers.push(told(segment.licenses(number)));
        answers.push(told(overlapping(&segment, &bag, Fraction::new(0.8))));
        answers.extend(parts.keys.iter().map(|&(key, hash, _)| told(places(&segment, key, hash))));
        let read = |blob: &BlobRecord| {
            let mut symbols = Vec::new();
            let end = blob.first_token.saturating_add(blob.tokens);
            segment.symbols(blob.first_token..end, &mut symbols).map(|()| symbols)
        };
        let statements = |blob: &BlobRecord| {
            let mut statements = Vec::new();
            segment.statements_of(blob, &(3..blob.tokens), &mut statements).map(|()| statements)
        };
        let questions: [Question<'_>; 6] = [
            &|blob| told(Ok(blob)),
            &|blob| told(segment.label(blob)),
            &|blob| told(segment.details(blob)),
            &|blob| told(segment.fragments_of(blob)),
            &|blob| told(read(blob)),
            &|blob| told(statements(blob)),
        ];
        answers.extend(questions.map(|ask| segment.blob(number).and_then(|blob| ask(&blob))));
    }
    Ok((answers, segment.verify()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_segment_answers_as_the_blobs_that_were_pushed(
        blobs in blobs(),
        asked in any::<prop::sample::Index>(),
        percent in 70u32..=100,
    ) {
        let (_folder, path) = write(&blobs);
        let segment = Segment::open(&path, FINGERPRINTS).expect("just written");
        segment.verify().expect("just written");
        prop_assert_eq!(segment.blobs() as usize, blobs.len());
        let mut first_token = 0;
        for (number, parts) in (0u32..).zip(&blobs) {
            prop_assert_eq!(segment.find_blob(&parts.id).expect("whole"), Some(number));
            let blob = segment.blob(number).expect("whole");
            prop_assert_eq!((blob.id, blob.first_token, blob.tokens as usize), (parts.id, first_token, parts.symbols.len()));
            first_token += blob.tokens;
            prop_assert_eq!(segment.label(&blob).expect("whole"), parts.label);
            prop_assert_eq!(segment.licenses(number).expect("whole"), &parts.licenses[..]);
            prop_assert_eq!(&segment.details(&blob).expect("whole"), &parts.details);
            let fragments = segment.fragments_of(&blob).expect("whole");
            let tokens = |all: &[SegmentFragment]| all.iter().map(|it| (it.kind, it.first, it.tokens)).collect::<Vec<_>>();
            prop_assert_eq!(tokens(&fragments), tokens(&parts.details.fragments));
            let within = asked.index(parts.symbols.len() + 1) as u32..blob.tokens;
            let mut statements = vec![99];
            segment.statements_of(&blob, &within, &mut statements).expect("whole");
            let expected = parts.details.statements.iter().copied().filter(|at| within.contains(at));
            prop_assert_eq!(statements, expected.collect::<Vec<u32>>());
            let mut symbols = Vec::new();
            segment.symbols(blob.first_token + within.start..blob.first_token + within.end, &mut symbols).expect("whole");
            prop_assert_eq!(symbols, &parts.symbols[within.start as usize..]);
            for &(key, hash, value) in &parts.keys {
                let (at, context) = match key {
                    Key::Run | Key::Form => (value >> CONTEXT_BITS, value & ((1 << CONTEXT_BITS) - 1)),
                    _ => (value, 0),
                };
                let empty = parts.symbols.is_empty() || parts.details.fragments.is_empty();
                prop_assert!(empty || places(&segment, key, hash).expect("whole").contains(&(parts.id, at, context)));
            }
        }
        let least = Fraction::new(f64::from(percent) / 100.0);
        prop_assert!(f64::from(percent) / 100.0 >= LEAST_OVERLAP);
        let query = bag(&asked.get(&blobs).symbols);
        let found = overlapping(&segment, &query, least).expect("whole");
        for parts in &blobs {
            for (number, fragment) in (0u64..).zip(&parts.details.fragments) {
                let tokens = bag(&parts.symbols[fragment.first as usize..][..fragment.tokens as usize]);
                let larger = tokens.len().max(query.len()) as u32;
                let overlap = in_common(&tokens, &query);
                prop_assert!(overlap == 0 || overlap < least.of(larger) || found.contains(&(parts.id, number)));
            }
        }
    }

    #[test]
    fn the_order_in_which_blobs_come_does_not_matter(
        (blobs, other) in blobs().prop_flat_map(|blobs| (Just(blobs.clone()), Just(blobs).prop_shuffle())),
    ) {
        // What has no tokens or fragments has no place of its own.
        let blobs: Vec<BlobParts> = blobs.into_iter().filter(has_places).collect();
        let other: Vec<BlobParts> = other.into_iter().filter(has_places).collect();
        let [(_a, left), (_b, right)] = [write(&blobs), write(&other)];
        let [left, right] = [left, right].map(|path| Segment::open(&path, FINGERPRINTS).expect("just written"));
        for parts in &blobs {
            for &(key, hash, _) in &parts.keys {
                let [here, there] = [&left, &right].map(|segment| places(segment, key, hash).expect("whole"));
                prop_assert_eq!(here, there);
            }
            let query = bag(&parts.symbols);
            let [here, there] =
                [&left, &right].map(|segment| overlapping(segment, &query, Fraction::new(0.7)).expect("whole"));
            prop_assert_eq!(here, there);
        }
    }
}

fn has_places(parts: &BlobParts) -> bool {
    !parts.symbols.is_empty() && !parts.details.fragments.is_empty()
}

/// Blobs of so many tokens each.
fn made(blobs: u32, tokens: u32) -> Vec<BlobParts> {
    let blob = |number: u32| BlobParts {
        id: [number as u8; 20],
        label: if number.is_multiple_of(2) { "python" } else { "go" },
        symbols: (0..tokens).map(|at| (at * at + number * 7) % 3001).collect(),
        details: Details {
            lines: (0..tokens).map(|at| (at / 7 + 1, at / 7 + 1 + at % 2)).collect(),
            statements: (0..tokens).step_by(5).collect(),
            fragments: vec![SegmentFragment { kind: 2, first: 1, tokens: tokens / 2, lines: (1, 9) }],
        },
        keys: vec![(Key::Run, number << 20, 256), (Key::Gram, 7, 0), (Key::Form, u32::MAX, 3)],
        bags: vec![0],
        licenses: vec![number as u8; 3],
    };
    (0..blobs).map(blob).collect()
}

#[test]
fn no_damaged_byte_changes_an_answer() {
    let blobs = made(2, 12);
    let (_folder, path) = write(&blobs);
    Whole::new(&path, |path: &Path| ask(path, &blobs)).finds_all_damage();
}

/// Some questions are answered from blocks that are whole.
#[test]
fn no_damage_to_a_large_segment_changes_an_answer() {
    let blobs = made(3, 18_000);
    let (_folder, path) = write(&blobs);
    let whole = Whole::new(&path, |path: &Path| ask(path, &blobs));
    assert!(whole.len() > 2 << 16, "{} bytes are few blocks", whole.len());
    for (number, at) in (0..whole.len()).step_by(whole.len() / 40).enumerate() {
        whole.finds_change(at, 1 << (number % 8));
    }
}

#[test]
fn a_segment_of_another_version_is_refused() {
    let (_folder, path) = write(&made(1, 12));
    let error = Segment::open(&path, FINGERPRINTS + 1).expect_err("other fingerprints");
    assert!(error.to_string().contains("version"), "{error}");
    let missing = Segment::open(Path::new("nowhere"), FINGERPRINTS);
    assert!(matches!(missing, Err(SegmentError::Read { .. })));
}
