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
//! # Files
//!
//! `program` has what is run and what comes out, `limits` how much it may use. `jail` is what a process does to itself before
//! it becomes the program, `confinement` finds out which `layers` of it work here, `scratch` makes and deletes the folders, and `setup` puts
//! these together. `python` talks to the warm servers (`python/server.py`) in the words of `protocol`, and `streams` reads what
//! programs write. `languages` puts programs of the other languages together with their tests, and `process` runs them.
//! `toolchain` looks for interpreters. `sandbox` is the way in.

#![cfg(target_os = "linux")]

mod confinement;
mod error;
mod jail;
mod languages;
mod layers;
mod limits;
mod process;
mod program;
mod protocol;
mod python;
mod sandbox;
mod scratch;
mod setup;
mod streams;
mod toolchain;

pub use confinement::Confinement;
pub use error::SandboxError;
pub use familiar_source::Language;
pub use jail::JailError;
pub use layers::Layers;
pub use limits::Limits;
pub use program::{Called, End, Outcome, Program, Test};
pub use sandbox::{Job, LANGUAGES, Policy, Sandbox};
pub use toolchain::Toolchain;
