//! Which words tell licenses apart, from the rules themselves: where two rules are the same but for one stretch, and stand for
//! different licenses, words of that stretch do; where they stand for the same license, they do not.

use familiar_license::rules::{Distinguishing, Does, Flags, Rules, Telling, Vocabulary, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest stretch in which rules may differ both, and longest that one has and the other has not.
const BOTH: usize = 3;
const ONE: usize = 48;
/// Rules of more tokens are compared by short stretches alone.
const LONG: usize = 400;
/// Most rules of one frame that are compared with each other.
const MOST: usize = 48;
/// Fewest frames that speak of a word.
const LEAST: f32 = 3.0;
/// Frames in which licenses differ that leave no doubt.
const SURE: f32 = 12.0;
/// How much oftener licenses differ than not where a word tells them apart.
const RATIO: f32 = 4.0;

/// A rule without one stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    frame: u64,
    rule: u32,
    start: u32,
    end: u32,
}

/// How often licenses differ, and how often not, where a word does.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    apart: f32,
    same: f32,
}

impl Tally {
    fn frames(self) -> f32 {
        self.apart + self.same
    }

    fn does(self) -> Does {
        match self.apart >= RATIO * self.same {
            true if self.apart >= SURE => Does::Surely,
            true => Does::Likely,
            false => Does::Not,
        }
    }
}

/// A word, alone or with a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    Anywhere(Word),
    After(Word, Word),
    Before(Word, Word),
}

impl Place {
    fn word(self) -> Word {
        match self {
            Self::Anywhere(word) | Self::After(word, _) | Self::Before(word, _) => word,
        }
    }
}

/// Which words of a stretch make the difference.
enum Blame {
    /// One word that is there or not.
    Alone,
    /// All, but for those that make no difference alone: *or* of *or later*.
    AllBut(FxHashSet<Word>),
}

/// What is counted of words that stand for each other, and of those that are there or not.
#[derive(Debug, Default)]
struct Tallies {
    exchanged: Counts,
    dropped: Counts,
}

type Counts = FxHashMap<Place, Tally>;

/// The distinguishing words of `rules`.
pub(crate) fn derive(rules: &Rules) -> Distinguishing {
    let cuts = cuts(rules);
    let frames = || cuts.chunk_by(|a, b| a.frame == b.frame);
    let (mut alone, mut short, mut passages) = (Tallies::default(), Tallies::default(), Tallies::default());
    for frame in frames() {
        compare(rules, frame, &Blame::Alone, &mut alone);
    }
    let harmless =
        alone.dropped.into_iter().filter(|(_, tally)| tally.frames() >= LEAST && tally.does() == Does::Not);
    let harmless = Blame::AllBut(harmless.map(|(place, _)| place.word()).collect());
    for frame in frames() {
        compare(rules, frame, &harmless, &mut short);
    }
    compare_longer(rules, &cuts, &harmless, &mut passages);
    // Of clauses, numbers are marks.
    let marks = numbers(&rules.vocabulary);
    passages.dropped.retain(|place, _| !marks.contains(&place.word()));
    // A version that is missing says as much as another one.
    #[allow(clippy::iter_over_hash_type, reason = "each place is added to once")]
    for (place, tally) in short.exchanged.iter().filter(|(place, _)| marks.contains(&place.word())) {
        let known = short.dropped.entry(*place).or_default();
        known.apart += tally.apart;
        known.same += tally.same;
    }
    Distinguishing {
        exchanged: telling(short.exchanged),
        dropped: telling(short.dropped),
        passages: telling(passages.dropped),
    }
}

/// The words that are numbers.
fn numbers(vocabulary: &Vocabulary) -> FxHashSet<Word> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    vocabulary.words.iter().filter(|(word, _)| is_number(word)).map(|(_, number)| *number).collect()
}

