//! Which relations are clone pairs of the result.

use familiar_index::{FileEntry, Side};
use familiar_source::FragmentKind;

use crate::contained::Containment;
use crate::{Matches, Relation};

/// What is asked of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Traits {
    /// Node or twin group: what decides to which items it is related.
    pub(crate) related: (bool, u32),
    pub(crate) kind: FragmentKind,
    pub(crate) side: Side,
    pub(crate) family: u8,
    pub(crate) tree: u32,
    /// Whether it is left out, is touched, and has open edges.
    pub(crate) marks: [bool; 3],
}

/// The clone pairs among the items of [`Matches`].
#[derive(Debug)]
pub struct Pairs<'m> {
    matches: &'m Matches,
    containment: Containment<'m>,
    pub(crate) sides: Vec<Side>,
    families: Option<Vec<u8>>,
    types: [bool; 5],
    /// Where only pairs between trees are asked for: the tree of each item.
    trees: Option<Vec<u32>>,
    /// Items whose pairs count for nothing.
    left_out: Option<Vec<bool>>,
    /// Where only pairs that touch some items are asked for: those items.
    touching: Option<Vec<bool>>,
    /// Pairs that are of no interest.
    accepted: Option<Accepted>,
}

/// Pairs that are known already and of no interest.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// For each item whether its pairs with others that are marked are accepted.
    pub items: Vec<bool>,
    /// Linked nodes, the smaller first, whose pairs are accepted; sorted.
    pub links: Vec<(u32, u32)>,
    /// Twin groups whose pairs are accepted; sorted.
    pub groups: Vec<u32>,
}

impl Accepted {
    /// Whether the pair of two items is accepted.
    pub fn holds(&self, matches: &Matches, left: u32, right: u32) -> bool {
        let group = matches.twin_group(left);
        let link = || {
            let (a, b) = (matches.node(left), matches.node(right));
            self.links.binary_search(&(a.min(b), a.max(b))).is_ok()
        };
        (self.items[left as usize] && self.items[right as usize])
            || if group == matches.twin_group(right) {
                self.groups.binary_search(&group).is_ok()
            } else {
                link()
            }
    }
}

impl<'m> Pairs<'m> {
    /// The pairs of the clone types `types`, on sides that the search asks for; `files` are the collection's.
    pub fn new(matches: &'m Matches, files: &[FileEntry], types: &[u8], cross_families: bool) -> Self {
        let file = |item: &crate::Item| files[item.place.file as usize];
        let mut asked = [false; 5];
        for &clone_type in types.iter().filter(|&&t| t < 5) {
            asked[clone_type as usize] = true;
        }
        Self {
            matches,
            containment: Containment::new(matches),
            sides: matches.items().iter().map(|item| file(item).side).collect(),
            families: (!cross_families)
                .then(|| matches.items().iter().map(|item| file(item).family).collect()),
            types: asked,
            trees: None,
            left_out: None,
            touching: None,
            accepted: None,
        }
    }

    /// Leaves only the pairs between different trees; `tree_of` tells the tree of each file.
    pub fn between(self, tree_of: Option<&[u32]>) -> Self {
        let tree = |item: &crate::Item| tree_of.map(|trees| trees[item.place.file as usize]);
        let trees = self.matches.items().iter().map(tree).collect();
        Self { trees, ..self }
    }

    /// Leaves out what stands in some files, and whatever is a clone of that; `files` tells which.
    pub fn leaving_out(self, files: Option<&[bool]>) -> Self {
        let Some(files) = files else { return self };
        let matches = self.matches;
        let stands_there = |item: &u32| files[matches.items()[*item as usize].place.file as usize];
        let nodes: Vec<bool> =
            (0..matches.nodes()).map(|node| matches.node_items(node).iter().any(stands_there)).collect();
        Self { left_out: Some(matches.with_related(&nodes)), ..self }
    }

    /// Leaves only the pairs of which at least one side is marked in `items`.
    pub fn touching(self, items: Option<Vec<bool>>) -> Self {
        Self { touching: items, ..self }
    }

    /// Leaves out accepted pairs; what they contain stays left out, too.
    pub fn without(self, accepted: Option<Accepted>) -> Self {
        Self { accepted, ..self }
    }

    /// Whether two related items are a clone pair of the result.
    pub fn accepts(&self, left: u32, right: u32, relation: Relation) -> bool {
        self.is_asked(left, right, relation)
            && !self.is_accepted(left, right)
            && !self.containment.is_contained(left, right, |a, b, relation| self.is_asked(a, b, relation))
    }

    /// Whether the pair of two items is accepted, and so of no interest.
    pub(crate) fn is_accepted(&self, left: u32, right: u32) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.holds(self.matches, left, right))
    }

    /// Whether two related items are a clone pair, be it reported as one or within a larger one.
    pub fn is_asked(&self, left: u32, right: u32, relation: Relation) -> bool {
        let [a, b] = [left, right].map(|item| self.matches.items()[item as usize]);
        let overlap = a.place.file == b.place.file
            && a.place.tokens.start < b.place.tokens.end
            && b.place.tokens.start < a.place.tokens.end;
        self.counts(left, right, relation) && !overlap && a.edges.are_maximal_with(b.edges)
    }

    /// Whether two related items are a clone pair if they stand apart and no longer run holds both.
    pub(crate) fn counts(&self, left: u32, right: u32, relation: Relation) -> bool {
        let (l, r) = (left as usize, right as usize);
        let items = self.matches.items();
        self.types[relation.clone_type as usize]
            && items[l].kind == items[r].kind
            && self.families.as_ref().is_none_or(|families| families[l] == families[r])
            && self.left_out.as_ref().is_none_or(|left_out| !left_out[l] && !left_out[r])
            && self.trees.as_ref().is_none_or(|trees| trees[l] != trees[r])
            && self.touching.as_ref().is_none_or(|touching| touching[l] || touching[r])
            && self.sides[l].pairs_with(self.sides[r])
    }

    /// All of an item that [`Pairs::counts`] asks for, and whether edges count.
    pub(crate) fn traits(&self, item: u32) -> Traits {
        let at = item as usize;
        let node = self.matches.node(item);
        let is_marked = |marks: &Option<Vec<bool>>| marks.as_ref().is_some_and(|marks| marks[at]);
        // Type-1 and Type-2 tell nodes of one twin group apart only where one of them is asked for, and links always.
        let by_twins = self.types[1] == self.types[2] && self.matches.linked(node).next().is_none();
        Traits {
            related: (by_twins, if by_twins { self.matches.twin_group(item) } else { node }),
            kind: self.matches.items()[at].kind,
            side: self.sides[at],
            family: self.families.as_ref().map_or(0, |families| families[at]),
            tree: self.trees.as_ref().map_or(0, |trees| trees[at]),
            marks: [
                is_marked(&self.left_out),
                is_marked(&self.touching),
                self.matches.items()[at].edges.are_open(),
            ],
        }
    }

    /// Whether an item is one of those whose pairs with each other are accepted.
    pub(crate) fn is_accepted_item(&self, item: u32) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.items[item as usize])
    }

    pub(crate) fn matches(&self) -> &'m Matches {
        self.matches
    }

    /// The items that enclose an item.
    pub(crate) fn enclosing(&self, item: u32) -> &[u32] {
        self.containment.enclosing(item)
    }
}
