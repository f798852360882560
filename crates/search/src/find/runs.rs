//! Runs that a query shares with blobs.

use familiar_index::segment::{Key, Segment, SegmentError};
use familiar_source::Span;
use rustc_hash::FxHashMap;

use super::fingerprint::K;
use super::{FUNCTION, FindSettings, Hit, Lead, Piece, Query, RUN_TOKENS, form, tokens_of, type_of};
use crate::runs::text::Form;

/// Looks up the samples and the periodic stretches of a query.
pub(super) fn look_up(segment: &Segment, query: &Query, hits: &mut Vec<Hit>) -> Result<(), SegmentError> {
    let mut tokens = Vec::new();
    for &(hash, at) in &query.fingerprints.runs {
        places(segment, Key::Run, hash, &mut tokens)?;
        let lead = |blob: u32| Lead::Run { shift: i64::from(blob) - i64::from(at), query: at };
        add(segment, &tokens, lead, hits)?;
    }
    for (number, &(hash, _)) in (0u32..).zip(&query.fingerprints.periodic) {
        places(segment, Key::Periodic, hash, &mut tokens)?;
        add(segment, &tokens, |blob| Lead::Periodic { query: number, blob }, hits)?;
    }
    Ok(())
}

pub(super) fn places(segment: &Segment, key: Key, hash: u32, out: &mut Vec<u32>) -> Result<(), SegmentError> {
    out.clear();
    segment.find(key, hash, usize::MAX, |token| out.push(token)).map(|_| ())
}

/// Adds a hit for each of ascending tokens of the segment; `lead` is told where in its blob one stands.
pub(super) fn add(
    segment: &Segment,
    tokens: &[u32],
    lead: impl Fn(u32) -> Lead,
    hits: &mut Vec<Hit>,
) -> Result<(), SegmentError> {
    // The blob of the token before, and its tokens.
    let mut blob = (0, 0..0);
    for &token in tokens {
        if !blob.1.contains(&token) {
            let number = segment.blob_of_token(token)?;
            let record = segment.blob(number)?;
            blob = (number, record.first_token..record.first_token.saturating_add(record.tokens));
        }
        hits.push(Hit { blob: blob.0, lead: lead(token.wrapping_sub(blob.1.start)) });
    }
    Ok(())
}

/// The maximal runs that the hits of one blob lie in.
pub(super) fn pieces(settings: &FindSettings, query: &Query, blob: &[u32], hits: &[Hit]) -> Vec<Piece> {
    let least = settings.min_tokens.max(RUN_TOKENS);
    let mut pieces: Vec<Piece> = Vec::new();
    // The shift and the end of the run before.
    let mut last: Option<(i64, u32)> = None;
    for hit in hits {
        match hit.lead {
            Lead::Run { shift, query: at } => {
                if last.is_some_and(|(before, end)| before == shift && at < end) {
                    continue;
                }
                if let Some((ours, theirs)) = extend(form(settings), query, blob, at, shift) {
                    last = Some((shift, ours.end));
                    pieces.extend(of_run(query, blob, ours, theirs, least));
                }
            }
            Lead::Periodic { query: number, blob: start } => {
                let (_, stretch) = query.fingerprints.periodic[number as usize];
                let Some(theirs) = repeated(blob, stretch.period, start) else { continue };
                let ours = Span::new(stretch.start, stretch.end);
                for (ours, theirs) in equal_parts(query, blob, ours, theirs, least) {
                    pieces.extend(of_run(query, blob, ours, theirs, least));
                }
                if form(settings).blind {
                    let len = ours.len().min(theirs.len());
                    let (ours, theirs) = in_phase(query, blob, stretch.period, ours, theirs, len);
                    pieces.extend(of_run(query, blob, ours, theirs, least));
                }
            }
            Lead::Form { .. } | Lead::Similar { .. } => {}
        }
    }
    pieces
}

