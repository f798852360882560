//! What detection found: items, and which of them are clone pairs.

use std::ops::Range;

use familiar_source::FragmentKind;
use rayon::prelude::*;

use crate::Place;

/// A fragment of the collection, or a run, that is part of some clone pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: FragmentKind,
    pub place: Place,
    /// Position among the fragments of its file; runs have none.
    pub ordinal: Option<u32>,
    /// Of a run: what stands before and after it. Where two equal runs have the same before, or the same after, their
    /// pair is part of a longer one.
    pub edges: Edges,
    /// Of a run of periodic code: the period in tokens. Such runs are equal up to the number of repetitions.
    pub period: u32,
}

impl Item {
    pub fn fragment(kind: FragmentKind, place: Place, ordinal: u32) -> Self {
        Self { ordinal: Some(ordinal), ..Self::run(kind, place) }
    }

    /// A run whose edges are not known to be shared with any other.
    pub fn run(kind: FragmentKind, place: Place) -> Self {
        Self { kind, place, ordinal: None, edges: Edges::OPEN, period: 0 }
    }
}

/// The tokens next to a run, on the left and on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edges {
    pub before: u32,
    pub after: u32,
}

impl Edges {
    /// Next to nothing that could be shared: the end of a file, a barrier.
    pub const NOTHING: u32 = u32::MAX;
    pub const OPEN: Self = Self { before: Self::NOTHING, after: Self::NOTHING };

    /// Whether nothing next to the run could be shared.
    pub(crate) fn are_open(self) -> bool {
        self == Self::OPEN
    }

    /// Whether two equal runs with these edges are as long as they can be.
    pub(crate) fn are_maximal_with(self, other: Self) -> bool {
        let differ = |a: u32, b: u32| a != b || a == Self::NOTHING;
        differ(self.before, other.before) && differ(self.after, other.after)
    }
}

/// Two nodes whose members are Type-3 or Type-4 clones of one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub left: u32,
    pub right: u32,
    /// 3 or 4.
    pub clone_type: u8,
    pub similarity: f64,
    /// The cosine of their vectors, where it was asked for.
    pub vector_similarity: Option<f32>,
}

impl Link {
    /// Two nodes that are edited copies.
    pub fn edited(left: u32, right: u32, similarity: f64) -> Self {
        Self { left, right, clone_type: 3, similarity, vector_similarity: None }
    }

    pub fn relation(self) -> Relation {
        let Self { clone_type, similarity, vector_similarity, .. } = self;
        Relation { clone_type, similarity, vector_similarity }
    }
}

/// How two items are related.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation {
    /// 1, 2, 3 or 4: the smallest clone type that holds.
    pub clone_type: u8,
    pub similarity: f64,
    /// The cosine of their vectors, where it was asked for.
    pub vector_similarity: Option<f32>,
}

impl Relation {
    /// That of equal items.
    fn equal(clone_type: u8) -> Self {
        Self { clone_type, similarity: 1.0, vector_similarity: None }
    }
}

/// Items and their relations, without a list of pairs: equal items share a *node* (Type-1), nodes that are equal once
/// renamed share a *twin group* (Type-2), and similar nodes are linked (Type-3, Type-4). So n equal items cost n entries.
#[derive(Debug, Default)]
pub struct Matches {
    items: Vec<Item>,
    /// The node of each item.
    nodes: Vec<u32>,
    /// The twin group of each node.
    twins: Vec<u32>,
    /// Items of each node, and nodes of each twin group.
    node_items: Lists,
    twin_nodes: Lists,
    links: Links,
}

impl Matches {
    /// `nodes[i]` is the node of `items[i]`, `twins[n]` the twin group of node `n`; numbers are dense from 0.
    pub fn new(items: Vec<Item>, nodes: Vec<u32>, twins: Vec<u32>, links: Vec<Link>) -> Self {
        debug_assert_eq!(items.len(), nodes.len());
        let twin_groups = twins.iter().max().map_or(0, |&most| most as usize + 1);
        Self {
            node_items: Lists::of(&nodes, twins.len()),
            twin_nodes: Lists::of(&twins, twin_groups),
            links: Links::of(links, twins.len()),
            items,
            nodes,
            twins,
        }
    }

    /// What the matches were made of: items, nodes, twins and links.
    pub fn into_parts(self) -> (Vec<Item>, Vec<u32>, Vec<u32>, Vec<Link>) {
        let links = self.links().collect();
        (self.items, self.nodes, self.twins, links)
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The node of an item.
    pub fn node(&self, item: u32) -> u32 {
        self.nodes[item as usize]
    }

    /// How many twin groups there are.
    pub fn twin_groups(&self) -> u32 {
        self.twin_nodes.starts.len().saturating_sub(1) as u32
    }

    /// The items of a twin group, node by node.
    pub(crate) fn twin_items(&self, group: u32) -> impl Iterator<Item = u32> + '_ {
        self.twin_nodes.list(group).iter().flat_map(|&node| self.node_items.list(node).iter().copied())
    }

    /// The twin group of an item: those that are equal to it once renamed.
    pub fn twin_group(&self, item: u32) -> u32 {
        self.twins[self.node(item) as usize]
    }

    /// How two different items are related, if they are.
    pub fn relation(&self, left: u32, right: u32) -> Option<Relation> {
        let (a, b) = (self.node(left), self.node(right));
        if a == b {
            return Some(Relation::equal(1));
        }
        if self.twins[a as usize] == self.twins[b as usize] {
            return Some(Relation::equal(2));
        }
        let range = self.links.of_node(a);
        let at = range.start + self.links.others[range].binary_search(&b).ok()?;
        Some(self.links.relations[at])
    }

