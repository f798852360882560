//! Renamed runs split by what their names and literals say ([`crate::evidence`]).

use std::cmp::Reverse;
use std::io;

use familiar_index::Collection;
use familiar_syntax::normal::{self, Symbol};
use rustc_hash::FxHashMap;

use super::groups::{Member, RunGroup};
use crate::Place;
use crate::evidence::{self, Commonness, Judge, LEAST_RARE, is_word};

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

/// Most words of texts that are kept in memory while a group is split.
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
    let words = Words::of(collection, &texts)?;
    let mut signs = Signs::of(collection, commonness, &texts, &words)?;
    let most_in_vain = (MOST_IN_VAIN_OF_GROUP / texts.len()).clamp(LEAST_IN_VAIN, MOST_IN_VAIN);
    let mut taken = vec![false; texts.len()];
    let mut stars = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        if taken[number] {
            continue;
        }
        let own = tokens(collection, text[0].place, &mut first)?;
        let mut members = text.clone();
        let mut in_vain = 0;
        for candidate in signs.candidates(number as u32) {
            let candidate = candidate as usize;
            if taken[candidate] {
                continue;
            }
            if words.may_agree(number, candidate)
                && judge.are_copies(own, tokens(collection, texts[candidate][0].place, &mut other)?)
            {
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

/// The names and literals of one place of each text. All texts have them at the same offsets, since they are equal once renamed.
struct Words {
    /// The offsets of names, and behind them those of literals.
    offsets: Vec<u32>,
    names: usize,
    /// Those of all texts, one text after another, in the order of `offsets`; none where they are too many. Each text is compared
    /// many times, and a read from a file costs more than a comparison.
    kept: Option<Vec<u32>>,
}

impl Words {
    fn of(collection: &Collection, texts: &[Vec<Member>]) -> io::Result<Self> {
        let mut buffer = Vec::new();
        let first = tokens(collection, texts[0][0].place, &mut buffer)?;
        let of = |is_wanted: fn(Symbol) -> bool| {
            let words = (0u32..).zip(first).filter(move |&(_, &token)| is_wanted(Symbol(token)));
            words.map(|(offset, _)| offset)
        };
        let mut offsets: Vec<u32> =
            of(|symbol| is_word(symbol.class()) && symbol.blind() == Symbol::NAME).collect();
        let names = offsets.len();
        offsets.extend(of(|symbol| is_word(symbol.class()) && symbol.blind() != Symbol::NAME));
        let all = offsets.len() * texts.len() <= MOST_KEPT;
        let kept = if all { Some(columns(collection, texts, &offsets)?) } else { None };
        Ok(Self { offsets, names, kept })
    }

    /// Whether two texts have enough words in common to be copies; true where the words are not kept.
    fn may_agree(&self, left: usize, right: usize) -> bool {
        let (Some(kept), count) = (&self.kept, self.offsets.len()) else { return true };
        let [left, right] = [left, right].map(|text| kept[text * count..][..count].split_at(self.names));
        let equal = |left: &[u32], right: &[u32]| {
            left.iter().zip(right).map(|(left, right)| u32::from(left == right)).sum::<u32>()
        };
        let (names, literals) = (equal(left.0, right.0), equal(left.1, right.1));
        evidence::may_agree(count as u32, names + literals, self.names as u32 - names)
    }
}

/// The tokens of each text at these offsets, one text after another.
fn columns(collection: &Collection, texts: &[Vec<Member>], offsets: &[u32]) -> io::Result<Vec<u32>> {
    let (mut all, mut buffer) = (Vec::with_capacity(texts.len() * offsets.len()), Vec::new());
    for text in texts {
        let tokens = tokens(collection, text[0].place, &mut buffer)?;
        all.extend(offsets.iter().map(|&offset| tokens[offset as usize]));
    }
    Ok(all)
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
    /// The texts of each sign that several have, one sign after another; in order.
    shared: Vec<u32>,
    /// For each text, and each of its signs that others after it have, too: where in `shared` those others stand.
    later: Vec<(u32, u32)>,
    /// Where in `later` the signs of each text start; one more than there are texts.
    starts: Vec<u32>,
    /// For each text how many signs it shares with the one that is looked at; 0 in between.
    counts: Vec<u32>,
}

impl Signs {
    fn of(
        collection: &Collection,
        commonness: &Commonness,
        texts: &[Vec<Member>],
        words: &Words,
    ) -> io::Result<Self> {
        let mut in_order: Vec<(u32, usize)> = words.offsets.iter().copied().zip(0..).collect();
        in_order.sort_unstable();
        let (mut shared, mut ends, mut column) = (Vec::new(), Vec::new(), Vec::new());
        // All columns are kept, or so many are read at a time.
        let at_once = if words.kept.is_some() { words.offsets.len() } else { MOST_KEPT / texts.len() };
        for band in in_order.chunks(at_once.max(1)) {
            let read;
            let (all, width) = if let Some(kept) = &words.kept {
                (kept, words.offsets.len())
            } else {
                let offsets: Vec<u32> = band.iter().map(|&(offset, _)| offset).collect();
                read = columns(collection, texts, &offsets)?;
                (&read, band.len())
            };
            for (in_band, &(_, kept_at)) in band.iter().enumerate() {
                let at = if words.kept.is_some() { kept_at } else { in_band };
                column.clear();
                let of_texts = all.iter().skip(at).step_by(width);
                let rare = (0u64..).zip(of_texts).filter(|&(_, &token)| commonness.is_rare(token));
                column.extend(rare.map(|(number, &token)| u64::from(token) << 32 | number));
                column.sort_unstable();
                for same in column.chunk_by(|a, b| a >> 32 == b >> 32).filter(|same| same.len() > 1) {
                    shared.extend(same.iter().map(|&it| it as u32));
                    ends.push(shared.len() as u32);
                }
            }
        }
        Ok(Self::by_text(shared, &ends, texts.len()))
    }

    /// `ends` says where in `shared` each sign ends.
    fn by_text(shared: Vec<u32>, ends: &[u32], texts: usize) -> Self {
        let mut starts = vec![0; texts + 1];
        // The last text of a sign has none after it.
        let each = |tell: &mut dyn FnMut(u32, (u32, u32))| {
            let mut start = 0;
            for &end in ends {
                for next in start + 1..end {
                    tell(shared[next as usize - 1], (next, end));
                }
                start = end;
            }
        };
        each(&mut |text, _| starts[text as usize + 1] += 1);
        for text in 0..texts {
            starts[text + 1] += starts[text];
        }
        let mut later = vec![(0, 0); starts[texts] as usize];
        let mut free = starts.clone();
        each(&mut |text, others| {
            later[free[text as usize] as usize] = others;
            free[text as usize] += 1;
        });
        Self { shared, later, starts, counts: vec![0; texts] }
    }

    /// The texts after one that may be copies of it: those that share the most signs first. In a large group many texts have a
    /// sign that is rare elsewhere, so the signs that the fewest have are looked at first, up to a bound.
    fn candidates(&mut self, text: u32) -> Vec<u32> {
        let (from, to) = (self.starts[text as usize], self.starts[text as usize + 1]);
        let mut others = self.later[from as usize..to as usize].to_vec();
        others.sort_by_key(|&(from, to)| to - from);
        let shared = &self.shared;
        let places = others.iter().flat_map(|&(from, to)| &shared[from as usize..to as usize]);
        let mut met = Vec::new();
        for &other in places.take(MOST_PLACES) {
            let count = &mut self.counts[other as usize];
            if *count == 0 {
                met.push(other);
            }
            *count += 1;
        }
        let mut enough = Vec::new();
        for other in met {
            let count = std::mem::take(&mut self.counts[other as usize]);
            if count as usize >= LEAST_RARE {
                enough.push((Reverse(count), other));
            }
        }
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
            const NAMES: [&str; 6] = ["common", "usual", "price", "tax", "discount", "rate"];
            const NUMBERS: [&str; 6] = ["0", "1", "7", "8", "9", "10"];
            // Runs are equal once renamed, so the same places have numbers.
            let word = |(at, &word): (usize, &usize)| if at == 1 { NUMBERS[word] } else { NAMES[word] };
            let fragment =
                |run: &Vec<usize>| (vec![run.iter().enumerate().map(word).collect()], 0, Side::Both);
            let (collection, _) = testing::collection(&runs.iter().map(fragment).collect::<Vec<_>>());
            let commonness = Commonness::without(&testing::symbols("common usual 0"));
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
