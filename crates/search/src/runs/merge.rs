//! Neighbouring runs merged over small gaps: to edited pairs, and to one run where the gap is equal as written on both sides, as an
//! import between two functions is in a copied file.
//!
//! Two pairs of runs are joined if the second follows the first on both sides; each pair has at most one successor and one
//! predecessor, nearest first, so the joined pairs form chains. In small groups every pair is tried, in large ones the
//! pairs with the first member only: the result stays linear in the number of places.

use super::groups::{Member, RunGroup, RunPair, is_pair};
use super::settings::RunSettings;
use super::text::{At, Form, Reader};
use crate::Place;
use familiar_index::Collection;
use familiar_syntax::normal::Renaming;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::io;
use std::ops::RangeInclusive;

/// A pair of members of a group.
type Pair = (u32, u32, u32);

/// The most members that are paired each with each.
const SMALL: usize = 8;

/// The most runs behind a run that are tried as its next.
const NEXT_TRIES: usize = 16;

/// Tokens as they are written, imports included.
const WRITTEN: Form = Form { blind: false, barriers: false };

/// Merges runs; a group of two whose pair became part of a merged one is dropped. What agrees throughout becomes a group.
pub(super) fn over_gaps(
    collection: &Collection,
    settings: &RunSettings,
    groups: &mut Vec<RunGroup>,
) -> io::Result<Vec<RunPair>> {
    let (gap, equal_gap) = (settings.max_gap_tokens, settings.max_equal_gap);
    if gap.max(equal_gap) == 0 {
        return Ok(Vec::new());
    }
    let throughout = settings.type_2 && settings.renaming == Renaming::Consistent;
    let merger = Merger { collection, gap, equal_gap, throughout, groups };
    let chains = merger.chains()?;
    let mut reader = Reader::new(collection, WRITTEN);
    let (mut pairs, mut equal) = (Vec::new(), Vec::new());
    for chain in &chains {
        let merged = merger.merged(chain, &mut reader)?;
        match merged.pieces.len() {
            1 => equal.push(merger.ends(chain, &merged)),
            _ => pairs.push(merged),
        }
    }
    pairs.sort_unstable_by(|a, b| (a.left, a.right, &a.pieces).cmp(&(b.left, b.right, &b.pieces)));
    pairs.dedup();
    let mut joined = vec![false; groups.len()];
    for &(group, ..) in chains.iter().flatten() {
        joined[group as usize] = groups[group as usize].members.len() == 2;
    }
    let mut at = joined.iter();
    groups.retain(|_| at.next() == Some(&false));
    groups.extend(grouped(equal));
    Ok(pairs)
}

/// Groups of places that are equal: those of two pairs that share a place are one group.
fn grouped(mut pairs: Vec<[Member; 2]>) -> Vec<RunGroup> {
    pairs.sort_unstable();
    let mut groups: Vec<Vec<Member>> = Vec::new();
    let mut group_of: FxHashMap<Place, usize> = FxHashMap::default();
    for pair in pairs {
        let [left, right] = pair.map(|member| {
            *group_of.entry(member.place).or_insert_with(|| {
                groups.push(vec![member]);
                groups.len() - 1
            })
        });
        if left != right {
            let (into, from) =
                if groups[left].len() < groups[right].len() { (right, left) } else { (left, right) };
            let moved = std::mem::take(&mut groups[from]);
            for member in &moved {
                group_of.insert(member.place, into);
            }
            groups[into].extend(moved);
        }
    }
    groups.retain(|members| !members.is_empty());
    for members in &mut groups {
        members.sort_unstable();
    }
    groups.into_iter().map(|members| RunGroup { members, period: 0 }).collect()
}

/// A run behind a member of a group: its group, the member, its own number there, and the tokens between the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Follow {
    next: u32,
    member: u32,
    index: u32,
    gap: i64,
}

/// Two pairs that follow each other. What is equal between them comes first, and then what is nearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    /// How many tokens between them differ.
    differ: u32,
    /// How many are equal.
    apart: u32,
    from: Pair,
    to: Pair,
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
    equal_gap: u32,
    /// Names are renamed throughout a run.
    throughout: bool,
    groups: &'a [RunGroup],
}

