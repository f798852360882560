//! Which matches count (ScanCode's `refine_matches`): each filter is one function and says what it leaves out.

use super::altered::keeps_distinguishing_words;
use super::found::{Found, Scene, Way};
use super::merge::merge;
use super::named;
use super::overlap::settle;
use super::span::Span;
use crate::rules::Flags;

/// Rules of fewer tokens are small.
pub(super) const SMALL_RULE: u32 = 15;

/// Leaves the matches that hold what their rules ask for and that no better one covers.
pub(super) fn refine(scene: Scene<'_>, matches: Vec<Found>) -> Vec<Found> {
    let mut matches = merge(scene, matches);
    matches.retain(|found| is_acceptable(scene, found));
    if matches.len() > 1 {
        matches.retain(|found| !is_scattered(scene, found));
    }
    settle(scene, merge(scene, matches))
}

/// Whether a match has by itself what its rule asks for.
fn is_acceptable(scene: Scene<'_>, found: &Found) -> bool {
    has_required_phrases(scene, found) && is_enough(scene, found) && keeps_distinguishing_words(scene, found)
}

/// Whether a match has as many words of its rule as it asks for, near each other, and among them a name of its licenses.
pub(super) fn is_enough(scene: Scene<'_>, found: &Found) -> bool {
    !is_spurious(scene, found) && is_enough_of_rule(scene, found) && !named::lacks_names(scene, found)
}

/// Takes out what says that it is no license, and lists of license names.
pub(super) fn without_false_positives(scene: Scene<'_>, mut matches: Vec<Found>) -> Vec<Found> {
    matches.retain(|found| !scene.is(found, Flags::FALSE_POSITIVE));
    matches.sort_by_key(|found| found.text.start());
    super::lists::without_lists(scene, matches)
}

/// Whether the phrases that its rule requires are there as they stand in the rule: without a gap, a foreign word, or a
/// stop word more or less.
pub(super) fn has_required_phrases(scene: Scene<'_>, found: &Found) -> bool {
    let rule = scene.rule(found);
    if rule.flags.has(Flags::CONTINUOUS.with(Flags::REQUIRED_PHRASE)) {
        return scene.is_continuous(found) && is_as_in_rule(scene, found, &found.inside);
    }
    rule.required.iter().all(|phrase| {
        let phrase = Span::of(phrase.start, phrase.end);
        found.inside.contains(&phrase) && is_as_in_rule(scene, found, &phrase)
    })
}

/// Whether a stretch of the rule stands in the text without a gap, a foreign word, or other stop words.
fn is_as_in_rule(scene: Scene<'_>, found: &Found, stretch: &Span) -> bool {
    let stops = &scene.rule(found).stops;
    let stops_of_rule =
        |at: u32| stops.binary_search_by_key(&at, |stop| stop.0).map_or(0, |index| stops[index].1);
    let pairs = found.text.positions().zip(found.inside.positions());
    let mut before: Option<(u32, u32)> = None;
    for (at, inside) in pairs.filter(|&(_, inside)| stretch.holds(inside)) {
        if let Some((last, last_inside)) = before {
            let touches = last + 1 == at && scene.query.unknown_after(last) == 0;
            if !touches || scene.query.stops_after(last) != stops_of_rule(last_inside) {
                return false;
            }
        }
        before = Some((at, inside));
    }
    true
}

/// Whether a part of a rule is there because most of it stands in another rule, which is there as a whole.
pub(super) fn explains(scene: Scene<'_>, whole: &Found, part: &Found) -> bool {
    let common = whole.text.overlap(&part.text) as f32;
    scene.length(whole) >= SMALL_RULE && common >= 0.6 * part.text.len() as f32 && scene.coverage(part) < 0.9
}

/// Of parts of rules on much the same words those that have most of their rule: what a rule has and the text has not
/// counts against it.
pub(super) fn likeliest(scene: Scene<'_>, parts: Vec<Found>) -> Vec<Found> {
    let worth = |part: &Found| worth(scene, part);
    let beats = |a: &Found, b: &Found| {
        let shorter = a.text.len().min(b.text.len());
        let margin = i64::from(shorter / 50).max(4);
        a.text.overlap(&b.text) as f32 >= 0.7 * shorter as f32 && worth(a) > worth(b) + margin
    };
    let keep: Vec<bool> = parts.iter().map(|part| !parts.iter().any(|other| beats(other, part))).collect();
    std::iter::zip(parts, keep).filter_map(|(part, keep)| keep.then_some(part)).collect()
}

/// What a rule has and the text has not counts against a part of it.
pub(super) fn worth(scene: Scene<'_>, part: &Found) -> i64 {
    2 * i64::from(part.text.len()) - i64::from(scene.length(part))
}

/// Whether an approximate match is a few words here and there.
fn is_spurious(scene: Scene<'_>, found: &Found) -> bool {
    if found.way != Way::Sequence {
        return false;
    }
    let len = found.text.len();
    let in_text = len as f32 / scene.magnitude(found).max(1) as f32;
    let in_rule = found.inside.len() as f32 / found.inside.magnitude().max(1) as f32;
    let density = in_text.min(in_rule);
    let least = match (len, found.legal) {
        (..10, _) => 0.1,
        (..15, _) => 0.2,
        (..20, ..5) => 0.3,
        _ => 0.4,
    };
    density < least || density < 0.4
}

/// Whether an approximate match has as much of its rule as the rule asks for.
fn is_enough_of_rule(scene: Scene<'_>, found: &Found) -> bool {
    if found.way != Way::Sequence {
        return true;
    }
    let (rule, length) = (scene.rule(found), scene.length(found));
    let (least, least_legal) = least_matched(length, rule.legal, rule.minimum_coverage);
    scene.coverage(found) * 100.0 >= f32::from(rule.minimum_coverage)
        && found.text.len() >= least
        && found.legal >= least_legal
        && (length >= SMALL_RULE || scene.coverage(found) >= 0.8)
}

/// Fewest tokens, and fewest legal words, of an approximate match.
pub(super) fn least_matched(length: u32, legal: u32, minimum_coverage: u8) -> (u32, u32) {
    match length {
        _ if minimum_coverage == 100 => (length, legal),
        ..10 => (length, legal),
        10..30 => (length / 2, legal.min(3)),
        30..200 => (4, legal.min(3)),
        _ => (length / 10, legal / 10),
    }
}

/// Whether the match of a small rule lies on more lines than it has words.
fn is_scattered(scene: Scene<'_>, found: &Found) -> bool {
    let (first, last) = scene.lines(found);
    let more = if scene.is(found, Flags::TAG) { 2 } else { 0 };
    scene.length(found) < SMALL_RULE && last - first + 1 > found.text.len() + more
}
