//! Fragments that are equal or similar to those of a query.

use familiar_index::Share;
use familiar_index::segment::{Key, Segment, SegmentError, SegmentFragment};
use familiar_source::Span;
use rustc_hash::FxHashMap;

use super::blob::Blob;
use super::fingerprint::{BlobFingerprinter, GRAMS, counts, is_compared};
use super::{
    FindMeasure, FindSettings, Finder, Hit, Lead, Piece, Query, RUN_TOKENS, form, tokens_of, type_of,
};
use crate::aligned::Asked;
use crate::overlap::TokenOverlap;
use crate::similar::{Sequence, Similarity};

/// Functions that share fewer of their kept n-grams are not compared: three of sixteen.
const SHARED: u32 = 3;

/// Of an n-gram with more places none is looked at, unless all of a function's have so many.
const COMMON: usize = 1 << 10;

/// Most functions that one function is compared with: those that share most of what is rare.
const COMPARED: usize = 32;

/// Looks up the fragments that no run tells of: small ones, and all where runs are not asked for.
pub(super) fn look_up_forms(
    segment: &Segment,
    settings: &FindSettings,
    query: &Query,
    hits: &mut Vec<Hit>,
) -> Result<(), SegmentError> {
    let mut found = Vec::new();
    for &(hash, number) in &query.fingerprints.forms {
        let fragment = &query.details.fragments[number as usize];
        let by_run = settings.runs && fragment.tokens >= RUN_TOKENS;
        if settings.kinds.get(usize::from(fragment.kind)) == Some(&true) && !by_run {
            found.clear();
            segment.find(Key::Form, hash, usize::MAX, |fragment| found.push(fragment as u32))?;
            add(segment, &found, |blob| Lead::Form { query: number, blob }, hits)?;
        }
    }
    Ok(())
}

/// Adds a hit for each of some fragments of the segment; `lead` is told its number in its blob.
pub(super) fn add(
    segment: &Segment,
    fragments: &[u32],
    lead: impl Fn(u32) -> Lead,
    hits: &mut Vec<Hit>,
) -> Result<(), SegmentError> {
    for &fragment in fragments {
        let blob = segment.blob_of_fragment(fragment)?;
        let first = segment.blob(blob)?.first_fragment;
        hits.push(Hit { blob, lead: lead(fragment.wrapping_sub(first)) });
    }
    Ok(())
}

/// Looks up functions that may be similar to those of the query.
pub(super) fn look_up(
    finder: &Finder<'_>,
    query: &Query,
    fingerprinter: &mut BlobFingerprinter,
    hits: &mut Vec<Hit>,
) -> Result<(), SegmentError> {
    for (number, fragment) in (0u32..).zip(&query.details.fragments) {
        if !is_compared(fragment.kind, fragment.tokens) {
            continue;
        }
        let candidates = match finder.settings.measure {
            FindMeasure::Aligned => by_grams(finder.segment, query, fragment, fingerprinter)?,
            FindMeasure::TokenOverlap => by_elements(finder, query, fragment)?,
        };
        add(finder.segment, &candidates, |blob| Lead::Similar { query: number, blob }, hits)?;
    }
    Ok(())
}

/// Those that share n-grams, the rarest n-grams first.
fn by_grams(
    segment: &Segment,
    query: &Query,
    fragment: &SegmentFragment,
    fingerprinter: &mut BlobFingerprinter,
) -> Result<Vec<u32>, SegmentError> {
    let grams: Vec<u32> = fingerprinter.grams(&query.blind[tokens_of(fragment).range()]).collect();
    let mut lists = Vec::with_capacity(GRAMS);
    for gram in grams {
        let mut list = Vec::new();
        let places = segment.find(Key::Gram, gram, COMMON, |fragment| list.push(fragment as u32))?;
        lists.push((places, list));
    }
    lists.sort_by_key(|(places, _)| *places);
    let needed = SHARED.min(lists.len() as u32);
    let rare = lists.partition_point(|(places, _)| *places <= COMMON).max(needed as usize);
    let mut shared: FxHashMap<u32, (u32, f32)> = FxHashMap::default();
    for (places, list) in &lists[..rare] {
        // What few have says more.
        let worth = 1.0 / (1.0 + *places as f32).ln();
        for &fragment in list {
            let (count, sum) = shared.entry(fragment).or_default();
            (*count, *sum) = (*count + 1, *sum + worth);
        }
    }
    let mut enough: Vec<(u32, f32)> =
        shared.into_iter().filter(|(_, (count, _))| *count >= needed).map(|(f, (_, sum))| (f, sum)).collect();
    enough.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    enough.truncate(COMPARED);
    Ok(enough.into_iter().map(|(fragment, _)| fragment).collect())
}

