//! The settings, and what is told while the work goes on.

use std::path::PathBuf;

use familiar_endpoint::{ChatOptions, Connection, Forecast, Spent};
use familiar_evaluate::Selection;
use familiar_evaluate::attack::Detector;

/// The settings of a design.
#[derive(Clone)]
pub struct DesignOptions {
    /// A file of Python programs with tests.
    pub data: PathBuf,
    pub selection: Selection,
    /// `URL#MODEL`.
    pub model: String,
    pub connection: Connection,
    pub chat: ChatOptions,
    /// The project: requests, and a folder for each transformation.
    pub folder: PathBuf,
    /// Transformations that are wanted.
    pub count: usize,
    /// Implementations of each.
    pub implementations: usize,
    /// Example programs of a request.
    pub examples: usize,
    /// Validation programs, at most.
    pub programs: usize,
    /// Of requests for a transformation.
    pub design_temperature: f64,
    /// Of requests for an implementation.
    pub temperature: f64,
    /// Of a reply.
    pub max_tokens: u64,
    /// Decides which programs are drawn, and goes to the model.
    pub seed: u64,
    pub detector: Detector,
    /// Run programs with the user's own rights where the system cannot confine them.
    pub unsandboxed: bool,
    /// 0: as many as the machine has.
    pub threads: usize,
    /// In bytes, for the tree of one program.
    pub memory: usize,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum News<'n> {
    /// What the run is going to take, before it starts.
    Forecast { forecast: Forecast, spent: Spent },
    /// Programs were drawn.
    Drawn { examples: usize, programs: usize },
    /// A request for a transformation was answered. `title` is what was designed, if anything was.
    Asked { designs: usize, of: usize, title: Option<&'n str>, spent: Spent },
    /// A request for an implementation was answered.
    Implemented { title: &'n str, done: usize, of: usize, spent: Spent },
    /// Implementations were run over so many programs.
    Tested { title: &'n str, programs: usize, of: usize },
    /// All implementations of a transformation were run. Without a reward, none of them is of use.
    Rewarded { title: &'n str, reward: Option<f64>, designs: usize, of: usize, spent: Spent },
}
