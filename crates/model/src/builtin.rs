//! The encoder that comes with the program.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::network::{Scratch, Sizes};
use crate::weights::Weights;
use crate::{Calibration, Code, EncodeError, Encoder, Sequence, SequenceReader, Vectors};

/// An encoder of ours: the one that comes with the program, or one of other weights.
#[derive(Clone, Debug)]
pub struct Builtin {
    weights: Arc<Weights>,
}

/// The weights that come with the program; their model card stands beside them.
static SHIPPED: &[u8] = include_bytes!("../weights/familiar-1.bin");

impl Builtin {
    /// The encoder that comes with the program.
    pub fn shipped() -> &'static Self {
        static ENCODER: OnceLock<Builtin> = OnceLock::new();
        ENCODER.get_or_init(|| {
            Self::new(Weights::read_static(SHIPPED).expect("a test reads the weights that are shipped"))
        })
    }

    /// The encoder of `weights`.
    pub fn new(weights: Weights) -> Self {
        Self { weights: Arc::new(weights) }
    }

    /// The encoder whose weights are in the file at `path`.
    pub fn open(path: &Path) -> Result<Self, EncodeError> {
        let failed = |reason: String| EncodeError::Failed { encoder: path.display().to_string(), reason };
        let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
        let weights = Weights::read(&bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Self::new(weights))
    }

    /// Multiply-adds for a fragment of so many tokens and statements.
    pub fn multiply_adds(&self, tokens: usize, statements: usize) -> usize {
        self.weights.network.sizes().multiply_adds(tokens, statements)
    }

    /// The vector of a sequence, of Euclidean length 1, written to `out`; zero for an empty one. What is longer than the
    /// context is read window after window, and each counts as much as it has tokens.
    pub fn encode_sequence(&self, sequence: &Sequence, scratch: &mut Scratch, out: &mut [f32]) {
        out.fill(0.0);
        let network = &self.weights.network;
        for window in windows(sequence, network.sizes()) {
            let tokens = window.len() as f32;
            let vector = network.vector(sequence, window, scratch);
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            if length > 0.0 && length.is_finite() {
                for (out, x) in out.iter_mut().zip(&vector) {
                    *out += x * (tokens / length);
                }
            }
        }
    }
}

impl Encoder for Builtin {
    fn name(&self) -> &str {
        &self.weights.name
    }

    fn calibration(&self) -> Calibration {
        self.weights.calibration
    }

    fn dimensions(&self) -> usize {
        self.weights.network.sizes().output
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let dimensions = self.dimensions();
        let mut values = vec![0.0; codes.len() * dimensions];
        values.par_chunks_exact_mut(dimensions).zip(codes).for_each_init(
            <(SequenceReader, Scratch)>::default,
            |(reader, scratch), (out, code)| {
                let sequence = reader.read(code.language, code.text);
                self.encode_sequence(&sequence, scratch, out);
            },
        );
        Ok(Vectors::normalized(dimensions, values))
    }
}

/// The tokens of `sequence` in windows that end with a statement where they can.
fn windows(sequence: &Sequence, sizes: &Sizes) -> Vec<Range<usize>> {
    let mut windows = Vec::new();
    let mut start = 0;
    while start < sequence.len() {
        let most = sequence.len().min(start + sizes.context);
        let first = usize::from(sequence.statements[start]);
        let statements = &sequence.statements[start..most];
        let fitting =
            statements.partition_point(|&statement| usize::from(statement) < first + sizes.statements);
        let mut end = start + fitting;
        if end < sequence.len() {
            // A statement that would be cut goes to the next window, unless it fills this one.
            let cut = sequence.statements[end];
            let whole = start + sequence.statements[start..end].partition_point(|&statement| statement < cut);
            if whole > start {
                end = whole;
            }
        }
        windows.push(start..end);
        start = end;
    }
    windows
}
