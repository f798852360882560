//! What does one task of a cluster make of its share of a table?
//!
//! A cluster moves rows between machines: it groups, joins and sorts them. All that needs Familiar happens in tasks, and here: a batch of
//! rows comes in, and a batch goes out. So a join on many machines finds what the same join on one machine does:
//!
//! 1. [`Files`] says in which language each text is, or why it does not take part. [`Fragments`] reads the distinct ones.
//!    [`Samples`] makes bags of whole texts.
//!    [`Texts`] are the way to vectors and back, which others make.
//! 2. [`Counts`] counts in how many bags each token stands, and [`sums`] adds up. The most frequent ones, frozen, are an [`Order`].
//! 3. [`Keys`] gives each bag a key for each token of its prefix (Bayardo et al. 2007, Section 4): bags that overlap enough share one.
//!    Bags meet in buckets of keys, and travel there in packs. [`KeyCounts`] says what a set of queries asks for.
//! 4. [`links`] compares the bags that share a key, and [`verify`] those that were too large to travel with their keys.
//!
//! The aligned measure has steps of its own, which [`aligned`] describes.
//!
//! Nothing here depends on how rows are shared out among tasks, nor on their order.
//!
//! # Files
//!
//! `fragments` has the files and their fragments, `samples` whole texts. `bag` is a bag and its bytes, `measure` what two bags have in
//! common, `order` the frozen order of tokens, `keys` the prefixes, `packs` how they travel, `counts` how often something stands in all rows, and `links` the comparison. `sequence` is a fragment's tokens in
//! order, and `aligned` the search that compares those. `batch` reads and makes columns, and `text` decodes what is in them.

pub mod aligned;
mod bag;
mod batch;
mod counts;
mod fragments;
mod keys;
mod links;
mod measure;
mod order;
mod packs;
mod samples;
mod sequence;
mod text;

pub use batch::TaskError;
pub use counts::sums;
pub use fragments::{Files, Fragments};
pub use keys::{Asked, Cut, KeyCounts, Keys};
pub use links::{links, verify};
pub use measure::Measure;
pub use order::{Counts, Order};
pub use samples::{Samples, Texts};
pub use text::utf8;
