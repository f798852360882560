//! Leaves of the fragments that are alike those that are copies (`familiar_search::copies`).

use std::io;

use familiar_index::{Collection, FragmentEntry};
use familiar_search::Link;
use familiar_search::copies::Copies;
use familiar_search::equal::Equal;
use familiar_search::evidence::Commonness;
use familiar_search::information::Limit;
use rayon::prelude::*;

/// How many nodes of a twin group are tried as the original of others; the rest stand alone.
const MOST_ORIGINALS: usize = 8;

/// What tells copies in one collection.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'c> {
    pub(crate) collection: &'c Collection,
    pub(crate) commonness: &'c Commonness,
    pub(crate) limit: Limit,
}

impl<'c> Judge<'c> {
    /// Splits what is equal, as written or once renamed, into what is copied.
    pub(crate) fn split_equal(self, equal: &mut Equal) -> io::Result<()> {
        let groups = equal.twin_groups();
        let split = groups
            .into_par_iter()
            .map_init(|| self.copies(), |copies, group| self.split(equal, group, copies));
        let split: Vec<Split> = split.collect::<io::Result<_>>()?;
        for &node in split.iter().flat_map(|split| &split.single) {
            equal.keep_first(node);
        }
        equal.set_twins(split.iter().flat_map(|split| &split.twins));
        Ok(())
    }

    fn split(self, equal: &Equal, group: Vec<u32>, copies: &mut Copies<'_>) -> io::Result<Split> {
        let count: usize = group.iter().map(|&node| equal.nodes[node as usize].len()).sum();
        let mut single = Vec::new();
        for &node in &group {
            if let &[first, second, ..] = equal.nodes[node as usize].as_slice()
                && !copies.are(self.fragment(first), self.fragment(second), None, count)?
            {
                single.push(node);
            }
        }
        let mut twins = Vec::new();
        let mut rest = group;
        while !rest.is_empty() {
            if twins.len() == MOST_ORIGINALS {
                twins.extend(rest.into_iter().map(|node| vec![node]));
                break;
            }
            let first = self.node(equal, rest[0]);
            let (mut of_first, mut others) = (vec![rest[0]], Vec::new());
            for &node in &rest[1..] {
                let are = copies.are(first, self.node(equal, node), None, count)?;
                if are { &mut of_first } else { &mut others }.push(node);
            }
            twins.push(of_first);
            rest = others;
        }
        Ok(Split { single, twins })
    }

    /// The links but those between fragments that are no copies.
    pub(crate) fn copies_among(self, equal: &Equal, links: Vec<Link>) -> io::Result<Vec<Link>> {
        let keeps = |copies: &mut Copies<'_>, link: Link| {
            let [left, right] = [link.left, link.right].map(|node| self.node(equal, node));
            let count = equal.nodes[link.left as usize].len() + equal.nodes[link.right as usize].len();
            Ok(copies.are(left, right, Some(link.similarity), count)?.then_some(link))
        };
        let kept = links.into_par_iter().map_init(|| self.copies(), keeps);
        Ok(kept.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn copies(self) -> Copies<'c> {
        Copies::new(self.collection, self.commonness, self.limit)
    }

    fn fragment(self, number: u32) -> &'c FragmentEntry {
        &self.collection.fragments[number as usize]
    }

    fn node(self, equal: &Equal, node: u32) -> &'c FragmentEntry {
        self.fragment(equal.nodes[node as usize][0])
    }
}

/// What a twin group falls into.
struct Split {
    /// The nodes whose fragments are no copies of one another.
    single: Vec<u32>,
    twins: Vec<Vec<u32>>,
}
