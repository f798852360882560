//! Transformations of neighboring statements, of declarations and of members, one file each.

pub(super) mod declaration_merge;
pub(super) mod declaration_split;
pub(super) mod member_reorder;
pub(super) mod statement_swap;
pub(super) mod try_wrap;
