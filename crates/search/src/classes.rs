//! The classes that the clone pairs of the result form.
//!
//! A class is a star: a representative and the items that each form a clone pair with it. Representatives are taken in
//! the order of size, then place. Of those of one size, an item on both sides comes first: two items of one side are no pair,
//! though they may be equal. An item is a member of the first class that takes it. Pairs that are no rays of a star link
//! classes.

use familiar_index::Side;
use rayon::prelude::*;

use crate::Relation;
use crate::alike::{Alike, Scan};
pub use crate::pairs::{Accepted, Pairs};

/// Most members of different classes that one twin is compared with, to be linked to the first that fits.
const MOST_TWINS: usize = 16;
/// Pairs between two nodes that are tried one by one.
const FEW: usize = 64;

/// A representative and what forms a clone pair with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Items, the representative first, the others in order.
    pub members: Vec<u32>,
    /// The largest type among the rays.
    pub clone_type: u8,
}

/// Two items that form a clone pair; `left` comes first in the order of items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub relation: Relation,
}

impl Pairs<'_> {
    /// Whether each item is part of any clone pair of the result.
    pub fn have_any(&self) -> Vec<bool> {
        let alike = Alike::of(self);
        let items = (0..self.matches().items().len() as u32).into_par_iter();
        items.map_init(|| Scan::new(self, &alike), |scan, item| scan.first(item).is_some()).collect()
    }

    /// The classes, in the order of their representatives' sizes and places.
    pub fn classes(&self) -> Vec<Class> {
        let items = self.matches().items();
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        order.par_sort_by_key(|&item| {
            let size = items[item as usize].place.tokens.len();
            (std::cmp::Reverse(size), self.sides[item as usize] != Side::Both, item)
        });
        let alike = Alike::of(self);
        let mut scan = Scan::new(self, &alike);
        let mut taken = vec![false; items.len()];
        let mut classes = Vec::new();
        for representative in order {
            if !taken[representative as usize] {
                classes.extend(star(&mut scan, representative, &mut taken));
            }
        }
        classes
    }

    /// The rays of `classes`, one pair for each two nodes that are linked but by no ray, what links the twins of different
    /// classes, and one pair for each item that has pairs but none of these; ordered.
    pub fn rays_and_links(&self, classes: &[Class]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let mut rayed: Vec<(u32, u32)> = Vec::new();
        for class in classes {
            let representative = class.members[0];
            for &member in &class.members[1..] {
                let relation = self.matches().relation(representative, member).expect("a ray is a relation");
                pairs.push(Pair::ordered(representative, member, relation));
                let (a, b) = (self.matches().node(representative), self.matches().node(member));
                rayed.push((a.min(b), a.max(b)));
            }
        }
        rayed.sort_unstable();
        rayed.dedup();
        let alike = Alike::of(self);
        let mut scan = Scan::new(self, &alike);
        for link in self.matches().links().filter(|l| rayed.binary_search(&(l.left, l.right)).is_err()) {
            pairs.extend(self.first_pair(&mut scan, link.left, link.right, link.relation()));
        }
        self.add_twins(classes, &mut pairs);
        self.add_left_over(&mut scan, &mut pairs);
        pairs.par_sort_by_key(|pair| (pair.left, pair.right));
        pairs
    }

    /// Links twins that are members of different classes: the first of each class to one before it.
    fn add_twins(&self, classes: &[Class], pairs: &mut Vec<Pair>) {
        let mut class_of = vec![u32::MAX; self.matches().items().len()];
        for (number, class) in (0u32..).zip(classes) {
            class.members.iter().for_each(|&member| class_of[member as usize] = number);
        }
        for group in 0..self.matches().twin_groups() {
            let mut firsts: Vec<u32> = Vec::new();
            for item in self.matches().twin_items(group) {
                let class = class_of[item as usize];
                if class != u32::MAX && firsts.iter().any(|&first| class_of[first as usize] == class) {
                    continue;
                }
                let related = firsts.iter().find_map(|&first| {
                    let relation = self.matches().relation(first, item)?;
                    self.accepts(first, item, relation).then_some((first, relation))
                });
                pairs.extend(related.map(|(first, relation)| Pair::ordered(first, item, relation)));
                if firsts.len() < MOST_TWINS {
                    firsts.push(item);
                }
            }
        }
    }

    /// Adds one pair for each item that is in none of `pairs` but has some: equal to members of a class, but not to be
    /// paired with its representative.
    fn add_left_over(&self, scan: &mut Scan<'_>, pairs: &mut Vec<Pair>) {
        let mut known = vec![false; self.matches().items().len()];
        for pair in &*pairs {
            known[pair.left as usize] = true;
            known[pair.right as usize] = true;
        }
        for item in 0..known.len() as u32 {
            if !known[item as usize]
                && let Some((other, relation)) = scan.first(item)
            {
                known[other as usize] = true;
                pairs.push(Pair::ordered(item, other, relation));
            }
        }
    }

    /// The first accepted pair between two nodes.
    fn first_pair(&self, scan: &mut Scan<'_>, left: u32, right: u32, relation: Relation) -> Option<Pair> {
        let (lefts, rights) = (self.matches().node_items(left), self.matches().node_items(right));
        if lefts.len() * rights.len() <= FEW {
            let mut all = lefts.iter().flat_map(|&a| rights.iter().map(move |&b| (a, b)));
            let found = all.find(|&(a, b)| self.accepts(a, b, relation));
            return found.map(|(a, b)| Pair::ordered(a, b, relation));
        }
        lefts.iter().find_map(|&a| Some(Pair::ordered(a, scan.first_in(a, right, relation)?, relation)))
    }

    /// Calls `visit` with every clone pair, ordered by left, then right item, until it fails.
    pub fn for_each<E>(&self, mut visit: impl FnMut(Pair) -> Result<(), E>) -> Result<(), E> {
        let alike = Alike::of(self);
        let mut scan = Scan::new(self, &alike);
        let mut partners = Vec::new();
        for left in 0..self.matches().items().len() as u32 {
            partners.clear();
            scan.for_each(left, |right, relation| {
                if left < right {
                    partners.push(Pair { left, right, relation });
                }
            });
            partners.sort_by_key(|pair| pair.right);
            partners.iter().try_for_each(|&pair| visit(pair))?;
        }
        Ok(())
    }
}

