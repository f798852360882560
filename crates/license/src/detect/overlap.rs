//! Which of matches on the same words count (ScanCode's `filter_contained_matches` and `filter_overlapping_matches`).

use std::cmp::Reverse;

use super::found::{Found, Scene, Way};
use super::merge::merge;
use super::span::Span;
use crate::rules::Flags;

/// Shares of a match that another one has.
const SMALL: f32 = 0.1;
const MEDIUM: f32 = 0.4;
const LARGE: f32 = 0.7;
const EXTRA_LARGE: f32 = 0.9;
/// Longest rule that is a name or a sentence, in tokens.
const SHORT: u32 = 20;

/// Leaves of matches on the same words those that say most; what was left out comes back where nothing overlaps it in the
/// end.
pub(super) fn settle(scene: Scene<'_>, matches: Vec<Found>) -> Vec<Found> {
    let (matches, inside) = without_contained(scene, matches);
    let (mut matches, beside) = without_overlapping(scene, matches);
    for left_out in [inside, beside] {
        let covered = Span::of_all(matches.iter().map(|found| &found.text));
        let free = |found: &Found| found.text.overlap(&covered) == 0;
        matches.extend(merge(scene, left_out).into_iter().filter(free));
    }
    without_contained(scene, matches).0
}

fn sorted(mut matches: Vec<Found>) -> Vec<Found> {
    matches.sort_by_key(|m| (m.text.start(), Reverse(m.legal), Reverse(m.text.len()), m.way, m.rule));
    matches
}

/// What becomes of two neighbors.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Both,
    First,
    Second,
    /// No later one can overlap the first.
    Apart,
}

fn without_contained(scene: Scene<'_>, matches: Vec<Found>) -> (Vec<Found>, Vec<Found>) {
    pairwise(sorted(matches), |_, a, b| {
        if b.text.last() > a.text.last() {
            Verdict::Apart
        } else if a.text == b.text {
            if scene.coverage(a) >= scene.coverage(b) { Verdict::First } else { Verdict::Second }
        } else if a.text.contains(&b.text) {
            Verdict::First
        } else if b.text.contains(&a.text) {
            Verdict::Second
        } else {
            Verdict::Both
        }
    })
}

fn without_overlapping(scene: Scene<'_>, matches: Vec<Found>) -> (Vec<Found>, Vec<Found>) {
    pairwise(sorted(matches), |previous, a, b| overlapping(scene, previous, a, b))
}

fn overlapping(scene: Scene<'_>, previous: Option<&Found>, a: &Found, b: &Found) -> Verdict {
    if b.text.start() > a.text.last() {
        return Verdict::Apart;
    }
    let common = a.text.overlap(&b.text);
    if common == 0 || [a, b].into_iter().all(|found| scene.is(found, Flags::FALSE_POSITIVE)) {
        return Verdict::Both;
    }
    if let Some(verdict) = more_precise(scene, a, b) {
        return verdict;
    }
    let (a_len, b_len) = (a.text.len(), b.text.len());
    let (of_a, of_b) = (common as f32 / a_len as f32, common as f32 / b_len as f32);
    if of_b >= EXTRA_LARGE && a_len >= b_len {
        return Verdict::First;
    }
    if of_a >= EXTRA_LARGE && a_len <= b_len {
        return Verdict::Second;
    }
    let first_is_larger = a_len >= b_len && a.legal >= b.legal;
    let second_is_larger = a_len <= b_len && a.legal <= b.legal;
    if of_b >= LARGE && first_is_larger {
        return Verdict::First;
    }
    if of_a >= LARGE && second_is_larger {
        return Verdict::Second;
    }
    // What names the licenses of the other needs less of it, and least where it surrounds it.
    let least =
        |larger: &Found, other: &Found| if larger.text.surrounds(&other.text) { SMALL } else { MEDIUM };
    if (of_a >= MEDIUM || of_b >= least(a, b)) && first_is_larger && says(scene, a, b) {
        return Verdict::First;
    }
    let joint = || scene.is(a, Flags::ENDS_WITH_LICENSE) && scene.is(b, Flags::STARTS_WITH_LICENSE);
    if of_b >= MEDIUM && b_len == 2 && a_len >= b_len + 2 && a.legal >= b.legal && joint() {
        return Verdict::First;
    }
    if (of_b >= MEDIUM || of_a >= least(b, a)) && second_is_larger && says(scene, b, a) {
        return Verdict::Second;
    }
    // What two others cover together adds nothing.
    if let Some(previous) = previous.filter(|previous| previous.text.overlap(&b.text) == 0) {
        let before = a.text.overlap(&previous.text);
        if before > 0 && (before + common) as f32 >= a_len as f32 * 0.9 {
            return Verdict::Second;
        }
    }
    Verdict::Both
}

