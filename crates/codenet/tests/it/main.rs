//! Data sets as users have them, from beginning to end.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    reason = "small rows are easiest to read as they are written"
)]

mod benchmark;
mod duplicates;
mod import;
mod import_archive;
mod import_rows;
mod pairs;
mod problems;
mod sets;
