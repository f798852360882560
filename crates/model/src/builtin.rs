//! The encoder that comes with the program.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use familiar_source::Language;

use crate::background::Background;
use crate::bag::Features;
use crate::explain::{self, Explain, Explanation, Side};
use crate::network::{Linear, Quantized, Scratch, Sizes};
use crate::spelling;
use crate::weights::Weights;
use crate::{Blend, Calibration, Code, EncodeError, Encoder, Sequence, SequenceReader, Vectors};

/// An encoder of ours: the one that comes with the program, or one of other weights.
///
/// Its vectors are the network's, the words', the spelling's and the forms' side by side, each as long as the blend of the stage says, so
/// that the cosine of two is a weighted mean of the cosines of the parts; and then turned so that a few numbers say nearly as much.
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
static SHIPPED: &[u8] = include_bytes!("../weights/familiar-5.bin");

/// Different words for each different form, from which on words count in full, and their spelling. Fewer say less: the names of
/// contest programs are mostly those of input and output.
const ENOUGH_WORDS: f32 = 0.045;
const ENOUGH_FOR_SPELLING: f32 = 0.06;

/// Room for what is computed on the way to a vector.
#[derive(Debug, Default)]
struct Room {
    reader: SequenceReader,
    features: Features,
    scratch: Scratch,
    parts: Vec<f32>,
    quantized: Quantized,
    projected: Vec<f32>,
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
        let metadata = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
        if !metadata.is_file() {
            return Err(failed("it is no regular file".to_owned()));
        }
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

    #[cfg(test)]
    pub(crate) fn bag(&self) -> &crate::bag::Bag {
        &self.weights.bag
    }

    /// What the network knows of each statement of a sequence by itself; row after row.
    fn states(&self, sequence: &Sequence, scratch: &mut Scratch) -> Vec<f32> {
        let network = &self.weights.network;
        let columns = network.sizes().statement;
        let mut states = vec![0.0; sequence.statement_count() * columns];
        for window in windows(sequence, network.sizes()) {
            let first = usize::from(sequence.statements[window.start]);
            let rows = network.states(sequence, window, scratch);
            for (to, row) in states[first * columns..].iter_mut().zip(rows) {
                // A statement that fills more than a window is the sum of its pieces.
                *to += row;
            }
        }
        states
    }

    fn blend(&self) -> &Blend {
        match self.stage {
            Stage::Static => &self.weights.blends.bags,
            Stage::Whole => &self.weights.blends.whole,
        }
    }

    fn projection(&self) -> &Linear {
        let [of_bags, of_all] = &self.weights.projections;
        match self.stage {
            Stage::Static => of_bags,
            Stage::Whole => of_all,
        }
    }

    /// How many numbers the network has in the parts of a vector, the words, the spelling, and the forms.
    fn sizes(&self) -> [usize; 4] {
        let sizes = self.weights.network.sizes();
        let network = if self.stage == Stage::Whole { sizes.output } else { 0 };
        [network, sizes.bag, spelling::COLUMNS, sizes.bag]
    }

    /// The parts of the vector of `sequence` side by side, for a background: each of length 1, but for names that say little.
    pub fn unblended(&self, sequence: &Sequence) -> Vec<f32> {
        let mut room = Room::default();
        self.read_parts(sequence, &mut room);
        room.parts
    }

    /// The parts of a vector, each as long as it counts: what is projected.
    pub fn blended(&self, mut parts: Vec<f32>) -> Vec<f32> {
        self.blend_parts(&mut parts);
        parts
    }

    /// The vector of `code`, written to `out`; zero for code without anything to read.
    fn encode_one(&self, code: Code<'_>, room: &mut Room, out: &mut [f32]) {
        let sequence = room.reader.read(code.language, code.text);
        self.read_parts(&sequence, room);
        self.blend_parts(&mut room.parts);
        self.project(room, out);
    }

    /// Makes one vector of the parts in `room`.
    fn project(&self, room: &mut Room, out: &mut [f32]) {
        self.projection().apply(&room.parts, &mut room.quantized, &mut room.projected);
        out.copy_from_slice(&room.projected);
    }

    /// Puts the parts of a vector side by side.
    fn read_parts(&self, sequence: &Sequence, room: &mut Room) {
        let Room { features, scratch, parts, .. } = room;
        let sizes = self.sizes();
        parts.clear();
        parts.resize(sizes.iter().sum(), 0.0);
        let [network, words, spelling, forms] = split(parts, sizes);
        if !network.is_empty() {
            self.read_sequence(sequence, scratch, network);
        }
        features.read(sequence);
        self.weights.bag.vectors(features, words, spelling, forms);
        let words_per_form = features.words.len() as f32 / features.forms.len().max(1) as f32;
        let [of_words, of_spelling] =
            [ENOUGH_WORDS, ENOUGH_FOR_SPELLING].map(|enough| (words_per_form / enough).min(1.0));
        for (part, length) in [(network, 1.0), (words, of_words), (spelling, of_spelling), (forms, 1.0)] {
            scale(part, length);
        }
    }

    /// Makes each part as many times as long as it counts.
    fn blend_parts(&self, parts: &mut [f32]) {
        for (part, length) in split(parts, self.sizes()).into_iter().zip(self.blend().lengths()) {
            for x in part {
                *x *= length;
            }
        }
    }

    /// The background, its parts put together as those of the vectors are.
    fn background(&self) -> &Background {
        self.background.get_or_init(|| {
            let (stored, dimensions) = (&self.weights.background, self.dimensions());
            let parts: usize = self.sizes().iter().sum();
            let mut values = vec![0.0; stored.rows() * dimensions];
            // On this thread alone: one that waits for others meanwhile takes up work that may ask for the background itself.
            let mut room = Room::default();
            for (at, out) in values.chunks_exact_mut(dimensions).enumerate() {
                let row = stored.row(at);
                // The network is the first part, which the static stage has not.
                room.parts = self.blended(row[row.len() - parts..].to_vec());
                self.project(&mut room, out);
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

/// The parts of a vector, which stand side by side.
fn split(vector: &mut [f32], sizes: [usize; 4]) -> [&mut [f32]; 4] {
    let mut rest = vector;
    sizes.map(|size| {
        let (part, others) = std::mem::take(&mut rest).split_at_mut(size);
        rest = others;
        part
    })
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

    /// The whole encoder: its first stage knows no statements.
    fn explainer(&self) -> Option<&dyn Explain> {
        (self.stage == Stage::Whole).then_some(self)
    }

    fn dimensions(&self) -> usize {
        self.projection().outputs()
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

impl Explain for Builtin {
    fn explain(&self, codes: [Code<'_>; 2]) -> Explanation {
        let mut room = Room::default();
        let sides = codes.map(|code| {
            let placed = room.reader.read_placed(code.language, code.text);
            self.read_parts(&placed.sequence, &mut room);
            let parts = self.blended(std::mem::take(&mut room.parts));
            let states = self.states(&placed.sequence, &mut room.scratch);
            Side { code, placed, parts, states }
        });
        explain::explain(&self.weights.bag, self.sizes(), sides)
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
