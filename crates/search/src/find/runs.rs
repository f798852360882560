//! Runs that a query shares with blobs.

use familiar_index::Periodic;
use familiar_index::segment::{Key, Segment, SegmentError};
use familiar_source::Span;

use super::{FindSettings, Hit, Lead, Piece, Query, RUN_TOKENS, form, type_of};
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
                    pieces.extend(piece(query, blob, ours, theirs, least));
                }
            }
            Lead::Periodic { query: number, blob: start } => {
                let (_, stretch) = query.fingerprints.periodic[number as usize];
                if let Some((ours, theirs)) = periodic(form(settings), query, blob, stretch, start) {
                    pieces.extend(piece(query, blob, ours, theirs, least));
                }
            }
            Lead::Form { .. } | Lead::Similar { .. } => {}
        }
    }
    pieces
}

fn piece(query: &Query, blob: &[u32], ours: Span, theirs: Span, least: u32) -> Option<Piece> {
    let clone_type = type_of(&query.symbols[ours.range()], &blob[theirs.range()]);
    let piece = Piece { query: ours, blob: theirs, clone_type, similarity: 1.0, extent: ours.len() };
    (ours.len() >= least).then_some(piece)
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

/// As much as two stretches that repeat the same piece have in common.
fn periodic(form: Form, query: &Query, blob: &[u32], stretch: Periodic, start: u32) -> Option<(Span, Span)> {
    let period = stretch.period as usize;
    let theirs = blob.get(start as usize..)?;
    let repeats = theirs.get(period..).map_or(0, |later| form.common_prefix(theirs, later));
    let theirs = &theirs[..(repeats + period).min(theirs.len())];
    let ours = &query.symbols[stretch.start as usize..stretch.end as usize];
    // Both begin anywhere in the piece: turn theirs until they agree.
    let turned = |by: &usize| {
        let theirs = theirs.get(*by..)?;
        let common = form.common_prefix(ours, theirs);
        let place = Span::new(start + *by as u32, start + (*by + common) as u32);
        (common > 0).then_some((Span::new(stretch.start, stretch.start + common as u32), place))
    };
    (0..period).filter_map(|by| turned(&by)).max_by_key(|(ours, _)| ours.len())
}
