//! Which clones must an engine find? Cases as data (`testdata/clones`), and what an answer to them
//! must be.
//!
//! Only tests depend on this crate. A test loads a [`Suite`], asks its engine about every case, and
//! compares:
//!
//! ```
//! use familiar_cases::{Engine, Found, Suite};
//!
//! let suite = Suite::Type1.load().expect("the cases are valid");
//! let report = familiar_cases::check(Engine::Clones, &suite, |case| {
//!     // A real test asks the engine here. This answer is right by definition.
//!     case.lines.iter().map(|&lines| Found { clone_type: 1, lines }).collect()
//! });
//! assert_eq!(report.to_string(), "");
//! ```

mod check;
mod load;

pub use check::{Engine, Found, Report, check};
pub use load::{Case, LoadError, Suite};
