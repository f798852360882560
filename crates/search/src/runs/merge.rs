//! Neighbouring runs merged over small gaps to edited pairs.
//!
//! Two pairs of runs are joined if the second follows the first on both sides; each pair has at most one successor and one
//! predecessor, nearest first, so the joined pairs form chains. In small groups every pair is tried, in large ones the
//! pairs with the first member only: the result stays linear in the number of places.

use super::groups::{Member, RunGroup, RunPair, is_pair};
use super::settings::RunSettings;
use familiar_index::Collection;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A pair of members of a group.
type Pair = (u32, u32, u32);

/// The most members that are paired each with each.
const SMALL: usize = 8;

/// The most runs behind a run that are tried as its next.
const NEXT_TRIES: usize = 16;

/// Merges runs; a group of two whose pair became part of a merged one is dropped.
pub(super) fn over_gaps(
    collection: &Collection,
    settings: &RunSettings,
    groups: &mut Vec<RunGroup>,
) -> Vec<RunPair> {
    if settings.max_gap_tokens == 0 {
        return Vec::new();
    }
    let merger = Merger { collection, gap: settings.max_gap_tokens, groups };
    let chains = merger.chains();
    let mut pairs: Vec<RunPair> = chains.iter().map(|chain| merger.merged(chain)).collect();
    pairs.sort_unstable_by(|a, b| (a.left, a.right, &a.pieces).cmp(&(b.left, b.right, &b.pieces)));
    pairs.dedup();
    let mut joined = vec![false; groups.len()];
    for &(group, ..) in chains.iter().flatten() {
        joined[group as usize] = groups[group as usize].members.len() == 2;
    }
    let mut at = joined.iter();
    groups.retain(|_| at.next() == Some(&false));
    pairs
}

/// A run behind a member of a group: its group, the member, its own number there, and the tokens between the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Follow {
    next: u32,
    member: u32,
    index: u32,
    gap: i64,
}

/// All members of groups, by place.
struct Order {
    /// (group, member)
    members: Vec<(u32, u32)>,
    /// Where in `members` each group's members stand, one group after another; and where each group starts.
    positions: Vec<u32>,
    starts: Vec<u32>,
}

impl Order {
    fn of(groups: &[RunGroup]) -> Self {
        let (mut members, mut starts, mut total) = (Vec::new(), Vec::new(), 0);
        for (group, number) in groups.iter().zip(0u32..) {
            starts.push(total);
            total += group.members.len() as u32;
            if group.period == 0 {
                members.extend((0..group.members.len() as u32).map(|member| (number, member)));
            }
        }
        members.par_sort_unstable_by_key(|&(group, member)| {
            (groups[group as usize].members[member as usize].place, group, member)
        });
        let mut positions = vec![0; total as usize];
        for (&(group, member), at) in members.iter().zip(0u32..) {
            positions[(starts[group as usize] + member) as usize] = at;
        }
        Self { members, positions, starts }
    }

    /// The members behind one, by place.
    fn after(&self, group: u32, member: u32) -> &[(u32, u32)] {
        let at = self.positions[(self.starts[group as usize] + member) as usize];
        &self.members[at as usize + 1..]
    }
}

struct Merger<'a> {
    collection: &'a Collection,
    gap: u32,
    groups: &'a [RunGroup],
}

