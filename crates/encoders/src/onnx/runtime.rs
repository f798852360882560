//! The run time, and a model in it. The only module that knows `ort`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ort::LoadDynamicError;
use ort::logging::LogLevel;
use ort::session::{Session, SessionInputValue, SessionOutputs};
use ort::value::{DynValue, Outlet, Tensor, TensorElementType, ValueType};

use super::error::OnnxError;
use super::windows::{Tokens, Window};

/// What the system's loader knows the run time by.
const LIBRARY: &str =
    if cfg!(target_vendor = "apple") { "libonnxruntime.dylib" } else { "libonnxruntime.so" };

/// How a model has to be exported.
const EXPORT: &str = "export the model for feature extraction, with any number of texts and tokens";

/// Loads the run time, unless it was loaded before.
pub(super) fn load(library: Option<&Path>) -> Result<(), OnnxError> {
    let path = match library {
        Some(path) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        None => PathBuf::from(LIBRARY),
    };
    let run_time = ort::init_from(path).map_err(|error| OnnxError::RunTime { reason: reason(&error) })?;
    // What goes wrong is an error; what it thinks of this machine concerns nobody.
    run_time.with_telemetry(false).with_logger(Arc::new(|_, _, _, _, _| {})).commit();
    Ok(())
}

/// Why the library cannot be loaded, as the system's loader says it.
fn reason(error: &LoadDynamicError) -> String {
    match error {
        LoadDynamicError::Dlopen { error: loader, path } => match loader.source() {
            Some(source) => format!("cannot load {}: {source}", path.display()),
            None => error.to_string(),
        },
        _ => error.to_string(),
    }
}

/// A model that is ready to run.
#[derive(Debug)]
pub(super) struct Model {
    session: Mutex<Session>,
    inputs: Vec<Input>,
    output: Output,
    dimensions: usize,
    padding: i64,
    first_position: i64,
}

#[derive(Debug)]
struct Input {
    name: String,
    what: What,
    /// 32 bits for each number, not 64.
    is_short: bool,
}

/// What a model is given for each token.
#[derive(Clone, Copy, Debug)]
enum What {
    Ids,
    Mask,
    Types,
    Positions,
}

/// Where a model has its vectors.
#[derive(Debug)]
struct Output {
    name: String,
    /// A vector for each token, not for each text.
    of_tokens: bool,
}

