//! The encoder that comes with the program.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use familiar_source::Language;

use crate::background::Background;
use crate::bag::Features;
use crate::network::{Scratch, Sizes};
use crate::weights::Weights;
use crate::{Blend, Calibration, Code, EncodeError, Encoder, Sequence, SequenceReader, Vectors};

/// An encoder of ours: the one that comes with the program, or one of other weights.
///
/// Its vectors are the network's, the words' and the forms' side by side, each as long as the blend of the stage says, so that the
/// cosine of two vectors is a weighted mean of the cosines of the parts.
#[derive(Clone, Debug)]
pub struct Builtin {
    weights: Arc<Weights>,
    stage: Stage,
    name: String,
    /// Put together when it is first asked for.
    background: Arc<OnceLock<Background>>,
}

/// How much is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The static stage alone: tables are looked up.
    Static,
    /// The static stage, and the network that reads the sequence.
    Whole,
}

/// The weights that come with the program; their model card stands beside them.
static SHIPPED: &[u8] = include_bytes!("../weights/familiar-3.bin");

/// Different words for each different form, from which on words count in full. Fewer say less: the names of contest programs are
/// mostly those of input and output.
const ENOUGH_WORDS: f32 = 0.045;

/// Room for what is computed on the way to a vector.
#[derive(Debug, Default)]
struct Room {
    reader: SequenceReader,
    features: Features,
    scratch: Scratch,
}

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
        let name = weights.name.clone();
        Self { name, weights: Arc::new(weights), stage: Stage::Whole, background: Arc::default() }
    }

    /// The encoder whose weights are in the file at `path`.
    pub fn open(path: &Path) -> Result<Self, EncodeError> {
        let failed = |reason: String| EncodeError::Failed { encoder: path.display().to_string(), reason };
        let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
        let weights = Weights::read(&bytes).map_err(|error| failed(error.to_string()))?;
        Ok(Self::new(weights))
    }

    /// The same weights, used as far as `stage` says.
    pub fn at_stage(&self, stage: Stage) -> Self {
        let name = match stage {
            Stage::Static => format!("{} static", self.weights.name),
            Stage::Whole => self.weights.name.clone(),
        };
        Self { weights: Arc::clone(&self.weights), stage, name, background: Arc::default() }
    }

    /// Multiply-adds of the network for a fragment of so many tokens and statements.
    pub fn multiply_adds(&self, tokens: usize, statements: usize) -> usize {
        self.weights.network.sizes().multiply_adds(tokens, statements)
    }

    fn blend(&self) -> &Blend {
        match self.stage {
            Stage::Static => &self.weights.blends.bags,
            Stage::Whole => &self.weights.blends.whole,
        }
    }

    /// For each part how much it counts and how many numbers it has: the network, the words, the forms.
    fn parts(&self) -> [(f32, usize); 3] {
        let (blend, sizes) = (self.blend(), self.weights.network.sizes());
        let part = |share: f32, size| if share > 0.0 { (share, size) } else { (0.0, 0) };
        [part(blend.network, sizes.output), part(blend.words, sizes.bag), part(blend.forms, sizes.bag)]
    }

    /// The parts of the vector of `sequence`, for a background: each of length 1, but for words that say little.
    pub fn unblended(&self, sequence: &Sequence) -> Vec<f32> {
        let sizes = self.weights.network.sizes();
        let mut out = vec![0.0; sizes.unblended()];
        self.encode_parts(sequence, [sizes.output, sizes.bag, sizes.bag], &mut Room::default(), &mut out);
        out
    }

    /// The vector of `code`, written to `out`; zero for code without anything to read.
    fn encode_one(&self, code: Code<'_>, room: &mut Room, out: &mut [f32]) {
        let sequence = room.reader.read(code.language, code.text);
        let parts = self.parts();
        self.encode_parts(&sequence, parts.map(|(_, size)| size), room, out);
        blend(parts, out);
    }

    /// The parts of a vector side by side, as many numbers of each as `sizes` say, which may be none.
    fn encode_parts(&self, sequence: &Sequence, sizes: [usize; 3], room: &mut Room, out: &mut [f32]) {
        let (network, bags) = out.split_at_mut(sizes[0]);
        if !network.is_empty() {
            self.read_sequence(sequence, &mut room.scratch, network);
        }
        let (words, forms) = bags.split_at_mut(sizes[1]);
        room.features.read(sequence);
        self.weights.bag.vectors(&room.features, words, forms);
        let told = room.features.words.len() as f32 / room.features.forms.len().max(1) as f32;
        scale(network, 1.0);
        scale(words, (told / ENOUGH_WORDS).min(1.0));
        scale(forms, 1.0);
    }

    /// The background, its parts put together as those of the vectors are.
    fn background(&self) -> &Background {
        self.background.get_or_init(|| {
            let (parts, sizes, stored) =
                (self.parts(), self.weights.network.sizes(), &self.weights.background);
            let dimensions = self.dimensions();
            let mut values = Vec::with_capacity(stored.rows() * dimensions);
            for at in 0..stored.rows() {
                let row = stored.row(at);
                let (network, bags) = row.split_at(sizes.output);
                let (words, forms) = bags.split_at(sizes.bag);
                for (of, (_, size)) in [network, words, forms].into_iter().zip(parts) {
                    values.extend_from_slice(&of[..size]);
                }
                let start = values.len() - dimensions;
                blend(parts, &mut values[start..]);
            }
            let vectors = Vectors::normalized(dimensions, values);
            Background::new(dimensions, &stored.languages, vectors.values().to_vec())
        })
    }

    /// The network's vector of a sequence. What is longer than the context is read window after window, and each counts as much as
    /// it has tokens.
    fn read_sequence(&self, sequence: &Sequence, scratch: &mut Scratch, out: &mut [f32]) {
        out.fill(0.0);
        let network = &self.weights.network;
        for window in windows(sequence, network.sizes()) {
            let tokens = window.len() as f32;
            let mut vector = network.vector(sequence, window, scratch);
            scale(&mut vector, tokens);
            for (out, x) in out.iter_mut().zip(&vector) {
                *out += x;
            }
        }
    }
}

