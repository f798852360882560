//! Fingerprints, token stores and look-ups: numbers only, never source text.
//!
//! A [`Collection`] is all that detection works on: the token symbols of every file ([`TokenStore`], in memory up to a
//! budget and in a temporary file beyond), and the tables of files and fragments. Symbols are opaque numbers here.

mod collection;
pub mod grams;
mod store;

pub use collection::{Collection, FileEntry, FragmentEntry, Side};
pub use store::TokenStore;
