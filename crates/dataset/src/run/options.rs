//! Who is measured, and on what.

use std::path::PathBuf;

use familiar_detectors::Format;
use familiar_evaluate::attack::Detector;

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
