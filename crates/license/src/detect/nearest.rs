//! A text that is a rule with a word changed is no license of that rule. Other rules for the same license, which differ from it in more
//! words, may hold no word where it was changed; they are farther from the text and cannot say more of it.

use std::cmp::Reverse;

use super::altered;
use super::found::{Found, Scene};
use super::refine;
use super::span::Span;
use super::titles::Titles;

/// Least share of a rule that is there, if the text is the rule with a word changed.
const LEAST_COVERAGE: f32 = 0.9;
/// Most words between a changed one and a match beside it.
const BESIDE: u32 = 3;

/// Parts of rules by whether they keep the words that tell licenses apart.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) kept: Vec<Found>,
    /// Rules that are there as a whole but for such words.
    pub(super) altered: Vec<Found>,
}

/// Sorts parts of rules; those that a nearer altered rule contradicts are left out.
pub(super) fn sorted(scene: Scene<'_>, titles: Titles<'_>, parts: Vec<Found>) -> Parts {
    let (mut kept, mut altered) = (Vec::new(), Vec::new());
    for part in parts {
        let mut places = altered::alterations(scene, &part);
        if is_long(scene, &part) && scene.coverage(&part) >= LEAST_COVERAGE {
            places.extend(titles.of_another(scene, &part));
        }
        if places.is_empty() {
            if refine::has_required_phrases(scene, &part) {
                kept.push(part);
            }
        } else if scene.coverage(&part) >= LEAST_COVERAGE {
            altered.push((part, places));
        }
    }
    kept.retain(|part| !altered.iter().any(|(nearer, places)| contradicts(scene, nearer, places, part)));
    Parts { kept, altered: altered.into_iter().map(|(part, _)| part).collect() }
}

/// The license texts with words changed of which nothing else says what they are: of those on the same words the nearest.
pub(super) fn in_doubt(scene: Scene<'_>, mut altered: Vec<Found>, matches: &[Found]) -> Vec<Found> {
    altered.retain(|found| is_long(scene, found));
    altered.sort_by_key(|found| (Reverse(refine::worth(scene, found)), found.text.start(), found.rule));
    let mut covered = Span::of_all(matches.iter().map(|found| &found.text));
    let mut left = Vec::new();
    for found in altered {
        if 2 * found.text.overlap(&covered) < found.text.len() {
            covered = covered.union(&found.text);
            left.push(found);
        }
    }
    left
}

/// Whether a rule that was altered is nearer to the text than another one, which is a part of it, or which has other words where it was
/// altered. A whole rule for another license may stand within it.
fn contradicts(scene: Scene<'_>, nearer: &Found, places: &[(u32, u32)], part: &Found) -> bool {
    let is_same = || scene.expression(nearer) == scene.expression(part);
    let lies_within = || is_part_of_text(scene, nearer, part);
    let is_altered_there = || places.iter().any(|&place| hides(part, place) || is_beside(part, place));
    refine::worth(scene, nearer) > refine::worth(scene, part)
        && if is_same() {
            lies_within() || is_altered_there()
        } else {
            scene.coverage(part) < LEAST_COVERAGE && lies_within()
        }
}

/// Whether a match lies within a license text. Of a notice, each sentence can say a license of its own.
fn is_part_of_text(scene: Scene<'_>, whole: &Found, part: &Found) -> bool {
    is_long(scene, whole) && 5 * whole.text.overlap(&part.text) >= 4 * part.text.len()
}

fn is_long(scene: Scene<'_>, found: &Found) -> bool {
    scene.length(found) as usize > altered::LONG
}

/// Whether a match starts or ends right at a place.
fn is_beside(part: &Found, (start, end): (u32, u32)) -> bool {
    let (first, last) = (part.text.start(), part.text.last());
    (end <= first && first - end < BESIDE) || (last < start && start - last <= BESIDE)
}

/// Whether a place lies within a match, and the words around it are not the rule's.
fn hides(part: &Found, (start, end): (u32, u32)) -> bool {
    let (first, last) = (start.saturating_sub(1), end);
    part.text.start() <= first
        && last <= part.text.last()
        && !part.text.parts().iter().any(|&(from, to)| from <= first && last < to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::found::Way;

    #[test]
    fn a_changed_place_is_hidden_where_its_neighbors_are_not_the_rules() {
        let part = |text: Span| Found { rule: 0, way: Way::Sequence, inside: text.clone(), text, legal: 1 };
        let found = part(Span::of(10, 20).union(&Span::of(24, 30)));
        // (place, within foreign words, beside)
        for (place, is_hidden, is_beside_it) in [
            ((21, 22), true, false),
            ((20, 24), true, false),
            ((12, 12), false, false),
            ((14, 15), false, false),
            ((20, 20), true, false),
            ((8, 9), false, true),
            ((10, 10), false, true),
            ((6, 7), false, false),
            ((30, 31), false, true),
            ((33, 34), false, false),
        ] {
            assert_eq!(
                (hides(&found, place), is_beside(&found, place)),
                (is_hidden, is_beside_it),
                "{place:?}"
            );
        }
    }
}
