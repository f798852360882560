//! Which operations does the product have? Plain functions, which commands and routes call.
//!
//! [`clones::run`] finds the clones inside and among trees or corpora; [`trend::run`] does so for one
//! tag of a repository after another. [`snippet`] compares snippets by themselves, [`bags`] runs the
//! Type-3 engine on given token bags, [`embed`] writes the vectors of code, [`transform`] rewrites
//! programs by the transformations that [`members`] names, and [`verify`] runs them beside their sources. [`represent`] writes
//! programs as models see them. [`stored`] reads results back, and [`floor`] is the measure under every figure of speed.
//!
//! `familiar_detect` does the search, and `familiar_library` opens corpora. The operations of
//! `familiar_audit` (audits, and the licenses of trees) stand beside this crate.
//!
//! ```
//! use familiar_engine::{CloneOptions, clones};
//! use familiar_source::Silent;
//!
//! let folder = tempfile::tempdir()?;
//! let code = "
//! def total(prices, taxes, discount):
//!     amount = 0
//!     for price, tax in zip(prices, taxes):
//!         amount += price * (1 + tax)
//!     if discount > amount:
//!         raise ValueError(discount)
//!     amount -= discount
//!     return round(amount, 2)
//! ";
//! std::fs::write(folder.path().join("one.py"), code)?;
//! std::fs::write(folder.path().join("two.py"), code)?;
//!
//! let paths = vec![folder.path().to_owned()];
//! let options = CloneOptions { paths, min_tokens: Some(30), ..CloneOptions::default() };
//! let report = clones::run(&options, None, &Silent)?;
//! assert_eq!(report.classes[0].members.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bags;
pub mod clones;
pub mod embed;
mod files_below;
pub mod floor;
pub mod members;
pub mod represent;
pub mod snippet;
pub mod stored;
pub mod transform;
pub mod trend;
pub mod verify;

pub use familiar_files::named;
pub use familiar_model::CONFIDENCE;
pub use familiar_search::Measure;
pub use familiar_source::Progress;

pub use familiar_detect::{Baseline, CloneOptions, DetectError, OptionsError};
pub use files_below::lexed;
