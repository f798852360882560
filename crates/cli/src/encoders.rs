//! Encoders by the names that `--encoder` takes.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use familiar_engine::Measure;
use familiar_evaluate::Judge;
use familiar_model::{Builtin, Encoder};

/// The encoder that `name` stands for: `builtin`, or `weights:FILE` with weights that `familiar train` made.
pub(crate) fn open(name: &str) -> anyhow::Result<Arc<dyn Encoder>> {
    match name.split_once(':') {
        None if name == "builtin" => Ok(Arc::new(Builtin::shipped().clone())),
        Some(("weights", file)) => Ok(Arc::new(Builtin::open(Path::new(file))?)),
        _ => bail!("no encoder is called {name}: give builtin, or weights:FILE"),
    }
}

/// What judges: the encoder where one is named, else the measure.
pub(crate) fn judge(encoder: Option<&str>, measure: Measure) -> anyhow::Result<Judge> {
    Ok(match encoder {
        Some(name) => Judge::Encoder(open(name)?),
        None => Judge::Measure(measure),
    })
}
