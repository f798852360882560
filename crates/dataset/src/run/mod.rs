//! What does a detector find of the benchmark? (Tables V and VI)
//!
//! A detector is asked about each pair (`alone`), or what it reported of a system with the pairs in it is compared with their places
//! (`injected`). Recall is the share of the true pairs that it finds. Of the false semantic clones it is the share that it takes for clones.
//!
//! `result` is what comes out.

mod alone;
mod injected;
mod result;

use std::path::PathBuf;

use familiar_detectors::Format;
use familiar_evaluate::attack::Detector;

use crate::error::DatasetError;
use crate::pool;
use crate::project::Project;

pub use result::{Found, RunResult, Share};

/// Who is measured, and on what.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub detector: Asked,
    /// The least similarity of a clone; the detector's own where none is given.
    pub similarity: Option<f64>,
    /// The folder of a system with the pairs in it.
    pub injected: Option<PathBuf>,
    /// 0 stands for one for each processor core.
    pub threads: usize,
    pub memory: usize,
}

/// A detector that is asked, or what one reported.
#[derive(Clone, Debug)]
pub enum Asked {
    Detector(Detector),
    Output(Format, PathBuf),
}

/// Measures a detector.
pub fn run(project: &Project, options: &RunOptions) -> Result<RunResult, DatasetError> {
    pool(options.threads)?.install(|| match (&options.detector, &options.injected) {
        (Asked::Detector(detector), None) => alone::run(project, detector, options.similarity),
        (Asked::Detector(detector), Some(folder)) => injected::search(project, detector, folder, options),
        (Asked::Output(format, output), Some(folder)) => injected::read(project, *format, output, folder),
        (Asked::Output(..), None) => Err(DatasetError::NoSystem),
    })
}
