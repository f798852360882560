//! Neighbouring runs merged over small gaps to edited pairs.
//!
//! Two pairs of runs are joined if the second follows the first on both sides; each pair has at most one successor and one
//! predecessor, nearest first, so the joined pairs form chains. In small groups every pair is tried, in large ones the
//! pairs with the first member only: the result stays linear in the number of places.

use super::{Member, RunGroup, RunPair, RunSettings, is_pair};
use familiar_index::Collection;
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
        links.sort_unstable();
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
        let mut follow = self.neighbours();
        follow.sort_unstable();
        let mut links = Vec::new();
        for alike in follow.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let firsts = if alike.len() <= SMALL { alike.len() } else { 1 };
            for (at, &x) in alike[..firsts].iter().enumerate() {
                links.extend(alike[at + 1..].iter().filter_map(|&y| self.link(x, y)));
            }
        }
        links
    }

    /// Runs that follow each other in a file: both groups, then both members.
    fn neighbours(&self) -> Vec<(u32, u32, u32, u32)> {
        let mut places = Vec::new();
        for (group, at) in self.groups.iter().zip(0u32..).filter(|(group, _)| group.period == 0) {
            places.extend(group.members.iter().zip(0u32..).map(|(member, index)| (member.place, at, index)));
        }
        places.sort_unstable();
        let mut follow = Vec::new();
        for (at, &(place, group, member)) in places.iter().enumerate() {
            let near = places[at + 1..].iter().take_while(|(other, ..)| {
                other.file == place.file && other.tokens.start <= place.tokens.end + self.gap
            });
            let behind = near.filter(|(other, ..)| other.tokens.end > place.tokens.end);
            follow.extend(behind.take(NEXT_TRIES).map(|&(_, next, index)| (group, next, member, index)));
        }
        follow
    }

    /// The link between two members of a group that are followed by two members of another, if it is a small gap.
    fn link(&self, left: (u32, u32, u32, u32), right: (u32, u32, u32, u32)) -> Option<(u32, Pair, Pair)> {
        let (group, next) = (left.0, left.1);
        if left.2 >= right.2 || left.3 >= right.3 {
            return None;
        }
        let here = [left.2, right.2].map(|member| self.member(group, member));
        let there = [left.3, right.3].map(|member| self.member(next, member));
        if [here, there].iter().any(|[one, other]| !is_pair(self.collection, one, other)) {
            return None;
        }
        let gap =
            |side: usize| i64::from(there[side].place.tokens.start) - i64::from(here[side].place.tokens.end);
        // Where the second run begins inside the first on one side, its beginning is cut off on both.
        let overlap = 0.max(-gap(0)).max(-gap(1));
        let widest = gap(0).max(gap(1)) + overlap;
        let some_left = overlap < i64::from(there[0].place.tokens.len());
        // Nothing between them on either side would be one run.
        let fits = some_left && widest > 0 && widest <= i64::from(self.gap);
        fits.then_some((widest as u32, (group, left.2, right.2), (next, left.3, right.3)))
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
