//! Sources of code to documents with provenance, or skips with reasons.
//!
//! `familiar clones` lists trees ([`dir`]): every file below a root is either a [`Document`] or a [`Skip`]. A corpus is
//! filled from any [`Source`], one file each; [`spec::source`] tells which one the user means.

pub mod archive;
mod block;
mod budget;
pub mod codenet;
mod compressed;
mod content;
pub mod dir;
pub mod docs;
mod document;
pub mod excerpt;
pub mod git;
mod html;
pub mod input;
pub mod jsonl;
mod list;
pub mod named;
pub mod registry;
mod remote;
pub mod source;
pub mod spec;
pub mod stackexchange;
pub mod submissions;
mod told;
pub mod tree;
mod unchanged;

pub use document::{Document, Skip, TreePath};
pub use remote::{Fetched, Remote};
pub use source::{Before, Found, Item, Limits, Sink, Source, SourceError};
pub use told::Told;
