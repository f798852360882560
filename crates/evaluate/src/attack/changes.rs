//! The detector that looks at what changed, kind by kind.

use familiar_model::{Code, changes};
use familiar_syntax::Parser;
use rayon::prelude::*;

use super::pair_detector::{AnswerError, PairDetector, TextPair};

/// Says how probable it is that what changed between two texts leaves their behavior as it is (`familiar_model::changes`). It knows
/// nothing else of them, so it is for texts that look alike. It gives 0 to texts of two language families, and to texts
/// that are too long and too different to be aligned.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChangesDetector;

impl ChangesDetector {
    /// Its name as a detector.
    pub const NAME: &str = "changes";
}

impl PairDetector for ChangesDetector {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn scores_between(&self, pairs: &[TextPair<'_>]) -> Result<Vec<f64>, AnswerError> {
        let of = |parser: &mut Parser, pair: &TextPair<'_>| {
            let codes = pair.map(|(language, text)| Code { language, text });
            changes(parser, codes).map_or(0.0, |changes| changes.same_behavior())
        };
        Ok(pairs.par_iter().map_init(Parser::default, of).collect())
    }
}
