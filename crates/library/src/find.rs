//! `find`: who has this code, how much of it, where first?

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use familiar_index::kin::Root;
use familiar_index::places::Places;
use familiar_index::segment::{Details, Segment};
use familiar_index::vectors::VectorIndex;
use familiar_model::Encoder;
use familiar_report::find::{FindReport, FoundBlob, QueryRow, SCHEMA};
use familiar_search::find::{BlobMatch, FindMeasure, FindSettings, Finder, Piece, Query, fingerprint};
use familiar_source::{BlobId, FragmentKind, Language, Occurrence, Project, Span};
use familiar_store::{Corpus, SegmentKind};
use rayon::prelude::*;

use crate::licenses::{Cache, Licenses};
use crate::origin;
use crate::query::Asked;
use crate::versions::by_file;
use crate::witnesses::{Witness, Witnesses};
use crate::{CorpusError, detected};
use familiar_model::CONFIDENCE;
use familiar_search::Measure;

/// A row of a result, with all places of its blob.
type Row = (FoundBlob, Vec<Witness>);
/// The same before licenses are told, with the blob.
type Told = (FoundBlob, BlobId, Vec<Witness>);

/// What counts as a result.
#[derive(Clone, Debug)]
pub struct FindOptions {
    /// Clone types, of 1, 2, 3 and, with an encoder, 4.
    pub types: Vec<u8>,
    /// Which parts are looked for; edited ones are found of functions alone.
    pub granularity: Vec<FragmentKind>,
    pub measure: Measure,
    /// The measure's own threshold where none is given.
    pub similarity: Option<f64>,
    /// A run has at least so many tokens, and at least 40.
    pub min_tokens: u32,
    /// Least lines of the query that a blob has, and least share of its tokens.
    pub min_lines: u32,
    pub min_coverage: f64,
    /// What turns code into vectors, for type 4: what made those of the corpus.
    pub encoder: Option<Arc<dyn Encoder>>,
    /// Least probability of a Type-4 pair, above 0 and below 1.
    pub confidence: f64,
    /// Which occurrences are listed: in these projects, where any are named, and those not first seen before this time.
    pub projects: Vec<String>,
    pub since: Option<i64>,
    pub cross_language: bool,
    /// Most blobs that are listed.
    pub limit: usize,
    /// Whether their licenses are told.
    pub licenses: bool,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            types: vec![1, 2, 3],
            granularity: vec![FragmentKind::Function, FragmentKind::Run],
            measure: Measure::Aligned,
            similarity: None,
            min_tokens: fingerprint::RUN_TOKENS,
            min_lines: 0,
            min_coverage: 0.0,
            encoder: None,
            confidence: CONFIDENCE,
            projects: Vec::new(),
            since: None,
            cross_language: false,
            limit: 100,
            licenses: true,
        }
    }
}

/// Settings that `find` cannot follow.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FindOptionsError {
    #[error("--measure lines works only for whole trees; give aligned or token-overlap")]
    Measure,
    #[error("--similarity {given} is out of range: give a number from {least} to 1")]
    Similarity { given: f64, least: f64 },
    #[error("--types {0} is unknown: give one or more of 1, 2, 3 and 4")]
    CloneType(u8),
    #[error("type 4 needs an encoder: name one with --encoder")]
    NoEncoder,
    #[error("--confidence {0} is out of range: give a number above 0 and below 1")]
    Confidence(f64),
}

/// The least similarity that candidates are found for.
const LEAST_SIMILARITY: f64 = familiar_index::segment::LEAST_SHARE;

impl FindOptions {
    /// Whether the settings can be followed.
    pub fn check(&self) -> Result<(), FindOptionsError> {
        if self.measure == Measure::Lines {
            return Err(FindOptionsError::Measure);
        }
        let least = if self.measure == Measure::TokenOverlap { LEAST_SIMILARITY } else { f64::MIN_POSITIVE };
        if let Some(given) = self.similarity
            && !(least..=1.0).contains(&given)
        {
            return Err(FindOptionsError::Similarity { given, least });
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(FindOptionsError::Confidence(self.confidence));
        }
        if self.types.contains(&4) && self.encoder.is_none() {
            return Err(FindOptionsError::NoEncoder);
        }
        self.types
            .iter()
            .find(|t| !(1..=4).contains(*t))
            .map_or(Ok(()), |&t| Err(FindOptionsError::CloneType(t)))
    }