fn telling(counts: Counts) -> Telling {
    let mut found = Telling::default();
    #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
    for (place, tally) in counts {
        if tally.frames() < LEAST {
            continue;
        }
        match place {
            Place::Anywhere(word) if tally.does() > Does::Not => found.words.push(word),
            Place::Anywhere(_) => {}
            Place::After(word, neighbor) => found.after.push((word, neighbor, tally.does())),
            Place::Before(word, neighbor) => found.before.push((word, neighbor, tally.does())),
        }
    }
    found.words.sort_unstable();
    found.after.sort_unstable();
    found.before.sort_unstable();
    found
}

/// Every way to leave a short stretch out of a rule, those with the same rest beside each other.
fn cuts(rules: &Rules) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for rule in compared(rules) {
        let frames = Frames::of(rules.tokens(rule));
        let length = rules.tokens(rule).len();
        for start in 0..=length {
            for end in start..=(start + BOTH).min(length) {
                if end - start < length {
                    let frame = frames.without(start, end);
                    cuts.push(Cut { frame, rule, start: start as u32, end: end as u32 });
                }
            }
        }
    }
    cuts.sort_unstable();
    cuts
}

/// The rules that stand for a license.
fn compared(rules: &Rules) -> impl Iterator<Item = u32> {
    let says =
        |rule: &u32| !rules.rules[*rule as usize].flags.has(Flags::FALSE_POSITIVE.with(Flags::UNKNOWN));
    (0..rules.rules.len() as u32).filter(says)
}

/// Compares rules that are the same but for a short stretch of each.
fn compare(rules: &Rules, frame: &[Cut], blame: &Blame, tallies: &mut Tallies) {
    if frame.len() < 2 {
        return;
    }
    let step = frame.len().div_ceil(MOST);
    let chosen: Vec<Cut> = frame.iter().copied().step_by(step).collect();
    let mut counts = Tallies::default();
    for (at, one) in chosen.iter().enumerate() {
        for other in &chosen[at + 1..] {
            // A frame that holds at an edge of an equal stretch, too, is met there again.
            if one.rule != other.rule && differ_at_once(rules, *one, *other) {
                count(rules, *one, *other, blame, &mut counts);
            }
        }
    }
    tallies.add(counts);
}

/// Whether the stretches start and end with different words: they are no longer than they must be.
fn differ_at_once(rules: &Rules, one: Cut, other: Cut) -> bool {
    let (a, b) = (stretch(rules, one), stretch(rules, other));
    let differs = |a: Option<&Word>, b: Option<&Word>| a.is_none() || b.is_none() || a != b;
    differs(a.first(), b.first()) && differs(a.last(), b.last())
}

/// Compares rules with those that hold all of them and one longer stretch.
fn compare_longer(rules: &Rules, cuts: &[Cut], blame: &Blame, tallies: &mut Tallies) {
    let wholes: FxHashMap<u64, Cut> =
        cuts.iter().filter(|cut| cut.start == cut.end).map(|cut| (cut.frame, *cut)).collect();
    for rule in compared(rules) {
        let length = rules.tokens(rule).len();
        if length > LONG {
            continue;
        }
        let frames = Frames::of(rules.tokens(rule));
        let mut met: FxHashSet<u32> = FxHashSet::default();
        for start in 0..length {
            for end in start + BOTH + 1..=(start + ONE).min(length) {
                let frame = frames.without(start, end);
                let Some(whole) = wholes.get(&frame).filter(|_| end - start < length) else { continue };
                if met.insert(whole.rule) {
                    let cut = Cut { frame, rule, start: start as u32, end: end as u32 };
                    let mut counts = Tallies::default();
                    count(rules, cut, *whole, blame, &mut counts);
                    tallies.add(counts);
                }
            }
        }
    }
}

fn stretch(rules: &Rules, cut: Cut) -> &[Word] {
    &rules.tokens(cut.rule)[cut.start as usize..cut.end as usize]
}