impl Merger<'_> {
    fn member(&self, group: u32, member: u32) -> &Member {
        &self.groups[group as usize].members[member as usize]
    }

    /// The chains of two or more pairs that follow each other.
    fn chains(&self) -> io::Result<Vec<Vec<Pair>>> {
        let mut links = self.links()?;
        links.par_sort_unstable();
        let mut next: FxHashMap<Pair, Pair> = FxHashMap::default();
        let mut previous: FxHashMap<Pair, Pair> = FxHashMap::default();
        let mut heads = Vec::new();
        for Link { from: a, to: b, .. } in links {
            if !next.contains_key(&a) && !previous.contains_key(&b) {
                next.insert(a, b);
                previous.insert(b, a);
                heads.push(a);
            }
        }
        heads.retain(|head| !previous.contains_key(head));
        let chain = |head| std::iter::successors(Some(head), |pair| next.get(pair).copied()).collect();
        let chains = heads.into_iter().map(|head| self.apart(chain(head)));
        Ok(chains.filter(|chain| chain.len() > 1).collect())
    }

    /// Pairs that follow each other, with the tokens between them that differ.
    fn links(&self) -> io::Result<Vec<Link>> {
        let order = Order::of(self.groups);
        let links = |reader: &mut Reader<'_>, group: u32| {
            let mut links = Vec::new();
            for reach in [0..=self.gap, self.gap + 1..=self.equal_gap] {
                let mut follow = self.neighbours(&order, group, &reach);
                follow.sort_unstable();
                for alike in follow.chunk_by(|a, b| a.next == b.next) {
                    // The same distance behind every member: they overlap or touch as one run does.
                    if alike.iter().all(|one| one.gap <= 0 && one.gap == alike[0].gap) {
                        continue;
                    }
                    let firsts = if alike.len() <= SMALL { alike.len() } else { 1 };
                    for (at, x) in alike[..firsts].iter().enumerate() {
                        for y in &alike[at + 1..] {
                            links.extend(self.link(group, x, y, reader)?);
                        }
                    }
                }
            }
            Ok(links)
        };
        let groups = (0..self.groups.len() as u32).into_par_iter();
        let links = groups.map_init(|| Reader::new(self.collection, WRITTEN), links);
        Ok(links.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The runs that follow the members of a group in their files, as many tokens behind them as are asked for; 0 also asks for those
    /// that begin inside.
    fn neighbours(&self, order: &Order, group: u32, reach: &RangeInclusive<u32>) -> Vec<Follow> {
        let mut follow = Vec::new();
        if reach.is_empty() || self.groups[group as usize].period > 0 {
            return follow;
        }
        for member in 0..self.groups[group as usize].members.len() as u32 {
            let place = self.member(group, member).place;
            let later = order
                .after(group, member)
                .iter()
                .map(|&(next, index)| (next, index, self.member(next, index)));
            let behind = |other: &Member| other.place.tokens.start.saturating_sub(place.tokens.end);
            let near = later
                .take_while(|(.., other)| other.place.file == place.file && behind(other) <= *reach.end())
                .skip_while(|(.., other)| behind(other) < *reach.start());
            let ends_behind = near.filter(|(.., other)| other.place.tokens.end > place.tokens.end);
            follow.extend(ends_behind.take(NEXT_TRIES).map(|(next, index, other)| Follow {
                next,
                member,
                index,
                gap: i64::from(other.place.tokens.start) - i64::from(place.tokens.end),
            }));
        }
        follow
    }

    /// The link between two members of a group that are followed by two members of another, if the gap is small or equal as written.
    fn link(
        &self,
        group: u32,
        left: &Follow,
        right: &Follow,
        reader: &mut Reader<'_>,
    ) -> io::Result<Option<Link>> {
        let next = left.next;
        if left.member >= right.member || left.index >= right.index {
            return Ok(None);
        }
        let here = [left.member, right.member].map(|member| self.member(group, member));
        let there = [left.index, right.index].map(|member| self.member(next, member));
        if [here, there].iter().any(|[one, other]| !is_pair(self.collection, one, other)) {
            return Ok(None);
        }
        let pairs = ((group, left.member, right.member), (next, left.index, right.index));
        let linked = |differ, apart| Ok(Some(Link { differ, apart, from: pairs.0, to: pairs.1 }));
        // In one file, the left side must end before the right one begins.
        let (last, first) = (there[0].place, here[1].place);
        let is_apart = last.file != first.file || last.tokens.end <= first.tokens.start;
        if is_apart && self.is_equal_gap(here.map(|one| one.place), there.map(|one| one.place), reader)? {
            return linked(0, left.gap as u32);
        }
        // Where the second run begins inside the first on one side, its beginning is cut off on both.
        let overlap = 0.max(-left.gap).max(-right.gap);
        let widest = left.gap.max(right.gap) + overlap;
        let some_left = overlap < i64::from(there[0].place.tokens.len());
        // Nothing between them on either side would be one run.
        if some_left && widest > 0 && widest <= i64::from(self.gap) {
            linked(widest as u32, 0)
        } else {
            Ok(None)
        }
    }

    /// Whether the same tokens, as written, stand between the ends of two places and the starts of two others. Where names have to be
    /// renamed throughout, the places have to be equal as written, too: each has a renaming of its own.
    fn is_equal_gap(&self, here: [Place; 2], there: [Place; 2], reader: &mut Reader<'_>) -> io::Result<bool> {
        let [left, right] = [0, 1].map(|side| there[side].tokens.start.saturating_sub(here[side].tokens.end));
        if left != right || left == 0 || left > self.equal_gap {
            return Ok(false);
        }
        let equal = |from: [u32; 2], tokens: u32, reader: &mut Reader<'_>| {
            let [a, b] = [0, 1].map(|side| At { file: here[side].file, offset: from[side] });
            Ok(reader.after(a, b, tokens)? == tokens)
        };
        if self.throughout {
            let [from, to] = [here[0].tokens.start, there[0].tokens.end];
            return equal(here.map(|place| place.tokens.start), to - from, reader);
        }
        equal(here.map(|place| place.tokens.end), left, reader)
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

    /// A chain as one pair. Pieces with an equal gap between them are one piece.
    fn merged(&self, chain: &[Pair], reader: &mut Reader<'_>) -> io::Result<RunPair> {
        let mut pieces: Vec<(u32, u32, u32)> = Vec::with_capacity(chain.len());
        let mut sides = None;
        for &(group, a, b) in chain {
            let [a, b] = [a, b].map(|member| self.member(group, member).place);
            let (left, right) = sides.get_or_insert((a, b));
            let cut = left.tokens.end.saturating_sub(a.tokens.start);
            let cut = cut.max(right.tokens.end.saturating_sub(b.tokens.start));
            let cut = if pieces.is_empty() { 0 } else { cut };
            if cut < a.tokens.len() {
                match pieces.last_mut() {
                    // Both sides are as long from the piece's start to the end of the next.
                    Some(last)
                        if (last.0 + last.2, last.1 + last.2) == (left.tokens.end, right.tokens.end)
                            && self.is_equal_gap([*left, *right], [a, b], reader)? =>
                    {
                        last.2 = a.tokens.end - last.0;
                    }
                    _ => pieces.push((a.tokens.start + cut, b.tokens.start + cut, a.tokens.len() - cut)),
                }
                left.tokens.end = left.tokens.end.max(a.tokens.end);
                right.tokens.end = right.tokens.end.max(b.tokens.end);
            }
        }
        let (left, right) = sides.expect("a chain has pairs");
        let matched: u32 = pieces.iter().map(|piece| piece.2).sum();
        let longer = left.tokens.len().max(right.tokens.len());
        Ok(RunPair { left, right, similarity: f64::from(matched) / f64::from(longer), pieces })
    }

    /// The sides of a merged chain as members: what stands before its first run and after its last.
    fn ends(&self, chain: &[Pair], merged: &RunPair) -> [Member; 2] {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let side =
            |place, first: &Member, last: &Member| Member { place, edges: (first.edges.0, last.edges.1) };
        [
            side(merged.left, self.member(first.0, first.1), self.member(last.0, last.1)),
            side(merged.right, self.member(first.0, first.2), self.member(last.0, last.2)),
        ]
    }
}
