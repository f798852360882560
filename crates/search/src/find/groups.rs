//! What of a query has the same hash: code that repeats itself is looked up once, and leads to each of its places.

use std::ops::Range;

/// A place of the query, or the number of one of its fragments, with the bits that its fingerprint has beside the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub(super) place: u32,
    pub(super) bits: u8,
}

/// A place of a blob, or the number of one of its fragments: the group of the query with the same hash, the place, and its bits.
pub(super) type Place = (u32, u32, u8);

/// Places of a query, in groups of the same hash.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    members: Vec<Member>,
    /// The hash of each group, and which members it has.
    groups: Vec<(u32, Range<usize>)>,
}

impl Groups {
    /// The groups of some places, given with their hash and their bits.
    pub(super) fn new(places: impl Iterator<Item = (u32, u32, u8)>) -> Self {
        let mut places: Vec<(u32, u32, u8)> = places.collect();
        places.sort_unstable();
        let mut groups = Vec::new();
        let mut start = 0;
        for same in places.chunk_by(|a, b| a.0 == b.0) {
            groups.push((same[0].0, start..start + same.len()));
            start += same.len();
        }
        let members = places.into_iter().map(|(_, place, bits)| Member { place, bits }).collect();
        Self { members, groups }
    }

    /// The hash of each group, with its members in the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[Member])> {
        self.groups.iter().map(|(hash, range)| (*hash, &self.members[range.clone()]))
    }

    /// The members of a group by its number.
    pub(super) fn members(&self, number: u32) -> &[Member] {
        &self.members[self.groups[number as usize].1.clone()]
    }
}

/// The different bits of some members.
pub(super) fn different_bits(members: &[Member]) -> Vec<u8> {
    let mut bits: Vec<u8> = members.iter().map(|member| member.bits).collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}
