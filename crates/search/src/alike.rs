//! Items that count alike: whether two of them are a clone pair is decided once for all that are like them.
//!
//! Items are of one *sort* if whatever [`Pairs`] asks of them and of what encloses them has one answer, but for where they
//! stand and for their edges. So two sorts are looked at once, not each of their members with each of the others. Where two
//! items stand in one stretch of a file, they may overlap or lie in the same item: these are asked by themselves.

use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;

use familiar_source::FragmentKind;
use rustc_hash::FxHashMap;

use crate::matches::Lists;
use crate::pairs::Pairs;
use crate::{Item, Matches, Relation};

/// Sorts of fewer items are asked item by item.
const FEW: usize = 8;
/// Most verdicts that are kept.
const MOST_KNOWN: usize = 1 << 20;

/// Which items are of one sort, and which stand near one another.
#[derive(Debug)]
pub(crate) struct Alike {
    /// The sort of each item.
    sorts: Vec<u32>,
    /// The items of each sort, ascending.
    members: Lists,
    /// The same, by their nodes first.
    by_node: Lists,
    /// The sorts of each twin group, and those of each node that has links.
    of_twins: Lists,
    of_nodes: Lists,
    /// For each item the first and the last item of its stretch.
    stretches: Vec<(u32, u32)>,
}

impl Alike {
    pub(crate) fn of(pairs: &Pairs<'_>) -> Self {
        let matches = pairs.matches();
        let items = matches.items().len() as u32;
        let mut traits = Numbers::default();
        let own: Vec<u32> = (0..items).map(|item| traits.of(pairs.traits(item))).collect();
        let mut sorts = Numbers::default();
        let sort = |item: u32| {
            let around: Box<[u32]> = pairs.enclosing(item).iter().map(|&outer| own[outer as usize]).collect();
            sorts.of((own[item as usize], pairs.is_accepted_item(item), around))
        };
        let sorts_of: Vec<u32> = (0..items).map(sort).collect();
        let count = sorts.0.len();
        let members = Lists::of(&sorts_of, count);
        let order: Vec<u32> =
            (0..matches.nodes()).flat_map(|node| matches.node_items(node)).copied().collect();
        let in_order: Vec<u32> = order.iter().map(|&item| sorts_of[item as usize]).collect();
        let by_node = Lists::of(&in_order, count).map(|at| order[at as usize]);
        let firsts: Vec<u32> = (0..count as u32).map(|sort| members.list(sort)[0]).collect();
        let twins: Vec<u32> = firsts.iter().map(|&item| matches.twin_group(item)).collect();
        let nodes: Vec<u32> = firsts.iter().map(|&item| matches.node(item)).collect();
        Self {
            of_twins: Lists::of(&twins, matches.twin_groups() as usize),
            of_nodes: Lists::of(&nodes, matches.nodes() as usize),
            sorts: sorts_of,
            members,
            by_node,
            stretches: stretches(matches.items()),
        }
    }

    fn stretch(&self, item: u32) -> Range<u32> {
        let (first, last) = self.stretches[item as usize];
        first..last + 1
    }

    /// The members of a sort in the stretch of an item.
    fn near(&self, sort: u32, item: u32) -> &[u32] {
        let (all, stretch) = (self.members.list(sort), self.stretch(item));
        let at = |end: u32| all.partition_point(|&member| member < end);
        &all[at(stretch.start)..at(stretch.end)]
    }
}