/// The pieces that a run makes.
///
/// What follows a copied function often begins as what follows the original does. So where a renamed run holds whole
/// functions of the query, some of which are equal as written, each counts by itself, and the few tokens beside them do
/// not.
fn of_run(query: &Query, blob: &[u32], ours: Span, theirs: Span, least: u32) -> Vec<Piece> {
    if ours.len() < least {
        return Vec::new();
    }
    let piece = |part: Span| {
        let start = theirs.start + (part.start - ours.start);
        let other = Span::new(start, start + part.len());
        let clone_type = type_of(&query.symbols[part.range()], &blob[other.range()]);
        Piece { query: part, blob: other, clone_type, similarity: 1.0, extent: ours.len() }
    };
    let whole = piece(ours);
    if whole.clone_type == 1 {
        return vec![whole];
    }
    let mut functions: Vec<Span> =
        query.details.fragments.iter().filter(|f| f.kind == FUNCTION).map(tokens_of).collect();
    functions.retain(|function| ours.contains(*function));
    functions.sort_unstable_by_key(|function| (function.start, std::cmp::Reverse(function.end)));
    let mut parts = Vec::new();
    let mut end = ours.start;
    for function in functions {
        // An inner function counts with the outer one.
        if function.start >= end {
            parts.extend([Span::new(end, function.start), function]);
            end = function.end;
        }
    }
    parts.push(Span::new(end, ours.end));
    let parts = parts.into_iter().enumerate().filter(|(at, part)| at % 2 == 1 || part.len() >= K);
    let pieces: Vec<Piece> = parts.map(|(_, part)| piece(part)).collect();
    let is_copy = |piece: &Piece| piece.clone_type == 1 && piece.query.len() >= RUN_TOKENS;
    if pieces.iter().any(is_copy) { pieces } else { vec![whole] }
}

/// The longest run through a token of the query, at this distance; none where not even that token agrees.
fn extend(form: Form, query: &Query, blob: &[u32], at: u32, shift: i64) -> Option<(Span, Span)> {
    let ours = at as usize;
    let theirs = usize::try_from(i64::from(at) + shift).ok()?;
    let (left, right) = (&query.symbols, blob);
    if theirs >= right.len() {
        return None;
    }
    let after = form.common_prefix(&left[ours..], &right[theirs..]);
    if after == 0 {
        return None;
    }
    let before = form.common_suffix(&left[..ours], &right[..theirs]);
    let span = |at: usize| Span::new((at - before) as u32, (at + after) as u32);
    Some((span(ours), span(theirs)))
}

/// The stretch of a blob from `start` on that repeats a piece of `period` tokens, up to names.
fn repeated(blob: &[u32], period: u32, start: u32) -> Option<Span> {
    let rest = blob.get(start as usize..)?;
    let later = rest.get(period as usize..)?;
    let repeats = BLIND.common_prefix(rest, later);
    Some(Span::new(start, start + period + repeats as u32))
}

const BLIND: Form = Form { blind: true, barriers: false };
const EXACT: Form = Form { blind: false, barriers: false };

/// The first parts of two stretches of the same piece that are equal up to names: both begin anywhere in the piece.
fn in_phase(query: &Query, blob: &[u32], period: u32, ours: Span, theirs: Span, len: u32) -> (Span, Span) {
    let turned = |by: u32| {
        let rest = Span::new((theirs.start + by).min(theirs.end), theirs.end);
        let common = BLIND.common_prefix(&query.symbols[ours.range()], &blob[rest.range()]) as u32;
        let common = common.min(len);
        (Span::new(ours.start, ours.start + common), Span::new(rest.start, rest.start + common))
    };
    let best = (0..period).map(turned).max_by_key(|(ours, _)| ours.len());
    best.unwrap_or((Span::new(ours.start, ours.start), Span::new(theirs.start, theirs.start)))
}

/// Most places of the same tokens that are looked at.
const PLACES: usize = 32;

/// The parts of two stretches that are equal as written, such as those of a table of numbers.
fn equal_parts(query: &Query, blob: &[u32], ours: Span, theirs: Span, least: u32) -> Vec<(Span, Span)> {
    let window = K as usize;
    let mut places: FxHashMap<&[u32], Vec<u32>> = FxHashMap::default();
    for (at, tokens) in (theirs.start..).zip(blob[theirs.range()].windows(window)) {
        let places = places.entry(tokens).or_default();
        if places.len() < PLACES {
            places.push(at);
        }
    }
    let mut parts = Vec::new();
    let mut at = ours.start;
    while at + K <= ours.end {
        let here = &query.symbols[at as usize..(at + K) as usize];
        let longest = places.get(here).into_iter().flatten().map(|&place| {
            let rest = Span::new(place, theirs.end);
            (
                EXACT.common_prefix(&query.symbols[at as usize..ours.end as usize], &blob[rest.range()])
                    as u32,
                place,
            )
        });
        match longest.max_by_key(|&(len, place)| (len, std::cmp::Reverse(place))) {
            Some((len, place)) if len >= least => {
                parts.push((Span::new(at, at + len), Span::new(place, place + len)));
                // What follows may begin within what is equal so far.
                at += len + 1 - K;
            }
            _ => at += 1,
        }
    }
    parts
}
