//! Transformations of expressions, one file each.

pub(super) mod array_pointer;
pub(super) mod augmented;
pub(super) mod comparison_rewrite;
pub(super) mod comparison_swap;
pub(super) mod increment_rewrite;
pub(super) mod literal_rewrite;
pub(super) mod operand_swap;
