//! Where does this number stand? Fingerprints, token stores and look-ups: numbers only, never source text.
//!
//! A [`Collection`] is all that detection works on: the token symbols of every file ([`TokenStore`], in memory up to a
//! budget and in a temporary file beyond), and the tables of files and fragments. Symbols are opaque numbers here.
//! [`bag_join`] finds all pairs of token bags that overlap enough, [`vectors`] what a model finds alike.
//!
//! ```
//! use familiar_index::vectors::VectorIndexBuilder;
//!
//! let mut builder = VectorIndexBuilder::new(2, "an encoder");
//! for vector in [[1.0, 0.0], [0.0, 1.0], [0.9, 0.1]] {
//!     builder.push(&vector)?;
//! }
//! let nearest = builder.build().nearest(&[1.0, 0.0], 2);
//! let numbers: Vec<u32> = nearest.iter().map(|neighbor| neighbor.number).collect();
//! assert_eq!(numbers, [0, 2]);
//! # Ok::<(), familiar_index::vectors::VectorError>(())
//! ```
//!
//! # Files
//!
//! - **One search:** `collection` has the tables, `store` the tokens. `kgrams` samples positions
//!   and finds where code is periodic, `grams`, `prefix`, `token_order` and `bag_join` look up what
//!   is similar.
//! - **A corpus:** `segment` is what it is asked through, `places` the same for occurrences. `project_history`
//!   says which files and projects belong together, `declared` which files speak for licenses.
//!   `blocks` is the file with checksums below all of them.
//! - **Vectors:** `vectors`.

pub mod bag_join;
mod blocks;
mod collection;
mod declared;
mod fraction;
pub mod grams;
mod kgrams;
pub mod places;
mod prefix;
pub mod project_history;
pub mod segment;
mod store;
mod token_order;
pub mod vectors;

pub use collection::{Collection, FileEntry, FragmentEntry, Side};
pub use fraction::Fraction;
pub use kgrams::{Periodic, Sampler, Samples, Sampling};
pub use store::TokenStore;
