//! Fragments that are equal or similar to those of a query.

use familiar_index::Fraction;
use familiar_index::segment::{CONTEXT_BITS, Key, Segment, SegmentError, SegmentFragment, Values};
use familiar_source::Span;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::blob::Blob;
use super::cover::Cover;
use super::fingerprint::{GRAMS, RUN_TOKENS, counts, is_compared, tokens_of};
use super::groups::{Groups, Member, Place, different_bits};
use super::hits::{Hit, Hits, Seed};
use super::piece::{Piece, type_of};
use super::query::Query;
use super::runs::BLIND;
use super::settings::{FindMeasure, FindSettings};
use crate::aligned::QueryFragment;
use crate::overlap::TokenOverlap;
use crate::similar::{Sequence, Similarity};

// These bound the work of a look-up. `docs/benchmarks.md` has the times with them; they were not tuned since they were set.

/// Functions that share fewer of their kept n-grams are not compared: three of sixteen.
const SHARED: u32 = 3;

/// Of an n-gram with more places none is looked at, unless all of a function's have so many.
const COMMON: usize = 1 << 10;

/// Most functions that one function is compared with, those that share most of what is rare: as many different ones, and as
/// many with their copies.
const COMPARED: usize = 32;
const COPIES: usize = 128;

/// The fragments that no run tells of: small ones, and all where runs are not asked for.
pub(super) fn forms_of(settings: &FindSettings, query: &Query) -> Groups {
    let is_looked_up = |fragment: &SegmentFragment| {
        let by_run = settings.runs && fragment.tokens >= RUN_TOKENS.max(settings.min_tokens);
        settings.kinds.get(usize::from(fragment.kind)) == Some(&true) && !by_run
    };
    let forms = query.fingerprints.forms.iter().copied();
    Groups::new(forms.filter(|&(_, number, _)| is_looked_up(&query.details.fragments[number as usize])))
}

/// Whether a fragment of the query is the same as any with its form, and not only where it is written alike.
fn counts_renamed(settings: &FindSettings, query: &Query, number: u32) -> bool {
    let fragment = &query.details.fragments[number as usize];
    settings.counts_renamed(fragment.kind, fragment.tokens, query.tokens())
}

/// Looks up the forms of fragments.
pub(super) fn look_up_forms(
    settings: &FindSettings,
    query: &Query,
    forms: &Groups,
    hits: &mut Hits<'_>,
) -> Result<(), SegmentError> {
    for (group, (hash, members)) in (0u32..).zip(forms.iter()) {
        let any = members.iter().any(|member| counts_renamed(settings, query, member.place));
        let as_written = different_bits(members);
        let wanted = |theirs: u8| any || as_written.contains(&theirs);
        hits.add_forms(hash, wanted, |blob, bits| Seed::Same { group, blob, bits })?;
    }
    Ok(())
}

/// Looks up functions that may be similar to those of the query: each with the number of its segment.
pub(super) fn look_up(
    segments: &[Segment],
    settings: &FindSettings,
    query: &Query,
    wants: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<(usize, Hit)>, SegmentError> {
    let fragments = (0u32..).zip(&query.details.fragments);
    let compared = fragments.filter(|(_, fragment)| is_compared(fragment.kind, fragment.tokens));
    // Functions of the same tokens have the same candidates.
    let tokens = match settings.measure {
        FindMeasure::Aligned => &query.blind[..],
        FindMeasure::TokenOverlap => &query.symbols[..],
    };
    let mut places: FxHashMap<&[u32], usize> = FxHashMap::default();
    let mut different: Vec<Vec<(u32, &SegmentFragment)>> = Vec::new();
    for (number, fragment) in compared {
        let place = *places.entry(&tokens[tokens_of(fragment).range()]).or_insert(different.len());
        if place == different.len() {
            different.push(Vec::new());
        }
        different[place].push((number, fragment));
    }
    let of_functions = |shared: &mut Shared, same: &Vec<(u32, &SegmentFragment)>| {
        let (first, fragment) = same[0];
        let candidates = match settings.measure {
            FindMeasure::Aligned => by_grams(segments, query, first, wants, shared)?,
            FindMeasure::TokenOverlap => by_elements(segments, settings.similarity, query, fragment)?,
        };
        let mut found = Vec::with_capacity(candidates.len() * same.len());
        for Candidate { segment, fragment } in candidates {
            let mut hits = Hits { segment: &segments[segment as usize], found: Vec::new() };
            for &(number, _) in same {
                hits.add_fragment(fragment, |blob| Seed::Similar { query: number, blob })?;
            }
            found.extend(hits.found.into_iter().map(|hit| (segment as usize, hit)));
        }
        Ok(found)
    };
    let parts = different.par_iter().map_init(Shared::default, of_functions);
    Ok(parts.collect::<Result<Vec<_>, SegmentError>>()?.concat())
}

/// A fragment of a segment, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Candidate {
    segment: u32,
    fragment: u32,
}

