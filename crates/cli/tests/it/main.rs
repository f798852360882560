//! The command as a program: what it reads, says and writes.
//!
//! All of it is one program: each test program takes its own time to be linked. `cargo test -p familiar-cli gate::` runs one
//! file's tests.

mod attack;
mod audit;
mod behavior;
mod benchmark;
mod benchmark_told;
mod ci;
mod codenet;
mod command_line;
mod common;
mod corpus;
mod damage;
mod decisions;
mod design;
mod encoders;
mod evaluate;
mod find;
mod formats;
mod gate;
mod graph;
mod html;
mod inputs;
mod judging;
mod license;
mod licenses;
mod old_corpora;
mod output;
mod packaging;
mod runs;
mod sample;
mod serve;
#[path = "../../../encoders/tests/it/server/mod.rs"]
mod server;
mod settings;
mod storage;
mod tokens;
mod transform;
mod tree;
mod trend;
mod unreadable;
