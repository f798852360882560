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

fn of_one_rule(mut found: Vec<Found>, farthest: i64) -> Vec<Found> {
    let mut first = 0;
    while first + 1 < found.len() {
        let mut second = first + 1;
        while second < found.len() {
            let (a, b) = (&found[first], &found[second]);
            if a.text.distance(&b.text) > farthest || a.inside.distance(&b.inside) > farthest {
                break;
            }
            match step(a, b) {
                Step::Keep => second += 1,
                Step::DropSecond => {
                    found.remove(second);
                }
                Step::DropFirst => {
                    found.remove(first);
                    second = first + 1;
                }
                Step::Join => {
                    let other = found.remove(second);
                    found[first] = joined(&found[first], &other);
                }
            }
        }
        first += 1;
    }
    found
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
