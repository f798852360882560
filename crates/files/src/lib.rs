//! Which files does a user mean, and how are they opened?
//!
//! Every file below a root is either a [`Document`] or a [`Skip`] ([`dir`]). Nothing else than a regular file is opened ([`named`]),
//! and nothing is read beyond a limit ([`bounded`]).
//!
//! # Files
//!
//! `dir` lists folders, `document` is a file of one, `named` opens files that a user names, `bounded` reads them up to a limit, and
//! `input` is what a search reads. `work_tree` asks the `git` command about a tree that a stranger may have made.

pub mod bounded;
pub mod dir;
mod document;
pub mod input;
pub mod named;
pub mod work_tree;

pub use document::{Document, Skip, TreePath, percent_encoded};