    fn settings(&self) -> FindSettings {
        let wants = |clone_type| self.types.contains(&clone_type);
        FindSettings {
            exact: wants(1),
            renamed: wants(2),
            edited: wants(3),
            kinds: FragmentKind::ALL.map(|kind| self.granularity.contains(&kind)),
            runs: self.granularity.contains(&FragmentKind::Run),
            min_tokens: self.min_tokens,
            measure: match self.measure {
                Measure::TokenOverlap => FindMeasure::TokenOverlap,
                Measure::Aligned | Measure::Lines => FindMeasure::Aligned,
            },
            similarity: self.similarity.unwrap_or(self.measure.default_similarity()),
        }
    }

    fn wants_occurrence(&self, occurrence: &Occurrence) -> bool {
        let named = self.projects.is_empty() || self.projects.contains(&occurrence.project);
        named && self.since.is_none_or(|since| occurrence.first_seen.is_some_and(|seen| seen >= since))
    }
}

/// What the manifest and the tables have of a segment of code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InTables {
    /// The number of its part.
    pub(crate) part: u64,
    /// Where in the tables of that its first blob stands.
    pub(crate) first: u64,
    /// Whether the licenses count that it keeps: those that would be found today, and those of texts that nobody has any more.
    pub(crate) knows_licenses: bool,
}

/// One generation of a corpus, open for questions. Any number of threads may ask.
#[derive(Debug)]
pub struct Library {
    pub(crate) code: Vec<Segment>,
    /// What the manifest and the tables have of each segment of code.
    pub(crate) tables: Vec<InTables>,
    pub(crate) witnesses: Witnesses,
    /// Where they were opened.
    pub(crate) vectors: Vec<VectorIndex>,
    /// Keeps the files where they are.
    pub(crate) corpus: Corpus,
    pub(crate) cache: Cache,
}

impl Library {
    /// Opens the corpus in `folder` as it is now.
    pub fn open(folder: &Path) -> Result<Self, CorpusError> {
        let corpus = Corpus::open(folder)?;
        let (mut code, mut tables, mut witnesses) = (Vec::new(), Vec::new(), Witnesses::default());
        let keeps_text = corpus.manifest().text;
        let finder = keeps_text.then(detected::finder);
        let sources = &corpus.manifest().sources;
        let base: BTreeSet<&str> =
            sources.iter().filter(|entry| entry.base).map(|entry| entry.source.as_str()).collect();
        for part in &corpus.manifest().parts {
            let is_base = base.contains(part.source.as_str());
            let mut first = 0;
            for file in &part.segments {
                let path = folder.join(&file.file);
                match file.kind {
                    SegmentKind::Code => {
                        let segment = Segment::open(&path, fingerprint::VERSION)?;
                        let knows_licenses = finder.is_none() || file.licenses_by == finder;
                        tables.push(InTables { part: part.number, first, knows_licenses });
                        first += u64::from(segment.blobs());
                        code.push(segment);
                    }
                    SegmentKind::Places => witnesses.add(&part.source, is_base, Places::open(&path)?),
                    SegmentKind::Vectors => {}
                }
            }
        }
        witnesses.find_families()?;
        Ok(Self { code, tables, witnesses, vectors: Vec::new(), corpus, cache: Cache::default() })
    }

    /// Number of fragments that questions are answered from.
    pub fn fragments(&self) -> u64 {
        self.code.iter().map(|segment| u64::from(segment.fragments())).sum()
    }

    /// Number of blobs that questions are answered from.
    pub fn blobs(&self) -> u64 {
        self.code.iter().map(|segment| u64::from(segment.blobs())).sum()
    }

    /// Whether it keeps what blobs say of their own license, so that their texts need not be read for it.
    pub fn knows_licenses(&self) -> bool {
        self.tables.iter().all(|segment| segment.knows_licenses)
    }

    /// Where a blob stands: by project, path and time.
    pub fn witnesses(&self, blob: &BlobId) -> Result<Vec<Witness>, CorpusError> {
        Ok(self.witnesses.of(blob)?)
    }

    /// The projects that have a history of their own, as far as forks are known by it.
    pub(crate) fn histories(&self) -> Result<Vec<Project>, CorpusError> {
        let project = |root: Root| Project {
            project: root.project,
            roots: root.roots,
            commits: root.commits,
            first_commit: root.first_commit,
            ..Project::default()
        };
        Ok(self.witnesses.roots()?.into_iter().map(project).collect())
    }

