//! Rules with one word changed that tells licenses apart: they no longer say the license that they said before.

use super::*;
use crate::rules::{Distinguishing, Telling, Word};

/// Every how manieth rule is tried in each build.
const EVERY: usize = 101;
/// Most words that are changed in one rule, one at a time.
const MOST: usize = 2;
/// A rule matches a changed text if it has the changed word with as many on either side of it, or starts or ends beside it.
const NEIGHBORS: usize = 2;

/// A rule's tokens with one word changed, and the places of the change in them.
struct Mutation {
    tokens: Vec<Word>,
    around: std::ops::Range<usize>,
}

fn holds(all: &[Word], part: &[Word]) -> bool {
    all.windows(part.len()).any(|window| window == part)
}

/// How many mutated texts were tried of every `step`th rule from `first` on, and those that still report the old license.
fn mistakes(first: usize, step: usize) -> (usize, Vec<String>) {
    let rules = Rules::embedded();
    let mut spelled = vec![""; usize::from(Word::MAX) + 1];
    for (word, number) in &rules.vocabulary.words {
        spelled[usize::from(*number)] = word;
    }
    let numbers: FxHashMap<&str, u32> = rules.rules.iter().map(|rule| rule.name.as_str()).zip(0..).collect();
    let says = |rule: &u32| !rules.rules[*rule as usize].flags.has(Flags::FALSE_POSITIVE);
    let (mut tried, mut mistakes) = (0, Vec::new());
    for rule in (0..rules.rules.len() as u32).filter(says).skip(first).step_by(step) {
        let old = Expression::parse(rules.expression(rule)).expect("the rules' expressions are valid");
        for Mutation { tokens, around } in mutations(rules, rule) {
            tried += 1;
            let text: Vec<&str> = tokens.iter().map(|&token| spelled[usize::from(token)]).collect();
            let detected = Detector::embedded().detect(&text.join(" "));
            let place = around.start..around.end;
            let is_another = |found: &LicenseMatch| {
                let of_rule = rules.tokens(numbers[found.rule.as_str()]);
                let words = |bytes: &str| bytes.split(' ').filter(|word| !word.is_empty()).count();
                let joined = text.join(" ");
                let first = words(&joined[..found.bytes.0]);
                let last = first + words(&joined[found.bytes.0..found.bytes.1]) - 1;
                let is_beside = last < place.end - 1 && of_rule.last() == tokens.get(last)
                    || first > place.start && of_rule.first() == tokens.get(first);
                is_beside || holds(of_rule, &tokens[place.clone()])
            };
            if let Some(wrong) =
                detected.matches.iter().find(|found| found.expression == old && !is_another(found))
            {
                let name = &rules.rules[rule as usize].name;
                let (change, text) = (text[around].join(" "), text.join(" "));
                mistakes.push(format!(
                    "{name}: {old} by {} ({:.2}) in spite of [{change}] in: {text}",
                    wrong.rule, wrong.score
                ));
            }
        }
    }
    (tried, mistakes)
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
#[allow(clippy::print_stdout, reason = "the figure is what the test of all rules is run for")]
fn check(tried: usize, mistakes: &[String]) {
    println!("{} of {tried} changed texts still say the old license", mistakes.len());
    assert!(mistakes.len() * 100 <= tried * 6, "{} of {tried}:\n{}", mistakes.len(), mistakes.join("\n"));
}

#[test]
fn a_changed_word_that_tells_licenses_apart_changes_the_license() {
    let (tried, mistakes) = mistakes(7, EVERY);
    assert!(tried > 500, "{tried}");
    check(tried, &mistakes);
}

#[test]
#[ignore = "takes minutes: all rules"]
fn a_changed_word_in_any_rule_changes_the_license() {
    let (tried, mistakes) = mistakes(0, 1);
    check(tried, &mistakes);
}