/// Counts the words that one of two stretches has and the other has not: one word that stands for another one, or words that are
/// there or not. What differs in more ways says nothing of each word.
fn count(rules: &Rules, one: Cut, other: Cut, blame: &Blame, counts: &mut Tallies) {
    let expression = |cut: Cut| rules.rules[cut.rule as usize].expression;
    let is_apart = expression(one) != expression(other);
    let alone = |cut: Cut, others: &[Word]| -> Vec<u32> {
        let tokens = rules.tokens(cut.rule);
        let (start, end) = (cut.start as usize, cut.end as usize);
        let is_passage = end - start > BOTH;
        // A passage may repeat what the rest says.
        let is_in_rest = |word: &Word| tokens[..start].contains(word) || tokens[end..].contains(word);
        let is_alone = |at: &u32| {
            let word = &tokens[*at as usize];
            !(others.contains(word) || is_passage && is_in_rest(word))
        };
        (cut.start..cut.end).filter(is_alone).collect()
    };
    let (mut mine, mut theirs) = (alone(one, stretch(rules, other)), alone(other, stretch(rules, one)));
    match blame {
        Blame::Alone if mine.len() + theirs.len() != 1 => return,
        Blame::AllBut(harmless) if mine.len() + theirs.len() > 1 && mine.len().min(theirs.len()) == 0 => {
            for (cut, places) in [(one, &mut mine), (other, &mut theirs)] {
                places.retain(|&at| !harmless.contains(&rules.tokens(cut.rule)[at as usize]));
            }
        }
        _ => {}
    }
    let counts = match (mine.len(), theirs.len()) {
        (0, _) | (_, 0) => &mut counts.dropped,
        (1, 1) => &mut counts.exchanged,
        _ => return,
    };
    for (rule, places) in [(one.rule, mine), (other.rule, theirs)] {
        #[allow(clippy::iter_over_hash_type, reason = "each place is counted once")]
        for place in places_of(rules.tokens(rule), &places) {
            let tally = counts.entry(place).or_default();
            *(if is_apart { &mut tally.apart } else { &mut tally.same }) += 1.0;
        }
    }
}

/// The words at these positions, alone and with their neighbors.
fn places_of(tokens: &[Word], positions: &[u32]) -> FxHashSet<Place> {
    let mut places = FxHashSet::default();
    for at in positions.iter().map(|&at| at as usize) {
        let word = tokens[at];
        places.insert(Place::Anywhere(word));
        places.extend(at.checked_sub(1).map(|before| Place::After(word, tokens[before])));
        places.extend(tokens.get(at + 1).map(|&after| Place::Before(word, after)));
    }
    places
}

impl Tallies {
    /// Adds what one frame says of each word: one voice, however many rules it has.
    fn add(&mut self, counts: Self) {
        for (all, counts) in [(&mut self.exchanged, counts.exchanged), (&mut self.dropped, counts.dropped)] {
            #[allow(clippy::iter_over_hash_type, reason = "each key is added once")]
            for (place, count) in counts {
                let tally = all.entry(place).or_default();
                tally.apart += count.apart / count.frames();
                tally.same += count.same / count.frames();
            }
        }
    }
}

/// Hashes of the starts and ends of a row of tokens.
struct Frames {
    starts: Vec<u64>,
    ends: Vec<u64>,
}

impl Frames {
    fn of(tokens: &[Word]) -> Self {
        let step = |hash: u64, token: Word| {
            (hash ^ u64::from(token).wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        };
        let (mut starts, mut ends) = (vec![1], vec![2]);
        let (mut start, mut end) = (1, 2);
        for (&first, &last) in tokens.iter().zip(tokens.iter().rev()) {
            start = step(start, first);
            end = step(end, last);
            starts.push(start);
            ends.push(end);
        }
        Self { starts, ends }
    }

    /// The hash of all tokens but those from `start` to `end`.
    fn without(&self, start: usize, end: usize) -> u64 {
        let rest = self.ends[self.starts.len() - 1 - end];
        self.starts[start].rotate_left(17) ^ rest.wrapping_mul(0xff51_afd7_ed55_8ccd)
    }
}
