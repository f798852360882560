//! Who is measured, and on what.

use std::path::PathBuf;

use familiar_detectors::Format;
use familiar_engine::members::Members;
use familiar_evaluate::attack::Detector;

/// Who is measured, and on what.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub detector: Asked,
    /// The least similarity of a clone; the detector's own where none is given.
    pub similarity: Option<f64>,
    pub on: On,
    /// Which of the pairs that it reports in files are written for people to judge.
    pub sample: Option<Sample>,
    /// What people say of such a sample: CSV, or JSON lines.
    pub judged: Option<PathBuf>,
    /// How second sides are rewritten, where each pair is asked about by itself.
    pub transformed: Option<Transformed>,
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

/// What a detector is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// Each pair by itself.
    Pairs,
    /// The folder of a system with the pairs in it.
    System(PathBuf),
    /// The sources of a release, each of which is a file: the version.
    Release(String),
}

/// A sample of the pairs that are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// So many pairs, or all where there are fewer.
    pub count: usize,
    pub seed: u64,
    /// The file that it is written to, as `familiar clones --format ndjson` writes pairs.
    pub path: PathBuf,
}

/// How second sides are rewritten.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// Each gives a curve.
    pub sets: Vec<Members>,
    /// How often each pair is rewritten.
    pub count: usize,
    /// So many pairs at most, drawn by chance; all where 0.
    pub pairs: usize,
    pub seed: u64,
}
