//! `find`: who has this code, how much of it, where first?

use familiar_index::segment::{Details, Segment};
use familiar_report::find::{FindReport, FoundBlob, QueryRow, SCHEMA};
use familiar_search::find::{BlobMatch, Finder, Piece, Query};
use familiar_source::{BlobId, Language, Span};
use rayon::prelude::*;

use crate::CorpusError;
use crate::find_options::FindOptions;
use crate::library::Library;
use crate::origin;
use crate::query::CodeQuery;
use crate::versions::{Chosen, by_file};
use crate::witnesses::Witness;

/// A row of a result, with all places of its blob.
type FoundRow = (FoundBlob, Vec<Witness>);
/// The same without licenses, with the blob.
type RowWithoutLicenses = (FoundBlob, BlobId, Vec<Witness>);

/// What a result lists of the blobs that have some of a query.
#[derive(Default)]
struct Listed {
    rows: Vec<RowWithoutLicenses>,
    /// Where the blobs stand that may say who was first.
    witnesses: Vec<(BlobId, Vec<Witness>)>,
    /// How many blobs are beyond the limit.
    more_blobs: u64,
}

impl Library {
    /// Every blob that has enough of a query.
    pub(crate) fn matches(
        &self,
        code_query: &CodeQuery,
        options: &FindOptions,
    ) -> Result<Vec<Candidate>, CorpusError> {
        let settings = options.settings();
        let family = code_query.language.family();
        let wants = |label: &str| {
            options.cross_language || Language::from_name(label).is_some_and(|other| other.family() == family)
        };
        let finder = Finder { segments: &self.code, settings: &settings };
        let mut found = finder.find(&code_query.query, &wants)?;
        if let Some(encoder) = options.encoder.as_deref().filter(|_| options.types.contains(&4)) {
            self.add_similar(code_query, encoder, options, &wants, &mut found)?;
        }
        let mut matches: Vec<Candidate> = found.into_par_iter().map(Candidate::new).collect();
        matches.retain(|candidate| options.is_enough(&code_query.query, candidate));
        if self.corpus.manifest().all_stand {
            return Ok(matches);
        }
        // What stands nowhere any more says nothing, be it as good as it may.
        let stands = |candidate: Candidate| {
            let stands = self.witnesses.has(&BlobId(candidate.found.record.id));
            stands.map(|stands| stands.then_some(candidate)).transpose()
        };
        Ok(matches.into_par_iter().filter_map(stands).collect::<Result<_, _>>()?)
    }

    /// What the corpus has of a query.
    pub fn find(&self, code_query: &CodeQuery, options: &FindOptions) -> Result<FindReport, CorpusError> {
        let ranked = self.ranked(code_query, options)?;
        let Listed { rows, witnesses, more_blobs } = self.listed(code_query, options, &ranked)?;
        let rows = self.with_licenses(rows, options)?;
        let mut blobs = by_file(rows, &self.witnesses)?;
        let beyond = blobs.drain(options.limit.min(blobs.len())..);
        let more_blobs = more_blobs + beyond.map(|row| 1 + row.versions.len() as u64).sum::<u64>();
        let query = QueryRow {
            path: code_query.path.clone(),
            path_bytes: None,
            language: code_query.language.name(),
            start_line: code_query.lines.start,
            end_line: code_query.lines.end,
            tokens: code_query.query.tokens(),
            is_part: code_query.is_part,
        };
        Ok(FindReport { schema: SCHEMA, query, blobs, more_blobs, origin: origin::of(&witnesses) })
    }

    /// Every blob that has enough of a query, the best first.
    fn ranked(&self, code_query: &CodeQuery, options: &FindOptions) -> Result<Vec<Candidate>, CorpusError> {
        let mut matches = self.matches(code_query, options)?;
        score(code_query.query.tokens(), &mut matches);
        matches.sort_by(|a, b| {
            let key = |candidate: &Candidate| (candidate.clone_type(), candidate.found.record.id);
            b.score.total_cmp(&a.score).then_with(|| key(a).cmp(&key(b)))
        });
        Ok(matches)
    }

