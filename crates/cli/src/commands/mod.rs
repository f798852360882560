//! One file for each verb: flags in, a call, an exit code out.

pub(crate) mod attack;
pub(crate) mod audit;
pub(crate) mod benchmark;
pub(crate) mod clones;
pub(crate) mod codenet;
pub(crate) mod completions;
pub(crate) mod corpus;
pub(crate) mod debug;
pub(crate) mod decisions;
pub(crate) mod embed;
pub(crate) mod evaluate;
pub(crate) mod find;
pub(crate) mod fingerprint;
pub(crate) mod graph;
pub(crate) mod license;
pub(crate) mod lsp;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod tokens;
#[cfg(feature = "train")]
pub(crate) mod train;
pub(crate) mod transform;
pub(crate) mod tree;
pub(crate) mod trend;