/// How many n-grams a fragment shares, and what they are worth.
type Shared = FxHashMap<Candidate, (u32, f32)>;

/// Those that share n-grams, the rarest n-grams first. `shared` is for its memory alone.
fn by_grams(
    segments: &[Segment],
    query: &Query,
    function: u32,
    wants: &dyn Fn(&str) -> bool,
    shared: &mut Shared,
) -> Result<Vec<Candidate>, SegmentError> {
    // They stand in the order of their functions.
    let grams = &query.fingerprints.grams;
    let grams = &grams[grams.partition_point(|(_, number)| *number < function)..];
    let mut lists = Vec::with_capacity(GRAMS);
    for &(gram, _) in grams.iter().take_while(|(_, number)| *number == function) {
        let list = segments.iter().map(|segment| segment.find(Key::Gram, gram));
        let list = list.collect::<Result<Vec<_>, SegmentError>>()?;
        lists.push((list.iter().map(Values::count).sum::<usize>(), list));
    }
    lists.sort_by_key(|(places, _)| *places);
    let needed = SHARED.min(lists.len() as u32);
    let rare = lists.partition_point(|(places, _)| *places <= COMMON).max(needed as usize);
    shared.clear();
    // What is in none but the last lists is in too few.
    let last = (rare + 1).saturating_sub(needed.max(1) as usize);
    for (number, (places, list)) in lists[..rare].iter().enumerate() {
        // What few have says more.
        let worth = 1.0 / (1.0 + *places as f32).ln();
        let add = |(count, sum): &mut (u32, f32)| (*count, *sum) = (*count + 1, *sum + worth);
        for (segment, values) in (0u32..).zip(list) {
            for value in values.iter().take(COMMON) {
                let candidate = Candidate { segment, fragment: value as u32 };
                if number < last {
                    add(shared.entry(candidate).or_default());
                } else {
                    shared.entry(candidate).and_modify(add);
                }
            }
        }
    }
    let mut enough: Vec<(Candidate, (u32, f32))> =
        shared.iter().map(|(&candidate, &shares)| (candidate, shares)).collect();
    enough.retain(|(_, (count, _))| *count >= needed);
    enough.sort_unstable_by(|(a, (_, left)), (b, (_, right))| right.total_cmp(left).then(a.cmp(b)));
    best(segments, query, function, wants, &enough)
}

/// The first of some candidates, which are in the order of what they share. Copies of one function share the same n-grams, and
/// count once; those that are equal to the one asked for are found by their form.
fn best(
    segments: &[Segment],
    query: &Query,
    function: u32,
    wants: &dyn Fn(&str) -> bool,
    candidates: &[(Candidate, (u32, f32))],
) -> Result<Vec<Candidate>, SegmentError> {
    let mut equal: FxHashSet<Candidate> = FxHashSet::default();
    if candidates.len() > COMPARED {
        let form = query.fingerprints.forms.iter().find(|(_, number, _)| *number == function);
        for (segment, number) in segments.iter().zip(0u32..) {
            let Some(&(hash, ..)) = form else { break };
            let values = segment.find(Key::Form, hash)?;
            let candidate =
                |value: u64| Candidate { segment: number, fragment: (value >> CONTEXT_BITS) as u32 };
            equal.extend(values.iter().map(candidate));
        }
    }
    let (mut best, mut different, mut last) = (Vec::new(), 0, None);
    for &(candidate, (count, sum)) in candidates {
        if best.len() == COPIES {
            break;
        }
        if equal.contains(&candidate) {
            continue;
        }
        let segment = &segments[candidate.segment as usize];
        let record = segment.blob(segment.blob_of_fragment(candidate.fragment)?)?;
        if !wants(segment.label(&record)?) {
            continue;
        }
        let is_copy = last.replace(sum) == Some(sum) && count as usize >= GRAMS / 2;
        if !is_copy {
            if different == COMPARED {
                break;
            }
            different += 1;
        }
        best.push(candidate);
    }
    Ok(best)
}