impl Merger<'_> {
    fn member(&self, group: u32, member: u32) -> &Member {
        &self.groups[group as usize].members[member as usize]
    }

    /// The chains of two or more pairs that follow each other.
    fn chains(&self) -> Vec<Vec<Pair>> {
        let mut links = self.links();
        links.par_sort_unstable();
        let mut next: FxHashMap<Pair, Pair> = FxHashMap::default();
        let mut previous: FxHashMap<Pair, Pair> = FxHashMap::default();
        let mut heads = Vec::new();
        for (_, a, b) in links {
            if !next.contains_key(&a) && !previous.contains_key(&b) {
                next.insert(a, b);
                previous.insert(b, a);
                heads.push(a);
            }
        }
        heads.retain(|head| !previous.contains_key(head));
        let chain = |head| std::iter::successors(Some(head), |pair| next.get(pair).copied()).collect();
        let chains = heads.into_iter().map(|head| self.apart(chain(head)));
        chains.filter(|chain| chain.len() > 1).collect()
    }

    /// Pairs that follow each other, with the tokens between them.
    fn links(&self) -> Vec<(u32, Pair, Pair)> {
        let order = Order::of(self.groups);
        let links = |group: u32| {
            let mut links = Vec::new();
            let mut follow = self.neighbours(&order, group);
            follow.sort_unstable();
            for alike in follow.chunk_by(|a, b| a.next == b.next) {
                // The same distance behind every member: they overlap or touch as one run does.
                if alike.iter().all(|one| one.gap <= 0 && one.gap == alike[0].gap) {
                    continue;
                }
                let firsts = if alike.len() <= SMALL { alike.len() } else { 1 };
                for (at, x) in alike[..firsts].iter().enumerate() {
                    links.extend(alike[at + 1..].iter().filter_map(|y| self.link(group, x, y)));
                }
            }
            links
        };
        (0..self.groups.len() as u32).into_par_iter().flat_map_iter(links).collect()
    }

    /// The runs that follow the members of a group in their files.
    fn neighbours(&self, order: &Order, group: u32) -> Vec<Follow> {
        let mut follow = Vec::new();
        if self.groups[group as usize].period > 0 {
            return follow;
        }
        for member in 0..self.groups[group as usize].members.len() as u32 {
            let place = self.member(group, member).place;
            let later = order
                .after(group, member)
                .iter()
                .map(|&(next, index)| (next, index, self.member(next, index)));
            let near = later.take_while(|(.., other)| {
                other.place.file == place.file
                    && other.place.tokens.start <= place.tokens.end.saturating_add(self.gap)
            });
            let behind = near.filter(|(.., other)| other.place.tokens.end > place.tokens.end);
            follow.extend(behind.take(NEXT_TRIES).map(|(next, index, other)| Follow {
                next,
                member,
                index,
                gap: i64::from(other.place.tokens.start) - i64::from(place.tokens.end),
            }));
        }
        follow
    }

    /// The link between two members of a group that are followed by two members of another, if it is a small gap.
    fn link(&self, group: u32, left: &Follow, right: &Follow) -> Option<(u32, Pair, Pair)> {
        let next = left.next;
        if left.member >= right.member || left.index >= right.index {
            return None;
        }
        let here = [left.member, right.member].map(|member| self.member(group, member));
        let there = [left.index, right.index].map(|member| self.member(next, member));
        if [here, there].iter().any(|[one, other]| !is_pair(self.collection, one, other)) {
            return None;
        }
        // Where the second run begins inside the first on one side, its beginning is cut off on both.
        let overlap = 0.max(-left.gap).max(-right.gap);
        let widest = left.gap.max(right.gap) + overlap;
        let some_left = overlap < i64::from(there[0].place.tokens.len());
        // Nothing between them on either side would be one run.
        let fits = some_left && widest > 0 && widest <= i64::from(self.gap);
        fits.then_some((widest as u32, (group, left.member, right.member), (next, left.index, right.index)))
    }

    /// The part of a chain up to where its left side would reach into its right side.
    fn apart(&self, mut chain: Vec<Pair>) -> Vec<Pair> {
        let (group, left, right) = chain[0];
        let (left, right) = (self.member(group, left).place, self.member(group, right).place);
        if left.file == right.file {
            let reaches =
                |&(group, left, _): &Pair| self.member(group, left).place.tokens.end > right.tokens.start;
            chain.truncate(chain.iter().position(reaches).unwrap_or(chain.len()));
        }
        chain
    }

    fn merged(&self, chain: &[Pair]) -> RunPair {
        let mut pieces: Vec<(u32, u32, u32)> = Vec::with_capacity(chain.len());
        let mut sides = None;
        for &(group, a, b) in chain {
            let [a, b] = [a, b].map(|member| self.member(group, member).place);
            let (left, right) = sides.get_or_insert((a, b));
            let cut = left.tokens.end.saturating_sub(a.tokens.start);
            let cut = cut.max(right.tokens.end.saturating_sub(b.tokens.start));
            let cut = if pieces.is_empty() { 0 } else { cut };
            if cut < a.tokens.len() {
                pieces.push((a.tokens.start + cut, b.tokens.start + cut, a.tokens.len() - cut));
                left.tokens.end = left.tokens.end.max(a.tokens.end);
                right.tokens.end = right.tokens.end.max(b.tokens.end);
            }
        }
        let (left, right) = sides.expect("a chain has pairs");
        let matched: u32 = pieces.iter().map(|piece| piece.2).sum();
        let longer = left.tokens.len().max(right.tokens.len());
        RunPair { left, right, similarity: f64::from(matched) / f64::from(longer), pieces }
    }
}
