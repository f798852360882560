//! SPDX license expressions.
//!
//! # Files
//!
//! `tree` is an expression and what can be done with it, `parse` reads one, and `names` has the identifiers of SPDX's list.

mod names;
mod parse;
mod tree;

pub use parse::InvalidExpression;
pub use tree::{Expression, License};
