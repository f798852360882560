//! Rules with one word changed that tells licenses apart: they no longer say the license that they said before.

use std::collections::BTreeMap;

use super::*;
use crate::rules::{Distinguishing, Telling, Word};

/// Every how manieth rule is tried in each build.
const EVERY: usize = 101;
/// Most words that are changed in one rule, one at a time.
const MOST: usize = 2;
/// A rule has a change just so if it has the changed word with as many on either side of it, or starts or ends beside it.
const NEIGHBORS: usize = 2;
/// Most words of a name or address of a license.
const NAME: u32 = 10;
/// Most mistakes, of a thousand texts.
const LIMIT: usize = 3;

/// A rule's tokens with one word changed, and the places of the change in them.
struct Mutation {
    tokens: Vec<Word>,
    around: std::ops::Range<usize>,
    /// The place itself.
    at: usize,
}

/// Where the change stands, seen from what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Before,
    Within,
    After,
}

/// What became of the changed texts.
#[derive(Default)]
struct Tally {
    tried: usize,
    /// Another rule for the same license stands whole in the changed text: over the change, or beside it.
    others: BTreeMap<(Place, bool), usize>,
    /// The old license is found although no other rule names it.
    mistakes: Vec<(Place, String)>,
}

/// Changes every `step`th rule from `first` on.
fn tally(first: usize, step: usize) -> Tally {
    let rules = Rules::embedded();
    let mut spelled = vec![""; usize::from(Word::MAX) + 1];
    for (word, number) in &rules.vocabulary.words {
        spelled[usize::from(*number)] = word;
    }
    let says = |rule: &u32| !rules.rules[*rule as usize].flags.has(Flags::FALSE_POSITIVE);
    let mut tally = Tally::default();
    for rule in (0..rules.rules.len() as u32).filter(says).skip(first).step_by(step) {
        for mutation in mutations(rules, rule) {
            let text: Vec<&str> = mutation.tokens.iter().map(|&token| spelled[usize::from(token)]).collect();
            tally.add(rule, &mutation, &text.join(" "));
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, rule: u32, mutation: &Mutation, text: &str) {
        self.tried += 1;
        let rules = Rules::embedded();
        let old = Expression::parse(rules.expression(rule)).expect("the rules' expressions are valid");
        let detected = Detector::embedded().detect(text);
        let keeps =
            |found: &&LicenseMatch| found.expression == old && !all_have_change(found, mutation, text);
        let Some(wrong) = detected.matches.iter().find(keeps) else { return };
        if let Some(another) = named_by_another(rule, text) {
            let is_name = another.text.len() <= NAME;
            let place = mutation.seen_from((another.text.start() as usize, another.text.last() as usize));
            *self.others.entry((place, is_name)).or_default() += 1;
        } else {
            let name = &rules.rules[rule as usize].name;
            let mistake = format!("{name}: {old} by {} ({:.2}) in: {text}", wrong.rule, wrong.score);
            self.mistakes.push((mutation.seen_from(tokens_of(wrong, text)), mistake));
        }
    }
}

impl Mutation {
    fn seen_from(&self, (first, last): (usize, usize)) -> Place {
        match () {
            () if self.at < first => Place::Before,
            () if self.at > last => Place::After,
            () => Place::Within,
        }
    }
}

/// The first and the last token of a match.
fn tokens_of(found: &LicenseMatch, text: &str) -> (usize, usize) {
    let words = |bytes: &str| bytes.split(' ').filter(|word| !word.is_empty()).count();
    let first = words(&text[..found.bytes.0]);
    (first, first + words(&text[found.bytes.0..found.bytes.1]) - 1)
}

/// Whether that holds for all rules of a match: a choice is one match of several.
fn all_have_change(found: &LicenseMatch, mutation: &Mutation, text: &str) -> bool {
    match found.note {
        Some(Note::Offered | Note::Excepted) => {}
        // No rule says it.
        Some(Note::Restricted) => return true,
        _ => return has_change(found, mutation, text),
    }
    let (start, end) = found.bytes;
    let stated = Detector::embedded().stated(text);
    let parts = stated.matches.iter().filter(|part| start <= part.bytes.0 && part.bytes.1 <= end);
    parts.fold((0, true), |(count, all), part| (count + 1, all && has_change(part, mutation, text)))
        > (1, false)
}

/// Whether the rule that was found has the changed words just so, or ends or starts beside them.
fn has_change(found: &LicenseMatch, Mutation { tokens, around, .. }: &Mutation, text: &str) -> bool {
    let rules = Rules::embedded();
    let at = rules.rules.iter().position(|rule| rule.name == found.rule).expect("it was found by a rule");
    let of_rule = rules.tokens(at as u32);
    let (first, last) = tokens_of(found, text);
    let ends = of_rule.len().min(NEIGHBORS + 1);
    let is_beside = last < around.end - 1 && tokens[..=last].ends_with(&of_rule[of_rule.len() - ends..])
        || first > around.start && tokens[first..].starts_with(&of_rule[..ends]);
    let changed = &tokens[around.clone()];
    is_beside || of_rule.windows(changed.len()).any(|window| window == changed)
}

/// Another rule for the same license that stands in a text as a whole, word for word.
fn named_by_another(rule: u32, text: &str) -> Option<Found> {
    let detector = Detector::embedded();
    let rules = detector.rules;
    let query = Query::read(text, &detector.words);
    let says_the_same = |other: u32| {
        let known = &rules.rules[other as usize];
        other != rule
            && known.expression == rules.rules[rule as usize].expression
            && !known.flags.has(Flags::FALSE_POSITIVE.with(Flags::CLUE).with(Flags::INTRO))
    };
    let found = detector.anchors.find(rules, &query.tokens, &Span::default());
    found.into_iter().filter(|found| says_the_same(found.rule)).max_by_key(|found| found.text.len())
}

/// The rule's tokens with one distinguishing word dropped, or exchanged for another one.
fn mutations(rules: &Rules, rule: u32) -> Vec<Mutation> {
    let tokens = rules.tokens(rule);
    let Distinguishing { dropped, exchanged, .. } = &rules.distinguishing;
    let places = |telling: &Telling| -> Vec<usize> {
        let places: Vec<usize> =
            (0..tokens.len()).filter(|&at| altered::is_distinguished_by(telling, tokens, at)).collect();
        places.iter().step_by(places.len().div_ceil(MOST).max(1)).copied().collect()
    };
    let drop = |at: usize| {
        let mut tokens = tokens.to_vec();
        tokens.remove(at);
        let around = at.saturating_sub(NEIGHBORS)..(at + NEIGHBORS).min(tokens.len());
        Mutation { tokens, around, at }
    };
    let exchange = |at: usize| {
        let mut tokens = tokens.to_vec();
        let others = &exchanged.words;
        tokens[at] =
            *others.get((rule as usize * 31 + at) % others.len()).filter(|other| **other != tokens[at])?;
        let around = at.saturating_sub(NEIGHBORS)..(at + NEIGHBORS + 1).min(tokens.len());
        Some(Mutation { tokens, around, at })
    };
    places(dropped).into_iter().map(drop).chain(places(exchanged).into_iter().filter_map(exchange)).collect()
}

/// What is left are statements of a notice that say the license by themselves, and changes that no rule near the text shows.
#[allow(clippy::print_stdout, reason = "the figures are what the test of all rules is run for")]
fn check(tally: &Tally) {
    let Tally { tried, others, mistakes } = tally;
    for ((place, is_name), count) in others {
        let what = if *is_name { "a name" } else { "a statement" };
        println!("{count} have {what} of the license elsewhere: another rule, the change {place:?} it");
    }
    for place in [Place::Before, Place::Within, Place::After] {
        let count = mistakes.iter().filter(|mistake| mistake.0 == place).count();
        println!("{count} keep the license, the change {place:?} what is found");
    }
    for (place, mistake) in mistakes {
        println!("{place:?}: {mistake}");
    }
    let all: usize = others.values().sum();
    println!("{tried} changed texts: {all} have another rule for the license, {} keep it", mistakes.len());
    assert!(mistakes.len() * 1000 <= tried * LIMIT, "{} of {tried}:\n{mistakes:#?}", mistakes.len());
}

#[test]
fn a_changed_word_that_tells_licenses_apart_changes_the_license() {
    let tally = tally(7, EVERY);
    assert!(tally.tried > 500, "{}", tally.tried);
    check(&tally);
}

#[test]
#[ignore = "long"]
fn a_changed_word_in_any_rule_changes_the_license() {
    let (mut whole, half) = std::thread::scope(|scope| {
        let half = scope.spawn(|| tally(1, 2));
        (tally(0, 2), half.join().expect("the other half does not panic"))
    });
    whole.tried += half.tried;
    whole.mistakes.extend(half.mistakes);
    for (kind, count) in half.others {
        *whole.others.entry(kind).or_default() += count;
    }
    check(&whole);
}
