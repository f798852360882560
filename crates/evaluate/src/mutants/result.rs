//! The result of a measurement with mutants, the schema `familiar.mutants/1`.

use serde::Serialize;

use super::matched::Matched;
use super::options::MutantsOptions;
use crate::SkippedRow;
use crate::pairs::Scores;

/// How well each detector tells clones from mutants.
#[derive(Clone, Debug, Serialize)]
pub struct MutantsResult {
    pub schema: &'static str,
    pub set: &'static str,
    pub seed: u64,
    pub most_distance: usize,
    /// Programs that could be rewritten.
    pub programs: u64,
    /// Programs that gave no pair: no clone and no mutant are equally far from them.
    pub unmatched: u64,
    /// Pairs of a clone and a mutant.
    pub pairs: u64,
    /// Pairs whose mutant was rewritten, too.
    pub rewritten: u64,
    /// How many pairs there are by their distance from the program.
    pub bands: Vec<Band>,
    /// A row for each detector.
    pub results: Vec<Told>,
    /// Why not all were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    pub skipped: Vec<SkippedRow>,
    #[serde(skip)]
    matched: Vec<Matched>,
}

/// Distances that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Band {
    /// In tokens, the least and the greatest.
    pub distance: [usize; 2],
    pub pairs: u64,
}

/// How well one detector tells clones from mutants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// As it was asked for.
    pub detector: String,
    /// What it calls itself.
    pub name: String,
    /// The probability that it finds any clone more like its program than any mutant; ties count half.
    pub auc: Option<f64>,
    /// The same for the two of a pair: one program, one distance.
    pub preferred: Option<f64>,
    /// The area for each band.
    pub auc_by_band: Vec<Option<f64>>,
    /// The area over the pairs whose mutant has nothing but faults, and over those whose mutant was rewritten, too.
    pub auc_plain: Option<f64>,
    pub auc_rewritten: Option<f64>,
}

/// The greatest distances of the bands; the last band ends where the settings end.
const BANDS: [usize; 4] = [1, 2, 4, 8];

impl MutantsResult {
    pub const SCHEMA: &'static str = "familiar.mutants/1";

    pub(super) fn of(
        options: &MutantsOptions,
        programs: usize,
        unmatched: u64,
        matched: Vec<Matched>,
        skipped: Vec<SkippedRow>,
    ) -> Self {
        let mut bands = Vec::new();
        let mut first = 1;
        for last in BANDS.into_iter().filter(|&it| it < options.most_distance).chain([options.most_distance])
        {
            let pairs = matched.iter().filter(|it| (first..=last).contains(&it.distance)).count() as u64;
            bands.push(Band { distance: [first, last], pairs });
            first = last + 1;
        }
        Self {
            schema: Self::SCHEMA,
            set: options.set.name,
            seed: options.seed,
            most_distance: options.most_distance,
            programs: programs as u64,
            unmatched,
            pairs: matched.len() as u64,
            rewritten: matched.iter().filter(|it| it.mutant.origin.is_rewritten()).count() as u64,
            bands,
            results: Vec::new(),
            failure: None,
            skipped,
            matched,
        }
    }

    pub(super) fn matched(&self) -> &[Matched] {
        &self.matched
    }

    /// Adds what a detector says of each pair: of the clone, and of the mutant.
    pub(super) fn add(&mut self, asked: &str, name: &str, scores: &[[f64; 2]]) {
        let preferred = |[clone, mutant]: &[f64; 2]| match clone.total_cmp(mutant) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        let sum: f64 = scores.iter().map(preferred).sum();
        let among = |belongs: &dyn Fn(&Matched) -> bool| {
            let inside = scores.iter().zip(&self.matched).filter(|(_, it)| belongs(it));
            auc(inside.map(|(scores, _)| *scores))
        };
        let band = |band: &Band| {
            let [first, last] = band.distance;
            among(&|it| (first..=last).contains(&it.distance))
        };
        self.results.push(Told {
            detector: asked.to_owned(),
            name: name.to_owned(),
            auc: auc(scores.iter().copied()),
            preferred: (!scores.is_empty()).then(|| sum / scores.len() as f64),
            auc_by_band: self.bands.iter().map(band).collect(),
            auc_plain: among(&|it| !it.mutant.origin.is_rewritten()),
            auc_rewritten: among(&|it| it.mutant.origin.is_rewritten()),
        });
    }
}

fn auc(scores: impl Iterator<Item = [f64; 2]>) -> Option<f64> {
    let (clones, mutants) = scores.map(|[clone, mutant]| (clone, mutant)).unzip();
    Scores::new(clones, mutants).auc()
}
