//! Vectors of a model in ONNX, which runs on this machine.
//!
//! `files.rs` finds the model and what belongs to it, `windows.rs` turns text into the numbers that the model reads, `runtime.rs` has
//! it computed.

mod error;
mod files;
mod runtime;
mod windows;

use std::ops::Range;
use std::path::Path;

use familiar_model::{Code, EncodeError, Encoder, Vectors};
use rayon::prelude::*;

use files::Files;
use runtime::Model;
use windows::{Tokens, Window};

pub use error::{ONNX_LIBRARY, OnnxError};

/// Most windows and tokens, padding included, that are computed together.
const BATCH_WINDOWS: usize = 64;
const BATCH_TOKENS: usize = 8192;

/// A model of RoBERTa's kind (CodeBERT, GraphCodeBERT, UniXcoder), with its tokenizer.
///
/// The vector of a text is the mean over its tokens, or what the model itself gives for a text. A text that is longer than the model
/// reads is read in windows, each of which counts by its tokens. Equal texts have equal vectors but for rounding, which depends on
/// the texts beside them and on the machine.
#[derive(Debug)]
pub struct Onnx {
    name: String,
    model: Model,
    tokens: Tokens,
}

impl Onnx {
    /// The model of a folder, which holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, run on `threads` threads, as many
    /// as there are cores where that is 0. The first model that a process opens loads the run time: from `library`, else from where
    /// the system has it.
    pub fn open(dir: &Path, library: Option<&Path>, threads: usize) -> Result<Self, OnnxError> {
        let files = Files::find(dir)?;
        let config = files.config()?;
        let tokens = Tokens::open(&files.tokenizer, &config)?;
        runtime::load(library)?;
        let model = Model::open(&files.model, &tokens, threads)?;
        Ok(Self { name: files.name()?, model, tokens })
    }

    fn failed(&self, reason: String) -> EncodeError {
        EncodeError::Failed { encoder: self.name.clone(), reason }
    }
}

impl Encoder for Onnx {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.model.dimensions()
    }

    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError> {
        let windows: Vec<Vec<Window>> = codes
            .par_iter()
            .map(|code| self.tokens.windows(code.text))
            .collect::<Result<_, _>>()
            .map_err(|reason| self.failed(reason))?;
        let numbers =
            windows.iter().enumerate().flat_map(|(code, windows)| windows.iter().map(move |_| code));
        let codes_of: Vec<usize> = numbers.collect();
        let windows: Vec<&Window> = windows.iter().flatten().collect();
        let mut order: Vec<usize> = (0..windows.len()).collect();
        order.sort_by_key(|&at| windows[at].ids.len());
        let lengths: Vec<usize> = order.iter().map(|&at| windows[at].ids.len()).collect();
        let dimensions = self.dimensions();
        let mut rows = vec![0.0; windows.len() * dimensions];
        for batch in batches(&lengths) {
            let batch = &order[batch];
            let some: Vec<&Window> = batch.iter().map(|&at| windows[at]).collect();
            let values = self.model.run(&some).map_err(|reason| self.failed(reason))?;
            for (&at, row) in batch.iter().zip(values.chunks_exact(dimensions)) {
                rows[at * dimensions..][..dimensions].copy_from_slice(row);
            }
        }
        let mut values = vec![0.0; codes.len() * dimensions];
        for ((code, window), row) in codes_of.into_iter().zip(windows).zip(rows.chunks_exact(dimensions)) {
            let vector = &mut values[code * dimensions..][..dimensions];
            for (sum, x) in vector.iter_mut().zip(row) {
                *sum += x * window.ids.len() as f32;
            }
        }
        Ok(Vectors::normalized(dimensions, values))
    }
}

/// What is computed together of windows of these lengths, which ascend.
fn batches(lengths: &[usize]) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    for (at, length) in lengths.iter().enumerate() {
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_WINDOWS && (batch.len() + 1) * length <= BATCH_TOKENS => {
                batch.end = at + 1;
            }
            _ => batches.push(at..at + 1),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_by_windows_and_tokens() {
        assert_eq!(batches(&[1; BATCH_WINDOWS + 1]), [0..BATCH_WINDOWS, BATCH_WINDOWS..BATCH_WINDOWS + 1]);
        assert_eq!(batches(&[512; 17]), [0..16, 16..17]);
        assert_eq!(batches(&[1, BATCH_TOKENS * 2]), [0..1, 1..2]);
        assert!(batches(&[]).is_empty());
    }
}
