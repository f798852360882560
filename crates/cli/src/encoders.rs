//! Encoders by the names that `--encoder` takes.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use familiar_model::{Builtin, Encoder, Stage};
use familiar_source::words;

/// The encoder that `name` stands for: `builtin`, its static stage alone as `static`, either with weights that `familiar train`
/// made (`weights:FILE`, `static:FILE`), a server's (`api:URL#MODEL`), or an ONNX model (`onnx:DIR`), which runs on `threads` threads,
/// as many as there are cores where that is 0.
pub(crate) fn open(name: &str, threads: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    match name.split_once(':') {
        None if name == "builtin" => Ok(Arc::new(Builtin::shipped().clone())),
        None if name == "static" => Ok(Arc::new(Builtin::shipped().at_stage(Stage::Static))),
        Some(("weights", file)) => Ok(Arc::new(Builtin::open(Path::new(file))?)),
        Some(("static", file)) => Ok(Arc::new(Builtin::open(Path::new(file))?.at_stage(Stage::Static))),
        Some(("api", address)) => api(address),
        Some(("onnx", dir)) => onnx(Path::new(dir), threads),
        _ => Err(unknown(name)),
    }
}

/// Whether `name` has the form of an encoder's, where none is needed.
pub(crate) fn check(name: &str) -> anyhow::Result<()> {
    match name.split_once(':') {
        None if matches!(name, "builtin" | "static") => Ok(()),
        Some(("weights" | "static" | "api" | "onnx", _)) => Ok(()),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!(
        "there is no encoder {name}{}; give builtin, static, weights:FILE, static:FILE, api:URL#MODEL or onnx:DIR",
        words::suggestion(name, ["builtin", "static", "weights", "api", "onnx"])
    )
}

#[cfg(feature = "all")]
fn api(address: &str) -> anyhow::Result<Arc<dyn Encoder>> {
    let connection = familiar_encoders::Connection::from_environment();
    Ok(Arc::new(familiar_encoders::Api::open(address, &connection)?))
}

#[cfg(not(feature = "all"))]
fn api(_: &str) -> anyhow::Result<Arc<dyn Encoder>> {
    anyhow::bail!("this build asks no server; build all of Familiar: cargo build --release")
}

#[cfg(feature = "onnx")]
fn onnx(dir: &Path, threads: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    let library = std::env::var_os(familiar_encoders::ONNX_LIBRARY).filter(|library| !library.is_empty());
    Ok(Arc::new(familiar_encoders::Onnx::open(dir, library.as_deref().map(Path::new), threads)?))
}

#[cfg(not(feature = "onnx"))]
fn onnx(_: &Path, _: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    anyhow::bail!("this build cannot run ONNX models; build Familiar with --features onnx")
}

/// Which of the encoders that come with the program has this name.
#[cfg(feature = "all")]
pub(crate) fn made_by(name: &str) -> Option<Arc<dyn Encoder>> {
    let ours = [Builtin::shipped().clone(), Builtin::shipped().at_stage(Stage::Static)];
    let found = ours.into_iter().find(|encoder| encoder.name() == name);
    found.map(|encoder| Arc::new(encoder) as Arc<dyn Encoder>)
}

/// What judges: the encoder or the measure that is given; of neither, the encoder `usual`, or else the default measure.
#[cfg(feature = "all")]
pub(crate) fn judge(
    encoder: Option<&str>,
    measure: Option<familiar_search::Measure>,
    usual: Option<&str>,
    threads: usize,
) -> anyhow::Result<familiar_evaluate::Judge> {
    use familiar_evaluate::Judge;
    Ok(match (encoder, measure, usual) {
        (Some(name), ..) | (None, None, Some(name)) => Judge::Encoder(open(name, threads)?),
        (None, measure, _) => Judge::Measure(measure.unwrap_or_default()),
    })
}
