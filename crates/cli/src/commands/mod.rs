//! One file for each verb.

pub(crate) mod clones;
pub(crate) mod debug;
