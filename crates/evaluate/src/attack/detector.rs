//! What is attacked.

use std::ops::Range;
use std::sync::Arc;

use familiar_engine::Measure;
use familiar_engine::snippet::{self, Snippet, SnippetReader};
use familiar_model::{Code, Encoder, Vectors};
use familiar_source::{Language, Silent};
use rayon::prelude::*;

use super::command::CommandDetector;
use super::pair_detector::{PairDetector, TextPair};
use crate::{EvaluateError, Judge, judge};

/// The least similarity at which a program is recognized, where neither the user nor the detector says one.
const USUAL_THRESHOLD: f64 = 0.5;

/// Pairs that one thread compares before another one helps.
const TOGETHER: usize = 512;

/// A detector of clones.
#[derive(Clone, Debug)]
pub enum Detector {
    /// One of ours, or an encoder.
    Judge(Judge),
    /// Another program.
    Command(Arc<CommandDetector>),
    /// What is not part of Familiar, and runs in its process.
    Guest(Arc<dyn PairDetector>),
}

impl Detector {
    /// The name in results.
    pub fn name(&self) -> &str {
        match self {
            Self::Judge(judge) => judge.name(),
            Self::Command(command) => command.name(),
            Self::Guest(guest) => guest.name(),
        }
    }

    /// The least similarity of a clone, where none is given.
    pub fn default_similarity(&self) -> f64 {
        match self {
            Self::Judge(judge) => judge.default_similarity(),
            Self::Command(_) | Self::Guest(_) => USUAL_THRESHOLD,
        }
    }