    /// The licenses of what it holds.
    pub fn licenses(&self) -> Licenses<'_> {
        Licenses::new(self)
    }

    /// Every blob that has enough of a query.
    pub(crate) fn matches(
        &self,
        asked: &Asked,
        options: &FindOptions,
    ) -> Result<Vec<Candidate>, CorpusError> {
        let settings = options.settings();
        let family = asked.language.family();
        let wants = |label: &str| {
            options.cross_language || Language::from_name(label).is_some_and(|other| other.family() == family)
        };
        let finder = Finder { segments: &self.code, settings: &settings };
        let mut found = finder.find(&asked.query, &wants)?;
        if let Some(encoder) = options.encoder.as_deref().filter(|_| options.types.contains(&4)) {
            self.add_similar(asked, encoder, options, &wants, &mut found)?;
        }
        let mut matches: Vec<Candidate> = found.into_par_iter().map(Candidate::new).collect();
        matches.retain(|candidate| options.is_enough(&asked.query, candidate));
        Ok(matches)
    }

    /// What the corpus has of a query.
    pub fn find(&self, asked: &Asked, options: &FindOptions) -> Result<FindReport, CorpusError> {
        let mut matches = self.matches(asked, options)?;
        score(asked.query.tokens(), &mut matches);
        matches.sort_by(|a, b| {
            let key = |candidate: &Candidate| (candidate.clone_type(), candidate.found.record.id);
            b.score.total_cmp(&a.score).then_with(|| key(a).cmp(&key(b)))
        });
        let best = matches.iter().map(Candidate::covered).max().unwrap_or(0);
        let filtered = !options.projects.is_empty() || options.since.is_some();
        let (mut found, mut witnesses) = (Vec::new(), Vec::new());
        let mut more_blobs = 0;
        for candidate in &matches {
            let is_listed = found.len() < options.limit;
            // Who had it first does not depend on what is listed.
            let is_witness = origin::is_as_good(candidate.covered(), best);
            if !is_listed && !is_witness && !filtered {
                more_blobs += 1;
                continue;
            }
            let blob = BlobId(candidate.found.record.id);
            let mut occurrences = self.witnesses.of(&blob)?;
            if is_witness {
                witnesses.push((blob, occurrences.clone()));
            }
            occurrences.retain(|witness| options.wants_occurrence(&witness.occurrence));
            if occurrences.is_empty() {
                continue;
            }
            if is_listed {
                let row = row(&asked.query, &self.code[candidate.found.segment], candidate)?;
                found.push((row, blob, occurrences));
            } else {
                more_blobs += 1;
            }
        }
        let found = self.with_licenses(found, options)?;
        let origin = origin::of(&witnesses);
        let query = QueryRow {
            path: asked.path.clone(),
            language: asked.language.name(),
            start_line: asked.lines.start,
            end_line: asked.lines.end,
            tokens: asked.query.tokens(),
        };
        Ok(FindReport { schema: SCHEMA, query, blobs: by_file(found, &self.witnesses)?, more_blobs, origin })
    }
}

impl Library {
    /// What is told of each blob that was found, with its licenses where they are wanted.
    fn with_licenses(&self, found: Vec<Told>, options: &FindOptions) -> Result<Vec<Row>, CorpusError> {
        let told = |(mut row, blob, occurrences): Told| -> Result<Row, CorpusError> {
            if options.licenses {
                row.licenses = self.licenses().told(&blob, &occurrences)?;
            }
            Ok((row, occurrences))
        };
        found.into_par_iter().map(told).collect()
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
        projects: 0,
        occurrences: Vec::new(),
        licenses: Vec::new(),
    })
}

/// A share with as many digits as it is worth.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// The lines of all pieces that do not lie within another.
fn matched_lines(query: &Query, pieces: &[Piece], details: &Details) -> Vec<[u32; 4]> {
    let lines = |lines: &[(u32, u32)], tokens: Span| {
        let inside = &lines[tokens.range()];
        let first = inside.first().map_or(0, |line| line.0);
        (first, inside.iter().map(|line| line.1).max().unwrap_or(first))
    };
    let mut all: Vec<[u32; 4]> = pieces
        .iter()
        .filter(|piece| !piece.query.is_empty() && !piece.blob.is_empty())
        .map(|piece| {
            let ours = lines(&query.details.lines, piece.query);
            let theirs = lines(&details.lines, piece.blob);
            [ours.0, ours.1, theirs.0, theirs.1]
        })
        .collect();
    all.sort_unstable_by_key(|&[a, b, c, d]| (a, std::cmp::Reverse(b), c, std::cmp::Reverse(d)));
    all.dedup();
    let mut kept: Vec<[u32; 4]> = Vec::new();
    for [a, b, c, d] in all {
        if !kept.iter().any(|&[e, f, g, h]| e <= a && b <= f && g <= c && d <= h) {
            kept.push([a, b, c, d]);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
