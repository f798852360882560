//! What is found in a segment is what comparing everything with everything finds.

use familiar_index::Fraction;
use familiar_index::segment::{Details, LEAST_OVERLAP, SegmentBuilder, SegmentFragment};
use familiar_source::{Span, TokenClass};
use proptest::prelude::*;

use super::*;
use crate::overlap::TokenOverlap;
use crate::runs::text::Form;
use crate::similar::{Sequence, Similarity};

const SETTINGS: FindSettings = FindSettings {
    exact: true,
    renamed: true,
    edited: true,
    kinds: [false, false, true, false, false],
    runs: true,
    min_tokens: 0,
    measure: FindMeasure::Aligned,
    similarity: 0.7,
};

/// Symbols of some names and some operators.
fn symbols(numbers: &[u32]) -> Box<[u32]> {
    let class = |number: u32| if number < 4 { TokenClass::Identifier } else { TokenClass::Operator };
    numbers.iter().map(|&number| number << 3 | class(number) as u32).collect()
}

/// Ten tokens a line, each of which starts a statement; functions as given.
fn details(tokens: u32, functions: &[Span]) -> Details {
    let line = |at: u32| at / 10 + 1;
    let function = |&span: &Span| SegmentFragment {
        kind: FUNCTION,
        first: span.start,
        tokens: span.len(),
        lines: (line(span.start), line(span.end.max(1) - 1)),
    };
    Details {
        lines: (0..tokens).map(|at| (line(at), line(at))).collect(),
        statements: (0..tokens).step_by(10).collect(),
        fragments: functions.iter().map(function).collect(),
    }
}

fn segment(blobs: &[(Box<[u32]>, Vec<Span>)]) -> (tempfile::TempDir, Segment) {
    let mut builder = SegmentBuilder::default();
    let mut fingerprinter = BlobFingerprinter::default();
    for (number, (symbols, functions)) in (0u8..).zip(blobs) {
        let details = details(symbols.len() as u32, functions);
        let query = Query::of_blob(symbols.clone(), details, &mut fingerprinter);
        builder.push(&query.into_parts([number; 20], "python"));
    }
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let path = dir.path().join("segment");
    builder.write(&path, fingerprint::VERSION, fingerprint::counts).expect("just made");
    let segment = Segment::open(&path, fingerprint::VERSION).expect("whole");
    (dir, segment)
}

fn find(segment: &Segment, settings: &FindSettings, query: &Query) -> Vec<BlobMatch> {
    let finder = Finder { segments: std::slice::from_ref(segment), settings };
    finder.find(query, &|_| true).expect("whole")
}

/// Which tokens of the query lie in runs that a blob has too, by comparing every token with every token.
fn brute_force(query: &[u32], blob: &[u32], form: Form) -> Vec<bool> {
    let mut covered = vec![false; query.len()];
    for start in 0..query.len() {
        for other in 0..blob.len() {
            let run = form.common_prefix(&query[start..], &blob[other..]);
            if run >= RUN_TOKENS as usize {
                covered[start..start + run].fill(true);
            }
        }
    }
    covered
}

fn sequence(symbols: &[u32]) -> Sequence<'_> {
    Sequence { symbols, line_starts: &[] }
}

