//! Data sets as users have them, from beginning to end.

mod benchmark;
mod duplicates;
mod import;
mod problems;