    /// Of the blobs those that stand in the places that are asked for, up to the limit of the options: that of files, and that of the
    /// versions of each.
    fn listed(
        &self,
        code_query: &CodeQuery,
        options: &FindOptions,
        ranked: &[Candidate],
    ) -> Result<Listed, CorpusError> {
        let best = ranked.iter().map(Candidate::covered).max().unwrap_or(0);
        let filtered = !options.projects.is_empty() || options.since.is_some();
        let (mut listed, mut chosen) = (Listed::default(), Chosen::default());
        for candidate in ranked {
            let is_listed = !chosen.is_full(options.limit);
            // Who had it first does not depend on what is listed.
            let is_witness = origin::is_as_good(candidate.covered(), best);
            if !is_listed && !is_witness && !filtered {
                listed.more_blobs += 1;
                continue;
            }
            let blob = BlobId(candidate.found.record.id);
            let mut occurrences = self.witnesses.of(&blob)?;
            if is_witness {
                listed.witnesses.push((blob, occurrences.clone()));
            }
            occurrences.retain(|witness| options.wants_occurrence(&witness.occurrence));
            if occurrences.is_empty() {
                continue;
            }
            if is_listed && chosen.takes(&occurrences, &self.witnesses, options.limit)? {
                let mut row = row(&code_query.query, &self.code[candidate.found.segment], candidate)?;
                row.explanations = self.explanations(code_query, candidate, options)?;
                listed.rows.push((row, blob, occurrences));
            } else {
                listed.more_blobs += 1;
            }
        }
        Ok(listed)
    }

    /// The blobs that were found, with their licenses where they are wanted.
    fn with_licenses(
        &self,
        found: Vec<RowWithoutLicenses>,
        options: &FindOptions,
    ) -> Result<Vec<FoundRow>, CorpusError> {
        let with_licenses =
            |(mut row, blob, occurrences): RowWithoutLicenses| -> Result<FoundRow, CorpusError> {
                if options.licenses {
                    row.licenses = self.licenses().rows(&blob, &occurrences)?;
                }
                Ok((row, occurrences))
            };
        found.into_par_iter().map(with_licenses).collect()
    }
}

impl FindOptions {
    fn is_enough(&self, query: &Query, candidate: &Candidate) -> bool {
        let tokens = candidate.covered();
        if f64::from(tokens) < self.min_coverage * f64::from(query.tokens()) {
            return false;
        }
        if self.min_lines <= 1 {
            return tokens > 0;
        }
        let lines = |stretch: &Stretch| query.details.lines[stretch.tokens.range()].iter().map(|line| line.0);
        let mut lines: Vec<u32> = candidate.stretches.iter().flat_map(lines).collect();
        lines.dedup();
        lines.len() >= self.min_lines as usize
    }
}

/// Some tokens of the query, and what the largest run or function is to a blob that they lie in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) tokens: Span,
    clone_type: u8,
    similarity: f32,
}

/// A blob that may become a result.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) found: BlobMatch,
    /// In order, each token in one at most.
    pub(crate) stretches: Vec<Stretch>,
    score: f64,
}

impl Candidate {
    fn new(mut found: BlobMatch) -> Self {
        let stretches = stretches(&mut found.pieces);
        Self { found, stretches, score: 0.0 }
    }

    /// How many tokens of the query the blob has.
    pub(crate) fn covered(&self) -> u32 {
        self.stretches.iter().map(|stretch| stretch.tokens.len()).sum()
    }

    /// The pieces from which something counts as type 4.
    pub(crate) fn behaving_alike(&self) -> impl Iterator<Item = &Piece> {
        let counts = |piece: &Piece, stretch: &Stretch| {
            let (start, end) = (stretch.tokens.start, stretch.tokens.end);
            stretch.clone_type == 4 && piece.query.start <= start && end <= piece.query.end
        };
        let pieces = self.found.pieces.iter().filter(|piece| piece.clone_type == 4);
        pieces.filter(move |piece| self.stretches.iter().any(|stretch| counts(piece, stretch)))
    }

    fn clone_type(&self) -> u8 {
        self.stretches.iter().map(|stretch| stretch.clone_type).max().unwrap_or(0)
    }
}

/// What the pieces cover: of those that hold a token the one of the largest run or function counts. Pieces that say nothing
/// beside larger ones are dropped: an idiom that a copied file has again and again.
fn stretches(pieces: &mut Vec<Piece>) -> Vec<Stretch> {
    pieces.sort_by_key(|piece| (std::cmp::Reverse(piece.extent), piece.clone_type, piece.query, piece.blob));
    let mut taken: Vec<Stretch> = Vec::new();
    let mut kept = Vec::with_capacity(pieces.len());
    for same in pieces.chunk_by(|a, b| a.extent == b.extent) {
        kept.extend(same.iter().filter(|piece| !free(&taken, piece.query).is_empty()));
        for piece in same {
            for tokens in free(&taken, piece.query) {
                let at = taken.partition_point(|stretch| stretch.tokens.end <= tokens.start);
                let (clone_type, similarity) = (piece.clone_type, piece.similarity);
                taken.insert(at, Stretch { tokens, clone_type, similarity });
            }
        }
    }
    *pieces = kept;
    taken
}

