//! Cases by hand, and properties.

mod cases;
mod oracles;
mod programs;
