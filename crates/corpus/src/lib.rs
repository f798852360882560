//! Sources of code to documents with provenance, or skips with reasons.
//!
//! A corpus is filled from any [`Source`], one file each; [`spec::source`] tells which one the user means.
//!
//! # Files
//!
//! `source` has the trait of all sources with their [`Limits`], and the trait of those that must be fetched first.
//! `language_hint` is what a source says about a language. `spec` says which source the user means, and `list` reads lists
//! of them.
//!
//! - **Sources:** `tree` (a folder, of which `unchanged` knows what need not be read again),
//!   `archive`, `git` (a history, or what HEAD has of it alone), `registry` (packages; only its
//!   `http` and that of `git` open sockets), `stackexchange`, `docs`, `jsonl`, `submissions`,
//!   `codenet`.
//! - **Shared:** `lines` reads the lines of files, `row` what one holds. `content`, `compressed` and
//!   `budget` are for those that unpack, `block` and `html` for those that hold texts. `excerpt` is
//!   the part of a corpus that servers give each other.

pub mod archive;
mod block;
mod budget;
pub mod codenet;
mod compressed;
mod content;
pub mod docs;
pub mod excerpt;
pub mod git;
mod html;
pub mod jsonl;
mod language_hint;
pub mod lines;
mod list;
pub mod registry;
pub mod row;
mod row_tests;
pub mod source;
pub mod spec;
pub mod stackexchange;
pub mod submissions;
pub mod tree;
mod unchanged;

pub use language_hint::LanguageHint;
pub use row_tests::RowTests;
pub use source::{Before, Cause, Fetched, Found, Item, Kept, Limits, Remote, Sink, Source, SourceError};
