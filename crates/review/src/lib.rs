//! Who decided what about which finding, and when?
//!
//! A [`Decision`] names a finding by its fingerprint, which depends on code alone: it holds wherever the code moves, and no longer
//! when the code changes or stands in one more place. [`Decisions`] keep all of them, of which the newest of a finding counts; they are
//! read and written as `familiar.decisions/1` (`docs/formats/decisions.md`). Nothing here reads or writes a file;
//! whoever does holds a [`Lock`] meanwhile.
//!
//! ```
//! use familiar_review::{Decision, Decisions, Judgement};
//!
//! let decision = Decision {
//!     fingerprint: "0123456789abcdef0123456789abcdef".to_owned(),
//!     decided: "2026-01-31T12:00:00Z".to_owned(),
//!     author: "Ada".to_owned(),
//!     decision: Judgement::Accepted,
//!     comment: String::new(),
//!     place: String::new(),
//! };
//! let mut decisions = Decisions::default();
//! assert!(decisions.add(decision.clone())?);
//! assert!(!decisions.add(decision)?, "it is known");
//! # Ok::<(), familiar_review::DecisionError>(())
//! ```
//!
//! # Files
//!
//! `decision` is one, `decisions` all of them, `accepted` reads and writes them as policies and
//! results do. `lock` keeps two from changing one file at once.

mod accepted;
mod decision;
mod decisions;
mod lock;

pub use accepted::Import;
pub use decision::{Decision, DecisionError, Judgement};
pub use decisions::{Decisions, ReviewError, SCHEMA};
pub use lock::Lock;