/// What of some tokens is not taken by stretches, which are in order.
fn free(taken: &[Stretch], tokens: Span) -> Vec<Span> {
    let mut start = tokens.start;
    let mut free = Vec::new();
    let from = taken.partition_point(|stretch| stretch.tokens.end <= start);
    for stretch in taken[from..].iter().take_while(|stretch| stretch.tokens.start < tokens.end) {
        if start < stretch.tokens.start {
            free.push(Span::new(start, stretch.tokens.start));
        }
        start = stretch.tokens.end;
    }
    if start < tokens.end {
        free.push(Span::new(start, tokens.end));
    }
    free
}

/// Sets by what results are ranked: the share of the query's tokens that a blob has, each worth the less the more of the
/// found blobs have it.
fn score(tokens: u32, found: &mut [Candidate]) {
    let mut changes = vec![0i64; tokens as usize + 1];
    for stretch in found.iter().flat_map(|candidate| &candidate.stretches) {
        changes[stretch.tokens.start as usize] += 1;
        changes[stretch.tokens.end as usize] -= 1;
    }
    // The worth of all tokens before each.
    let mut before = Vec::with_capacity(changes.len());
    let (mut blobs, mut sum) = (0, 0.0);
    for change in changes {
        before.push(sum);
        blobs += change;
        sum += 1.0 / (1.0 + (blobs.max(1) as f64).log2());
    }
    for candidate in found {
        let worth = |stretch: &Stretch| {
            let range = stretch.tokens.range();
            f64::from(stretch.similarity) * (before[range.end] - before[range.start])
        };
        candidate.score = candidate.stretches.iter().map(worth).sum::<f64>() / f64::from(tokens.max(1));
    }
}

fn row(query: &Query, segment: &Segment, candidate: &Candidate) -> Result<FoundBlob, CorpusError> {
    let Candidate { found, stretches, score, .. } = candidate;
    let tokens = |stretch: &Stretch| f64::from(stretch.tokens.len());
    let covered: f64 = stretches.iter().map(tokens).sum();
    let similar: f64 = stretches.iter().map(|stretch| tokens(stretch) * f64::from(stretch.similarity)).sum();
    let details = segment.details(&found.record)?;
    Ok(FoundBlob {
        blob: BlobId(found.record.id).swhid(),
        language: segment.label(&found.record)?.to_owned(),
        matched_lines: matched_lines(query, &found.pieces, &details),
        coverage: rounded(covered / f64::from(query.tokens().max(1))),
        clone_type: candidate.clone_type(),
        similarity: rounded(similar / covered.max(1.0)),
        score: rounded(*score),
        explanations: Vec::new(),
        projects: 0,
        occurrences: Vec::new(),
        licenses: Vec::new(),
    })
}

/// A share with as many digits as it is worth.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// First and last line of some tokens.
pub(crate) fn lines_of(details: &Details, tokens: Span) -> (u32, u32) {
    let inside = &details.lines[tokens.range()];
    let first = inside.first().map_or(0, |line| line.0);
    (first, inside.iter().map(|line| line.1).max().unwrap_or(first))
}

/// The lines of all pieces that do not lie within another.
fn matched_lines(query: &Query, pieces: &[Piece], details: &Details) -> Vec<[u32; 4]> {
    let all: Vec<[u32; 4]> = pieces
        .iter()
        .filter(|piece| !piece.query.is_empty() && !piece.blob.is_empty())
        .map(|piece| {
            let [(a, b), (c, d)] = [lines_of(&query.details, piece.query), lines_of(details, piece.blob)];
            [a, b, c, d]
        })
        .collect();
    widest(all)
}

/// Of lines of the query and of the blob that go together, those that do not lie within others.
fn widest(mut all: Vec<[u32; 4]>) -> Vec<[u32; 4]> {
    all.sort_unstable_by_key(|&[a, b, c, d]| (a, std::cmp::Reverse(b), c, std::cmp::Reverse(d)));
    all.dedup();
    let mut kept: Vec<[u32; 4]> = Vec::new();
    // The lines of blobs that are kept, by the last line of the query that they go with: of those that may still hold others.
    // Each list ascends, in first and in last lines.
    let mut open: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
    let holds = |list: &[(u32, u32)], c: u32, d: u32| {
        let after = list.partition_point(|&(first, _)| first <= c);
        after.checked_sub(1).is_some_and(|last| list[last].1 >= d)
    };
    for same in all.chunk_by(|one, two| one[..2] == two[..2]) {
        let [a, b, ..] = same[0];
        open.retain(|&(last, _)| last >= a);
        let mut own: Vec<(u32, u32)> = Vec::new();
        for &[_, _, c, d] in same {
            let in_open = open.iter().any(|(last, list)| *last >= b && holds(list, c, d));
            if !in_open && !holds(&own, c, d) {
                own.push((c, d));
                kept.push([a, b, c, d]);
            }
        }
        if !own.is_empty() {
            open.push((b, own));
        }
    }
    kept
}

#[cfg(test)]
mod tests;
