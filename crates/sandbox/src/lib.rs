//! Do two programs behave alike when they run?
//!
//! A [`Sandbox`] runs a [`Program`] that nobody trusts together with a [`Test`], and gives the [`Outcome`]: what it wrote, what its
//! functions returned, and how it ended. Two outcomes are compared by [`Outcome::alike`]. The kernel confines each run by namespaces,
//! Landlock and seccomp, as far as it has them ([`Confinement`]), and within [`Limits`]. Where it has too little,
//! [`Sandbox::new`] refuses. `docs/sandbox.md` lists what is enforced.
//!
//! ```
//! use familiar_sandbox::{End, Limits, Policy, Program, Sandbox, Test};
//!
//! let sandbox = Sandbox::new(Limits::default(), Policy::Confined)?;
//! let test = Test::Asserts { code: "assert double(4) == 8".into() };
//! let right = sandbox.run(&Program::python("def double(x): return 2 * x"), &test)?;
//! let wrong = sandbox.run(&Program::python("def double(x): return x ** 2"), &test)?;
//! assert!(right.passed());
//! assert_eq!(wrong.end, End::Raised("AssertionError".into()));
//! assert!(!right.alike(&wrong));
//! # Ok::<(), familiar_sandbox::SandboxError>(())
//! ```
//!
//! Where there is no test, [`calls`] and [`standard_inputs`] make inputs, and [`Sandbox::compare`] says whether two programs agree on
//! them, and how much that says.
//!
//! ```
//! use familiar_sandbox::{Inputs, Limits, Policy, Program, Sandbox, Verdict, calls};
//!
//! let sandbox = Sandbox::new(Limits::default(), Policy::Confined)?;
//! let original = Program::python("def clamp(x: int, most: int):\n    return x if x < most else most");
//! let rewritten = Program::python("def clamp(x, most):\n    return min(x, most)");
//! let inputs = Inputs::Calls("clamp".into(), calls(&original, "clamp", "", 1, 20));
//! let agreement = sandbox.compare(&original, &rewritten, &inputs, 10)?;
//! assert_eq!(agreement.verdict, Verdict::Agreed);
//! # Ok::<(), familiar_sandbox::SandboxError>(())
//! ```
//!
//! # Files
//!
//! `program` has what is run and what comes out, `limits` how much it may use. `jail` is what a process does to itself before
//! it becomes the program, `confinement` finds out which `layers` of it work here, `scratch` makes and deletes the folders, and `setup` puts
//! these together. `python` talks to the warm servers (`python/server.py`) in the words of `protocol`, and `streams` reads what
//! programs write. `languages` puts programs of the other languages together with their tests, and `process` runs them.
//! `toolchain` looks for interpreters, and `cache` keeps outcomes. `sandbox` is the way in.
//!
//! `agreement` compares two programs on `inputs`, which are made from types, literals and samples, and counts how many `mutants`
//! these inputs detect.

#![cfg(target_os = "linux")]

mod agreement;
mod cache;
mod chance;
mod confinement;
mod error;
pub mod exchange;
mod inputs;
mod jail;
mod languages;
mod layers;
mod limits;
mod mutants;
mod process;
mod program;
mod protocol;
mod python;
mod sandbox;
mod scratch;
mod setup;
mod streams;
mod toolchain;
mod words;

pub use agreement::{Agreement, Difference, Inputs, LEAST_INPUTS, LEAST_RESULTS, Verdict};
pub use chance::Chance;
pub use confinement::Confinement;
pub use error::SandboxError;
pub use familiar_source::Language;
pub use inputs::{calls, standard_inputs};
pub use jail::JailError;
pub use layers::Layers;
pub use limits::Limits;
pub use mutants::mutants;
pub use program::{Call, Called, Covered, End, Outcome, Program, Test, is_over_a_limit};
#[doc(hidden)]
pub use protocol::outcome_of;
pub use sandbox::{Job, LANGUAGES, Policy, Sandbox};
pub use toolchain::Toolchain;
