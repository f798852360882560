//! Candidates to verified, grouped and ranked clone pairs, over a `familiar_index::Collection`.
//!
//! [`equal`] groups fragments that are equal under a normal form (Type-1 and Type-2), the measures link fragments that
//! are similar (Type-3), [`runs`] finds what repeats without regard to fragments. All of it comes together in
//! [`Matches`], which knows of any two items whether they are a clone pair, and in its [`classes`].
//!
//! # Files
//!
//! - **Type-1 and Type-2:** `equal`.
//! - **Type-3:** `similar` is the trait of measures, and `measure` has their names; `aligned`,
//!   `overlap` and `lines` are the three, `nodes` what they share.
//! - **Runs:** `runs`, with `extent` for where a run begins and ends for its reader.
//! - **Copies or idioms:** `copies` says which fragments that are alike are copies, `evidence` by
//!   what names and literals say, `statements` counts statements, `information` says how small a
//!   clone may be in a tree of which size, `relevance` how sure a finding is.
//! - **Results:** `matches` holds what was found without a list of pairs, `classes` forms stars,
//!   `contained` and `cover` are the rule of what is reported once.
//! - **Corpora:** `find`.

pub mod aligned;
pub mod classes;
pub mod contained;
pub mod copies;
pub mod cover;
pub mod equal;
pub mod evidence;
pub mod extent;
pub mod find;
pub mod information;
pub mod lines;
mod matches;
mod measure;
mod nodes;
pub mod overlap;
mod place;
pub mod relevance;
pub mod runs;
mod sequence;
pub mod similar;
mod statements;
#[cfg(test)]
mod testing;

pub use matches::{Edges, Item, Link, Matches, Relation};
pub use measure::Measure;
pub use place::Place;
