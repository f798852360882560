//! Transformations of `if`, `switch` and conditions, one file each.

pub(super) mod boolean_exchange;
pub(super) mod conditional;
pub(super) mod conditional_nested;
pub(super) mod early_exit;
pub(super) mod if_else_flip;
pub(super) mod switch_if;
pub(super) mod ternary;