/// Of two short rules that are there as a whole the one that has all the words that tell licenses apart: *the GNU General Public License
/// version 3* rather than *released under the GNU General Public License*.
fn more_precise(scene: Scene<'_>, a: &Found, b: &Found) -> Option<Verdict> {
    // A clue says nothing of which license it is.
    let is_short =
        |found: &Found| found.way == Way::Exact && found.text.len() <= SHORT && !scene.is(found, Flags::CLUE);
    if !is_short(a) || !is_short(b) || scene.expression(a) == scene.expression(b) {
        return None;
    }
    let tokens = &scene.query.tokens;
    let says_more = |one: &Found, other: &Found| {
        let mut alone = one.text.positions().filter(|&at| !other.text.holds(at));
        let words = &scene.rules.distinguishing;
        alone.any(|at| words.exchanged.has(tokens, at as usize) || words.dropped.has(tokens, at as usize))
    };
    match (says_more(a, b), says_more(b, a)) {
        (true, false) => Some(Verdict::First),
        (false, true) => Some(Verdict::Second),
        _ => None,
    }
}

/// Whether the expression of `a` has that of `b` in it.
fn says(scene: Scene<'_>, a: &Found, b: &Found) -> bool {
    let (a, b) = (scene.expression(a), scene.expression(b));
    a == b || a.contains(b)
}

/// Compares each match with those after it and takes out which the verdict says; gives what is left and what was taken.
/// The verdict is told the match that is left before the first.
fn pairwise(
    matches: Vec<Found>,
    verdict: impl Fn(Option<&Found>, &Found, &Found) -> Verdict,
) -> (Vec<Found>, Vec<Found>) {
    let mut is_out = vec![false; matches.len()];
    let mut previous = None;
    for first in 0..matches.len() {
        if is_out[first] {
            continue;
        }
        for second in first + 1..matches.len() {
            if is_out[second] {
                continue;
            }
            match verdict(previous.map(|at: usize| &matches[at]), &matches[first], &matches[second]) {
                Verdict::Apart => break,
                Verdict::Both => {}
                Verdict::First => is_out[second] = true,
                Verdict::Second => {
                    is_out[first] = true;
                    break;
                }
            }
        }
        if !is_out[first] {
            previous = Some(first);
        }
    }
    let (mut left, mut taken) = (Vec::new(), Vec::new());
    for (found, is_out) in std::iter::zip(matches, is_out) {
        if is_out { taken.push(found) } else { left.push(found) }
    }
    (left, taken)
}

#[cfg(test)]
mod clues {
    use crate::detect::cases::check;

    #[test]
    fn a_clue_takes_no_word_of_a_field() {
        for (text, expected) in [
            ("authors = [\"Ada <ada@pony.cc>\"]\nlicense = \"MIT\"\n", "MIT"),
            ("  \"homepage\": \"https://pony.cc\",\n  \"license\": \"MIT\"\n", "MIT"),
            ("# uses gcc, cc\n# License: MIT\n", "MIT"),
            ("authors = [\"Ada <ada@pony.cc>\"]\nlicense = \"GPL-3.0-only\"\n", "GPL-3.0-only"),
            ("authors = [\"Ada <ada@pony.org>\"]\nlicense = \"MIT\"\n", "MIT"),
            // The name with its version counts more than the sentence without one.
            ("released under the GNU General Public License version 3", "GPL-3.0-only"),
        ] {
            check(text, expected);
        }
    }
}
