//! Oracle.
fn main() {}
