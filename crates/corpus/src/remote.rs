//! What must be fetched from elsewhere before it can be read.

use crate::{Limits, Source, SourceError};

/// A source whose content lies elsewhere. Fetching is apart from reading, so that one can fetch ahead of the other, and
/// what a corpus holds already is not fetched at all.
pub trait Remote: Send + Sync {
    /// Fetches what the source stands for now, unless `held` says of its name that the corpus has it. What has a name of
    /// its own here never changes once it is published.
    fn fetch(&self, held: &dyn Fn(&str) -> bool, limits: &Limits) -> Result<Fetched, SourceError>;
}

/// What a remote source stands for now.
pub struct Fetched {
    /// The source that stands for exactly this, `pypi:six==1.17.0` for `pypi:six`.
    pub name: String,
    /// Reads it; `None` where the corpus has it.
    pub source: Option<Box<dyn Source>>,
}