/// Makes each part of a vector as many times as long as it counts.
fn blend(parts: [(f32, usize); 3], vector: &mut [f32]) {
    let mut rest = vector;
    for (share, size) in parts {
        let (part, others) = rest.split_at_mut(size);
        for x in part {
            *x *= share;
        }
        rest = others;
    }
}

/// Makes a vector as long as `length`; one without length becomes zero.
fn scale(vector: &mut [f32], length: f32) {
    let is = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let factor = if is > 0.0 && is.is_finite() { length / is } else { 0.0 };
    for x in vector {
        *x = if factor > 0.0 { *x * factor } else { 0.0 };
    }
}

impl Encoder for Builtin {
    fn name(&self) -> &str {
        &self.name
    }

    fn calibration(&self) -> Calibration {
        self.blend().calibration
    }

    fn crowding(&self, vector: &[f32], language: Language) -> f32 {
        self.background().crowding(vector, language)
    }

    /// The static stage, where its bags are part of the whole.
    fn first_stage(&self) -> Option<Box<dyn Encoder>> {
        let blend = &self.weights.blends.whole;
        let has_bags = blend.words > 0.0 || blend.forms > 0.0;
        let is_whole = self.stage == Stage::Whole && blend.network > 0.0;
        (is_whole && has_bags).then(|| Box::new(self.at_stage(Stage::Static)) as Box<dyn Encoder>)
    }

    fn dimensions(&self) -> usize {
        self.parts().iter().map(|(_, size)| size).sum::<usize>().max(1)
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let dimensions = self.dimensions();
        let mut values = vec![0.0; codes.len() * dimensions];
        values
            .par_chunks_exact_mut(dimensions)
            .zip(codes)
            .for_each_init(Room::default, |room, (out, &code)| self.encode_one(code, room, out));
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