impl Model {
    /// Opens a model and runs it once on two tokens, which tells how long its vectors are.
    pub(super) fn open(path: &Path, tokens: &Tokens, threads: usize) -> Result<Self, OnnxError> {
        let unusable = |reason: String| OnnxError::unusable(path, reason);
        let no_model =
            |error: String| unusable(format!("the run time does not accept this model: {error}; {EXPORT}"));
        let session = session(path, threads).map_err(no_model)?;
        let inputs = session.inputs().iter().map(input).collect::<Result<_, _>>().map_err(unusable)?;
        let mut model = Self {
            session: Mutex::new(session),
            inputs,
            output: Output { name: String::new(), of_tokens: false },
            dimensions: 0,
            padding: tokens.padding,
            first_position: tokens.first_position,
        };
        let probe = Window { ids: vec![0; 2], types: vec![0; 2] };
        let found = model.compute(&[&probe], |outputs| Ok(find_output(outputs)));
        let found = found.map_err(|error| unusable(format!("it does not run: {error}; {EXPORT}")))?;
        let Some((output, dimensions)) = found else {
            return Err(unusable(format!(
                "it gives no vectors of 32-bit numbers, neither one for each token nor one for each text; {EXPORT}"
            )));
        };
        (model.output, model.dimensions) = (output, dimensions);
        Ok(model)
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// A vector for each of `windows`, one after another; fails with the reason.
    pub(super) fn run(&self, windows: &[&Window]) -> Result<Vec<f32>, String> {
        let longest = longest(windows);
        let values = self.compute(windows, |outputs| {
            let output = outputs.get(&self.output.name).ok_or("it no longer gives its output")?;
            let (shape, values) = output
                .try_extract_tensor::<f32>()
                .map_err(|error| format!("it does not give numbers: {error}"))?;
            let rows = windows.len() * if self.output.of_tokens { longest } else { 1 };
            if values.len() != rows * self.dimensions {
                return Err(format!(
                    "it gives {shape:?} numbers for {} texts of {longest} tokens",
                    windows.len()
                ));
            }
            if !self.output.of_tokens {
                return Ok(values.to_vec());
            }
            let texts = values.chunks_exact(longest * self.dimensions);
            Ok(texts.zip(windows).flat_map(|(text, window)| self.mean(text, window.ids.len())).collect())
        })?;
        if values.iter().all(|value| value.is_finite()) {
            return Ok(values);
        }
        Err("it gives numbers that are not finite; try a model with 32-bit numbers".to_owned())
    }

    /// The mean of the first `tokens` vectors, the rest being padding.
    fn mean(&self, vectors: &[f32], tokens: usize) -> Vec<f32> {
        let mut mean = vec![0.0; self.dimensions];
        for vector in vectors.chunks_exact(self.dimensions).take(tokens) {
            for (sum, x) in mean.iter_mut().zip(vector) {
                *sum += x;
            }
        }
        for sum in &mut mean {
            *sum /= tokens as f32;
        }
        mean
    }

    /// What `read` makes of the outputs for `windows`.
    fn compute<T>(
        &self,
        windows: &[&Window],
        read: impl FnOnce(&SessionOutputs<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let fed = self.inputs.iter().map(|input| Ok((input.name.as_str(), self.feed(input, windows)?)));
        let fed: Vec<(&str, DynValue)> =
            fed.collect::<ort::Result<_>>().map_err(|error| error.to_string())?;
        let fed: Vec<(&str, SessionInputValue<'_>)> =
            fed.into_iter().map(|(name, value)| (name, value.into())).collect();
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs = session.run(fed).map_err(|error| error.to_string())?;
        read(&outputs)
    }

    /// The numbers of one input: a row for each window, padded to the longest.
    fn feed(&self, input: &Input, windows: &[&Window]) -> ort::Result<DynValue> {
        let longest = longest(windows);
        let value = |window: &Window, (at, position): (usize, i64)| match (window.ids.get(at), input.what) {
            (Some(&id), What::Ids) => id,
            (Some(_), What::Mask) => 1,
            (Some(_), What::Types) => window.types[at],
            (Some(_), What::Positions) => self.first_position + position,
            (None, What::Ids) => self.padding,
            (None, What::Positions) => self.first_position.max(1) - 1,
            (None, What::Mask | What::Types) => 0,
        };
        let values = windows.iter().flat_map(|window| (0..longest).zip(0..).map(move |at| value(window, at)));
        let shape = [windows.len(), longest];
        Ok(if input.is_short {
            Tensor::from_array((shape, values.map(|value| value as i32).collect::<Vec<_>>()))?.into_dyn()
        } else {
            Tensor::from_array((shape, values.collect::<Vec<i64>>()))?.into_dyn()
        })
    }
}

fn longest(windows: &[&Window]) -> usize {
    windows.iter().map(|window| window.ids.len()).max().unwrap_or(0)
}

fn session(path: &Path, threads: usize) -> Result<Session, String> {
    let builder = Session::builder().map_err(|error| error.to_string())?;
    let builder = builder.with_log_level(LogLevel::Fatal).map_err(|error| error.to_string())?;
    let builder = builder.with_deterministic_compute(true).map_err(|error| error.to_string())?;
    let mut builder = builder.with_intra_threads(threads).map_err(|error| error.to_string())?;
    builder.commit_from_file(path).map_err(|error| error.to_string())
}

/// What an input of a model is for, by its name.
fn input(outlet: &Outlet) -> Result<Input, String> {
    let name = outlet.name();
    let what = match name {
        "input_ids" => What::Ids,
        "attention_mask" => What::Mask,
        "token_type_ids" => What::Types,
        "position_ids" => What::Positions,
        _ => return Err(format!("it needs the input {name}, which texts do not have; {EXPORT}")),
    };
    let is_short = match outlet.dtype() {
        ValueType::Tensor { ty: TensorElementType::Int64, .. } => false,
        ValueType::Tensor { ty: TensorElementType::Int32, .. } => true,
        other => return Err(format!("it needs {name} as {other} instead of whole numbers; {EXPORT}")),
    };
    Ok(Input { name: name.to_owned(), what, is_short })
}

/// The output that has vectors, and how long they are, among those for one text of two tokens: the one for whole texts where the model
/// was trained for that, else those of tokens, else whatever is there for texts.
fn find_output(outputs: &SessionOutputs<'_>) -> Option<(Output, usize)> {
    let candidates: Vec<(&str, bool, usize)> = outputs
        .iter()
        .filter_map(|(name, value)| {
            let (shape, _) = value.try_extract_tensor::<f32>().ok()?;
            match shape[..] {
                [1, 2, dimensions] if dimensions > 0 => Some((name, true, dimensions as usize)),
                [1, dimensions] if dimensions > 0 => Some((name, false, dimensions as usize)),
                _ => None,
            }
        })
        .collect();
    let named = |wanted: &str| candidates.iter().find(|(name, ..)| *name == wanted);
    let found = named("sentence_embedding")
        .or_else(|| named("last_hidden_state"))
        .or_else(|| candidates.iter().find(|(_, of_tokens, _)| *of_tokens))
        .or_else(|| candidates.first());
    found.map(|&(name, of_tokens, dimensions)| (Output { name: name.to_owned(), of_tokens }, dimensions))
}
