//! Do two functions do the same, also when they are written in different languages?
//!
//! A [`Tester`] takes a [`Pair`] of texts as they stand in a benchmark. It finds a function of each that takes the same, makes inputs
//! for both, runs both in the sandbox, and gives a [`Report`]: both agree, they differ and this is the smallest input that shows it,
//! or they cannot be run and this is why. Values pass between languages in one JSON form. Mutants of a side tell how much the inputs
//! see.
//!
//! ```
//! use familiar_functional::{Language, Options, Pair, Side, Tester, Verdict};
//!
//! let tester = Tester::new(Options::default())?;
//! let side = |language, code: &str| Side { language, code: code.to_owned() };
//! let pair = Pair {
//!     first: side(Language::Python, "def biggest(values):\n    m = values[0]\n    for v in values:\n        if v > m: m = v\n    return m"),
//!     second: side(Language::Python, "def largest(xs):\n    return max(*xs, xs[-1])"),
//!     samples: String::new(),
//! };
//! let report = tester.test(&pair)?;
//! assert_ne!(report.verdict, Verdict::CannotRun);
//! # Ok::<(), familiar_functional::SandboxError>(())
//! ```
//!
//! # Files
//!
//! `tester` has the steps, `options` how they are made, and `report` what is asked and what comes out. `signature` finds functions by
//! `tokens`, and `matching` pairs them; `guess` says which of `types` a parameter may have that names none. `stage` has both sides ready to
//! run: `choose` gives it rows, of each `value` that `inputs` makes or `sample` reads from a test, `edges` those at the edges of types
//! (`boundaries`), and `shrink` smaller ones. `literal` writes values in each language, and `rows` makes calls of them. `prepare` puts what
//! a side needs around it, `cover` marks its blocks, `run` runs it, `compare` compares two results and `verdict` all of them. `faults`
//! measures the inputs by mutants, and `names` finds what a text lacks.

#![cfg(target_os = "linux")]

mod boundaries;
mod choose;
mod compare;
mod cover;
mod edges;
mod faults;
mod guess;
mod inputs;
mod literal;
mod matching;
mod names;
mod options;
mod prepare;
mod report;
mod rows;
mod run;
mod sample;
mod shrink;
mod signature;
mod stage;
mod tester;
mod tokens;
mod types;
mod value;
mod verdict;

pub use familiar_sandbox::{Policy, SandboxError};
pub use familiar_source::Language;
pub use options::Options;
pub use report::{Cause, Coverage, Difference, Pair, Report, Side, Verdict, Where};
pub use tester::Tester;
