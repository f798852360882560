//! Which features do dependencies have, whatever is built?
//!
//! Cargo compiles a crate once for each set of its features. The program that has `familiar clones` alone asks for fewer than the whole
//! one. This crate holds no code: its `Cargo.toml` asks for the same ones, so that either build takes up what the other one has compiled.
