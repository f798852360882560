//! The familiar command.
fn main() {}
