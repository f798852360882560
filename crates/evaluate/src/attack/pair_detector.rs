//! Detectors that are none of ours: what they are asked, and why they do not answer.

use std::time::Duration;

use familiar_source::Language;

/// Two texts with their languages.
pub type TextPair<'t> = [(Language, &'t [u8]); 2];

/// What says of any two texts how alike they are. Several threads may ask it at once.
pub trait PairDetector: std::fmt::Debug + Send + Sync {
    /// The name in results.
    fn name(&self) -> &str;

    /// A number from 0 to 1 for each of `pairs`, in their order.
    fn scores_between(&self, pairs: &[TextPair<'_>]) -> Result<Vec<f64>, AnswerError>;
}

/// Why a detector gave no scores.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AnswerError {
    #[error("the detector cannot be started: {0}")]
    Start(String),
    #[error("the detector has ended without an answer; run it by hand on one line of pairs to see why")]
    Ended,
    #[error("the detector gave no answer for {} seconds", .0.as_secs())]
    Silent(Duration),
    #[error("the detector gave no answer that can be used: {0}")]
    Nonsense(String),
    #[error("the detector failed: {0}")]
    Failed(String),
}

impl AnswerError {
    /// The scores, if there is one for each of `pairs` pairs and each is from 0 to 1.
    pub fn checked(scores: Vec<f64>, pairs: usize) -> Result<Vec<f64>, Self> {
        if scores.len() != pairs {
            return Err(Self::Nonsense(format!("{} scores for {pairs} pairs", scores.len())));
        }
        match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
            Some(score) => Err(Self::Nonsense(format!("{score} is not a number from 0 to 1"))),
            None => Ok(scores),
        }
    }
}
