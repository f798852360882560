//! Runs that a query shares with blobs.

use familiar_index::segment::{Key, SegmentError};
use familiar_source::Span;
use rustc_hash::FxHashMap;

use super::blob::Blob;
use super::fingerprint::{K, RUN_TOKENS, may_be_in_run};
use super::groups::{Groups, Member, Place, different_bits};
use super::hits::{Hit, Hits, Seed};
use super::piece::{Piece, type_of};
use super::query::Query;
use super::settings::FindSettings;
use crate::runs::text::Form;

/// Looks up the samples and the periodic stretches of a query.
pub(super) fn look_up(query: &Query, samples: &Groups, hits: &mut Hits<'_>) -> Result<(), SegmentError> {
    let mut tokens = Vec::new();
    for (group, (hash, members)) in (0u32..).zip(samples.iter()) {
        let contexts = different_bits(members);
        let wanted = |theirs: u8| contexts.iter().any(|&ours| may_be_in_run(ours, theirs));
        hits.samples(hash, wanted, &mut tokens)?;
        hits.add_tokens(&tokens, |blob, context| Seed::Sample { group, blob, context })?;
    }
    for (number, &(hash, _)) in (0u32..).zip(&query.fingerprints.periodic) {
        tokens.clear();
        tokens.extend(hits.segment.find(Key::Periodic, hash)?.iter().map(|token| (token as u32, 0)));
        hits.add_tokens(&tokens, |blob, _| Seed::Periodic { query: number, blob })?;
    }
    Ok(())
}

/// The maximal runs that the hits of one blob lie in.
pub(super) fn pieces(
    settings: &FindSettings,
    query: &Query,
    samples: &Groups,
    blob: &mut Blob<'_>,
    hits: &[Hit],
) -> Result<Vec<Piece>, SegmentError> {
    let least = settings.min_tokens.max(RUN_TOKENS);
    let mut pieces: Vec<Piece> = Vec::new();
    for (ours, theirs) in maximal(settings.form(), query, samples, blob, hits)? {
        pieces.extend(of_run(query, blob, ours, theirs, least)?);
    }
    for hit in hits {
        let Seed::Periodic { query: number, blob: start } = hit.seed else { continue };
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
    Ok(pieces)
}

/// Of so many pairs of places, all tokens of the blob are read at once.
const MANY_PAIRS: usize = 1 << 10;

/// The maximal runs through the samples that a blob shares with the query, by the distance of blob and query.
///
/// Code that repeats itself has each k-gram in many places, and each of them here is a pair with each of them there. Most of
/// these pairs lie in the same few runs. So no pair is written down: of each distance it is only known how far its last run
/// reaches.
fn maximal(
    form: Form,
    query: &Query,
    samples: &Groups,
    blob: &mut Blob<'_>,
    hits: &[Hit],
) -> Result<Vec<(Span, Span)>, SegmentError> {
    let sample = |hit: &Hit| match hit.seed {
        Seed::Sample { group, blob, context } => Some((group, blob, context)),
        _ => None,
    };
    let theirs: Vec<Place> = hits.iter().filter_map(sample).collect();
    let mut ours: Vec<(Member, &[Place])> = Vec::new();
    let mut pairs = 0;
    for places in theirs.chunk_by(|a, b| a.0 == b.0) {
        let members = samples.members(places[0].0);
        pairs += members.len() * places.len();
        ours.extend(members.iter().map(|&member| (member, places)));
    }
    ours.sort_unstable_by_key(|(member, _)| *member);
    if pairs >= MANY_PAIRS {
        blob.tokens(Span::new(0, blob.record.tokens))?;
    }
    let mut ends: FxHashMap<i64, u32> = FxHashMap::default();
    let mut runs = Vec::new();
    for (Member { place: at, bits: context }, places) in ours {
        for &(_, theirs, around) in places {
            let shift = i64::from(theirs) - i64::from(at);
            if !may_be_in_run(context, around) || ends.get(&shift).is_some_and(|&end| at < end) {
                continue;
            }
            if let Some((ours, theirs)) = extend(form, query, blob, at, shift)? {
                ends.insert(shift, ours.end);
                runs.push((shift, ours, theirs));
            }
        }
    }
    runs.sort_unstable_by_key(|(shift, ours, _)| (*shift, ours.start));
    Ok(runs.into_iter().map(|(_, ours, theirs)| (ours, theirs)).collect())
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
    let mut parts = Vec::new();
    let mut end = ours.start;
    for &function in query.functions_from(ours.start).iter().take_while(|it| it.start < ours.end) {
        // An inner function counts with the outer one.
        if function.start >= end && ours.contains(function) {
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
