//! What counts as a result of `find`.

use std::sync::Arc;

use familiar_model::{CONFIDENCE, Encoder};
use familiar_report::Settings;
use familiar_search::Measure;
use familiar_search::find::{FindMeasure, FindSettings, fingerprint};
use familiar_source::{FragmentKind, Occurrence};
use familiar_syntax::Limits;

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
    /// Where it is to be said what makes functions of type 4 alike: within which limits the texts of blobs are parsed for that.
    pub explain: Option<Limits>,
    /// Which occurrences are listed: in these projects, where any are named, and those not first seen before this time.
    pub projects: Vec<String>,
    pub since: Option<i64>,
    pub cross_language: bool,
    /// Most blobs that are listed.
    pub limit: usize,
    /// Whether the result has their licenses.
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
            explain: None,
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
    #[error("--similarity {given} is out of range: give a number {least} to 1")]
    Similarity { given: f64, least: String },
    #[error("--coverage {0} is out of range: give a number from 0 to 1")]
    Coverage(f64),
    #[error("--types {0} is unknown: give one or more of 1, 2, 3 and 4")]
    CloneType(u8),
    #[error("type 4 needs an encoder: name one with --encoder")]
    NoEncoder,
    #[error("--explain says what makes Type-4 pairs alike: ask for them with --types 4")]
    ExplainType,
    #[error("--explain needs vectors that the encoder builtin made: {0} cannot say what makes code alike")]
    CannotExplain(String),
    #[error("--confidence {0} is out of range: give a number above 0 and below 1")]
    Confidence(f64),
}

/// The least similarity that candidates are found for.
const LEAST_SIMILARITY: f64 = familiar_index::segment::LEAST_OVERLAP;

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
            let from = format!("from {LEAST_SIMILARITY} up");
            let least = if self.measure == Measure::TokenOverlap { from } else { "above 0 up".to_owned() };
            return Err(FindOptionsError::Similarity { given, least });
        }
        if !(0.0..=1.0).contains(&self.min_coverage) {
            return Err(FindOptionsError::Coverage(self.min_coverage));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(FindOptionsError::Confidence(self.confidence));
        }
        if self.types.contains(&4) && self.encoder.is_none() {
            return Err(FindOptionsError::NoEncoder);
        }
        self.check_explain()?;
        self.types
            .iter()
            .find(|t| !(1..=4).contains(*t))
            .map_or(Ok(()), |&t| Err(FindOptionsError::CloneType(t)))
    }

    fn check_explain(&self) -> Result<(), FindOptionsError> {
        match &self.encoder {
            _ if self.explain.is_none() => Ok(()),
            Some(encoder) if self.types.contains(&4) && encoder.explainer().is_none() => {
                Err(FindOptionsError::CannotExplain(encoder.name().to_owned()))
            }
            Some(_) if self.types.contains(&4) => Ok(()),
            _ => Err(FindOptionsError::ExplainType),
        }
    }

    pub(crate) fn settings(&self) -> FindSettings {
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

    pub(crate) fn wants_occurrence(&self, occurrence: &Occurrence) -> bool {
        let named = self.projects.is_empty() || self.projects.contains(&occurrence.project);
        named && self.since.is_none_or(|since| occurrence.first_seen.is_some_and(|seen| seen >= since))
    }

    /// The settings as a report names them; `roots` is what was asked for.
    pub fn report_settings(&self, roots: Vec<String>) -> Settings {
        Settings {
            granularity: self.granularity.iter().map(|kind: &FragmentKind| kind.name()).collect(),
            types: self.types.clone(),
            measure: self.measure.name(),
            similarity: self.similarity.unwrap_or(self.measure.default_similarity()),
            renaming: "",
            min_tokens: self.min_tokens,
            min_bits: None,
            min_lines: self.min_lines,
            max_gap_tokens: 0,
            changed_since: None,
            encoder: self.encoder.as_ref().map(|encoder| encoder.name().to_owned()),
            confidence: self.types.contains(&4).then_some(self.confidence),
            test_callbacks: None,
            validate: None,
            roots,
        }
    }
}
