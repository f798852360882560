//! From candidates to pairs: how alike do the seed and an implementation look, and who else has it?
//!
//! A pair whose lines are more than 75 % alike is a false semantic clone, from 50 % on it is of Type-3, and below of Type-4
//! (GPTCloneBench, Section III-C). Lines are compared as NiCad does, names and literals made alike.
//!
//! `merge` finds the implementations of one seed that are copies of each other, `measure` says how alike two sides are, and
//! `contamination` asks a corpus.

mod contamination;
mod measure;
mod merge;

use std::collections::BTreeMap;
use std::path::PathBuf;

use familiar_library::QueryReader;
use familiar_source::Progress;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::error::DatasetError;
use crate::lines::{self, Writer};
use crate::pair::{Band, Pair};
use crate::pool;
use crate::project::{Project, file};
use crate::seed::Seed;
use contamination::Corpus;
pub(crate) use measure::Measurer;

/// Bytes of candidates that are measured together.
const BATCH: usize = 4 << 20;

/// How pairs are made.
#[derive(Clone, Debug, Default)]
pub struct FilterOptions {
    /// Whether the encoder says how probable it is that both sides do the same.
    pub semantic: bool,
    /// A corpus in which implementations are looked for.
    pub against: Option<PathBuf>,
    /// 0 stands for one for each processor core.
    pub threads: usize,
    /// Bytes that this may take.
    pub memory: usize,
}

/// What came of the candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FilterResult {
    pub pairs: u64,
    /// Implementations that are copies of another one of the same seed.
    pub merged: u64,
    pub bands: BTreeMap<Band, u64>,
    /// Pairs with a short side.
    pub short: u64,
    /// Pairs whose implementation stands in the corpus.
    pub contaminated: u64,
}

/// A row of `merged.jsonl`: a copy, and what stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    pub id: String,
    pub into: String,
}

/// Makes the pairs of all candidates.
pub fn run(
    project: &Project,
    options: &FilterOptions,
    progress: &dyn Progress,
) -> Result<FilterResult, DatasetError> {
    let _lock = project.lock()?;
    pool(options.threads)?.install(|| Work::begin(project, options)?.run(progress))
}

struct Work<'w> {
    project: &'w Project,
    options: &'w FilterOptions,
    seeds: BTreeMap<String, Seed>,
    corpus: Option<Corpus>,
    pairs: Writer,
    merged: Writer,
    result: FilterResult,
}

impl<'w> Work<'w> {
    fn begin(project: &'w Project, options: &'w FilterOptions) -> Result<Self, DatasetError> {
        let seeds: Vec<Seed> = lines::all(&project.path(file::SEEDS), "seeds")?;
        if !project.path(file::CANDIDATES).exists() {
            return Err(DatasetError::Missing { what: "candidates", step: "parse" });
        }
        Ok(Self {
            project,
            options,
            seeds: seeds.into_iter().map(|seed| (seed.seed_id.clone(), seed)).collect(),
            corpus: options.against.as_deref().map(Corpus::open).transpose()?,
            pairs: Writer::create(&project.path(file::PAIRS))?,
            merged: Writer::create(&project.path(file::MERGED))?,
            result: FilterResult::default(),
        })
    }

    /// Candidates of one seed may stand anywhere, since repeats and prompts come one after the other. So a first pass finds the copies.
    fn run(mut self, progress: &dyn Progress) -> Result<FilterResult, DatasetError> {
        let path = self.project.path(file::CANDIDATES);
        progress.stage("looking for copies", 0);
        let mut copies = merge::Copies::default();
        each_batch(&path, &mut |batch| copies.add(&batch).map_err(DatasetError::SameName))?;
        progress.stage("measuring pairs", 0);
        each_batch(&path, &mut |batch| self.batch(batch, &copies))?;
        self.pairs.finish()?;
        self.merged.finish()?;
        Ok(self.result)
    }

    fn batch(&mut self, batch: Vec<Candidate>, copies: &merge::Copies) -> Result<(), DatasetError> {
        let mut kept = Vec::with_capacity(batch.len());
        for candidate in batch {
            match copies.stands_for(&candidate) {
                Some(into) => {
                    self.result.merged += 1;
                    self.merged.row(&Merged { id: candidate.id, into: into.to_owned() })?;
                }
                None => kept.push(candidate),
            }
        }
        let filter = &self.project.settings.filter;
        let (seeds, semantic, memory) = (&self.seeds, self.options.semantic, self.options.memory);
        let measured: Vec<Option<Pair>> = kept
            .into_par_iter()
            .map_init(
                || Measurer::new(semantic),
                |measurer, candidate| {
                    seeds
                        .get(&candidate.seed_id)
                        .map(|seed| measurer.pair(seed, candidate, filter))
                        .transpose()
                },
            )
            .collect::<Result<_, DatasetError>>()?;
        let mut pairs: Vec<Pair> = measured.into_iter().flatten().collect();
        if let Some(corpus) = &self.corpus {
            pairs.par_iter_mut().try_for_each_init(
                || QueryReader::new(memory),
                |reader, pair| -> Result<(), DatasetError> {
                    pair.contamination = corpus.who_has(reader, pair)?;
                    Ok(())
                },
            )?;
        }
        for pair in &pairs {
            self.result.pairs += 1;
            *self.result.bands.entry(pair.band).or_default() += 1;
            self.result.short += u64::from(pair.short);
            self.result.contaminated += u64::from(pair.contamination.is_some());
            self.pairs.row(pair)?;
        }
        Ok(())
    }
}

fn each_batch(
    path: &std::path::Path,
    take: &mut dyn FnMut(Vec<Candidate>) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    lines::read(path, "parse", &mut |candidate: Candidate| {
        bytes += candidate.code.len();
        batch.push(candidate);
        if bytes >= BATCH {
            bytes = 0;
            take(std::mem::take(&mut batch))?;
        }
        Ok(())
    })?;
    take(batch)
}
