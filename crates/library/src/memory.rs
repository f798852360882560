//! How much of a memory setting filling a corpus takes.

use familiar_source::memory::budget;

/// How many vectors of so many numbers a file of a corpus holds: as many as may be held while they are searched for their graph.
pub(crate) fn vectors(setting: usize, dimensions: usize) -> usize {
    (budget(setting) / 2 / (dimensions + 320)).max(1)
}

/// What the segment of a corpus may take while it is made, and as much again while it is written.
pub(crate) fn segment(setting: usize) -> usize {
    budget(setting) / 8
}

/// How many blobs' names are held in memory while a corpus is filled, at about 40 bytes.
pub(crate) fn known_blobs(setting: usize) -> usize {
    budget(setting) / 16 / 40
}

/// Bytes of rows that each table of a corpus holds until they are written together.
pub(crate) fn row_group(setting: usize) -> usize {
    (budget(setting) / 64).clamp(1 << 18, 4 << 20)
}
