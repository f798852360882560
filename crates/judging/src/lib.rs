//! Do people agree that these pairs are clones, and how much do they agree?
//!
//! Several people judge each pair (after Alam et al. 2023, Section III-C). A [`Judgement`] is one row of a log to which rows are only
//! added. [`Rules`] say who judges with whom, and [`deal`] gives each pair to a group. A [`Ledger`] holds all rows: it knows the
//! [`State`] of each pair and which pair a judge gets next. The crate opens no file.
//!
//! # Files
//!
//! `judgement` is a row, `rules` and `dealing` say who judges what, and `ledger` is the state of all pairs, which `state` derives for one.
//! `agreement` has the coefficients with their intervals, and `proportions` has rates, the size of a sample and the test of two
//! proportions by the normal distribution of `normal`. `exchange` reads and writes CSV and JSON lines, and `validate_clones` the files
//! of ValidateClones.

pub mod agreement;
mod dealing;
pub mod exchange;
mod judgement;
mod ledger;
mod normal;
pub mod proportions;
mod rules;
mod state;
pub mod validate_clones;

pub use dealing::{Dealt, deal};
pub use judgement::{Judgement, Verdict};
pub use ledger::{Ledger, Refusal, Work};
pub use rules::{MODEL, Rules, RulesError};
pub use state::{Round, State};
