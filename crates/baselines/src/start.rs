//! Weights that a training starts from: those of another model.
//!
//! A network that has learnt one task starts with what it knows on another one, as C-BERT is fine-tuned (Puri et al. 2021, Appendix D).
//! It sees programs as before, and the last layers are new.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use candle_core::{Device, Tensor};

use crate::BaselineError;
use crate::input::Vocabulary;
use crate::saved::{self, Saved};
use crate::settings::Settings;
use crate::step::Baseline;

/// A trained model.
pub(crate) struct Start {
    folder: PathBuf,
    saved: Saved,
    tensors: HashMap<String, Tensor>,
    sha256: String,
}

impl Start {
    pub(crate) fn open(folder: &Path, device: &Device) -> Result<Self, BaselineError> {
        let saved = Saved::read(folder)?;
        let (tensors, sha256) = saved::weights(folder, device)?;
        Ok(Self { folder: folder.to_owned(), saved, tensors, sha256 })
    }

    /// Makes the settings see programs as the trained model does.
    pub(crate) fn fit(&self, settings: &mut Settings) -> Result<(), BaselineError> {
        let name = |it: &Settings| format!("{} ({})", it.model.name(), it.size.name());
        let (found, asked) = (name(&self.saved.settings), name(settings));
        if found != asked {
            return Err(BaselineError::OtherModel { path: self.folder.clone(), found, asked });
        }
        settings.view = self.saved.settings.view;
        settings.from = Some(self.sha256.clone());
        Ok(())
    }

    pub(crate) fn vocabulary(&self) -> Vocabulary {
        self.saved.vocabulary()
    }

    /// Gives its weights to those of a new model that have their name and shape, and says how many numbers these are.
    pub(crate) fn give(&self, baseline: &Baseline) -> Result<usize, BaselineError> {
        let mut taken = 0;
        for (name, weight) in &baseline.weights.by_name {
            if let Some(tensor) = self.tensors.get(name).filter(|it| it.shape() == weight.shape()) {
                weight.set(tensor)?;
                taken += weight.elem_count();
            }
        }
        Ok(taken)
    }
}
