//! Runs that a query shares with blobs.

use familiar_index::segment::{Key, SegmentError};
use familiar_source::Span;
use rustc_hash::FxHashMap;

use super::blob::Blob;
use super::fingerprint::{FUNCTION, K, RUN_TOKENS, may_be_in_run, tokens_of};
use super::hits::{Hit, Hits, Seed};
use super::piece::{Piece, type_of};
use super::query::Query;
use super::settings::FindSettings;
use crate::runs::text::Form;

/// Looks up the samples and the periodic stretches of a query.
pub(super) fn look_up(query: &Query, hits: &mut Hits<'_>) -> Result<(), SegmentError> {
    let mut tokens = Vec::new();
    for &(hash, at, context) in &query.fingerprints.runs {
        hits.samples(hash, |theirs| may_be_in_run(context, theirs), &mut tokens)?;
        let seed = |blob: u32| Seed::Run { shift: i64::from(blob) - i64::from(at), query: at };
        hits.add_tokens(&tokens, seed)?;
    }
    for (number, &(hash, _)) in (0u32..).zip(&query.fingerprints.periodic) {
        tokens.clear();
        tokens.extend(hits.segment.find(Key::Periodic, hash)?.iter().map(|token| token as u32));
        hits.add_tokens(&tokens, |blob| Seed::Periodic { query: number, blob })?;
    }
    Ok(())
}

/// The maximal runs that the hits of one blob lie in.
pub(super) fn pieces(
    settings: &FindSettings,
    query: &Query,
    blob: &mut Blob<'_>,
    hits: &[Hit],
) -> Result<Vec<Piece>, SegmentError> {
    let least = settings.min_tokens.max(RUN_TOKENS);
    let mut pieces: Vec<Piece> = Vec::new();
    // The shift and the end of the run before.
    let mut last: Option<(i64, u32)> = None;
    for hit in hits {
        match hit.seed {
            Seed::Run { shift, query: at } => {
                if last.is_some_and(|(before, end)| before == shift && at < end) {
                    continue;
                }
                if let Some((ours, theirs)) = extend(settings.form(), query, blob, at, shift)? {
                    last = Some((shift, ours.end));
                    pieces.extend(of_run(query, blob, ours, theirs, least)?);
                }
            }
            Seed::Periodic { query: number, blob: start } => {
                let (_, stretch) = query.fingerprints.periodic[number as usize];
                let Some(theirs) = repeated(blob, stretch.period, start)? else { continue };
                let ours = Span::new(stretch.start, stretch.end);
                for (ours, theirs) in equal_parts(query, blob, ours, theirs, least)? {
                    pieces.extend(of_run(query, blob, ours, theirs, least)?);
                }
                if settings.form().blind {
                    let (ours, theirs) = in_phase(query, blob, stretch.period, ours, theirs)?;
                    pieces.extend(of_run(query, blob, ours, theirs, least)?);
                }
            }
            Seed::Form { .. } | Seed::Similar { .. } => {}
        }
    }
    Ok(pieces)
}

