//! The folder of a model: what it is, its weights, and where its training stands.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use candle_core::{Device, Tensor};
use familiar_source::words::hexadecimal;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::BaselineError;
use crate::benchmark::Problems;
use crate::input::Vocabulary;
use crate::scale::Scale;
use crate::settings::Settings;
use crate::step::Baseline;
use crate::task::Head;
use crate::weights::Weights;

const SCHEMA: &str = "familiar.codenet-model/1";
const MODEL: &str = "model.json";
/// The weights of the best epoch.
const WEIGHTS: &str = "weights.safetensors";
/// The weights of the last step, with the state of the optimizer.
const CHECKPOINT: &str = "checkpoint.safetensors";

/// What a model is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// `familiar.codenet-model/1`.
    pub schema: String,
    pub settings: Settings,
    /// How many programs it was trained and validated on.
    pub trained_on: usize,
    pub validated_on: usize,
    /// How many numbers its weights are.
    pub weights: usize,
    /// The problems that it tells apart, in the order of their numbers.
    pub problems: Vec<String>,
    /// The symbols that it knows, in the order of their numbers.
    pub symbols: Vec<Box<str>>,
    /// How numbers are learnt, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    pub epochs: Vec<Epoch>,
}

/// What an epoch came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    pub epoch: usize,
    /// Mean loss of its steps, since training was last started.
    pub loss: f64,
    /// The task's measure on the validation: accuracy, MAP@R, the share of masked words, or R².
    pub valid: f64,
    /// The same on data that were asked to be watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<f64>,
    pub seconds: f64,
}

impl Saved {
    pub(crate) fn new(
        settings: &Settings,
        vocabulary: &Vocabulary,
        problems: &Problems,
        trained_on: usize,
        validated_on: usize,
        weights: usize,
    ) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            settings: settings.clone(),
            trained_on,
            validated_on,
            weights,
            problems: problems.names().to_vec(),
            symbols: vocabulary.names().to_vec(),
            scale: None,
            epochs: Vec::new(),
        }
    }

    pub fn read(folder: &Path) -> Result<Self, BaselineError> {
        let path = folder.join(MODEL);
        let failed = |reason: String| BaselineError::NoModel { path: folder.to_owned(), reason };
        let text = fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                failed("it has no model.json. Train a model with `familiar codenet train`".to_owned())
            }
            _ => BaselineError::Read { path, source },
        })?;
        let saved: Self = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
        if saved.schema == SCHEMA {
            Ok(saved)
        } else {
            Err(failed(format!("its schema is {}", saved.schema)))
        }
    }

    /// Goes on with what stands in the folder, where it is the same model.
    pub(crate) fn resume(&mut self, folder: &Path) -> Result<bool, BaselineError> {
        if !folder.join(MODEL).exists() {
            return Ok(false);
        }
        let before = Self::read(folder)?;
        let compared = Self { epochs: before.epochs.clone(), ..self.clone() };
        let more_epochs = Settings { epochs: before.settings.epochs, ..self.settings.clone() };
        if (Self { settings: more_epochs, ..compared }) != before {
            return Err(BaselineError::OtherSettings { path: folder.to_owned() });
        }
        self.epochs = before.epochs;
        Ok(checkpoint(folder).exists())
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), BaselineError> {
        let path = folder.join(MODEL);
        let failed = |source| BaselineError::Write { path: path.clone(), source };
        let text = serde_json::to_vec_pretty(self).map_err(|error| failed(error.into()))?;
        let unfinished = folder.join("model.json.unfinished");
        fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path)).map_err(failed)
    }

    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new(self.settings.view, self.symbols.clone())
    }

    pub fn problems(&self) -> Problems {
        Problems::new(self.problems.clone())
    }

    /// The epoch that was best on the validation.
    pub fn best(&self) -> Option<&Epoch> {
        self.epochs.iter().reduce(|best, next| if next.valid > best.valid { next } else { best })
    }

    /// The model with its first weights.
    pub(crate) fn untrained(&self, device: &Device) -> Result<Baseline, BaselineError> {
        untrained(&self.settings, self.vocabulary().len(), self.problems.len(), self.scale, device)
    }

    /// The model with the weights of its best epoch.
    pub(crate) fn trained(&self, folder: &Path, device: &Device) -> Result<Baseline, BaselineError> {
        let baseline = self.untrained(device)?;
        let failed = |reason: String| BaselineError::NoModel { path: folder.to_owned(), reason };
        let (mut tensors, _) = weights(folder, device)?;
        for (name, weight) in &baseline.weights.by_name {
            let tensor = tensors.remove(name).ok_or_else(|| failed(format!("its weights lack {name}")))?;
            weight.set(&tensor)?;
        }
        Ok(baseline)
    }
}

pub(crate) fn untrained(
    settings: &Settings,
    symbols: usize,
    problems: usize,
    scale: Option<Scale>,
    device: &Device,
) -> Result<Baseline, BaselineError> {
    let mut weights = Weights::new(device, settings.seed);
    let network = crate::network::new(settings, symbols, &mut weights)?;
    let head = Head::new(settings, network.as_ref(), problems, symbols, scale, &mut weights)?;
    Ok(Baseline { network, head, weights })
}

pub(crate) fn checkpoint(folder: &Path) -> PathBuf {
    folder.join(CHECKPOINT)
}

/// Writes the weights of the best epoch, whole or not at all.
pub(crate) fn write_weights(baseline: &Baseline, folder: &Path) -> Result<(), BaselineError> {
    let path = folder.join(WEIGHTS);
    let unfinished = folder.join("weights.unfinished");
    let tensors: HashMap<String, Tensor> = baseline
        .weights
        .by_name
        .iter()
        .map(|(name, weight)| (name.clone(), weight.as_tensor().clone()))
        .collect();
    candle_core::safetensors::save(&tensors, &unfinished)?;
    fs::rename(&unfinished, &path).map_err(|source| BaselineError::Write { path, source })
}

/// The weights of the best epoch by their names, and the SHA-256 of their file.
pub(crate) fn weights(
    folder: &Path,
    device: &Device,
) -> Result<(HashMap<String, Tensor>, String), BaselineError> {
    let path = folder.join(WEIGHTS);
    let failed = |reason: String| BaselineError::NoModel { path: folder.to_owned(), reason };
    if !path.exists() {
        return Err(failed("no epoch of its training has ended".to_owned()));
    }
    let bytes = fs::read(&path).map_err(|source| BaselineError::Read { path: path.clone(), source })?;
    let tensors = candle_core::safetensors::load_buffer(&bytes, device);
    let sha256 = hexadecimal(&Sha256::digest(&bytes));
    Ok((tensors.map_err(|error| failed(error.to_string()))?, sha256))
}
