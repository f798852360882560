//! What is attacked.

use std::sync::Arc;

use familiar_engine::snippet::{self, Snippet, SnippetReader};
use familiar_model::{Code, Encoder, Vectors};
use familiar_source::Language;

use super::command::CommandDetector;
use crate::{EvaluateError, Judge};

/// The least similarity at which a program is recognized, where neither the user nor the detector says one.
const USUAL_THRESHOLD: f64 = 0.5;

/// A detector of clones.
#[derive(Clone, Debug)]
pub enum Detector {
    /// One of ours, or an encoder.
    Judge(Judge),
    /// Another program.
    Command(Arc<CommandDetector>),
}

impl Detector {
    /// The name in results.
    pub fn name(&self) -> &str {
        match self {
            Self::Judge(judge) => judge.name(),
            Self::Command(command) => command.name(),
        }
    }

    /// The least similarity of a clone, where none is given.
    pub fn default_similarity(&self) -> f64 {
        match self {
            Self::Judge(judge) => judge.default_similarity(),
            Self::Command(_) => USUAL_THRESHOLD,
        }
    }

    /// This detector beside one program.
    pub(super) fn beside<'d>(&'d self, language: Language, original: &'d [u8]) -> Beside<'d> {
        let mut reader = SnippetReader::default();
        let snippet = match self {
            Self::Judge(Judge::Measure(_)) => reader.read(language, original).ok(),
            _ => None,
        };
        Beside { detector: self, language, original, reader, snippet }
    }
}

/// A detector that compares one program with many.
pub(super) struct Beside<'d> {
    detector: &'d Detector,
    language: Language,
    original: &'d [u8],
    reader: SnippetReader,
    /// The original, for measures.
    snippet: Option<Snippet>,
}

impl Beside<'_> {
    /// How like the original each of `texts` is, from 0 to 1.
    pub(super) fn similarities(&mut self, texts: &[Vec<u8>]) -> Result<Vec<f64>, EvaluateError> {
        match self.detector {
            Detector::Judge(Judge::Measure(measure)) => {
                let of = |text: &Vec<u8>| match (&self.snippet, self.reader.read(self.language, text)) {
                    (Some(original), Ok(variant)) => snippet::similarity(*measure, original, &variant),
                    _ => 0.0,
                };
                Ok(texts.iter().map(of).collect())
            }
            Detector::Judge(Judge::Encoder(encoder)) => self.probabilities(&**encoder, texts),
            Detector::Command(command) => Ok(command.scores(self.language, self.original, texts)?),
        }
    }

    /// How sure an encoder is that each program is a clone of the original.
    fn probabilities(&self, encoder: &dyn Encoder, texts: &[Vec<u8>]) -> Result<Vec<f64>, EvaluateError> {
        let vectors = self.vectors(encoder, texts)?;
        let calibration = encoder.calibration().of(false);
        let crowding = |row: usize| encoder.crowding(vectors.row(row), self.language);
        let own = crowding(0);
        let of = |row: usize| calibration.probability(vectors.cosine(0, row), [own, crowding(row)]);
        Ok((1..=texts.len()).map(of).collect())
    }

    /// The cosine of an encoder between the original and `text`; `None` for what has no vectors.
    pub(super) fn cosine(&self, text: &[u8]) -> Result<Option<f64>, EvaluateError> {
        let Detector::Judge(Judge::Encoder(encoder)) = self.detector else { return Ok(None) };
        Ok(Some(self.vectors(&**encoder, &[text.to_vec()])?.cosine(0, 1)))
    }

    /// A vector for the original, and for each text.
    fn vectors(&self, encoder: &dyn Encoder, texts: &[Vec<u8>]) -> Result<Vectors, EvaluateError> {
        let all = std::iter::once(self.original).chain(texts.iter().map(Vec::as_slice));
        let codes: Vec<Code<'_>> = all.map(|text| Code { language: self.language, text }).collect();
        Ok(encoder.encode(&codes)?)
    }
}