/// A number for each different value.
struct Numbers<T>(FxHashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<T: Hash + Eq> Numbers<T> {
    fn of(&mut self, value: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(value).or_insert(next)
    }
}

/// For each item the first and the last item of what hangs together with it by overlaps, of its kind; runs also with functions.
fn stretches(items: &[Item]) -> Vec<(u32, u32)> {
    let mut stretches = vec![(0, 0); items.len()];
    for kind in FragmentKind::ALL {
        let counts = |item: &Item| {
            item.kind == kind || kind == FragmentKind::Run && item.kind == FragmentKind::Function
        };
        let mut open: Vec<u32> = Vec::new();
        let mut end = (0, 0);
        let mut close = |open: &mut Vec<u32>| {
            if let (Some(&first), Some(&last)) = (open.first(), open.last()) {
                for item in open.drain(..).filter(|&item| items[item as usize].kind == kind) {
                    stretches[item as usize] = (first, last);
                }
            }
        };
        for (number, item) in (0u32..).zip(items).filter(|(_, item)| counts(item)) {
            let place = item.place;
            if (place.file, place.tokens.start) >= end {
                close(&mut open);
                end = (place.file, 0);
            }
            open.push(number);
            end = end.max((place.file, place.tokens.end));
        }
        close(&mut open);
    }
    stretches
}

/// What holds of the pairs between two sorts.
#[derive(Clone, Debug)]
enum Verdict {
    /// Too few for a common answer.
    Each,
    /// None but near ones is a clone pair.
    Never,
    /// Their edges decide: their own, and those of what encloses them, given by its positions. Behind the last one is the item.
    Edges(Rc<[(u8, u8)]>),
}

/// Looks for the clone pairs of items; knows what it saw before.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    pairs: &'a Pairs<'a>,
    alike: &'a Alike,
    known: FxHashMap<(u32, u32, u8), Verdict>,
    /// Of large sorts: the members that are not taken yet.
    left: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(pairs: &'a Pairs<'a>, alike: &'a Alike) -> Self {
        Self { pairs, alike, known: FxHashMap::default(), left: FxHashMap::default() }
    }

    fn matches(&self) -> &'a Matches {
        self.pairs.matches()
    }

    /// The sorts that an item is related to; the relation where it is that of linked nodes.
    fn related(&self, item: u32) -> impl Iterator<Item = (u32, Option<Relation>)> + use<'a> {
        let (alike, matches) = (self.alike, self.matches());
        let twins = alike.of_twins.list(matches.twin_group(item)).iter().map(|&sort| (sort, None));
        let linked = matches.linked(matches.node(item));
        twins.chain(linked.flat_map(move |(node, relation)| {
            alike.of_nodes.list(node).iter().map(move |&sort| (sort, Some(relation)))
        }))
    }

    /// Calls `visit` with the items that form a clone pair with `item` and are not taken, in no particular order.
    pub(crate) fn for_each_free(&mut self, item: u32, taken: &[bool], mut visit: impl FnMut(u32, Relation)) {
        for (sort, linked) in self.related(item) {
            let verdict = self.verdict(item, sort, linked);
            let all = self.alike.members.list(sort);
            let mut of = |scan: &Self, others: &[u32]| {
                for &other in others.iter().filter(|&&other| other != item && !taken[other as usize]) {
                    let relation = scan.relation(item, other, linked);
                    if scan.holds(&verdict, item, other, relation) {
                        visit(other, relation);
                    }
                }
            };
            if matches!(verdict, Verdict::Never) {
                of(self, self.alike.near(sort, item));
            } else if all.len() < FEW {
                of(self, all);
            } else {
                let mut left = self.left.remove(&sort).unwrap_or_else(|| all.to_vec());
                left.retain(|&other| !taken[other as usize]);
                of(self, &left);
                self.left.insert(sort, left);
            }
        }
    }

    /// Calls `visit` with the items that form a clone pair with `item`, in no particular order.
    pub(crate) fn for_each(&mut self, item: u32, mut visit: impl FnMut(u32, Relation)) {
        for (sort, linked) in self.related(item) {
            let verdict = self.verdict(item, sort, linked);
            let others = match verdict {
                Verdict::Never => self.alike.near(sort, item),
                _ => self.alike.members.list(sort),
            };
            for &other in others.iter().filter(|&&other| other != item) {
                let relation = self.relation(item, other, linked);
                if self.holds(&verdict, item, other, relation) {
                    visit(other, relation);
                }
            }
        }
    }

    /// The first item that forms a clone pair with `item`: its twins by node and number, then what is linked with its node.
    pub(crate) fn first(&mut self, item: u32) -> Option<(u32, Relation)> {
        let matches = self.matches();
        let twins = self.alike.of_twins.list(matches.twin_group(item));
        if let Some(twin) = self.first_of(item, twins, None) {
            return Some((twin, self.relation(item, twin, None)));
        }
        let mut linked = matches.linked(matches.node(item));
        linked.find_map(|(node, relation)| Some((self.first_in(item, node, relation)?, relation)))
    }

    /// The first item of a node that is linked with that of `item` by `relation` and forms a clone pair with it.
    pub(crate) fn first_in(&mut self, item: u32, node: u32, relation: Relation) -> Option<u32> {
        self.first_of(item, self.alike.of_nodes.list(node), Some(relation))
    }

    fn first_of(&mut self, item: u32, sorts: &[u32], linked: Option<Relation>) -> Option<u32> {
        let order = |&other: &u32| (self.pairs.matches().node(other), other);
        let mut best: Option<u32> = None;
        for &sort in sorts {
            let verdict = self.verdict(item, sort, linked);
            let fits = |other: &u32| {
                *other != item && {
                    let relation = self.relation(item, *other, linked);
                    self.holds(&verdict, item, *other, relation)
                }
            };
            let found = match verdict {
                Verdict::Never => self.alike.near(sort, item).iter().copied().filter(fits).min_by_key(order),
                _ => self.alike.by_node.list(sort).iter().copied().find(fits),
            };
            best = best.into_iter().chain(found).min_by_key(order);
        }
        best
    }

    fn relation(&self, item: u32, other: u32, linked: Option<Relation>) -> Relation {
        linked.unwrap_or_else(|| self.matches().relation_of_twins(item, other))
    }

    /// Whether two items are a clone pair, by the verdict on their sorts.
    fn holds(&self, verdict: &Verdict, item: u32, other: u32, relation: Relation) -> bool {
        match verdict {
            Verdict::Each => self.pairs.accepts(item, other, relation),
            _ if self.alike.stretch(item).contains(&other) => self.pairs.accepts(item, other, relation),
            Verdict::Never => false,
            Verdict::Edges(enclosing) => {
                let maximal = |a: u32, b: u32| {
                    let [a, b] = [a, b].map(|item| self.matches().items()[item as usize].edges);
                    a.are_maximal_with(b)
                };
                let wide = |item: u32, at: u8| {
                    self.pairs.enclosing(item).get(usize::from(at)).copied().unwrap_or(item)
                };
                maximal(item, other)
                    && !enclosing.iter().any(|&(a, b)| maximal(wide(item, a), wide(other, b)))
            }
        }
    }

    /// The verdict on the sort of an item and another sort.
    fn verdict(&mut self, item: u32, sort: u32, linked: Option<Relation>) -> Verdict {
        let own = self.alike.sorts[item as usize];
        let members = self.alike.members.list(sort);
        if members.len() < FEW || self.alike.members.list(own).len() < FEW {
            return Verdict::Each;
        }
        let key = (own, sort, linked.map_or(0, |relation| relation.clone_type));
        if let Some(verdict) = self.known.get(&key) {
            return verdict.clone();
        }
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        let verdict = self.judge(item, members[0], linked);
        self.known.insert(key, verdict.clone());
        verdict
    }

    /// What holds of two items that stand apart and count as these two do.
    fn judge(&self, item: u32, other: u32, linked: Option<Relation>) -> Verdict {
        let relation = self.relation(item, other, linked);
        if !self.pairs.counts(item, other, relation) || self.pairs.is_accepted(item, other) {
            return Verdict::Never;
        }
        let widened = |item: u32| self.pairs.enclosing(item).iter().copied().chain([item]).enumerate();
        let is_open = |item: u32| self.matches().items()[item as usize].edges.are_open();
        let mut enclosing = Vec::new();
        for (at, wide) in widened(item) {
            for (other_at, other_wide) in widened(other) {
                if (wide, other_wide) == (item, other) {
                    continue;
                }
                let relation = self.matches().relation(wide, other_wide);
                if relation.is_some_and(|relation| self.pairs.counts(wide, other_wide, relation)) {
                    if is_open(wide) || is_open(other_wide) {
                        return Verdict::Never;
                    }
                    enclosing.push((at as u8, other_at as u8));
                }
            }
        }
        Verdict::Edges(enclosing.into())
    }
}
