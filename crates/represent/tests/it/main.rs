//! Representations of programs, from outside.

mod holds;
mod hostile;
mod tree;
