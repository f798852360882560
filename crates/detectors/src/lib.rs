//! What did another detector of clones report?
//!
//! The outputs of other programs, each as pairs of lines in files. One file for each format; its head says how the output is made.
//!
//! ```
//! use familiar_detectors::{Format, read};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("pairs.csv");
//! std::fs::write(&file, "selected,A.java,3,20,selected,B.java,1,18\n")?;
//! let mut pairs = Vec::new();
//! read(Format::BigCloneEval, &file, &mut |pair| pairs.push(pair))?;
//! assert_eq!((pairs[0].left.path.as_str(), pairs[0].right.end), ("selected/A.java", 18));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `format` has the formats by name, `pair` what comes out, and `input` opens files. `bigcloneeval`, `familiar`, `jscpd`, `nicad`, `pmd` and
//! `sourcerercc` read one format each.

mod bigcloneeval;
mod error;
mod familiar;
mod format;
mod input;
mod jscpd;
mod nicad;
mod pair;
mod pmd;
mod sourcerercc;

pub use error::DetectorError;
pub use format::Format;
pub use pair::{Region, Reported};

use std::path::Path;

/// Calls `each` with every pair in an output, in its order. A class of n places gives all of its pairs.
pub fn read(format: Format, path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    match format {
        Format::BigCloneEval | Format::Oreo => bigcloneeval::read(path, each),
        Format::Familiar => familiar::read(path, each),
        Format::Jscpd => jscpd::read(path, each),
        Format::NiCad => nicad::read(path, each),
        Format::Pmd => pmd::read(path, each),
        Format::SourcererCc => sourcerercc::read(path, each),
    }
}
