//! Transformations of loops, one file each. `rounds` is what some of them ask.

pub(super) mod continue_else;
pub(super) mod do_while;
pub(super) mod for_while;
pub(super) mod infinite;
mod rounds;
pub(super) mod single_round;
pub(super) mod unroll;
pub(super) mod while_condition;
pub(super) mod while_for;