    /// How alike the two texts of each pair are, from 0 to 1, whatever their languages. What is no text is like nothing.
    pub fn scores(&self, pairs: &[[Code<'_>; 2]]) -> Result<Vec<f64>, EvaluateError> {
        match self {
            Self::Judge(Judge::Measure(measure)) => {
                let of = |reader: &mut SnippetReader, [left, right]: &[Code<'_>; 2]| {
                    let mut read = |code: &Code<'_>| reader.read(code.language, code.text).ok();
                    match (read(left), read(right)) {
                        (Some(left), Some(right)) => snippet::similarity(*measure, &left, &right),
                        _ => 0.0,
                    }
                };
                Ok(pairs.par_iter().map_init(SnippetReader::default, of).collect())
            }
            Self::Judge(Judge::Encoder(encoder)) => {
                let codes: Vec<Code<'_>> = pairs.iter().flatten().copied().collect();
                let vectors = judge::encode(&**encoder, &codes, false, &Silent)?;
                let of = |at: usize| {
                    let [left, right] = pairs[at].map(|code| code.language);
                    let (first, second) = (2 * at, 2 * at + 1);
                    let crowdings = [
                        encoder.crowding(vectors.row(first), right),
                        encoder.crowding(vectors.row(second), left),
                    ];
                    let curve = encoder.calibration().of(left.family() != right.family());
                    curve.probability(vectors.cosine(first, second), crowdings)
                };
                Ok((0..pairs.len()).map(of).collect())
            }
            Self::Command(command) => scores_between(&**command, pairs),
            Self::Guest(guest) => scores_between(&**guest, pairs),
        }
    }

    /// What it knows of texts in `language`: of none, until it reads some.
    pub fn texts(&self, language: Language) -> Texts<'_> {
        let read = match self {
            Self::Judge(Judge::Measure(measure)) => Read::Snippets(*measure, Vec::new()),
            Self::Judge(Judge::Encoder(encoder)) => {
                Read::Vectors { encoder: &**encoder, vectors: Vectors::default(), crowding: Vec::new() }
            }
            Self::Command(command) => Read::Plain(&**command, Vec::new()),
            Self::Guest(guest) => Read::Plain(&**guest, Vec::new()),
        };
        Texts { language, read, reader: SnippetReader::default() }
    }
}

fn scores_between(detector: &dyn PairDetector, pairs: &[[Code<'_>; 2]]) -> Result<Vec<f64>, EvaluateError> {
    let pairs: Vec<TextPair<'_>> =
        pairs.iter().map(|pair| pair.map(|code| (code.language, code.text))).collect();
    Ok(detector.scores_between(&pairs)?)
}

/// Texts of one language, each of which a detector reads once, however often it compares it.
pub struct Texts<'d> {
    language: Language,
    read: Read<'d>,
    reader: SnippetReader,
}

/// What a detector keeps of each text.
enum Read<'d> {
    /// `None` for what is no text.
    Snippets(Measure, Vec<Option<Snippet>>),
    Vectors {
        encoder: &'d dyn Encoder,
        vectors: Vectors,
        crowding: Vec<f32>,
    },
    Plain(&'d dyn PairDetector, Vec<Vec<u8>>),
}

impl Texts<'_> {
    /// Reads some texts more. They are numbered in their order, from 0 for the first of all; returns the numbers of these.
    pub fn read<T: AsRef<[u8]> + Sync>(&mut self, texts: &[T]) -> Result<Range<usize>, EvaluateError> {
        let (language, first) = (self.language, self.len());
        match &mut self.read {
            Read::Snippets(_, snippets) => {
                snippets.extend(texts.iter().map(|text| self.reader.read(language, text.as_ref()).ok()));
            }
            Read::Vectors { encoder, vectors, crowding } => {
                let codes: Vec<Code<'_>> =
                    texts.iter().map(|text| Code { language, text: text.as_ref() }).collect();
                let new = judge::encode(*encoder, &codes, false, &Silent)?;
                crowding.extend(new.rows().map(|row| encoder.crowding(row, language)));
                vectors.append(new);
            }
            Read::Plain(_, all) => all.extend(texts.iter().map(|text| text.as_ref().to_vec())),
        }
        Ok(first..first + texts.len())
    }

    /// How many texts it has read.
    pub(crate) fn len(&self) -> usize {
        match &self.read {
            Read::Snippets(_, snippets) => snippets.len(),
            Read::Vectors { crowding, .. } => crowding.len(),
            Read::Plain(_, texts) => texts.len(),
        }
    }

    /// How alike the two texts of each pair of numbers are, from 0 to 1.
    pub(crate) fn similarities(&self, pairs: &[[usize; 2]]) -> Result<Vec<f64>, EvaluateError> {
        match &self.read {
            Read::Snippets(measure, snippets) => {
                let of = |&[left, right]: &[usize; 2]| match (&snippets[left], &snippets[right]) {
                    (Some(left), Some(right)) => snippet::similarity(*measure, left, right),
                    _ => 0.0,
                };
                Ok(pairs.par_iter().with_min_len(TOGETHER).map(of).collect())
            }
            Read::Vectors { encoder, vectors, crowding } => {
                let curve = encoder.calibration().of(false);
                let of = |&[left, right]: &[usize; 2]| {
                    curve.probability(vectors.cosine(left, right), [crowding[left], crowding[right]])
                };
                Ok(pairs.iter().map(of).collect())
            }
            Read::Plain(detector, texts) => {
                let pairs: Vec<TextPair<'_>> =
                    pairs.iter().map(|pair| pair.map(|it| (self.language, texts[it].as_slice()))).collect();
                Ok(detector.scores_between(&pairs)?)
            }
        }
    }

    /// How like the text `number` each of `texts` is, which are read for that.
    pub fn beside(&mut self, number: usize, texts: &[Vec<u8>]) -> Result<Vec<f64>, EvaluateError> {
        let pairs: Vec<[usize; 2]> = self.read(texts)?.map(|other| [number, other]).collect();
        self.similarities(&pairs)
    }

    /// The cosine of the vectors of two texts, for encoders.
    pub(crate) fn cosine(&self, left: usize, right: usize) -> Option<f64> {
        match &self.read {
            Read::Vectors { vectors, .. } => Some(vectors.cosine(left, right)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::AnswerError;

    /// Says how much longer one text is than the other.
    #[derive(Debug)]
    struct Lengths;

    impl PairDetector for Lengths {
        fn name(&self) -> &'static str {
            "lengths"
        }

        fn scores_between(&self, pairs: &[TextPair<'_>]) -> Result<Vec<f64>, AnswerError> {
            let score = |[left, right]: &TextPair<'_>| {
                let (left, right) = (left.1.len(), right.1.len());
                left.min(right) as f64 / left.max(right) as f64
            };
            AnswerError::checked(pairs.iter().map(score).collect(), pairs.len())
        }
    }

    #[test]
    fn a_guest_is_asked_as_other_detectors_are() {
        let detector = Detector::Guest(Arc::new(Lengths));
        assert_eq!((detector.name(), detector.default_similarity()), ("lengths", USUAL_THRESHOLD));
        let code = |text| Code { language: Language::Python, text };
        let scores = detector.scores(&[[code(b"abcd"), code(b"ab")], [code(b"a"), code(b"b")]]);
        assert_eq!(scores.expect("they are numbers"), [0.5, 1.0]);
        let mut texts = detector.texts(Language::Python);
        let first = texts.read(&[b"abcd"]).expect("nothing is asked").start;
        assert_eq!(texts.beside(first, &[b"a".to_vec()]).expect("they are numbers"), [0.25]);
        let nothing = detector.scores(&[[code(b""), code(b"")]]).expect_err("0 / 0 is no number");
        assert!(nothing.to_string().contains("NaN is not a number from 0 to 1"), "{nothing}");
    }
}
