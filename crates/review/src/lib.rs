//! Who decided what about which finding, and when?
//!
//! A [`Decision`] names a finding by its fingerprint, which depends on code alone: it holds wherever the code moves, and no longer
//! when the code changes or stands in one more place. [`Decisions`] keep all of them, of which the newest of a finding counts; they are
//! read and written as `familiar.decisions/1` (`docs/formats/decisions.md`). Nothing here opens a file.
//!
//! # Files
//!
//! `decision` is one, `decisions` all of them, `accepted` reads and writes them as policies and
//! results do.

mod accepted;
mod decision;
mod decisions;

pub use accepted::Import;
pub use decision::{Decision, Fault, Judgement, MOST_COMMENT, MOST_NAME, MOST_PLACE};
pub use decisions::{Decisions, ReviewError, SCHEMA};
