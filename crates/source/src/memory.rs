//! How much of a memory setting files take while they are read.
//!
//! A setting is a number of bytes. The program itself has a fixed reserve, and every budget is a part of what is left.

/// The setting where none is given.
pub const DEFAULT: usize = 1 << 30;

/// Code, stacks, and what the allocator holds in reserve.
pub const PROGRAM_RESERVE: usize = 32 << 20;

/// What a setting leaves beside the reserve of the program.
pub fn budget(setting: usize) -> usize {
    setting.saturating_sub(PROGRAM_RESERVE)
}

/// For the largest file: its bytes, and its tokens while it is parsed. Depends on the setting alone, so that what is searched does.
pub fn file_budget(setting: usize) -> usize {
    budget(setting) / 8
}

/// For the syntax tree of one file. Such trees are gone before there are any tables of a search.
pub fn tree_budget(setting: usize) -> usize {
    budget(setting) / 4
}

/// Bytes of source that are read at a time: one batch is read while another is parsed and a third waits.
pub fn batch_budget(setting: usize) -> usize {
    budget(setting) / 48
}
