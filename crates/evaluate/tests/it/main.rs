//! Measures on pairs, rows and bags that are small enough to judge by hand.

mod bags;
mod common;
mod pair_rows;
mod pairs;
mod retrieval;