/// The class of an item and of what forms a clone pair with it and is not taken.
fn star(scan: &mut Scan<'_>, representative: u32, taken: &mut [bool]) -> Option<Class> {
    let mut rays = Vec::new();
    let mut clone_type = 0;
    scan.for_each_free(representative, taken, |other, relation| {
        rays.push(other);
        clone_type = clone_type.max(relation.clone_type);
    });
    if rays.is_empty() {
        return None;
    }
    rays.sort_unstable();
    for &item in rays.iter().chain([&representative]) {
        taken[item as usize] = true;
    }
    let members = std::iter::once(representative).chain(rays).collect();
    Some(Class { members, clone_type })
}

impl Pair {
    fn ordered(a: u32, b: u32, relation: Relation) -> Self {
        Self { left: a.min(b), right: a.max(b), relation }
    }
}

#[cfg(test)]
mod tests {
    use familiar_index::FileEntry;
    use familiar_source::{FragmentKind, Span};

    use super::*;
    use crate::{Item, Link, Matches, Place};

    fn files(files: usize, side: impl Fn(usize) -> Side) -> Vec<FileEntry> {
        (0..files)
            .map(|file| FileEntry { family: 0, side: side(file), tests_from: u32::MAX, is_markup: false })
            .collect()
    }

    fn item(file: u32, tokens: u32) -> Item {
        Item::fragment(FragmentKind::Function, Place { file, tokens: Span::new(0, tokens) }, 0)
    }

    #[test]
    fn many_equal_items_are_one_class_and_its_rays() {
        let matches =
            Matches::new((0..500).map(|file| item(file, 50)).collect(), vec![0; 500], vec![0], Vec::new());
        let files = files(500, |_| Side::Both);
        let pairs = Pairs::new(&matches, &files, &[1, 2, 3], false);
        let classes = pairs.classes();
        assert_eq!(classes.len(), 1);
        assert_eq!(pairs.rays_and_links(&classes).len(), 499);
        let mut all = 0;
        let count = |_| {
            all += 1;
            Ok::<_, ()>(())
        };
        pairs.for_each(count).expect("counting does not fail");
        assert_eq!(all, 500 * 499 / 2);
    }

    #[test]
    fn a_star_takes_only_what_its_representative_is_related_to() {
        // 0 ~ 1 ~ 2 ~ 3 in a chain, the first the largest.
        let items = (0..4).map(|file| item(file, 90 - file)).collect();
        let link = |left, right| Link::edited(left, right, 0.8);
        let matches =
            Matches::new(items, vec![0, 1, 2, 3], vec![0, 1, 2, 3], vec![link(0, 1), link(1, 2), link(2, 3)]);
        let files = files(4, |_| Side::Both);
        let pairs = Pairs::new(&matches, &files, &[3], false);
        let classes = pairs.classes();
        let members: Vec<_> = classes.iter().map(|class| class.members.clone()).collect();
        assert_eq!(members, [vec![0, 1], vec![2, 3]]);
        assert_eq!(pairs.rays_and_links(&classes).len(), 3);
    }

    #[test]
    fn only_pairs_across_the_asked_sides_count() {
        let matches =
            Matches::new((0..3).map(|file| item(file, 50)).collect(), vec![0; 3], vec![0], Vec::new());
        let files = files(3, |file| if file == 0 { Side::Query } else { Side::Against });
        let pairs = Pairs::new(&matches, &files, &[1], false);
        let mut all = Vec::new();
        let push = |pair: Pair| {
            all.push((pair.left, pair.right));
            Ok::<_, ()>(())
        };
        pairs.for_each(push).expect("pushing does not fail");
        assert_eq!(all, [(0, 1), (0, 2)]);
    }

    #[test]
    fn an_item_that_its_class_leaves_out_still_has_a_pair() {
        // Two equal items on each side: the class of the first takes both of the other side, not the second of its own.
        let matches =
            Matches::new((0..4).map(|file| item(file, 50)).collect(), vec![0; 4], vec![0], Vec::new());
        let files = files(4, |file| if file < 2 { Side::Query } else { Side::Against });
        let pairs = Pairs::new(&matches, &files, &[1], false);
        let rows = pairs.rays_and_links(&pairs.classes());
        let rows: Vec<(u32, u32)> = rows.iter().map(|pair| (pair.left, pair.right)).collect();
        assert_eq!(rows, [(0, 2), (0, 3), (1, 2)]);
    }
    #[test]
    fn what_is_compared_with_all_represents_its_equals() {
        // The first two stand on one side and are no pair, the third is alike to both.
        let matches =
            Matches::new((0..3).map(|file| item(file, 50)).collect(), vec![0; 3], vec![0], Vec::new());
        let files = files(3, |file| if file < 2 { Side::Against } else { Side::Both });
        let pairs = Pairs::new(&matches, &files, &[1], false);
        let members: Vec<_> = pairs.classes().into_iter().map(|class| class.members).collect();
        assert_eq!(members, [vec![2, 0, 1]]);
    }
}
