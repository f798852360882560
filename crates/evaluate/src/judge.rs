//! What says how alike two pieces of code are: a measure of tokens, or an encoder.

use std::fmt;
use std::sync::Arc;

use familiar_engine::Measure;
use familiar_model::{Code, Encoder, Vectors};
use familiar_source::{Language, Progress};
use familiar_syntax::Parser;
use rayon::prelude::*;

use crate::{EvaluateError, blind};

/// The least probability of a clone, where none is given: the one at which `clones` reports.
const PROBABILITY: f64 = familiar_engine::CONFIDENCE;

/// Pieces that an encoder is given at a time.
const CHUNK: usize = 128;

/// What judges how alike two pieces of code are.
#[derive(Clone)]
pub enum Judge {
    /// A measure of their tokens.
    Measure(Measure),
    /// How near their vectors are: pairs by the probability that it gives, retrieval by the cosine.
    Encoder(Arc<dyn Encoder>),
}

impl Judge {
    /// The name in results.
    pub fn name(&self) -> &str {
        match self {
            Self::Measure(measure) => measure.name(),
            Self::Encoder(encoder) => encoder.name(),
        }
    }

    /// The least similarity of a clone, where none is given.
    pub fn default_similarity(&self) -> f64 {
        match self {
            Self::Measure(measure) => measure.default_similarity(),
            Self::Encoder(_) => PROBABILITY,
        }
    }
}

impl Default for Judge {
    fn default() -> Self {
        Self::Measure(Measure::default())
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Judge").field(&self.name()).finish()
    }
}

/// A vector for each of `codes`, which are decoded text; with `blinded`, of the text without its names.
pub(crate) fn encode(
    encoder: &dyn Encoder,
    codes: &[Code<'_>],
    blinded: bool,
    progress: &dyn Progress,
) -> Result<Vectors, EvaluateError> {
    let chunks: Vec<Vectors> = codes
        .par_chunks(CHUNK)
        .map_init(Parser::default, |parser, chunk| {
            progress.advance(0);
            if !blinded {
                return encoder.encode(chunk);
            }
            let blind = |code: &Code<'_>| (code.language, blind::blind(parser, code.language, code.text));
            let texts: Vec<(Language, Vec<u8>)> = chunk.iter().map(blind).collect();
            let codes: Vec<Code<'_>> =
                texts.iter().map(|(language, text)| Code { language: *language, text }).collect();
            encoder.encode(&codes)
        })
        .collect::<Result<_, _>>()?;
    let mut vectors = Vectors::default();
    for chunk in chunks {
        vectors.append(chunk);
    }
    Ok(vectors)
}