/// Those that share one of the rarest elements of the token bag.
fn by_elements(
    segments: &[Segment],
    similarity: f64,
    query: &Query,
    fragment: &SegmentFragment,
) -> Result<Vec<Candidate>, SegmentError> {
    let symbols = &query.symbols[tokens_of(fragment).range()];
    let bag: Vec<u32> = symbols.iter().copied().filter(|&symbol| counts(symbol)).collect();
    let threshold = Fraction::new(similarity);
    let mut found = Vec::new();
    for (number, segment) in (0u32..).zip(segments) {
        let add = |fragment| found.push(Candidate { segment: number, fragment: fragment as u32 });
        segment.find_overlapping(&bag, threshold, add)?;
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Adds the fragments of one blob that have the same form as small ones of the query. What lies in the runs that are found
/// already says nothing beside them.
pub(super) fn forms(
    settings: &FindSettings,
    query: &Query,
    groups: &Groups,
    blob: &mut Blob<'_>,
    hits: &[Hit],
    pieces: &mut Vec<Piece>,
) -> Result<(), SegmentError> {
    let form = settings.form();
    let same = |hit: &Hit| match hit.seed {
        Seed::Same { group, blob, bits } => Some((group, blob, bits)),
        _ => None,
    };
    let same: Vec<Place> = hits.iter().filter_map(same).collect();
    if same.is_empty() {
        return Ok(());
    }
    let cover = Cover::new(pieces.iter().filter(|piece| settings.asks_for(piece.clone_type)));
    let mut ours: Vec<(Member, &[Place])> = Vec::new();
    for theirs in same.chunk_by(|a, b| a.0 == b.0) {
        ours.extend(groups.members(theirs[0].0).iter().map(|&member| (member, theirs)));
    }
    ours.sort_unstable_by_key(|(member, _)| *member);
    for (Member { place: number, bits }, theirs) in ours {
        let tokens = tokens_of(&query.details.fragments[number as usize]);
        if cover.covers(tokens) {
            continue;
        }
        let any = counts_renamed(settings, query, number);
        for &(_, theirs, as_written) in theirs {
            if !any && bits != as_written {
                continue;
            }
            let Some(theirs) = blob.fragment(theirs)? else { continue };
            let (left, right) = (&query.symbols[tokens.range()], blob.tokens(theirs)?);
            if form.are_equal(left, right) {
                let clone_type = type_of(left, right);
                if clone_type == 2 && !any {
                    continue;
                }
                let extent = tokens.len();
                pieces.push(Piece { query: tokens, blob: theirs, clone_type, similarity: 1.0, extent });
            }
        }
    }
    Ok(())
}

/// The functions of a query, prepared when they are first compared.
pub(super) struct Functions<'q> {
    prepared: Vec<Option<QueryFragment<'q>>>,
    statements: Vec<u32>,
}

impl<'q> Functions<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        Self { prepared: query.details.fragments.iter().map(|_| None).collect(), statements: Vec::new() }
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
        let similar = hits.iter().filter_map(|hit| match hit.seed {
            Seed::Similar { query, blob } => Some((query, blob)),
            _ => None,
        });
        // Hits are sorted.
        let similar: Vec<(u32, u32)> = similar.collect();
        if similar.is_empty() {
            return Ok(());
        }
        let equal = Cover::new(pieces.iter());
        for candidates in similar.chunk_by(|a, b| a.0 == b.0) {
            let number = candidates[0].0;
            let ours = tokens_of(&query.details.fragments[number as usize]);
            if equal.holds(ours) {
                continue;
            }
            let mut best: Option<(f64, Vec<Piece>)> = None;
            for &(_, theirs) in candidates {
                let Some(theirs) = blob.fragment(theirs)? else { continue };
                // Equal ones are found by run or form, where they count.
                if BLIND.are_equal(&query.symbols[ours.range()], blob.tokens(theirs)?) {
                    continue;
                }
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
                let prepared = self.prepared[number as usize].get_or_insert_with(|| {
                    let mut line_starts = Vec::new();
                    statements_in(&query.details.statements, ours, &mut line_starts);
                    QueryFragment::new(&query.symbols[ours.range()], &line_starts)
                });
                Ok(prepared.compare(other, least))
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
        match (settings.measure, &self.prepared[number as usize]) {
            (FindMeasure::Aligned, Some(prepared)) => {
                let inside = |span: Span, first: u32| Span::new(first + span.start, first + span.end);
                let runs = prepared.runs();
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
fn statements_in(statements: &[u32], tokens: Span, out: &mut Vec<u32>) {
    let from = statements.partition_point(|&at| at < tokens.start);
    let inside = statements[from..].iter().take_while(|&&at| at < tokens.end);
    out.clear();
    out.extend(inside.map(|at| at - tokens.start));
}
