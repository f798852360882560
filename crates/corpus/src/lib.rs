//! Sources of code to documents, or skips with reasons.
//!
//! One source so far: a directory tree ([`dir`]). Every file below a root is either a [`Document`] or a [`Skip`].

pub mod dir;
mod document;

pub use document::{Document, Skip, TreePath};
