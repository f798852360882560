//! Renamed runs split by what their names and literals say ([`crate::evidence`]).

use std::cmp::Reverse;
use std::io;

use familiar_index::Collection;
use familiar_syntax::normal;
use rustc_hash::FxHashMap;

use super::groups::{Member, RunGroup};
use crate::Place;
use crate::evidence::{Commonness, Judge, LEAST_RARE};

/// Most representatives that are tried in one group where nothing tells which are worth it.
const MOST_REPRESENTATIVES: usize = 64;

/// In a group of so many members trying all is faster.
const FEW_MEMBERS: usize = 16;

/// Most texts that are compared with a representative and are no copies of it. The rows of a large table share a name or two with
/// each other, and those that share the most are tried first.
const MOST_IN_VAIN: usize = 32;

/// Most texts that are compared in vain in one group: of a larger group fewer for each representative, but so many at least.
const MOST_IN_VAIN_OF_GROUP: usize = 1 << 16;
const LEAST_IN_VAIN: usize = 8;

/// Most places of rare tokens that are looked at for one text; the rarest in the group come first.
const MOST_PLACES: usize = 1 << 11;

/// Most tokens of representatives that are kept in memory while a group is split.
const MOST_KEPT: usize = 1 << 22;

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

/// Compares one place of each text, and only those that have enough rare tokens in common at the same offsets: no others are
/// copies. Places that are equal as written go together.
fn by_rare_tokens(
    collection: &Collection,
    judge: Judge<'_>,
    commonness: &Commonness,
    group: &RunGroup,
) -> io::Result<Vec<RunGroup>> {
    let (mut first, mut other) = (Vec::new(), Vec::new());
    let texts = by_text(collection, &group.members)?;
    if texts.len() == 1 {
        return Ok(vec![group.clone()]);
    }
    let signs = Signs::of(collection, commonness, &texts)?;
    let kept = Kept::of(collection, &texts)?;
    let most_in_vain = (MOST_IN_VAIN_OF_GROUP / texts.len()).clamp(LEAST_IN_VAIN, MOST_IN_VAIN);
    let mut taken = vec![false; texts.len()];
    let mut stars = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        if taken[number] {
            continue;
        }
        let own = kept.tokens(number, &mut first)?;
        let mut members = text.clone();
        let mut in_vain = 0;
        for candidate in signs.candidates(number as u32) {
            let candidate = candidate as usize;
            if taken[candidate] {
                continue;
            }
            if judge.are_copies(own, kept.tokens(candidate, &mut other)?) {
                members.extend(&texts[candidate]);
                taken[candidate] = true;
            } else {
                in_vain += 1;
                if in_vain == most_in_vain {
                    break;
                }
            }
        }
        if members.len() > 1 {
            members.sort_unstable();
            stars.push(RunGroup { members, period: 0 });
        }
    }
    Ok(stars)
}

/// The tokens of one place of each text, in memory where they are few: each is compared many times, and a read from a file
/// costs more than a comparison.
struct Kept<'a> {
    collection: &'a Collection,
    texts: &'a [Vec<Member>],
    /// Of all texts, one after another, and as many of each; none where they are too many.
    tokens: Option<Vec<u32>>,
}

impl<'a> Kept<'a> {
    fn of(collection: &'a Collection, texts: &'a [Vec<Member>]) -> io::Result<Self> {
        let length = texts[0][0].place.tokens.len() as usize;
        let is_same = |text: &Vec<Member>| text[0].place.tokens.len() as usize == length;
        if texts.len() * length > MOST_KEPT || !texts.iter().all(is_same) {
            return Ok(Self { collection, texts, tokens: None });
        }
        let (mut all, mut buffer) = (Vec::with_capacity(texts.len() * length), Vec::new());
        for text in texts {
            all.extend_from_slice(tokens(collection, text[0].place, &mut buffer)?);
        }
        Ok(Self { collection, texts, tokens: Some(all) })
    }

    /// The tokens of a text.
    fn tokens<'b>(&'b self, number: usize, buffer: &'b mut Vec<u32>) -> io::Result<&'b [u32]> {
        let place = self.texts[number][0].place;
        match &self.tokens {
            Some(all) => Ok(&all[number * place.tokens.len() as usize..][..place.tokens.len() as usize]),
            None => tokens(self.collection, place, buffer),
        }
    }
}

/// The members of a group by their text, in the order of the first member of each text.
fn by_text(collection: &Collection, members: &[Member]) -> io::Result<Vec<Vec<Member>>> {
    let mut buffer = Vec::new();
    let mut numbers: FxHashMap<u64, usize> = FxHashMap::default();
    let mut texts: Vec<Vec<Member>> = Vec::new();
    for &member in members {
        let text = normal::hash(tokens(collection, member.place, &mut buffer)?);
        let number = *numbers.entry(text).or_insert(texts.len());
        if number == texts.len() {
            texts.push(Vec::new());
        }
        texts[number].push(member);
    }
    Ok(texts)
}

/// By what texts find one another: their rare tokens with the offsets at which they stand.
struct Signs {
    /// Signs that several texts have, with the texts, sorted.
    shared: Vec<(u64, u32)>,
    /// For each text that has a sign before others: the text, and where in `shared` those others stand; by text.
    later: Vec<(u32, u32, u32)>,
}

impl Signs {
    fn of(collection: &Collection, commonness: &Commonness, texts: &[Vec<Member>]) -> io::Result<Self> {
        let mut buffer = Vec::new();
        let mut signs = Vec::new();
        for (number, text) in (0u32..).zip(texts) {
            let tokens = tokens(collection, text[0].place, &mut buffer)?;
            let rare = (0u64..).zip(tokens).filter(|&(_, &token)| commonness.is_rare(token));
            signs.extend(rare.map(|(offset, &token)| (offset << 32 | u64::from(token), number)));
        }
        signs.sort_unstable();
        let (mut shared, mut later) = (Vec::new(), Vec::new());
        for same in signs.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let end = (shared.len() + same.len()) as u32;
            let others = shared.len() as u32 + 1..end;
            later.extend(others.zip(same).map(|(next, &(_, text))| (text, next, end)));
            shared.extend_from_slice(same);
        }
        later.sort_unstable();
        Ok(Self { shared, later })
    }

    /// The texts after one that may be copies of it: those that share the most signs first. In a large group many texts have a
    /// sign that is rare elsewhere, so the signs that the fewest have are looked at first, up to a bound.
    fn candidates(&self, text: u32) -> Vec<u32> {
        let from = self.later.partition_point(|sign| sign.0 < text);
        let signs = self.later[from..].iter().take_while(|sign| sign.0 == text);
        let mut others: Vec<&[(u64, u32)]> =
            signs.map(|&(_, from, to)| &self.shared[from as usize..to as usize]).collect();
        others.sort_by_key(|others| others.len());
        let places = others.into_iter().flatten().take(MOST_PLACES);
        let mut all: Vec<u32> = places.map(|&(_, other)| other).collect();
        all.sort_unstable();
        let enough = all.chunk_by(|a, b| a == b).filter(|same| same.len() >= LEAST_RARE);
        let mut enough: Vec<(Reverse<usize>, u32)> =
            enough.map(|same| (Reverse(same.len()), same[0])).collect();
        enough.sort_unstable();
        enough.into_iter().map(|(_, text)| text).collect()
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
