//! Labelled pairs of code under a measure of similarity or an encoder: recall, precision and what lies between.
//!
//! Every snippet is read once, as a whole and without a least size; every pair is scored: by a measure, under which
//! Type-1 and Type-2 clones score 1, or by the probability
//! that an encoder gives them. Negatives are the rows with label 0, whatever their type. Rows marked as a conflict take no part.

mod draw;
mod figures;
mod input;
mod options;
mod piece;
mod result;
mod rows;
mod solutions;
mod words;

use std::collections::BTreeMap;

use familiar_engine::snippet;
use familiar_model::Encoder;
use familiar_source::Progress;
use rayon::prelude::*;

use crate::{EvaluateError, Judge, pool};
use figures::RATES;
pub(crate) use figures::Scores;
use input::{Input, Labelled};

pub use crate::SkippedRow;
pub use options::{By, Draw, Negatives, PairsOptions};
pub use result::{CurvePoint, DrawnPairs, Figures, PairsResult};

/// Scores every pair that `options` name. `progress` is told of each.
pub fn run(options: &PairsOptions, progress: &dyn Progress) -> Result<PairsResult, EvaluateError> {
    if !(options.threshold() > 0.0 && options.threshold() <= 1.0) {
        return Err(EvaluateError::Similarity(options.threshold()));
    }
    pool(options.threads)?.install(|| {
        let mut input = Input::read(options, progress)?;
        let negatives_from = add_negatives(&mut input, options);
        if input.pairs.is_empty() {
            return Err(EvaluateError::NoPairs {
                path: options.pairs.clone(),
                reason: no_pairs(&input, options),
            });
        }
        if let (Judge::Measure(_), true) = (&options.judge, options.blind) {
            input.blind();
        }
        Ok(Scored::new(input, options, progress).result(negatives_from))
    })
}

/// Why there is no pair.
fn no_pairs(input: &Input, options: &PairsOptions) -> String {
    let reason = match (input.skipped.first(), &options.draw) {
        (Some(row), _) => row.reason.as_str(),
        (None, None) => "it is empty",
        (None, Some(draw)) if draw.pairs < 2 => "half of the pairs are positives, so draw 2 or more",
        (None, Some(draw)) if draw.cross_language => {
            "no two rows that are selected are of one problem and in different languages"
        }
        (None, Some(_)) => "no two rows that are selected are of one problem, beside rows of another",
    };
    reason.to_owned()
}

/// Draws negatives where the rows hold none and the options ask for some; tells where the negatives come from.
fn add_negatives(input: &mut Input, options: &PairsOptions) -> &'static str {
    if input.pairs.iter().any(|pair| !pair.is_clone) {
        return if options.draw.is_some() { Negatives::Random.name() } else { "given" };
    }
    let Some(how) = options.negatives else { return "none" };
    let drawn = draw::negatives(input, how, options);
    if drawn.is_empty() {
        return "none";
    }
    input.pairs.extend(drawn);
    how.name()
}

/// How sure `encoder` is of a pair.
fn probability(encoder: &dyn Encoder, input: &Input, pair: &Labelled) -> f64 {
    let [left, right] = [pair.left, pair.right].map(|number| number as usize);
    let [a, b] = [left, right].map(|at| input.snippets[at].language);
    let crowdings =
        [encoder.crowding(input.vectors.row(left), b), encoder.crowding(input.vectors.row(right), a)];
    let calibration = encoder.calibration();
    let cosine = input.vectors.cosine(left, right);
    calibration.of(a.family() != b.family()).probability(cosine, crowdings)
}

/// The pairs and the similarity of each.
struct Scored<'o> {
    options: &'o PairsOptions,
    input: Input,
    scores: Vec<f64>,
}

impl<'o> Scored<'o> {
    fn new(input: Input, options: &'o PairsOptions, progress: &dyn Progress) -> Self {
        progress.stage("comparing pairs", 0);
        let score = |pair: &Labelled| match &options.judge {
            Judge::Measure(measure) => {
                let side = |number: u32| &input.snippets[number as usize].snippet;
                snippet::similarity(*measure, side(pair.left), side(pair.right))
            }
            Judge::Encoder(encoder) => probability(encoder.as_ref(), &input, pair),
        };
        let told = |pair: &Labelled| {
            progress.advance(1);
            score(pair)
        };
        let scores = input.pairs.par_iter().map(told).collect();
        Self { options, input, scores }
    }

