//! Learned vectors, and which of them point the same way.
//!
//! A [`VectorIndex`] answers which vectors have the greatest cosines with a vector, and which pairs have one of at least so
//! much. Vectors are kept in a byte for each dimension; few are compared one by one, many are found through a graph (Malkov
//! and Yashunin 2018), which may miss some. Answers and files are the same for any number of threads.
//! `docs/formats/vectors.md` describes the bytes of a file.
//!
//! `index` is what is asked, `builder` makes it, and `file` writes and reads it. `exact` compares few
//! vectors, `graph` goes from one to the next among many, and `grow` makes the graph. `codes` has the
//! bytes of a vector, `fragments` the fragments for which vectors stand.

mod builder;
mod codes;
mod error;
mod exact;
mod file;
mod fragments;
mod graph;
mod grow;
mod index;
mod scored;
#[cfg(test)]
mod tests;

pub use builder::VectorIndexBuilder;
pub use error::VectorError;
pub use fragments::{EncodedFragment, FragmentVectors};
pub use index::{Neighbor, VectorIndex};