/// Those that share one of the rarest elements of the token bag.
fn by_elements(
    finder: &Finder<'_>,
    query: &Query,
    fragment: &SegmentFragment,
) -> Result<Vec<u32>, SegmentError> {
    let symbols = &query.symbols[tokens_of(fragment).range()];
    let bag: Vec<u32> = symbols.iter().copied().filter(|&symbol| counts(symbol)).collect();
    let mut found = Vec::new();
    let share = Share::new(finder.settings.similarity);
    finder.segment.find_overlapping(&bag, share, |fragment| found.push(fragment as u32))?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Adds the fragments of one blob that have the same form as small ones of the query.
pub(super) fn forms(
    settings: &FindSettings,
    query: &Query,
    blob: &mut Blob<'_>,
    hits: &[Hit],
    pieces: &mut Vec<Piece>,
) -> Result<(), SegmentError> {
    let form = form(settings);
    for hit in hits {
        let Lead::Form { query: ours, blob: theirs } = hit.lead else { continue };
        let Some(theirs) = blob.fragment(theirs)? else { continue };
        let ours = tokens_of(&query.details.fragments[ours as usize]);
        let (left, right) = (&query.symbols[ours.range()], blob.tokens(theirs)?);
        if left.len() == right.len() && form.common_prefix(left, right) == left.len() {
            let clone_type = type_of(left, right);
            pieces.push(Piece { query: ours, blob: theirs, clone_type, similarity: 1.0, extent: ours.len() });
        }
    }
    Ok(())
}

/// The functions of a query, prepared when they are first compared.
pub(super) struct Functions<'q> {
    asked: Vec<Option<Asked<'q>>>,
    statements: Vec<u32>,
}

impl<'q> Functions<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        Self { asked: query.details.fragments.iter().map(|_| None).collect(), statements: Vec::new() }
    }

    /// Adds, for each function of the query that no run of this blob holds wholly, what corresponds in the most similar
    /// function of the blob.
    pub(super) fn pieces(
        &mut self,
        settings: &FindSettings,
        query: &'q Query,
        blob: &mut Blob<'_>,
        hits: &[Hit],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), SegmentError> {
        let equal = pieces.len();
        let similar = hits.iter().filter_map(|hit| match hit.lead {
            Lead::Similar { query, blob } => Some((query, blob)),
            _ => None,
        });
        // Hits are sorted.
        let similar: Vec<(u32, u32)> = similar.collect();
        for candidates in similar.chunk_by(|a, b| a.0 == b.0) {
            let number = candidates[0].0;
            let ours = tokens_of(&query.details.fragments[number as usize]);
            if pieces[..equal].iter().any(|piece| piece.query.contains(ours)) {
                continue;
            }
            let mut best: Option<(f64, Vec<Piece>)> = None;
            for &(_, theirs) in candidates {
                let Some(theirs) = blob.fragment(theirs)? else { continue };
                let least = best.as_ref().map_or(settings.similarity, |(score, _)| *score);
                let score = self.compare(settings, query, number, blob, theirs, least)?;
                if score >= least && best.as_ref().is_none_or(|(before, _)| score > *before) {
                    best = Some((score, self.corresponding(settings, number, ours, theirs, score)));
                }
            }
            pieces.extend(best.into_iter().flat_map(|(_, found)| found));
        }
        Ok(())
    }

    fn compare(
        &mut self,
        settings: &FindSettings,
        query: &'q Query,
        number: u32,
        blob: &mut Blob<'_>,
        theirs: Span,
        least: f64,
    ) -> Result<f64, SegmentError> {
        let ours = tokens_of(&query.details.fragments[number as usize]);
        match settings.measure {
            FindMeasure::Aligned => {
                blob.statements(theirs, &mut self.statements)?;
                let other = Sequence { symbols: blob.tokens(theirs)?, line_starts: &self.statements };
                let asked = self.asked[number as usize].get_or_insert_with(|| {
                    let mut line_starts = Vec::new();
                    statements_in(&query.details.statements, ours, &mut line_starts);
                    Asked::new(&query.symbols[ours.range()], &line_starts)
                });
                Ok(asked.compare(other, least))
            }
            FindMeasure::TokenOverlap => {
                let sequence = |symbols| Sequence { symbols, line_starts: &[] };
                Ok(TokenOverlap.of(sequence(&query.symbols[ours.range()]), sequence(blob.tokens(theirs)?)))
            }
        }
    }

    /// The pieces of the last comparison.
    fn corresponding(
        &self,
        settings: &FindSettings,
        number: u32,
        ours: Span,
        theirs: Span,
        score: f64,
    ) -> Vec<Piece> {
        let similarity = score as f32;
        let piece = |query, blob| Piece { query, blob, clone_type: 3, similarity, extent: ours.len() };
        match (settings.measure, &self.asked[number as usize]) {
            (FindMeasure::Aligned, Some(asked)) => {
                let inside = |span: Span, first: u32| Span::new(first + span.start, first + span.end);
                let runs = asked.runs();
                let pieces = runs
                    .iter()
                    .map(|run| piece(inside(run.left, ours.start), inside(run.right, theirs.start)));
                pieces.collect()
            }
            _ => vec![piece(ours, theirs)],
        }
    }
}

/// Replaces `out` by where statements start in some tokens, counted from the first of them.
pub(super) fn statements_in(statements: &[u32], tokens: Span, out: &mut Vec<u32>) {
    let from = statements.partition_point(|&at| at < tokens.start);
    let inside = statements[from..].iter().take_while(|&&at| at < tokens.end);
    out.clear();
    out.extend(inside.map(|at| at - tokens.start));
}
