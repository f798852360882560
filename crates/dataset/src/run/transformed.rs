//! What a detector still finds when the second side of each pair is rewritten, the more the further.

use std::collections::BTreeMap;

use familiar_engine::members::Members;
use familiar_evaluate::attack::Detector;
use familiar_model::Code;
use familiar_source::Language;
use familiar_transform::{Program, walk};
use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::options::Transformed;
use super::share::Share;
use crate::error::DatasetError;
use crate::inject::Kind;
use crate::judge::released::Judged;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};

/// After how many steps the detector is asked; 0 is the pair as it is.
pub(super) const STEPS: [usize; 5] = [0, 1, 2, 4, 8];
/// Pairs that are rewritten together.
const BATCH: usize = 512;

/// Recall by the number of steps, for one set of transformations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    pub set: String,
    pub points: Vec<Point>,
}

/// Recall after so many steps, of the pairs to which at least one step applies.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    pub steps: usize,
    /// Programs that were rewritten so often; the others are as they were after their last step.
    pub rewritten: u64,
    pub by_kind: BTreeMap<&'static str, Share>,
    /// True pairs of one language.
    pub semantic: Share,
}

/// A curve for each set.
pub(super) fn run(
    project: &Project,
    detector: &Detector,
    least: f64,
    options: &Transformed,
) -> Result<Vec<Curve>, DatasetError> {
    let judged = Judged::of(project)?;
    let pairs = pairs(project, &judged, options)?;
    options.sets.iter().map(|set| curve(&pairs, &judged, detector, least, set, options)).collect()
}

/// The pairs that are rewritten, in an order by chance.
fn pairs(project: &Project, judged: &Judged, options: &Transformed) -> Result<Vec<Pair>, DatasetError> {
    let mut pairs: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
    pairs.retain(|pair| judged.kind(pair).is_some());
    if options.pairs > 0 {
        pairs.sort_by_cached_key(|pair| {
            (xxh3_64_with_seed(pair.id.as_bytes(), options.seed), pair.id.clone())
        });
        pairs.truncate(options.pairs);
    }
    Ok(pairs)
}

fn curve(
    pairs: &[Pair],
    judged: &Judged,
    detector: &Detector,
    least: f64,
    set: &Members,
    options: &Transformed,
) -> Result<Curve, DatasetError> {
    let mut points = STEPS.map(|steps| Point { steps, ..Point::default() });
    for batch in pairs.chunks(BATCH) {
        let times = (0..batch.len() * options.count).into_par_iter();
        let walks: Vec<(&Pair, Walk)> = times
            .map(|at| (&batch[at / options.count], (at % options.count) as u64))
            .filter_map(|(pair, time)| Some((pair, Walk::of(pair, set, options.seed, time)?)))
            .collect();
        for (at, point) in points.iter_mut().enumerate() {
            let codes: Vec<[Code<'_>; 2]> = walks
                .iter()
                .map(|(pair, walk)| {
                    let first = Code { language: language(&pair.lang1), text: pair.code1.as_bytes() };
                    [first, Code { language: language(&pair.lang2), text: &walk.texts[at] }]
                })
                .collect();
            for ((pair, walk), score) in walks.iter().zip(detector.scores(&codes)?) {
                let (Some(kind), is_found) = (judged.kind(pair), score >= least) else { continue };
                point.rewritten += u64::from(walk.steps >= point.steps);
                point.by_kind.entry(kind.name()).or_default().add(is_found);
                if matches!(kind, Kind::Type3 | Kind::Type4) {
                    point.semantic.add(is_found);
                }
            }
        }
    }
    Ok(Curve { set: set.name().to_owned(), points: points.into() })
}

/// A second side on its way.
struct Walk {
    /// How many steps there are.
    steps: usize,
    /// The text after each of [`STEPS`], or after the last step before.
    texts: [Vec<u8>; STEPS.len()],
}

impl Walk {
    /// None where no step applies.
    fn of(pair: &Pair, set: &Members, seed: u64, time: u64) -> Option<Self> {
        let language = language(&pair.lang2);
        let members = set.of(language);
        let program = Program::parse(language, pair.code2.as_bytes(), TREE).ok()?;
        let seed = xxh3_64_with_seed(pair.id.as_bytes(), seed.wrapping_add(time));
        let walked = walk(&program, &members, STEPS[STEPS.len() - 1], seed);
        let last = walked.len().checked_sub(1)?;
        let texts = STEPS.map(|steps| match steps.checked_sub(1) {
            None => program.bytes(),
            Some(at) => walked[at.min(last)].program.bytes(),
        });
        Some(Self { steps: walked.len(), texts })
    }
}

/// Most bytes that the tree of a side may take.
const TREE: usize = 64 << 20;

fn language(name: &str) -> Language {
    Language::from_name(name).unwrap_or(Language::Other)
}
