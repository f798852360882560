//! What the measures that compare nodes by bags have in common: families, sides and twins.

use std::io;

use familiar_index::bag_join::{self, Bags, Overlap};
use familiar_index::{Collection, Fraction, FragmentEntry, Side};

use crate::equal::Equal;
use crate::similar::SimilarSettings;
use crate::{Link, SearchError};

/// The nodes of a search, each stood for by its first fragment.
#[derive(Debug)]
pub(crate) struct Nodes<'c> {
    pub(crate) collection: &'c Collection,
    equal: &'c Equal,
    sides: Vec<Side>,
}

impl<'c> Nodes<'c> {
    pub(crate) fn new(collection: &'c Collection, equal: &'c Equal) -> Self {
        let side_of = |fragment: &u32| {
            let file = collection.fragments[*fragment as usize].file;
            collection.files[file as usize].side
        };
        let side_of_node = |node: &Vec<u32>| {
            let first = side_of(&node[0]);
            // A node with fragments on both sides pairs with either.
            if node.iter().all(|fragment| side_of(fragment) == first) { first } else { Side::Both }
        };
        Self { collection, equal, sides: equal.nodes.iter().map(side_of_node).collect() }
    }

    pub(crate) fn fragment(&self, node: u32) -> &'c FragmentEntry {
        &self.collection.fragments[self.equal.nodes[node as usize][0] as usize]
    }

    /// All pairs of nodes whose bags, as `read` gives them, overlap enough, sorted; nodes of different families only
    /// where the settings say so. Twins are left out. `overlap` makes of two nodes and the intersection of their bags
    /// what counts as their overlap, which is no more than that.
    pub(crate) fn links(
        &self,
        settings: &SimilarSettings<'_>,
        read: impl Fn(u32, &mut Vec<u32>) -> io::Result<()> + Sync,
        overlap: impl Fn(u32, u32, u32) -> io::Result<u32> + Sync,
    ) -> Result<Vec<Link>, SearchError> {
        let threshold = Fraction::new(settings.similarity);
        let mut found = Vec::new();
        for nodes in self.groups(settings.cross_families) {
            let bags = BagsOf { nodes: self, numbers: &nodes, read: &read, overlap: &overlap };
            let overlaps = bag_join::join(&bags, threshold, settings.memory)?;
            found.extend(overlaps.into_iter().map(|overlap| link(overlap, &nodes)));
        }
        found.sort_unstable_by_key(|link: &Link| (link.left, link.right));
        Ok(found)
    }

    /// The nodes that may be compared with one another.
    fn groups(&self, cross_families: bool) -> Vec<Vec<u32>> {
        let family = |node: u32| self.collection.files[self.fragment(node).file as usize].family;
        let mut nodes: Vec<u32> = (0..self.equal.nodes.len() as u32).collect();
        if cross_families {
            return vec![nodes];
        }
        nodes.sort_by_key(|&node| family(node));
        nodes.chunk_by(|&a, &b| family(a) == family(b)).map(<[u32]>::to_vec).collect()
    }
}

/// The link that an overlap of bags is. As the numbers ascend, the smaller one stays on the left.
fn link(overlap: Overlap, numbers: &[u32]) -> Link {
    let number = |bag: u32| numbers[bag as usize];
    let similarity = f64::from(overlap.overlap) / f64::from(overlap.larger);
    Link::edited(number(overlap.left), number(overlap.right), similarity)
}

struct BagsOf<'n, R, O> {
    nodes: &'n Nodes<'n>,
    numbers: &'n [u32],
    read: &'n R,
    overlap: &'n O,
}

impl<R, O> Bags for BagsOf<'_, R, O>
where
    R: Fn(u32, &mut Vec<u32>) -> io::Result<()> + Sync,
    O: Fn(u32, u32, u32) -> io::Result<u32> + Sync,
{
    fn count(&self) -> u32 {
        self.numbers.len() as u32
    }

    fn read(&self, bag: u32, out: &mut Vec<u32>) -> io::Result<()> {
        (self.read)(self.numbers[bag as usize], out)
    }

    fn side(&self, bag: u32) -> Side {
        self.nodes.sides[self.numbers[bag as usize] as usize]
    }

    fn wants(&self, left: u32, right: u32) -> bool {
        let twin = |bag: u32| self.nodes.equal.twins[self.numbers[bag as usize] as usize];
        twin(left) != twin(right)
    }

    fn overlap(&self, left: u32, right: u32, intersection: u32) -> io::Result<u32> {
        (self.overlap)(self.numbers[left as usize], self.numbers[right as usize], intersection)
    }
}
