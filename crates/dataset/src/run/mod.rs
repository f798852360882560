//! What does a detector find of the benchmark? (Tables V and VI)
//!
//! A detector is asked about each pair (`alone`), or what it reported of a system with the pairs in it is compared with their places
//! (`injected`). Recall is the share of the true pairs that it finds. Of the false semantic clones it is the share that it takes for clones.
//!
//! `options` says who is measured, and `result` is what comes out, in `share`s. `results` writes those of several detectors: `tables` has them side
//! by side, and `page` is for a browser, with the pictures of `plot`.

mod alone;
mod injected;
mod options;
mod page;
mod plot;
mod result;
mod results;
mod share;
mod tables;

use crate::error::DatasetError;
use crate::pool;
use crate::project::Project;

pub use options::{Asked, RunOptions};
pub use result::RunResult;
pub use results::Results;
pub use share::Share;

/// Measures a detector.
pub fn run(project: &Project, options: &RunOptions) -> Result<RunResult, DatasetError> {
    pool(options.threads)?.install(|| match (&options.detector, &options.injected) {
        (Asked::Detector(detector), None) => alone::run(project, detector, options.similarity),
        (Asked::Detector(detector), Some(folder)) => injected::search(project, detector, folder, options),
        (Asked::Output(format, output), Some(folder)) => injected::read(project, *format, output, folder),
        (Asked::Output(..), None) => Err(DatasetError::NoSystem),
    })
}
