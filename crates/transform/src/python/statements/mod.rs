//! Transformations of statements and of what stands around them.

pub(crate) mod dead_code;
pub(crate) mod declaration_merge;
pub(crate) mod declaration_move;
pub(crate) mod declaration_split;
pub(crate) mod no_effect;
pub(crate) mod redundant_code;
pub(crate) mod try_wrap;