    /// The scores of the positives and negatives that are wanted.
    fn of(&self, positive: impl Fn(&Labelled) -> bool, negative: impl Fn(&Labelled) -> bool) -> Scores {
        let (mut positives, mut negatives) = (Vec::new(), Vec::new());
        for (pair, &score) in self.input.pairs.iter().zip(&self.scores) {
            if pair.is_clone && positive(pair) {
                positives.push(score);
            } else if !pair.is_clone && negative(pair) {
                negatives.push(score);
            }
        }
        Scores::new(positives, negatives)
    }

    fn result(self, negatives_from: &'static str) -> PairsResult {
        let threshold = self.options.threshold();
        let all = self.of(|_| true, |_| true);
        let by_type = self.by_type();
        let each = |name: &String, scores: &Scores| Some((name.clone(), scores.recall(threshold)?));
        let mut recall_by_type_at_fpr: BTreeMap<String, BTreeMap<String, f64>> =
            RATES.iter().map(|(rate, _)| ((*rate).to_owned(), BTreeMap::new())).collect();
        for (name, scores) in &by_type {
            for (rate, recall) in scores.recall_at_rates() {
                recall_by_type_at_fpr.entry(rate).or_default().insert(name.clone(), recall);
            }
        }
        PairsResult {
            schema: PairsResult::SCHEMA,
            task: "pairs",
            measure: self.options.judge.name().to_owned(),
            threshold,
            blind: self.options.blind,
            negatives_from,
            figures: all.figures(threshold),
            recall_by_type: by_type.iter().filter_map(|(name, scores)| each(name, scores)).collect(),
            positives_by_type: by_type.iter().map(|(name, s)| (name.clone(), s.positives())).collect(),
            recall_by_type_at_fpr,
            curve: all.curve(),
            by: self.options.by.map(By::name),
            parts: self.options.by.map(|by| self.parts(by)),
            drawn: self.input.drawn,
            conflicts: self.input.conflicts,
            skipped: self.input.skipped,
        }
    }

    /// For each type that a positive has, its positives and all negatives.
    fn by_type(&self) -> BTreeMap<String, Scores> {
        let mut types: Vec<u32> =
            self.input.pairs.iter().filter(|pair| pair.is_clone).filter_map(|pair| pair.clone_type).collect();
        types.sort_unstable();
        types.dedup();
        let of = |&number: &u32| {
            let scores = self.of(|pair| pair.clone_type == Some(number), |_| true);
            (self.input.types.name(number).to_owned(), scores)
        };
        types.iter().map(of).collect()
    }

    fn parts(&self, by: By) -> BTreeMap<String, Figures> {
        let threshold = self.options.threshold();
        match by {
            By::Type => {
                let mut parts = self.by_type();
                let untyped = self.of(|pair| pair.clone_type.is_none(), |_| true);
                if untyped.positives() > 0 {
                    parts.insert("unknown".to_owned(), untyped);
                }
                parts.iter().map(|(name, scores)| (name.clone(), scores.figures(threshold))).collect()
            }
            By::Lang => {
                let mut names: Vec<String> =
                    self.input.pairs.iter().map(|pair| self.languages(pair)).collect();
                names.sort_unstable();
                names.dedup();
                let of = |name: String| {
                    let wanted = |pair: &Labelled| self.languages(pair) == name;
                    let figures = self.of(wanted, wanted).figures(threshold);
                    (name, figures)
                };
                names.into_iter().map(of).collect()
            }
        }
    }

    /// The language of a pair, or both of a pair across languages, in the order of their names.
    fn languages(&self, pair: &Labelled) -> String {
        let name = |number: u32| self.input.snippets[number as usize].language.name();
        let (left, right) = (name(pair.left), name(pair.right));
        match left.cmp(right) {
            std::cmp::Ordering::Equal => left.to_owned(),
            std::cmp::Ordering::Less => format!("{left}-{right}"),
            std::cmp::Ordering::Greater => format!("{right}-{left}"),
        }
    }
}
