//! Does a rewritten program still do what its source does?
//!
//! A source with a test is run first. Where it passes, its rewritten programs must pass too. A source without a test is called, or
//! gets lines on its standard input, with inputs that are made up from its text ([`familiar_sandbox::calls`]); both programs must agree
//! on them. Everything runs in the sandbox.
//!
//! `verdict` has the answers, `inputs` decides what a program is given, and `runs` runs it.

mod inputs;
#[cfg(target_os = "linux")]
mod runs;
#[cfg(not(target_os = "linux"))]
mod unable;
mod verdict;

pub use familiar_corpus::RowTests;
#[cfg(target_os = "linux")]
pub use runs::Verifier;
#[cfg(not(target_os = "linux"))]
pub use unable::Verifier;
pub use verdict::{Evidence, Subject, Verdict, Verified, VerifyError, VerifyOptions};
