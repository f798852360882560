//! May code under one license go into a work under another, and does the copy keep what the license asks for?
//!
//! [`judge`] answers for two license expressions, and [`judge_pair`] for two pieces of code of which it may not be known
//! who took from whom. A [`Verdict`] has a status, the duties, and the sources that say so. [`attribution`] says whether
//! a copy names its origin, and [`laundering`](fn@laundering) whether it dropped the terms. Nothing here opens a file,
//! detects a license, or knows how matches were found.
//!
//! ```
//! use familiar_judge::{Status, judge};
//! use familiar_license::Expression;
//!
//! let work: Expression = "MIT".parse()?;
//! let code: Expression = "GPL-3.0-only".parse()?;
//! assert_eq!(judge(&work, &code).status, Status::Conflict);
//! let verdict = judge(&code, &work);
//! assert_eq!(verdict.status, Status::Compatible);
//! assert_eq!(verdict.duties[0].to_string(), "keep the copyright notices (MIT; the condition on copies)");
//! # Ok::<(), familiar_license::InvalidExpression>(())
//! ```
//!
//! # Files
//!
//! - `compatibility` judges; `attribution` and `laundering` look at the copy.
//! - `category` says how much a license asks of whoever takes code under it.
//! - `matrix` is OSADL's compatibility matrix, which both of them ask.

pub mod attribution;
mod category;
mod compatibility;
mod laundering;
mod matrix;

pub use category::Category;
pub use compatibility::{
    Circumstances, Duty, DutyKind, NO_LEGAL_ADVICE, Older, PairVerdict, RuleCitation, Status, Terms, Verdict,
    apprentice, judge, judge_pair,
};
pub use laundering::{Finding, Side, Sign, laundering};
