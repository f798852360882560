//! Renamed runs split by what their names and literals say ([`crate::evidence`]).

use std::io;

use familiar_index::Collection;
use familiar_syntax::normal;

use super::groups::{Member, RunGroup};
use crate::Place;
use crate::evidence::{Commonness, Judge, LEAST_RARE};

/// Most representatives that are tried in one group where nothing tells which are worth it.
const MOST_REPRESENTATIVES: usize = 64;

/// In a group of so many members trying all is faster.
const FEW_MEMBERS: usize = 16;

/// Splits a group into stars: the first place that is left and the places that are copies of it. Places that are copies
/// of none are left out.
pub(super) fn stars(collection: &Collection, judge: Judge<'_>, group: RunGroup) -> io::Result<Vec<RunGroup>> {
    match judge.commonness {
        Some(commonness) if group.period == 0 && group.members.len() > FEW_MEMBERS => {
            by_rare_tokens(collection, judge, commonness, &group)
        }
        _ => by_trial(collection, judge, group),
    }
}

/// Compares every place with the representatives.
fn by_trial(collection: &Collection, judge: Judge<'_>, group: RunGroup) -> io::Result<Vec<RunGroup>> {
    let (mut first, mut other) = (Vec::new(), Vec::new());
    let period = group.period;
    let mut rest = group.members;
    let mut stars = Vec::new();
    for _ in 0..MOST_REPRESENTATIVES {
        let Some((&representative, others)) = rest.split_first() else { break };
        let own = tokens(collection, representative.place, &mut first)?;
        let mut members: Vec<Member> = vec![representative];
        let mut left = Vec::new();
        for &member in others {
            let tokens = tokens(collection, member.place, &mut other)?;
            // Periodic stretches may differ in length; their common part tells.
            let common = own.len().min(tokens.len());
            let copies = judge.are_copies(&own[..common], &tokens[..common]);
            if copies { &mut members } else { &mut left }.push(member);
        }
        if members.len() > 1 {
            stars.push(RunGroup { members, period });
        }
        rest = left;
    }
    Ok(stars)
}

/// Compares only places that are equal as written, or that have enough rare tokens in common at the same offsets: no
/// others are copies.
fn by_rare_tokens(
    collection: &Collection,
    judge: Judge<'_>,
    commonness: &Commonness,
    group: &RunGroup,
) -> io::Result<Vec<RunGroup>> {
    let (mut first, mut other) = (Vec::new(), Vec::new());
    let signs = Signs::of(collection, commonness, &group.members)?;
    let mut taken = vec![false; group.members.len()];
    let mut stars = Vec::new();
    for (representative, candidates) in signs.candidates() {
        if taken[representative as usize] {
            continue;
        }
        let member = |number: u32| group.members[number as usize];
        let own = tokens(collection, member(representative).place, &mut first)?;
        let mut members = vec![member(representative)];
        for candidate in candidates {
            if taken[candidate as usize] {
                continue;
            }
            if judge.are_copies(own, tokens(collection, member(candidate).place, &mut other)?) {
                members.push(member(candidate));
                taken[candidate as usize] = true;
            }
        }
        if members.len() > 1 {
            stars.push(RunGroup { members, period: 0 });
        }
    }
    Ok(stars)
}

/// By what members of a group find one another: their rare tokens with the offsets at which they stand, and their text,
/// which counts for enough tokens.
struct Signs {
    /// Signs that several members have, with their members, sorted.
    shared: Vec<(u64, u32)>,
    /// For each member that has a sign before others: the member, and where in `shared` those others stand; by member.
    later: Vec<(u32, u32, u32)>,
}

impl Signs {
    fn of(collection: &Collection, commonness: &Commonness, members: &[Member]) -> io::Result<Self> {
        const TEXT: u64 = 1 << 63;
        let mut buffer = Vec::new();
        let mut signs = Vec::new();
        for (number, member) in (0u32..).zip(members) {
            let tokens = tokens(collection, member.place, &mut buffer)?;
            let rare = (0u64..).zip(tokens).filter(|&(_, &token)| commonness.is_rare(token));
            signs.extend(rare.map(|(offset, &token)| (offset << 32 | u64::from(token), number)));
            let text = normal::hash(tokens) | TEXT;
            signs.extend((0..LEAST_RARE as u64).map(|copy| (text.wrapping_add(copy) | TEXT, number)));
        }
        signs.sort_unstable();
        let (mut shared, mut later) = (Vec::new(), Vec::new());
        for same in signs.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let end = (shared.len() + same.len()) as u32;
            let others = shared.len() as u32 + 1..end;
            later.extend(others.zip(same).map(|(next, &(_, member))| (member, next, end)));
            shared.extend_from_slice(same);
        }
        later.sort_unstable();
        Ok(Self { shared, later })
    }

    /// The members that have any later ones in common, each with those that may be copies of it, ascending.
    fn candidates(&self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        self.later.chunk_by(|a, b| a.0 == b.0).map(|of_member| {
            let others = |&(_, from, to): &(u32, u32, u32)| &self.shared[from as usize..to as usize];
            let mut all: Vec<u32> = of_member.iter().flat_map(others).map(|&(_, other)| other).collect();
            all.sort_unstable();
            let enough = all.chunk_by(|a, b| a == b).filter(|same| same.len() >= LEAST_RARE);
            (of_member[0].0, enough.map(|same| same[0]).collect())
        })
    }
}

fn tokens<'a>(collection: &'a Collection, place: Place, buffer: &'a mut Vec<u32>) -> io::Result<&'a [u32]> {
    collection.tokens.get(place.file, place.tokens.start..place.tokens.end, buffer)
}

#[cfg(test)]
mod tests {
    use familiar_index::Side;
    use familiar_source::Span;
    use proptest::prelude::*;

    use super::*;
    use crate::testing;

    proptest! {
        #[test]
        fn rare_tokens_find_what_comparing_all_finds(
            runs in prop::collection::vec(prop::collection::vec(0usize..6, 5), 2..MOST_REPRESENTATIVES),
        ) {
            const WORDS: [&str; 6] = ["common", "usual", "price", "tax", "discount", "7"];
            let fragment = |run: &Vec<usize>| (vec![run.iter().map(|&word| WORDS[word]).collect()], 0, Side::Both);
            let (collection, _) = testing::collection(&runs.iter().map(fragment).collect::<Vec<_>>());
            let commonness = Commonness::without(&testing::symbols("common usual"));
            let judge = Judge { commonness: Some(&commonness) };
            let place = |file| Place { file, tokens: Span::new(0, 5) };
            let members: Vec<Member> =
                (0..runs.len() as u32).map(|file| Member { place: place(file), edges: (0, 0) }).collect();
            let group = RunGroup { members, period: 0 };
            let found = by_rare_tokens(&collection, judge, &commonness, &group).expect("in memory");
            prop_assert_eq!(found, by_trial(&collection, judge, group).expect("in memory"));
        }
    }
}
