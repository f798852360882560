//! Rules with one word changed that tells licenses apart: they no longer say the license that they said before.

use super::*;
use crate::rules::{Distinguishing, Telling, Word};

/// Every how manieth rule is tried in each build.
const EVERY: usize = 101;
/// Most words that are changed in one rule, one at a time.
const MOST: usize = 2;
/// A rule has a change just so if it has the changed word with as many on either side of it, or starts or ends beside it.
const NEIGHBORS: usize = 2;
/// Most mistakes, of a thousand texts.
const LIMIT: usize = 18;

/// A rule's tokens with one word changed, and the places of the change in them.
struct Mutation {
    tokens: Vec<Word>,
    around: std::ops::Range<usize>,
}

/// What became of the changed texts.
#[derive(Default)]
struct Tally {
    tried: usize,
    /// Another rule for the same license stands whole in the changed text.
    is_another: usize,
    /// The old license is told although no other rule says it.
    mistakes: Vec<String>,
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
        let old = Expression::parse(rules.expression(rule)).expect("the rules' expressions are valid");
        for mutation in mutations(rules, rule) {
            tally.tried += 1;
            let text: Vec<&str> = mutation.tokens.iter().map(|&token| spelled[usize::from(token)]).collect();
            let text = text.join(" ");
            let detected = Detector::embedded().detect(&text);
            let keeps =
                |found: &&LicenseMatch| found.expression == old && !has_change(found, &mutation, &text);
            let Some(wrong) = detected.matches.iter().find(keeps) else { continue };
            if is_said_by_another(rule, &text) {
                tally.is_another += 1;
            } else {
                let name = &rules.rules[rule as usize].name;
                tally
                    .mistakes
                    .push(format!("{name}: {old} by {} ({:.2}) in: {text}", wrong.rule, wrong.score));
            }
        }
    }
    tally
}

/// Whether the rule that was found has the changed words just so, or ends or starts beside them.
fn has_change(found: &LicenseMatch, Mutation { tokens, around }: &Mutation, text: &str) -> bool {
    let rules = Rules::embedded();
    let at = rules.rules.iter().position(|rule| rule.name == found.rule).expect("it was found by a rule");
    let of_rule = rules.tokens(at as u32);
    let words = |bytes: &str| bytes.split(' ').filter(|word| !word.is_empty()).count();
    let first = words(&text[..found.bytes.0]);
    let last = first + words(&text[found.bytes.0..found.bytes.1]) - 1;
    let is_beside = last < around.end - 1 && of_rule.last() == tokens.get(last)
        || first > around.start && of_rule.first() == tokens.get(first);
    let changed = &tokens[around.clone()];
    is_beside || of_rule.windows(changed.len()).any(|window| window == changed)
}

/// Whether another rule for the same license stands in a text as a whole, word for word.
fn is_said_by_another(rule: u32, text: &str) -> bool {
    let detector = Detector::embedded();
    let rules = detector.rules;
    let query = Query::read(text, &detector.words);
    let says_the_same = |other: u32| {
        let known = &rules.rules[other as usize];
        other != rule
            && known.expression == rules.rules[rule as usize].expression
            && !known.flags.has(Flags::FALSE_POSITIVE.with(Flags::CLUE).with(Flags::INTRO))
    };
    detector.anchors.find(rules, &query, &Span::default()).iter().any(|found| says_the_same(found.rule))
}

/// The rule's tokens with one distinguishing word dropped, or exchanged for another one.
fn mutations(rules: &Rules, rule: u32) -> Vec<Mutation> {
    let tokens = rules.tokens(rule);
    let Distinguishing { dropped, exchanged, .. } = &rules.distinguishing;
    let places = |telling: &Telling| -> Vec<usize> {
        let places: Vec<usize> =
            (0..tokens.len()).filter(|&at| altered::is_told_by(telling, tokens, at)).collect();
        places.iter().step_by(places.len().div_ceil(MOST).max(1)).copied().collect()
    };
    let drop = |at: usize| {
        let mut tokens = tokens.to_vec();
        tokens.remove(at);
        let around = at.saturating_sub(NEIGHBORS)..(at + NEIGHBORS).min(tokens.len());
        Mutation { tokens, around }
    };
    let exchange = |at: usize| {
        let mut tokens = tokens.to_vec();
        let others = &exchanged.words;
        tokens[at] =
            *others.get((rule as usize * 31 + at) % others.len()).filter(|other| **other != tokens[at])?;
        let around = at.saturating_sub(NEIGHBORS)..(at + NEIGHBORS + 1).min(tokens.len());
        Some(Mutation { tokens, around })
    };
    places(dropped).into_iter().map(drop).chain(places(exchanged).into_iter().filter_map(exchange)).collect()
}

/// Most are right. What is left are titles of long texts, which may be missing, and parts that say a license of their own.
#[allow(clippy::print_stdout, reason = "the figures are what the test of all rules is run for")]
fn check(tally: &Tally) {
    let Tally { tried, is_another, mistakes } = tally;
    println!(
        "{tried} changed texts: {is_another} have another rule for the license, {} keep it",
        mistakes.len()
    );
    assert!(
        mistakes.len() * 1000 <= tried * LIMIT,
        "{} of {tried}:\n{}",
        mistakes.len(),
        mistakes.join("\n")
    );
}

#[test]
fn a_changed_word_that_tells_licenses_apart_changes_the_license() {
    let tally = tally(7, EVERY);
    assert!(tally.tried > 500, "{}", tally.tried);
    check(&tally);
}

#[test]
#[ignore = "takes minutes: all rules"]
fn a_changed_word_in_any_rule_changes_the_license() {
    check(&tally(0, 1));
}
