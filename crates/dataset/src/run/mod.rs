//! What does a detector find of the benchmark? (Tables V and VI)
//!
//! A detector is asked about each pair (`alone`), or what it reported of a folder with the pairs in it (`system`) is compared
//! with their places (`matcher`). Recall is the share of the true pairs that it finds. Of the false semantic clones it is the share
//! that it takes for clones.
//!
//! `options` says who is measured, and `result` is what comes out, in `share`s, with what it took (`used`) and its `precision`.
//! `transformed` asks again with rewritten sides. `draw` draws a part of what was reported, and `sample` writes it for people to
//! judge. `results` writes those of several detectors: `tables` has them side by side, and `page` is for a browser, with the
//! pictures of `plot`.

mod alone;
mod draw;
mod matcher;
mod options;
mod page;
mod plot;
mod precision;
mod result;
mod results;
mod sample;
mod share;
mod system;
mod tables;
mod transformed;
mod used;

use familiar_evaluate::attack::Detector;

use crate::error::DatasetError;
use crate::pool;
use crate::project::Project;

use system::System;
use used::{Watch, Whose};

pub use options::{Asked, On, RunOptions, Sample, Transformed};
pub use precision::Precision;
pub use result::RunResult;
pub use results::Results;
pub use share::Share;
pub use transformed::{Curve, Point};
pub use used::Used;

/// Measures a detector. One that is a program of its own has ended afterwards.
pub fn run(project: &Project, options: &RunOptions) -> Result<RunResult, DatasetError> {
    let is_program = matches!(options.detector, Asked::Detector(Detector::Command(_)));
    let watch = Watch::start(if is_program { Whose::Programs } else { Whose::Ours });
    let mut result = pool(options.threads)?.install(|| match System::open(project, &options.on)? {
        None => match &options.detector {
            Asked::Detector(detector) => {
                let mut result = alone::run(project, detector, options.similarity)?;
                if let (Some(transformed), Some(least)) = (&options.transformed, result.similarity) {
                    result.transformed = transformed::run(project, detector, least, transformed)?;
                }
                Ok(result)
            }
            Asked::Output(..) => Err(DatasetError::NoSystem),
        },
        Some(system) => match &options.detector {
            Asked::Detector(detector) => system.search(project, detector, options),
            Asked::Output(format, output) => system.read(project, *format, output, options.sample.as_ref()),
        },
    })?;
    result.used = match &options.detector {
        Asked::Detector(Detector::Command(command)) => {
            command.finish();
            watch.end()
        }
        Asked::Detector(_) => watch.end(),
        Asked::Output(..) => None,
    };
    if let Some(path) = &options.judged {
        result.precision.read_judged(path)?;
    }
    Ok(result)
}
