//! Which problems are one: by decisions, by statements, and by near-duplicates.

use std::collections::BTreeMap;

use super::decisions::Verdict;

/// What two problems have in common, and what was decided about them.
#[derive(Clone, Copy, Default)]
pub(super) struct Between {
    pub(super) near_duplicates: u64,
    pub(super) same_statement: bool,
    pub(super) decision: Option<Verdict>,
}

/// Problems in groups, each of which counts as one.
pub(super) struct Groups(Vec<u32>);

impl Groups {
    /// Decisions come first, then the strongest evidence. No group has two problems that are different by decision; fails where
    /// decisions alone make one. Gives those two.
    pub(super) fn of(
        problems: usize,
        between: &BTreeMap<[u32; 2], Between>,
        threshold: u64,
    ) -> Result<Self, [u32; 2]> {
        let mut groups = Self((0..problems as u32).collect());
        let decided = |verdict| {
            between.iter().filter(move |(_, it)| it.decision == Some(verdict)).map(|(pair, _)| *pair)
        };
        let different: Vec<[u32; 2]> = decided(Verdict::Different).collect();
        decided(Verdict::One).for_each(|pair| groups.join(pair));
        if let Some(&pair) = different.iter().find(|pair| groups.are_one(**pair)) {
            return Err(pair);
        }
        let mut by_evidence: Vec<_> = between
            .iter()
            .filter(|(_, it)| it.decision.is_none() && (it.same_statement || it.near_duplicates >= threshold))
            .map(|(pair, it)| (std::cmp::Reverse((it.same_statement, it.near_duplicates)), *pair))
            .collect();
        by_evidence.sort_unstable();
        for (_, pair) in by_evidence {
            let roots = groups.roots(pair);
            if different.iter().all(|&apart| groups.roots(apart) != roots) {
                groups.join(pair);
            }
        }
        Ok(groups)
    }

    /// What stands for the group of a problem.
    pub(super) fn root(&self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            at = self.0[at as usize];
        }
        at
    }

    pub(super) fn are_one(&self, [one, two]: [u32; 2]) -> bool {
        self.root(one) == self.root(two)
    }

    fn roots(&self, pair: [u32; 2]) -> [u32; 2] {
        let mut roots = pair.map(|at| self.root(at));
        roots.sort_unstable();
        roots
    }

    fn join(&mut self, pair: [u32; 2]) {
        let [first, other] = self.roots(pair);
        self.0[other as usize] = first;
    }
}
