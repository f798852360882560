//! Type-3: the small trait that every measure of similarity stands behind.

use familiar_index::Collection;

use crate::equal::Equal;
use crate::evidence::Commonness;
use crate::{Link, SearchError};

pub use crate::sequence::Sequence;

/// What a measure needs to know of a search.
#[derive(Clone, Copy, Debug)]
pub struct SimilarSettings<'c> {
    /// Least similarity of a pair, in (0, 1].
    pub similarity: f64,
    /// Whether fragments of different families are compared.
    pub cross_families: bool,
    /// Bytes that the search may use besides the collection.
    pub memory: usize,
    /// Where given, pairs that are not nearly equal count only if they share what is rare there. Only the default
    /// measure is calibrated for that; the others leave it alone.
    pub evidence: Option<&'c Commonness>,
}

/// A measure of similarity between fragments: symmetric, in [0, 1], and 1 for fragments that are equal.
pub trait Similarity: Sync {
    /// Whether the measure looks at where statements start.
    fn reads_lines(&self) -> bool;

    /// The similarity of two fragments, each given as Type-1 symbols and the positions at which statements start
    /// (empty unless the measure asks for them).
    fn of(&self, left: Sequence<'_>, right: Sequence<'_>) -> f64;

    /// All pairs of nodes of `equal`, each stood for by its first fragment, that are at least `settings.similarity`
    /// alike, on sides that the search asks for. Twins are left out: they are clones already.
    ///
    /// The links come sorted, the smaller node first. Fails where spilled tokens cannot be read, and where the links take
    /// more than the memory.
    fn links(
        &self,
        collection: &Collection,
        equal: &Equal,
        settings: &SimilarSettings<'_>,
    ) -> Result<Vec<Link>, SearchError>;
}
