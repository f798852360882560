//! Which pairs of a result do people judge?
//!
//! Pairs are drawn from what `clones`, `find` or `audit` wrote, as the case studies of the Apprentice did (63 pairs a group). They go into
//! a folder of their own, with their code, and people judge them there as they judge the pairs of a benchmark.
//!
//! # Files
//!
//! `result` reads the pairs, `place` says where their sides stand, `strata` divides them, `draw` is the order in which they are drawn,
//! and `text` reads their code.

mod draw;
mod place;
mod result;
mod strata;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use familiar_judging::Rules;
use serde::Serialize;

use crate::error::DatasetError;
use crate::lines;
use crate::project::{self, Project, file};
use draw::Candidate;
pub use draw::Per;
pub use place::{Claim, Place, SampledPair, Side};
use result::{Reported, Spot};
pub use strata::{By, ByError};
use text::Texts;

/// What is drawn.
pub struct SampleOptions {
    /// What `clones`, `find` or `audit` wrote, as JSON or NDJSON.
    pub result: PathBuf,
    /// By what the result is divided; all of it is one stratum otherwise.
    pub by: Option<By>,
    pub per: Per,
    /// Pairs of each stratum.
    pub count: u64,
    pub seed: u64,
    /// Corpora that have files of the result, beside those that an audit names.
    pub corpora: Vec<PathBuf>,
    /// Trees outside of the current folder whose files may be read.
    pub trees: Vec<PathBuf>,
    /// Who judges, and which labels they may give.
    pub groups: Vec<Vec<String>>,
    pub labels: Vec<String>,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawn {
    pub schema: &'static str,
    pub result: String,
    pub per: Per,
    pub seed: u64,
    /// Pairs of the result, and those that belong to no stratum.
    pub pairs: u64,
    pub outside: u64,
    pub strata: Vec<DrawnStratum>,
    /// Files whose code is not there any more. The next pair was drawn instead.
    pub skipped: Vec<SkippedFile>,
}

/// What was drawn of a stratum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawnStratum {
    pub name: String,
    pub pairs: u64,
    /// What could be drawn: classes, or pairs.
    pub units: u64,
    pub drawn: u64,
    /// Pairs without code.
    pub skipped: u64,
}

/// A file without code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SkippedFile {
    pub file: String,
    pub reason: String,
}

/// What rows are drawn into.
struct Drawing<'r> {
    reported: &'r Reported,
    count: u64,
    texts: Texts,
    rows: BTreeMap<String, SampledPair>,
    skipped: BTreeSet<SkippedFile>,
}

/// Draws pairs into a new folder, to be judged there. `known` gives the folder of a corpus that an audit names, if it is there.
pub fn run(
    folder: &Path,
    options: &SampleOptions,
    known: &dyn Fn(&str) -> Option<PathBuf>,
) -> Result<Drawn, DatasetError> {
    let rules = Rules {
        groups: options.groups.clone(),
        labels: options.labels.clone(),
        seed: options.seed,
        // All pairs are judged by several people by themselves, where there are several.
        share_twice: 1.0,
        ..Rules::default()
    };
    rules.check().map_err(DatasetError::Rules)?;
    project::vacant(folder)?;
    let reported = result::read(&options.result)?;
    let candidates = candidates(&reported, options.by.as_ref());
    let mut drawn = Drawn {
        schema: "familiar.sample/1",
        result: options.result.to_string_lossy().into_owned(),
        per: options.per,
        seed: options.seed,
        pairs: reported.pairs.len() as u64,
        outside: (reported.pairs.len() - candidates.len()) as u64,
        strata: Vec::new(),
        skipped: Vec::new(),
    };
    let named = reported.corpora.iter().filter_map(|name| known(name));
    let corpora: Vec<PathBuf> = options.corpora.iter().cloned().chain(named).collect();
    let mut drawing = Drawing {
        reported: &reported,
        count: options.count,
        texts: Texts::open(&corpora, &options.trees)?,
        rows: BTreeMap::new(),
        skipped: BTreeSet::new(),
    };
    let mut order: Vec<_> = draw::order(&candidates, options.per, options.seed).into_iter().collect();
    order.sort_by_cached_key(|(name, _)| By::order(name));
    for (name, (pairs, units)) in order {
        let mut stratum = DrawnStratum { name, pairs, units: units.len() as u64, drawn: 0, skipped: 0 };
        drawing.fill(&mut stratum, &units)?;
        drawn.strata.push(stratum);
    }
    drawn.skipped = drawing.skipped.into_iter().collect();
    if drawing.rows.is_empty() {
        let reason = drawn.skipped.first().map_or_else(
            || "it has no pairs of these strata".to_owned(),
            |it| format!("{}: {}", it.file, it.reason),
        );
        return Err(DatasetError::NothingDrawn { path: options.result.clone(), reason });
    }
    let project = Project::create_sample(folder, rules)?;
    lines::write(&project.path(file::DRAWN), [&drawn])?;
    lines::write(&project.path(file::SAMPLE), drawing.rows.values())?;
    Ok(drawn)
}

/// The pairs of the result that belong to a stratum. A pair that the result names twice is one.
fn candidates(reported: &Reported, by: Option<&By>) -> Vec<Candidate> {
    let mut known = BTreeSet::new();
    let mut candidates = Vec::new();
    for (pair, it) in reported.pairs.iter().enumerate() {
        let [left, right] = it.sides.map(|side| &reported.places[side as usize].place);
        let id = place::id(left, right);
        let stratum = by.map_or_else(|| Some("all".to_owned()), |by| by.of(&it.claim, left, right));
        if let Some(stratum) = stratum.filter(|_| known.insert(id.clone())) {
            candidates.push(Candidate { id, pair, sides: it.sides, stratum });
        }
    }
    candidates
}

impl Drawing<'_> {
    /// Takes pairs in their order until there are enough with code.
    fn fill(&mut self, stratum: &mut DrawnStratum, units: &[usize]) -> Result<(), DatasetError> {
        let reported = self.reported;
        let spots = |&pair: &usize| reported.pairs[pair].sides.map(|side| &reported.places[side as usize]);
        for some in units.chunks((self.count as usize).clamp(16, 1024)) {
            self.texts.fetch(some.iter().flat_map(spots))?;
            for pair in some {
                if stratum.drawn == self.count {
                    return Ok(());
                }
                let [Some(left), Some(right)] = spots(pair).map(|spot| self.side(spot)) else {
                    stratum.skipped += 1;
                    continue;
                };
                let id = place::id(&left.place, &right.place);
                let claim = reported.pairs[*pair].claim.clone();
                let row = SampledPair { id: id.clone(), stratum: stratum.name.clone(), claim, left, right };
                self.rows.insert(id, row);
                stratum.drawn += 1;
            }
        }
        Ok(())
    }

    fn side(&mut self, spot: &Spot) -> Option<Side> {
        match self.texts.code(spot) {
            Ok(code) => Some(Side { place: spot.place.clone(), code }),
            Err(reason) => {
                self.skipped.insert(SkippedFile { file: spot.place.file(), reason });
                None
            }
        }
    }
}
