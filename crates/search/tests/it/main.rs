//! The search, asked from outside: what is found agrees with comparing everything with everything, limits cut it, and it does
//! not depend on the order in which code comes.

mod cases;
mod classes;
mod common;
mod equal;
mod find;
mod many;
mod measures;
mod runs;
