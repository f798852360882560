//! How much of a memory setting files take while they are read.
//!
//! A setting is a number of bytes. What the program takes by itself comes first; every share is one of the rest.

/// The setting where none is given.
pub const DEFAULT: usize = 1 << 30;

/// Code, stacks, and what the allocator holds in reserve.
pub const PROGRAM: usize = 32 << 20;

/// What a setting leaves beside the program.
pub fn beside_program(setting: usize) -> usize {
    setting.saturating_sub(PROGRAM)
}

/// For the largest file: its bytes, and its tokens while it is parsed. Depends on the setting alone, so that what is searched does.
pub fn file(setting: usize) -> usize {
    beside_program(setting) / 8
}

/// For the syntax tree of one file. Such trees are gone before there are any tables of a search.
pub fn tree(setting: usize) -> usize {
    beside_program(setting) / 4
}

/// Bytes of source that are read at a time: one batch is read while another is parsed and a third waits.
pub fn read_batch(setting: usize) -> usize {
    beside_program(setting) / 48
}
