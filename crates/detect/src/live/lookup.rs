//! Numbers to the files that have them: sorted once when a tree is read, and a table beside it for files that changed since.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// What is found under a number, in the file of a slot.
pub(super) trait Posting: Copy + Ord + Send {
    fn slot(self) -> u32;
}

impl Posting for u32 {
    fn slot(self) -> u32 {
        self
    }
}

/// A fragment of a file, by its position among the file's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fragment {
    pub(super) slot: u32,
    pub(super) number: u32,
}

impl Posting for Fragment {
    fn slot(self) -> u32 {
        self.slot
    }
}

/// A sample in a file, with what stands around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sample(u64);

impl Sample {
    /// Most slots that a sample can name.
    pub(super) const SLOTS: u32 = 1 << 24;

    pub(super) fn new(slot: u32, at: u32, context: u8) -> Self {
        debug_assert!(slot < Self::SLOTS);
        Self(u64::from(slot) << 40 | u64::from(at) << 8 | u64::from(context))
    }

    /// Where in its file it stands.
    pub(super) fn at(self) -> u32 {
        (self.0 >> 8) as u32
    }

    pub(super) fn context(self) -> u8 {
        self.0 as u8
    }
}

impl Posting for Sample {
    fn slot(self) -> u32 {
        (self.0 >> 40) as u32
    }
}

/// Which files have a number.
#[derive(Debug)]
pub(super) struct Lookup<P> {
    /// Of the tree as it was read, ascending, and what stands under each.
    keys: Vec<u32>,
    postings: Vec<P>,
    /// Slots whose files changed since: what `postings` say of them counts no more.
    stale: Vec<bool>,
    changed: FxHashMap<u32, Vec<P>>,
}

impl<P: Posting> Lookup<P> {
    /// A lookup of what files have, each as pairs of number and posting.
    pub(super) fn new(slots: usize, of_files: Vec<Vec<(u32, P)>>) -> Self {
        let mut all: Vec<(u32, P)> = of_files.into_iter().flatten().collect();
        all.par_sort_unstable();
        let (keys, postings) = all.into_iter().unzip();
        Self { keys, postings, stale: vec![false; slots], changed: FxHashMap::default() }
    }

    /// What stands under a number.
    pub(super) fn get(&self, key: u32) -> impl Iterator<Item = P> {
        let from = self.keys.partition_point(|&other| other < key);
        let count = self.keys[from..].iter().take_while(|&&other| other == key).count();
        let read = self.postings[from..from + count].iter().copied();
        let is_stale = |posting: &P| self.stale.get(posting.slot() as usize).is_none_or(|stale| *stale);
        let changed = self.changed.get(&key).into_iter().flatten().copied();
        read.filter(move |posting| !is_stale(posting)).chain(changed)
    }

    /// Takes back what the file of a slot had.
    pub(super) fn remove(&mut self, slot: u32, pairs: &[(u32, P)]) {
        if let Some(stale) = self.stale.get_mut(slot as usize).filter(|stale| !**stale) {
            *stale = true;
            return;
        }
        for (key, _) in pairs {
            if let Some(list) = self.changed.get_mut(key) {
                list.retain(|posting| posting.slot() != slot);
                if list.is_empty() {
                    self.changed.remove(key);
                }
            }
        }
    }

    /// Adds what a file has whose slot had nothing, or had it taken back.
    pub(super) fn add(&mut self, pairs: Vec<(u32, P)>) {
        for (key, posting) in pairs {
            self.changed.entry(key).or_default().push(posting);
        }
    }

    /// Memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * 4 + self.postings.capacity() * size_of::<P>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_changed_is_found_as_if_it_had_been_there_from_the_start(
            first in prop::collection::vec(prop::collection::btree_set(0u32..8, 0..5), 1..5),
            changes in prop::collection::vec((0usize..7, prop::collection::btree_set(0u32..8, 0..5)), 0..12),
        ) {
            let pairs = |slot: usize, keys: &BTreeSet<u32>| -> Vec<(u32, u32)> {
                keys.iter().map(|&key| (key, slot as u32)).collect()
            };
            let mut files = first.clone();
            let read = first.iter().enumerate().map(|(slot, keys)| pairs(slot, keys)).collect();
            let mut lookup = Lookup::new(first.len(), read);
            for (slot, keys) in changes {
                files.resize(files.len().max(slot + 1), BTreeSet::new());
                lookup.remove(slot as u32, &pairs(slot, &files[slot]));
                lookup.add(pairs(slot, &keys));
                files[slot] = keys;
            }
            for key in 0..8 {
                let found: BTreeSet<u32> = lookup.get(key).collect();
                let expected = (0u32..).zip(&files).filter(|(_, keys)| keys.contains(&key));
                prop_assert_eq!(found, expected.map(|(slot, _)| slot).collect::<BTreeSet<u32>>());
            }
        }
    }

    #[test]
    fn a_sample_keeps_its_parts() {
        let sample = Sample::new(Sample::SLOTS - 1, u32::MAX, 0xa5);
        assert_eq!((sample.slot(), sample.at(), sample.context()), (Sample::SLOTS - 1, u32::MAX, 0xa5));
    }
}
