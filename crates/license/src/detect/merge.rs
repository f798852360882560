//! Matches of one rule that are parts of one match become that match.

use super::found::{Found, Scene};

/// Farthest that parts of one match may lie from each other, in tokens.
const FARTHEST: i64 = 50;

/// Joins what belongs together; of equal matches one is left.
pub(super) fn merge(scene: Scene<'_>, mut all: Vec<Found>) -> Vec<Found> {
    all.sort_by_key(|found| {
        (
            found.rule,
            found.text.start(),
            std::cmp::Reverse(found.legal),
            std::cmp::Reverse(found.text.len()),
            found.way,
        )
    });
    let mut merged = Vec::with_capacity(all.len());
    for same in all.chunk_by(|a, b| a.rule == b.rule) {
        let farthest = i64::from((scene.length(&same[0]) / 2).max(1)).min(FARTHEST);
        merged.extend(of_one_rule(same.to_vec(), farthest));
    }
    merged
}

/// What to do with two matches of one rule.
enum Step {
    Keep,
    DropFirst,
    DropSecond,
    Join,
}

fn of_one_rule(found: Vec<Found>, farthest: i64) -> Vec<Found> {
    let mut left: Vec<Option<Found>> = found.into_iter().map(Some).collect();
    for first in 0..left.len() {
        for second in first + 1..left.len() {
            let (Some(a), Some(b)) = (&left[first], &left[second]) else { continue };
            if a.text.distance(&b.text) > farthest || a.inside.distance(&b.inside) > farthest {
                break;
            }
            match step(a, b) {
                Step::Keep => {}
                Step::DropSecond => left[second] = None,
                Step::DropFirst => {
                    left[first] = None;
                    break;
                }
                Step::Join => {
                    left[first] = Some(joined(a, b));
                    left[second] = None;
                }
            }
        }
    }
    left.into_iter().flatten().collect()
}

fn step(a: &Found, b: &Found) -> Step {
    if a.inside == b.inside && a.text.overlap(&b.text) > 0 {
        return if a.text.magnitude() <= b.text.magnitude() { Step::DropSecond } else { Step::DropFirst };
    }
    if a.text.contains(&b.text) {
        return Step::DropSecond;
    }
    if b.text.contains(&a.text) {
        return Step::DropFirst;
    }
    if a.text.surrounds(&b.text) || b.text.surrounds(&a.text) {
        let both = joined(a, b);
        if both.text.len() == both.inside.len() {
            return Step::Join;
        }
    }
    if b.text.is_after(&a.text) && b.inside.is_after(&a.inside) {
        return Step::Join;
    }
    let in_order = a.text.start() <= b.text.start()
        && a.text.last() <= b.text.last()
        && a.inside.start() <= b.inside.start()
        && a.inside.last() <= b.inside.last();
    let common = a.text.overlap(&b.text);
    if in_order && common > 0 && common == a.inside.overlap(&b.inside) { Step::Join } else { Step::Keep }
}

fn joined(a: &Found, b: &Found) -> Found {
    let common = a.inside.overlap(&b.inside);
    // Of parts that overlap the legal words are those of the longer part and the share of the other that is new.
    let legal = if common == 0 {
        a.legal + b.legal
    } else {
        let (long, short) = if a.inside.len() >= b.inside.len() { (a, b) } else { (b, a) };
        long.legal + short.legal * (short.inside.len() - common) / short.inside.len().max(1)
    };
    Found {
        rule: a.rule,
        way: a.way.max(b.way),
        text: a.text.union(&b.text),
        inside: a.inside.union(&b.inside),
        legal,
    }
}
