//! How does a model see this program? As tokens, as a simplified parse tree, or as a graph.
//!
//! The formats are those of Project CodeNet (Puri et al. 2021, Section 5.3). The crate opens no file and runs nothing.
//!
//! # Files
//!
//! `tokens` has the tokens with their classes, `tree` the simplified parse trees, `graph` control flow, data flow and
//! dependence. `columns` packs columns of tables, and `text` writes numbers and strings.

pub mod columns;
pub mod graph;
mod text;
pub mod tokens;
pub mod tree;
