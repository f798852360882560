//! Whether an approximate match adds or loses a word that tells licenses apart.

use rustc_hash::FxHashSet;

use super::edit::Edit;
use super::ends;
use super::found::{Found, Scene, Way};
use super::realign;
use crate::rules::{Distinguishing, Flags, Telling, Word};

/// Rules of more tokens are license texts with many words that few other rules have; only what is sure counts there.
pub(super) const LONG: usize = 200;

/// Rules of so many tokens are a sentence or a few. In longer ones a *not* of the words on warranties may be lost.
const SENTENCES: usize = 60;

/// The first words of a license text are its title.
const TITLE: u32 = 12;

/// Most words of the rule of which none is in the text, if somebody dropped a word.
const DROPPED: u32 = 2;
/// Up to so many more tokens a rule may have that is no long text where a word was dropped.
const MARGIN: usize = 60;

/// Where the text differs from the rule in words that tell licenses apart. A passage that is missing may hold such a word if the
/// rest of the match has it, too, and one that is new if the rule has it.
pub(super) fn alterations(scene: Scene<'_>, found: &Found) -> Vec<(u32, u32)> {
    if found.way != Way::Sequence {
        return Vec::new();
    }
    let (text, rule) = (&scene.query.tokens, scene.rules.tokens(found.rule));
    let edits = edits(scene, found);
    let mut known = InBoth { found, rule, matched: None, of_rule: None };
    let at_ends = ends::edits(scene.query, rule, &edits);
    realign::realigned(text, rule, &edits)
        .into_iter()
        .chain(at_ends)
        .filter(|&edit| known.is_altered(scene, edit))
        .map(|edit| edit.text)
        .collect()
}

/// Whether the words that tell licenses apart are in the text as they are in the rule.
pub(super) fn keeps_distinguishing_words(scene: Scene<'_>, found: &Found) -> bool {
    alterations(scene, found).is_empty()
}

/// Whether a license text lacks a right that its rule gives: to sell copies, or to change them.
pub(super) fn lacks_right(scene: Scene<'_>, found: &Found) -> bool {
    if found.way != Way::Sequence || !scene.is(found, Flags::TEXT) {
        return false;
    }
    let (text, rule, known) = (&scene.query.tokens, scene.rules.tokens(found.rule), scene.known);
    // What is said several times is still said.
    let is_alone = |words: &[Word]| rule.windows(words.len()).filter(|window| window == &words).count() == 1;
    let is_right = |at: u32| {
        let right = &rule[at as usize..=at as usize];
        // `with or without modification`
        let choice = &known.or_without_modification;
        known.rights.contains(&right[0]) && is_alone(right)
            || rule[at as usize..].starts_with(choice) && is_alone(choice)
    };
    // Another word in its place may be a slip.
    let is_dropped = |edit: &Edit| {
        let unknown = edit.text.0.checked_sub(1).map_or(0, |before| scene.query.unknown_after(before));
        !edit.is_outer && edit.text.0 == edit.text.1 && unknown == 0
    };
    let dropped = edits(scene, found).into_iter().filter(is_dropped);
    dropped.into_iter().any(|edit| only(rule, edit.rule, stretch(text, edit.text)).into_iter().any(is_right))
}

/// The words of a match, and of its rule; made when first needed.
struct InBoth<'a> {
    found: &'a Found,
    rule: &'a [Word],
    matched: Option<FxHashSet<Word>>,
    of_rule: Option<FxHashSet<Word>>,
}

impl InBoth<'_> {
    fn is_altered(&mut self, scene: Scene<'_>, edit: Edit) -> bool {
        // The title of a license text, and what follows its end, may be missing.
        if edit.is_outer && self.rule.len() > LONG {
            return false;
        }
        let title = self.found.inside.start() + TITLE;
        if self.rule.len() > LONG && edit.rule.1 <= title && lacks_version(scene, self.rule, edit) {
            return false;
        }
        let (missing, added) = differing(scene, self.rule, edit, title);
        if edit.is_of_words() {
            return !(missing.is_empty() && added.is_empty());
        }
        let (found, rule) = (self.found, self.rule);
        let mut is_kept = |word: &Word| {
            let of_match =
                || found.inside.positions().filter_map(|at| rule.get(at as usize)).copied().collect();
            self.matched.get_or_insert_with(of_match).contains(word)
        };
        let mut is_known =
            |word: &Word| self.of_rule.get_or_insert_with(|| rule.iter().copied().collect()).contains(word);
        !(missing.iter().all(&mut is_kept) && added.iter().all(&mut is_known))
    }
}

/// Whether a title has no version where the rule has one, as a whole: a name without its version stands for each. The text below it says
/// which it is.
fn lacks_version(scene: Scene<'_>, rule: &[Word], edit: Edit) -> bool {
    let (start, end) = (edit.rule.0 as usize, edit.rule.1 as usize);
    let is_digit = |word: &Word| scene.known.is_digit(*word);
    let missing = &rule[start..end];
    let is_cut_before = start.checked_sub(1).is_some_and(|before| is_digit(&rule[before]));
    // After `2.0` a number begins the next line: `1. Definitions`.
    let is_cut_after =
        missing.iter().filter(|word| is_digit(word)).count() < 2 && rule.get(end).is_some_and(is_digit);
    // `version 2`, `v 1.0`, `4.0 International`
    edit.text.0 == edit.text.1
        && missing.len() > 1
        && missing[..2].iter().any(is_digit)
        && !(is_cut_before || is_cut_after)
}

