//! Pairs by PATH's fragments.

use std::collections::BTreeSet;

use familiar_report::PairRow;

use crate::comparison::Comparison;
use crate::error::AuditError;

/// What a pair and its row take in memory, about.
const PAIR: usize = 1000;

/// Most pairs of a piece of code. Two files of hundreds of alike functions have far more, which say nothing new.
const MOST_PAIRS: usize = 100;

/// A piece of PATH's code with its pairs, by their right sides.
pub(crate) struct Group {
    pub(crate) left: u32,
    pub(crate) pairs: Vec<PairRow>,
}

impl Comparison<'_> {
    /// The pairs by PATH's fragment; and how many further pairs there are of code that has too many.
    pub(crate) fn groups(&self) -> Result<(Vec<Group>, u64), AuditError> {
        let most = self.options.clones.memory / 2 / PAIR;
        let mut gathered =
            Gathered { comparison: self, groups: Vec::new(), pairs: 0, each: MOST_PAIRS, left_out: 0 };
        self.report
            .all_pairs
            .for_each(&mut |pair| {
                gathered.push(pair);
                gathered.shrink_to(most);
                Ok(())
            })
            .map_err(AuditError::Pairs)?;
        gathered.trim_last();
        Ok((gathered.groups, gathered.left_out))
    }
}

/// Groups that are gathered, with no more pairs than there is room for.
struct Gathered<'f, 'a> {
    comparison: &'f Comparison<'a>,
    groups: Vec<Group>,
    /// How many are held.
    pairs: usize,
    /// Most pairs of a group.
    each: usize,
    left_out: u64,
}

impl Gathered<'_, '_> {
    /// Takes the next pair; those of a fragment follow one another.
    fn push(&mut self, pair: &PairRow) {
        self.pairs += 1;
        match self.groups.last_mut() {
            Some(group) if group.left == pair.left => group.pairs.push(pair.clone()),
            _ => {
                self.trim_last();
                self.groups.push(Group { left: pair.left, pairs: vec![pair.clone()] });
            }
        }
        if self.groups.last().is_some_and(|group| group.pairs.len() >= 20 * self.each) {
            self.trim_last();
        }
    }

    fn trim_last(&mut self) {
        let last = self.groups.len().saturating_sub(1);
        self.trim(last);
    }

    /// Leaves no more than `most` pairs where that leaves each group one.
    fn shrink_to(&mut self, most: usize) {
        while self.pairs > most && self.each > 1 {
            self.each /= 2;
            (0..self.groups.len()).for_each(|group| self.trim(group));
        }
    }

    /// Leaves a group its best pairs: of each project the one that is most alike, then of each file, then others. A project under another
    /// license may be the last of many, so of projects ten times as many are kept as of pairs.
    fn trim(&mut self, group: usize) {
        let comparison = self.comparison;
        let Some(Group { pairs, .. }) = self.groups.get_mut(group) else { return };
        let before = pairs.len();
        if before <= self.each {
            return;
        }
        pairs.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.right.cmp(&b.right)));
        let (mut projects, mut documents) = (BTreeSet::new(), BTreeSet::new());
        pairs.sort_by_cached_key(|pair| {
            let row = comparison.fragment(pair.right);
            let is_further = !documents.insert(row.document);
            (!projects.insert(row.root), is_further)
        });
        pairs.truncate(projects.len().clamp(self.each, 10 * self.each));
        pairs.sort_by_key(|pair| pair.right);
        self.pairs -= before - pairs.len();
        self.left_out += (before - pairs.len()) as u64;
    }
}
