//! Which pairs are clones, as people see it?
//!
//! People judge the pairs in the browser. All that they say goes to `judgements.jsonl`, to which rows are only added. What follows from
//! the rows is in `familiar_judging`.
//!
//! # Files
//!
//! `log` is the file, `load` makes the ledger of it, and `item` is a pair, of a benchmark or of a sample. `desk` is what judges sit at, with `view` for the pair that they see. `report` says
//! how far they are and how much they agree. `exchange` moves judgements from and to other programs, and `released` is what a release
//! has of them.

mod desk;
mod exchange;
mod item;
mod load;
mod log;
pub(crate) mod released;
mod report;
#[cfg(test)]
mod tests;
mod view;

pub use desk::{Desk, Outcome, Progress, Said};
pub use exchange::{Exchange, Imported, export, import};
pub use report::{JudgeLine, Report, Stratum, compare, report};
pub use view::{Piece, View};
