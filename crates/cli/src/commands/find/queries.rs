//! What is looked up, one query after another.

use std::collections::BTreeMap;

use familiar_files::dir::Listing;
use familiar_library::CodeQuery;
use familiar_source::Lines;

/// What is asked for, one after another.
pub(super) enum Queries {
    /// One file, or some lines of it.
    One {
        name: String,
        bytes: Vec<u8>,
        lines: Option<Lines>,
    },
    Many {
        listing: Listing,
        /// Of files that are asked for in part, the lines, by the root that each is.
        lines: BTreeMap<u32, Lines>,
    },
    Fingerprints(Vec<CodeQuery>),
}
