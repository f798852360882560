//! Which fragments are clones? It makes verified and grouped clone pairs of the tokens of a
//! [`familiar_index::Collection`].
//!
//! [`equal`] groups fragments that are equal under a normal form (Type-1 and Type-2), the measures link fragments that
//! are similar (Type-3), [`runs`] finds what repeats without regard to fragments. All of it comes together in
//! [`Matches`], which knows of any two items whether they are a clone pair, and in its [`classes`].
//!
//! ```
//! use familiar_search::overlap::TokenOverlap;
//! use familiar_search::similar::{Sequence, Similarity};
//! use familiar_source::TokenClass;
//! use familiar_syntax::normal::Symbol;
//!
//! let name = |text: &str| Symbol::new(TokenClass::Identifier, text.as_bytes()).0;
//! let symbols = |text: &str| text.split(' ').map(name).collect::<Vec<u32>>();
//! let (left, right) = (symbols("read the next line"), symbols("read the last line"));
//! let sequence = |symbols| Sequence { symbols, line_starts: &[] };
//! assert_eq!(TokenOverlap.of(sequence(&left), sequence(&right)), 0.75);
//! ```
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
//! - **Results:** `matches` holds what was found without a list of pairs, `pairs` says which of it
//!   are clone pairs of the result, `classes` forms stars,
//!   `alike` decides once for items that count alike, `contained` and `cover` are the rule of what
//!   is reported once.
//! - **Corpora:** `find`.

pub mod aligned;
mod alike;
pub mod classes;
mod contained;
pub mod copies;
pub mod cover;
pub mod equal;
mod error;
pub mod evidence;
mod extent;
pub mod find;
pub mod information;
pub mod lines;
mod matches;
mod measure;
mod nodes;
pub mod overlap;
mod pairs;
mod place;
pub mod relevance;
pub mod runs;
mod sequence;
pub mod similar;
mod statements;
#[cfg(test)]
mod testing;

pub use error::SearchError;
pub use matches::{Edges, Item, Link, Matches, Relation};
pub use measure::Measure;
pub use place::Place;
