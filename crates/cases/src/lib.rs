//! Which clones must an engine find? Cases as data (`testdata/clones`), and what an answer to them
//! must be.
//!
//! Only tests depend on this crate. A test loads a [`Suite`], asks its engine about every case, and
//! compares:
//!
//! ```
//! use familiar_cases::{Engine, Suite};
//!
//! let cases = Suite::None.load().expect("the cases are valid");
//! // A real test asks its engine here. To report nothing is right for pairs that are no clones.
//! let report = familiar_cases::check(Engine::Clones, &cases, |_case| Vec::new());
//! assert_eq!(report.right, cases.len(), "{report}");
//! ```

mod check;
mod engine;
mod load;

pub use check::{Found, Report, check};
pub use engine::Engine;
pub use load::{Case, LoadError, Suite};