    /// How two different items of one twin group are related.
    pub(crate) fn relation_of_twins(&self, left: u32, right: u32) -> Relation {
        Relation::equal(if self.node(left) == self.node(right) { 1 } else { 2 })
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> u32 {
        self.twins.len() as u32
    }

    /// The nodes that a node is linked with, ascending, and how.
    pub(crate) fn linked(&self, node: u32) -> impl Iterator<Item = (u32, Relation)> + '_ {
        self.links.linked(node)
    }

    /// The items that are of a node for which `holds`, and those that are related to any of them.
    pub(crate) fn with_related(&self, holds: &[bool]) -> Vec<bool> {
        let mut twins = vec![false; self.twin_groups() as usize];
        for (&twin, _) in self.twins.iter().zip(holds).filter(|(_, holds)| **holds) {
            twins[twin as usize] = true;
        }
        let of_node = |node: u32| {
            twins[self.twins[node as usize] as usize]
                || self.links.linked(node).any(|(other, _)| holds[other as usize])
        };
        let nodes: Vec<bool> = (0..self.nodes()).map(of_node).collect();
        self.nodes.iter().map(|&node| nodes[node as usize]).collect()
    }

    /// Every link once, the smaller node on the left; sorted.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        (0..self.twins.len() as u32).flat_map(|left| {
            let larger = self.links.linked(left).filter(move |&(right, _)| left < right);
            larger.map(move |(right, Relation { clone_type, similarity, vector_similarity })| Link {
                left,
                right,
                clone_type,
                similarity,
                vector_similarity,
            })
        })
    }

    /// The items of a node.
    pub(crate) fn node_items(&self, node: u32) -> &[u32] {
        self.node_items.list(node)
    }
}

/// For each node those that it is linked with, ascending, and how.
#[derive(Debug, Default)]
struct Links {
    starts: Vec<usize>,
    others: Vec<u32>,
    relations: Vec<Relation>,
}

impl Links {
    fn of(mut links: Vec<Link>, nodes: usize) -> Self {
        for link in &mut links {
            (link.left, link.right) = (link.left.min(link.right), link.left.max(link.right));
        }
        // Of two links between the same nodes the smaller type holds.
        links.par_sort_by_key(|link| (link.left, link.right, link.clone_type));
        links.dedup_by_key(|link| (link.left, link.right));
        let mut starts = vec![0; nodes + 1];
        for link in &links {
            starts[link.left as usize + 1] += 1;
            starts[link.right as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut others = vec![0; links.len() * 2];
        let mut relations = vec![Relation::equal(0); links.len() * 2];
        let mut add = |node: u32, other: u32, relation: Relation| {
            let slot = &mut next[node as usize];
            (others[*slot], relations[*slot]) = (other, relation);
            *slot += 1;
        };
        // A node's smaller partners come first, then its larger ones: so each list ascends.
        for link in &links {
            add(link.right, link.left, link.relation());
        }
        for link in &links {
            add(link.left, link.right, link.relation());
        }
        Self { starts, others, relations }
    }

    fn of_node(&self, node: u32) -> Range<usize> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    fn linked(&self, node: u32) -> impl Iterator<Item = (u32, Relation)> + '_ {
        let range = self.of_node(node);
        self.others[range.clone()].iter().copied().zip(self.relations[range].iter().copied())
    }
}

/// Lists of numbers in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    values: Vec<u32>,
}

impl Lists {
    /// For each group `0..groups` the positions in `group_of` that name it.
    pub(crate) fn of(group_of: &[u32], groups: usize) -> Self {
        let mut starts = vec![0u32; groups + 1];
        for &group in group_of {
            starts[group as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut values = vec![0; group_of.len()];
        for (value, &group) in group_of.iter().enumerate() {
            let slot = &mut next[group as usize];
            values[*slot as usize] = value as u32;
            *slot += 1;
        }
        Self { starts, values }
    }

    /// The same lists of other values.
    pub(crate) fn map(mut self, value: impl Fn(u32) -> u32) -> Self {
        self.values.iter_mut().for_each(|at| *at = value(*at));
        self
    }

    pub(crate) fn list(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.values[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Span;

    use super::*;

    fn item(file: u32) -> Item {
        Item::fragment(FragmentKind::Function, Place { file, tokens: Span::new(0, 60) }, 1)
    }

    #[test]
    fn nodes_twins_and_links_give_the_four_types() {
        // Items 0 and 1 are equal, 2 is 0 renamed, 3 is similar to 0, 4 behaves like 0; 3 behaves like 0, too.
        let behaves =
            |right| Link { clone_type: 4, vector_similarity: Some(0.8), ..Link::edited(0, right, 0.95) };
        let links = vec![behaves(2), Link::edited(0, 2, 0.8), behaves(3)];
        let matches = Matches::new((0..5).map(item).collect(), vec![0, 0, 1, 2, 3], vec![0, 0, 1, 2], links);
        let types = |a, b| matches.relation(a, b).map(|relation| relation.clone_type);
        assert_eq!([types(0, 1), types(0, 2), types(3, 1), types(2, 3)], [Some(1), Some(2), Some(3), None]);
        let links: Vec<_> = matches.linked(0).map(|(node, relation)| (node, relation.clone_type)).collect();
        assert_eq!(links, [(2, 3), (3, 4)]);
        let twins =
            matches.twin_items(0).map(|other| (other, matches.relation_of_twins(0, other).clone_type));
        assert_eq!(twins.collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 2)]);
        assert_eq!(matches.with_related(&[false, false, true, false]), [true, true, false, true, false]);
        let cosine = |a, b| matches.relation(a, b).and_then(|relation| relation.vector_similarity);
        assert_eq!([cosine(0, 1), cosine(0, 3), cosine(4, 0)], [None, None, Some(0.8)]);
    }
}