fn stream() -> impl Strategy<Value = Vec<u32>> {
    let noise = prop::collection::vec(0u32..12, 0..80);
    let periodic = (prop::collection::vec(0u32..12, 1..8), 1usize..100)
        .prop_map(|(piece, tokens)| piece.into_iter().cycle().take(tokens).collect());
    prop::collection::vec(prop_oneof![3 => noise, 1 => periodic], 1..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn every_run_is_found_and_nothing_else(
        blobs in prop::collection::vec(stream(), 1..5),
        noise in stream(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..90), 0..4),
        renamed in any::<bool>(),
        exact in any::<bool>(),
    ) {
        let mut query = noise;
        for (which, from, tokens) in cuts {
            let blob = which.get(&blobs);
            if !blob.is_empty() {
                let from = from.index(blob.len());
                let copy = blob[from..(from + tokens).min(blob.len())].iter();
                query.extend(copy.map(|&number| if renamed && number < 4 { 3 - number } else { number }));
            }
        }
        let blobs: Vec<_> = blobs.iter().map(|blob| (symbols(blob), Vec::new())).collect();
        let (_dir, segment) = segment(&blobs);
        let mut settings = FindSettings { kinds: [false; 5], edited: false, ..SETTINGS };
        settings.renamed = !exact;
        let details = details(query.len() as u32, &[]);
        let query = Query::new(symbols(&query), details, &mut BlobFingerprinter::default());
        let found = find(&segment, &settings, &query);
        for (number, (blob, _)) in (0u8..).zip(&blobs) {
            let pieces = found.iter().find(|found| found.record.id == [number; 20]);
            let pieces = pieces.map_or(&[][..], |found| &found.pieces);
            let mut covered = vec![false; query.symbols.len()];
            for piece in pieces {
                let (ours, theirs) = (&query.symbols[piece.query.range()], &blob[piece.blob.range()]);
                prop_assert_eq!(settings.form().common_prefix(ours, theirs), ours.len());
                prop_assert_eq!(ours.len(), theirs.len());
                prop_assert_eq!(piece.clone_type, if ours == theirs { 1 } else { 2 });
                covered[piece.query.range()].fill(true);
            }
            // Of a stretch that repeats a piece more often than the blob's, as much is found as the blob has.
            for &(_, stretch) in &query.fingerprints.periodic {
                let stretch = stretch.start as usize..stretch.end as usize;
                if covered[stretch.clone()].iter().any(|&found| found) {
                    covered[stretch].fill(true);
                }
            }
            let expected = brute_force(&query.symbols, blob, settings.form());
            let missed = expected.iter().zip(&covered).position(|(expected, found)| *expected && !found);
            prop_assert_eq!(missed, None, "blob {}", number);
        }
    }

    #[test]
    fn token_overlap_finds_every_similar_function(
        functions in prop::collection::vec(prop::collection::vec(0u32..30, 20..60), 1..30),
        asked in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u32..40), 0..12),
        percent in 70u32..=100,
    ) {
        let mut query = asked.get(&functions).clone();
        for (at, number) in edits {
            let at = at.index(query.len());
            query[at] = number;
        }
        let blobs: Vec<_> = functions
            .iter()
            .map(|function| (symbols(function), vec![Span::new(0, function.len() as u32)]))
            .collect();
        let (_dir, segment) = segment(&blobs);
        let similarity = f64::from(percent) / 100.0;
        let settings = FindSettings { runs: false, measure: FindMeasure::TokenOverlap, similarity, ..SETTINGS };
        let query = symbols(&query);
        let tokens = query.len() as u32;
        let asked = Query::new(query.clone(), details(tokens, &[]), &mut BlobFingerprinter::default());
        let found: Vec<[u8; 20]> = find(&segment, &settings, &asked).iter().map(|found| found.record.id).collect();
        let similar = |blob: &[u32]| {
            let counted = |symbols: &[u32]| symbols.iter().filter(|&&symbol| fingerprint::counts(symbol)).count() as u32;
            let larger = counted(&query).max(counted(blob));
            let overlap = TokenOverlap.of(sequence(&query), sequence(blob)) * f64::from(larger);
            let renamed = blob.len() == query.len() && settings.form().common_prefix(&query, blob) == blob.len();
            renamed || (larger > 0 && overlap.round() as u32 >= Fraction::new(similarity).of(larger))
        };
        let expected: Vec<[u8; 20]> =
            (0u8..).zip(&blobs).filter(|(_, (blob, _))| similar(blob)).map(|(number, _)| [number; 20]).collect();
        prop_assert!(similarity >= LEAST_OVERLAP);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn an_edited_function_is_found_with_what_corresponds() {
    let function: Vec<u32> = (0..120).map(|at| (at * 7 + at / 9) % 40).collect();
    let mut edited = function.clone();
    for at in (5..120).step_by(30) {
        edited[at] = 99;
    }
    let (_dir, segment) = segment(&[(symbols(&edited), vec![Span::new(0, 120)])]);
    let query = Query::new(symbols(&function), details(120, &[]), &mut BlobFingerprinter::default());
    let found = find(&segment, &SETTINGS, &query);
    let pieces = &found[0].pieces;
    assert!(pieces.iter().all(|piece| piece.clone_type == 3 && piece.query == piece.blob), "{pieces:?}");
    let tokens: u32 = pieces.iter().map(|piece| piece.query.len()).sum();
    assert!(tokens > 100 && pieces[0].similarity < 1.0, "{pieces:?}");
}

#[test]
fn a_small_function_is_found_by_its_form() {
    let small = [1u32, 5, 2, 6, 3, 7, 1, 8, 2, 9, 1, 10];
    let blob: Vec<u32> = (20..50).chain(small).chain(50..80).collect();
    let (_dir, segment) = segment(&[(symbols(&blob), vec![Span::new(30, 42)])]);
    let renamed: Vec<u32> = small.iter().map(|&n| if n < 4 { 3 - n } else { n }).collect();
    let query = Query::new(symbols(&renamed), details(12, &[]), &mut BlobFingerprinter::default());
    let found = find(&segment, &SETTINGS, &query);
    let expected = Piece {
        query: Span::new(0, 12),
        blob: Span::new(30, 42),
        clone_type: 2,
        similarity: 1.0,
        extent: 12,
    };
    assert_eq!(found[0].pieces, [expected]);
}

#[test]
fn copies_do_not_hide_edited_functions() {
    let function: Vec<u32> = (0..120).map(|at| (at * 7 + at / 9) % 40).collect();
    let edited = |number: u32| {
        let mut edited = function.clone();
        edited[60..66].fill(number);
        edited
    };
    let texts = [vec![function.clone(); 100], vec![edited(50); 100], vec![edited(51)]].concat();
    let blobs: Vec<_> = texts.iter().map(|text| (symbols(text), vec![Span::new(0, 120)])).collect();
    let (_dir, segment) = segment(&blobs);
    let query = Query::new(symbols(&function), details(120, &[]), &mut BlobFingerprinter::default());
    let found = find(&segment, &SETTINGS, &query);
    let types = |clone_type| {
        let of = |found: &&BlobMatch| found.pieces.iter().any(|piece| piece.clone_type == clone_type);
        found.iter().filter(of).count()
    };
    assert_eq!((types(1) >= 100, types(3)), (true, 101));
}

#[test]
fn of_small_functions_in_something_larger_only_those_with_the_same_names_count() {
    let renamed = |number: u32| -> Vec<u32> {
        (0..30).map(|at| if at % 3 == 0 { number >> (at / 3) & 1 } else { at + 10 }).collect()
    };
    let blobs: Vec<_> = (0..200).map(|number| (symbols(&renamed(number)), vec![Span::new(0, 30)])).collect();
    let (_dir, segment) = segment(&blobs);
    let larger = [renamed(7), (100..200).collect()].concat();
    let details = details(130, &[Span::new(0, 30)]);
    let query = Query::new(symbols(&larger), details, &mut BlobFingerprinter::default());
    let found = find(&segment, &SETTINGS, &query);
    let ids: Vec<_> = found.iter().map(|found| (found.record.id[0], found.pieces[0].clone_type)).collect();
    assert_eq!(ids, [(7, 1)]);
    let by_hashes = Query::of_hashes(query.hashes(), query.details.lines.clone());
    assert_eq!(find(&segment, &SETTINGS, &by_hashes).len(), 1);
    let alone = Query::new(symbols(&renamed(7)), self::details(30, &[]), &mut BlobFingerprinter::default());
    assert_eq!(find(&segment, &SETTINGS, &alone).len(), 200, "it is all that is asked for");
}

#[test]
fn code_that_repeats_itself_leads_to_no_more_places_than_it_has() {
    let function: Vec<u32> = (0..90).map(|at| (at * 7 + at / 9) % 40).collect();
    let small: Vec<u32> = (50..80).collect();
    let text = [function, small].concat().repeat(100);
    let functions: Vec<Span> = (0..100)
        .flat_map(|at| [Span::new(at * 120, at * 120 + 90), Span::new(at * 120 + 90, at * 120 + 120)])
        .collect();
    let tokens = text.len() as u32;
    let (_dir, segment) = segment(&[(symbols(&text), functions.clone())]);
    let query = Query::new(symbols(&text), details(tokens, &functions), &mut BlobFingerprinter::default());
    let places = Places::of(&query, &SETTINGS);
    let mut hits = Hits { segment: &segment, found: Vec::new() };
    runs::look_up(&query, &places.samples, &mut hits).expect("whole");
    similar::look_up_forms(&SETTINGS, &query, &places.forms, &mut hits).expect("whole");
    assert!((1..=text.len()).contains(&hits.found.len()), "{} hits", hits.found.len());
    let pieces = &find(&segment, &SETTINGS, &query)[0].pieces;
    let whole = Span::new(0, tokens);
    assert!(pieces.iter().any(|piece| piece.query == whole && piece.blob == whole && piece.clone_type == 1));
    assert!(pieces.iter().all(|piece| piece.extent >= RUN_TOKENS), "small functions lie in the run");
}