/// Where the text differs from the rule, the ends of the rule included.
fn edits(scene: Scene<'_>, found: &Found) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (start, length) = (found.text.start(), scene.length(found));
    let mut next = (start, 0);
    for (text, rule) in found.text.positions().zip(found.inside.positions()) {
        if next != (text, rule) {
            edits.push(Edit {
                text: (next.0, text),
                rule: (next.1, rule.max(next.1)),
                is_outer: text == start,
            });
        }
        next = (text + 1, rule + 1);
    }
    if next.1 < length {
        edits.push(Edit { text: (next.0, next.0), rule: (next.1, length), is_outer: true });
    }
    edits
}

/// The distinguishing words that only the rule has in an edit, and those that only the text has.
fn differing(scene: Scene<'_>, rule: &[Word], edit: Edit, title: u32) -> (Vec<Word>, Vec<Word>) {
    let text = &scene.query.tokens;
    let missing = only(rule, edit.rule, stretch(text, edit.text));
    let added = only(text, edit.text, stretch(rule, edit.rule));
    // Beyond an end of the rule there may stand whatever does.
    let is_exchange = edit.is_of_words() && !missing.is_empty() && (edit.is_outer || !added.is_empty());
    let Distinguishing { dropped, exchanged, passages } = &scene.rules.distinguishing;
    // A word that is gone from a rule that is a little longer is looked at as closely as in the shorter ones that it stands beside.
    let is_dropped = !edit.is_outer && edit.text.0 == edit.text.1 && edit.rule.1 - edit.rule.0 <= DROPPED;
    let is_long = rule.len() > LONG + if is_dropped { MARGIN } else { 0 };
    let is_in_title = is_long && edit.rule.1 <= title;
    // Where only one of both has a *not*, a sentence says the opposite.
    let has_not = |tokens: &[Word], places: &[u32]| {
        places.iter().any(|&at| scene.known.is_negation(tokens, at as usize))
    };
    let is_opposite = rule.len() <= SENTENCES
        && !edit.is_outer
        && edit.is_of_words()
        && has_not(rule, &missing) != has_not(text, &added);
    let telling = |tokens: &[Word], places: Vec<u32>| -> Vec<Word> {
        let does = |&at: &usize| {
            is_opposite && scene.known.is_negation(tokens, at)
                || is_in_title
                    && (dropped.has_beside(tokens, at)
                        || is_exchange
                            && (exchanged.has_beside(tokens, at) || scene.known.is_of_version(tokens, at)))
                || tells(dropped, tokens, at, is_long)
                || is_exchange && tells(exchanged, tokens, at, is_long)
                || !edit.is_of_words() && tells(passages, tokens, at, is_long)
        };
        places.into_iter().map(|at| at as usize).filter(does).map(|at| tokens[at]).collect()
    };
    // Who holds the copyright says nothing of the license.
    let is_statement = stretch(text, edit.text).contains(&scene.known.copyright);
    (telling(rule, missing), if is_statement { Vec::new() } else { telling(text, added) })
}

/// Whether a word tells licenses apart in a rule, or in the text that it is found in.
fn tells(telling: &Telling, tokens: &[Word], at: usize, is_long: bool) -> bool {
    if is_long { telling.has_surely(tokens, at) } else { telling.has(tokens, at) }
}

/// Whether a word of a rule tells licenses apart.
#[cfg(test)]
pub(super) fn tells_in_rule(words: &Distinguishing, rule: &[Word], at: usize) -> bool {
    let tells = |telling| tells(telling, rule, at, rule.len() > LONG);
    tells(&words.dropped) || tells(&words.exchanged)
}

#[cfg(test)]
pub(super) fn is_distinguished_by(telling: &Telling, rule: &[Word], at: usize) -> bool {
    tells(telling, rule, at, rule.len() > LONG)
}

fn stretch(tokens: &[Word], (start, end): (u32, u32)) -> &[Word] {
    &tokens[start as usize..end as usize]
}

/// The places of a stretch whose words are not among `others`, each of which stands for one.
fn only(tokens: &[Word], own: (u32, u32), others: &[Word]) -> Vec<u32> {
    let mut others = others.to_vec();
    let is_alone = |at: &u32| match others.iter().position(|&other| other == tokens[*at as usize]) {
        Some(same) => {
            others.swap_remove(same);
            false
        }
        None => true,
    };
    (own.0..own.1).filter(is_alone).collect()
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn a_permission_is_no_prohibition_without_its_not() {
        let redistribution =
            "Redistribution and use in source and binary forms, with or without\nmodification,";
        for (end, expected) in [
            ("are permitted.", ""),
            ("are hereby permitted.", ""),
            ("are not permitted.", "LicenseRef-scancode-proprietary-license"),
            ("are permitted under the terms of the MIT license.", "MIT"),
        ] {
            check(&format!("{redistribution} {end}\n"), expected);
        }
        let sharing = "Pony is licensed under a\nCreative Commons Attribution-ShareAlike 3.0 Unported License.\n\n\
                       You should have received a copy of the license along with this\nwork.  If not, see \
                       <http://creativecommons.org/licenses/by-sa/3.0/>.\n";
        check(sharing, "CC-BY-SA-3.0");
    }
}