/// The pieces that a run makes.
///
/// What follows a copied function often begins as what follows the original does. So where a renamed run holds whole
/// functions of the query, some of which are equal as written, each counts by itself, and the few tokens beside them do
/// not.
fn of_run(
    query: &Query,
    blob: &mut Blob<'_>,
    ours: Span,
    theirs: Span,
    least: u32,
) -> Result<Vec<Piece>, SegmentError> {
    if ours.len() < least {
        return Ok(Vec::new());
    }
    let tokens = blob.tokens(theirs)?;
    let piece = |part: Span| {
        let start = theirs.start + (part.start - ours.start);
        let other = Span::new(start, start + part.len());
        let there = Span::new(start - theirs.start, start - theirs.start + part.len());
        let clone_type = type_of(&query.symbols[part.range()], &tokens[there.range()]);
        Piece { query: part, blob: other, clone_type, similarity: 1.0, extent: ours.len() }
    };
    let whole = piece(ours);
    if whole.clone_type == 1 {
        return Ok(vec![whole]);
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
    Ok(if pieces.iter().any(is_copy) { pieces } else { vec![whole] })
}

/// Tokens that are compared at a time, doubled while they agree.
const CHUNK: u32 = 32;

/// The longest run through a token of the query, at this distance; none where not even that token agrees.
fn extend(
    form: Form,
    query: &Query,
    blob: &mut Blob<'_>,
    at: u32,
    shift: i64,
) -> Result<Option<(Span, Span)>, SegmentError> {
    let ours = &query.symbols;
    let Some(theirs) = u32::try_from(i64::from(at) + shift).ok().filter(|&at| at < blob.record.tokens) else {
        return Ok(None);
    };
    let most = (ours.len() as u32 - at).min(blob.record.tokens - theirs);
    let (mut after, mut chunk) = (0, CHUNK);
    while after < most {
        let step = chunk.min(most - after);
        let here = &ours[(at + after) as usize..(at + after + step) as usize];
        let common =
            form.common_prefix(here, blob.tokens(Span::new(theirs + after, theirs + after + step))?) as u32;
        (after, chunk) = (after + common, chunk * 2);
        if common < step {
            break;
        }
    }
    if after == 0 {
        return Ok(None);
    }
    let most = at.min(theirs);
    let (mut before, mut chunk) = (0, CHUNK);
    while before < most {
        let step = chunk.min(most - before);
        let here = &ours[(at - before - step) as usize..(at - before) as usize];
        let there = Span::new(theirs - before - step, theirs - before);
        let common = form.common_suffix(here, blob.tokens(there)?) as u32;
        (before, chunk) = (before + common, chunk * 2);
        if common < step {
            break;
        }
    }
    let span = |at: u32| Span::new(at - before, at + after);
    Ok(Some((span(at), span(theirs))))
}

/// The stretch of a blob from `start` on that repeats a piece of `period` tokens, up to names.
fn repeated(blob: &mut Blob<'_>, period: u32, start: u32) -> Result<Option<Span>, SegmentError> {
    let mut len = CHUNK.max(period * 2);
    loop {
        let end = start.saturating_add(len).min(blob.record.tokens);
        if start.saturating_add(period) >= end {
            return Ok(None);
        }
        let tokens = blob.tokens(Span::new(start, end))?;
        let repeats = BLIND.common_prefix(tokens, &tokens[period as usize..]) as u32;
        let stretch = Span::new(start, start + period + repeats);
        if stretch.end < end || end == blob.record.tokens {
            return Ok(Some(stretch));
        }
        len *= 2;
    }
}

pub(super) const BLIND: Form = Form { blind: true, barriers: false };
const EXACT: Form = Form { blind: false, barriers: false };

/// The first parts of two stretches of the same piece that are equal up to names: both begin anywhere in the piece.
fn in_phase(
    query: &Query,
    blob: &mut Blob<'_>,
    period: u32,
    ours: Span,
    theirs: Span,
) -> Result<(Span, Span), SegmentError> {
    let tokens = blob.tokens(theirs)?;
    let turned = |by: u32| {
        let rest = tokens.get(by as usize..).unwrap_or_default();
        let common = BLIND.common_prefix(&query.symbols[ours.range()], rest) as u32;
        let start = theirs.start + by.min(theirs.len());
        (Span::new(ours.start, ours.start + common), Span::new(start, start + common))
    };
    let best = (0..period).map(turned).max_by_key(|(ours, _)| ours.len());
    Ok(best.unwrap_or((Span::new(ours.start, ours.start), Span::new(theirs.start, theirs.start))))
}

/// Most places of the same tokens that are looked at.
const PLACES: usize = 32;

/// The parts of two stretches that are equal as written, such as those of a table of numbers.
fn equal_parts(
    query: &Query,
    blob: &mut Blob<'_>,
    ours: Span,
    theirs: Span,
    least: u32,
) -> Result<Vec<(Span, Span)>, SegmentError> {
    let tokens = blob.tokens(theirs)?;
    let mut places: FxHashMap<&[u32], Vec<usize>> = FxHashMap::default();
    for (at, window) in tokens.windows(K as usize).enumerate() {
        let places = places.entry(window).or_default();
        if places.len() < PLACES {
            places.push(at);
        }
    }
    let mut parts = Vec::new();
    let mut at = ours.start;
    while at + K <= ours.end {
        let here = &query.symbols[at as usize..ours.end as usize];
        let known = places.get(&here[..K as usize]).into_iter().flatten();
        let longest = known.map(|&place| (EXACT.common_prefix(here, &tokens[place..]) as u32, place));
        match longest.max_by_key(|&(len, place)| (len, std::cmp::Reverse(place))) {
            Some((len, place)) if len >= least => {
                let start = theirs.start + place as u32;
                parts.push((Span::new(at, at + len), Span::new(start, start + len)));
                // What follows may begin within what is equal so far.
                at += len + 1 - K;
            }
            _ => at += 1,
        }
    }
    Ok(parts)
}
