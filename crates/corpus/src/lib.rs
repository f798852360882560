//! Sources of code to documents with provenance, or skips with reasons.
//!
//! `familiar clones` lists trees ([`dir`]): every file below a root is either a [`Document`] or a [`Skip`]. A corpus is
//! filled from any [`Source`], one file each; [`spec::source`] tells which one the user means.
//!
//! # Files
//!
//! `source` has the trait of all sources with their [`Limits`], and the trait of those that must be fetched first.
//! `language_hint` is what a source says about a language, and `document` is a file of a tree. `spec` says which source
//! the user means, and `list` reads lists of them.
//!
//! - **Sources:** `tree` (a folder, of which `unchanged` knows what need not be read again),
//!   `archive`, `git` (a history, or what HEAD has of it alone), `registry` (packages; only its
//!   `http` and that of `git` open sockets), `stackexchange`, `docs`, `jsonl`, `submissions`,
//!   `codenet`.
//! - **Shared:** `dir` lists trees, `named` opens files that a user names, `lines` reads their lines, `row` what one holds, and `bounded` reads them up to a limit.
//!   `content`, `compressed` and `budget` are for those that unpack, `block` and `html` for those that hold texts.
//!   `input` is what a search reads, `excerpt` the part of a corpus that servers give each other.
//!   `work_tree` asks the `git` command about a tree that a stranger may have made.

pub mod archive;
mod block;
mod bounded;
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
mod language_hint;
pub mod lines;
mod list;
pub mod named;
pub mod registry;
pub mod row;
mod row_tests;
pub mod source;
pub mod spec;
pub mod stackexchange;
pub mod submissions;
pub mod tree;
mod unchanged;
pub mod work_tree;

pub use document::{Document, Skip, TreePath};
pub use language_hint::{LanguageHint, language_called, language_named};
pub use row_tests::RowTests;
pub use source::{Before, Cause, Fetched, Found, Item, Kept, Limits, Remote, Sink, Source, SourceError};
