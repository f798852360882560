//! Whether code under one license may stand in a work under another.
//!
//! Copying counts as inserting, not as linking. [`judge`] answers for one direction, [`judge_pair`] for a pair of which it may not be
//! known who took from whom. What is asked, in this order: the licenses' own words, the supplement, OSADL's matrix, the FSF's list;
//! where none of them says anything, what holds for licenses of the kind. Sources that disagree make a verdict contested.
//!
//! # Files
//!
//! From the whole to its parts: `pairwise` says what follows for two pieces of code, `terms` whether
//! code may go into a file and the work around it, `expressions` which licenses of two expressions
//! have to pass. `single` and `choices` try what a license lets one choose. `pair` asks every source
//! for two licenses: the matrix, `supplement`, and the licenses' words (`share_alike`, `named`); each
//! gives an `opinion`. `duties` are what a license asks, `verdict` what is said. `apprentice` is the rule of
//! an earlier study.

mod apprentice;
mod choices;
mod duties;
mod expressions;
mod named;
mod opinion;
mod pair;
mod pairwise;
mod share_alike;
mod single;
mod supplement;
mod terms;
mod verdict;

pub use apprentice::apprentice;
pub use duties::{Duty, DutyKind};
pub use expressions::judge;
pub use pairwise::{Circumstances, Older, PairVerdict, judge_pair};
pub use terms::Terms;
pub use verdict::{NO_LEGAL_ADVICE, RuleCitation, Status, Verdict};
