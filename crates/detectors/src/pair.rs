//! A pair that a detector reported.

/// Lines of a file, both ends from 1 and included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// As the detector writes it.
    pub path: String,
    pub start: u32,
    pub end: u32,
}

/// Two regions that are said to be clones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reported {
    pub left: Region,
    pub right: Region,
}

/// Calls `each` with every pair of a class.
pub(crate) fn all_pairs(members: &[Region], each: &mut dyn FnMut(Reported)) {
    for (at, left) in members.iter().enumerate() {
        for right in &members[at + 1..] {
            each(Reported { left: left.clone(), right: right.clone() });
        }
    }
}
