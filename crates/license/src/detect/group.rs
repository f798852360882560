//! What matches near each other say together (ScanCode's `detection.py`).

use std::collections::BTreeSet;

use super::found::{Found, Scene, Way};
use crate::expression::{Expression, License};
use crate::rules::Flags;

/// Most lines between matches that belong together.
const LINES: u32 = 4;
/// Least share of a rule that some match of a group has.
const LEAST_COVERAGE: f32 = 0.6;

/// Matches that stand together, and whether they tell a license.
#[derive(Debug)]
pub(super) struct Group {
    /// Those whose expressions count.
    pub(super) counted: Vec<Found>,
    /// Mentions, introductions, and what is too little.
    pub(super) rest: Vec<Found>,
}

/// Groups matches, which are in the order of the text, and judges each group.
pub(super) fn groups(scene: Scene<'_>, text: &str, matches: Vec<Found>) -> Vec<Group> {
    let mut groups: Vec<Vec<Found>> = Vec::new();
    let mut open: Vec<Found> = Vec::new();
    for found in matches {
        let Some(last) = open.last() else {
            open.push(found);
            continue;
        };
        let near = scene.lines(&found).0 <= scene.lines(last).1 + LINES;
        if scene.is(last, Flags::INTRO) {
            open.push(found);
        } else if scene.is(&found, Flags::INTRO) {
            groups.push(std::mem::replace(&mut open, vec![found]));
        } else if scene.is(&found, Flags::CLUE) {
            groups.push(std::mem::take(&mut open));
            groups.push(vec![found]);
        } else if near {
            open.push(found);
        } else {
            groups.push(std::mem::replace(&mut open, vec![found]));
        }
    }
    if !open.is_empty() {
        groups.push(open);
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|group| judged(scene, text, group)).collect();
    count_confirmed(scene, &mut groups);
    groups
}

fn judged(scene: Scene<'_>, text: &str, group: Vec<Found>) -> Group {
    let nothing = |rest| Group { counted: Vec::new(), rest };
    if has_unknown_introduction(scene, &group) {
        let (counted, rest): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|found| !is_introduction(scene, found));
        return if counted.is_empty() {
            Group { counted: rest, rest: counted }
        } else {
            Group { counted, rest }
        };
    }
    let extra_words = group.iter().any(|found| scene.has_extra_words(found));
    if !extra_words && group.iter().any(|found| scene.is(found, Flags::NAMES_FILE)) {
        return Group { counted: group, rest: Vec::new() };
    }
    if is_false_positive(scene, text, &group) {
        return nothing(group);
    }
    let whole = group.iter().all(|found| found.way != Way::Sequence && scene.is_whole(found));
    let unknown = group.iter().any(|found| scene.is(found, Flags::UNKNOWN));
    if whole && group.iter().all(|found| scene.is(found, Flags::CLUE)) {
        return nothing(group);
    }
    let enough = group.iter().any(|found| scene.coverage(found) > LEAST_COVERAGE);
    if !whole && !unknown && !enough {
        return nothing(group);
    }
    Group { counted: group, rest: Vec::new() }
}

/// What was too little by itself counts where others say the same.
fn count_confirmed(scene: Scene<'_>, groups: &mut [Group]) {
    let confirmed: BTreeSet<&str> = groups
        .iter()
        .flat_map(|group| &group.counted)
        .flat_map(|found| names(scene.expression(found)))
        .collect();
    for group in groups.iter_mut().filter(|group| group.counted.is_empty()) {
        let all_confirmed = || {
            group
                .rest
                .iter()
                .flat_map(|found| names(scene.expression(found)))
                .all(|name| confirmed.contains(name))
        };
        let clues = group.rest.iter().all(|found| scene.is(found, Flags::CLUE));
        if !clues && all_confirmed() {
            group.counted = std::mem::take(&mut group.rest);
        }
    }
}

/// What ScanCode calls a license that is free, whichever it is.
const FREE_UNKNOWN: &str = "LicenseRef-scancode-free-unknown";

/// The licenses and exceptions that an expression names.
fn names(expression: &Expression) -> impl Iterator<Item = &str> {
    fn named(license: &License) -> [Option<&str>; 2] {
        [Some(&license.id), license.exception.as_deref()]
    }
    expression.licenses().into_iter().flat_map(named).flatten()
}

fn is_introduction(scene: Scene<'_>, found: &Found) -> bool {
    let introduces = scene.is(found, Flags::INTRO.with(Flags::CLUE)) || is_free_unknown(scene, found);
    introduces && (found.way == Way::Exact || scene.is_whole(found))
}

fn is_free_unknown(scene: Scene<'_>, found: &Found) -> bool {
    matches!(scene.expression(found), Expression::License(license) if license.id == FREE_UNKNOWN)
}

/// Whether words that announce some license come before one that is named.
fn has_unknown_introduction(scene: Scene<'_>, group: &[Found]) -> bool {
    let unknown = |found: &Found| {
        scene.is(found, Flags::UNKNOWN)
            && (scene.is(found, Flags::INTRO.with(Flags::CLUE)) || is_free_unknown(scene, found))
    };
    if group.len() < 2 || group.iter().all(unknown) {
        return false;
    }
    let mut introduced = false;
    for found in group {
        if unknown(found) {
            introduced = true;
        } else if introduced && scene.is_whole(found) && !scene.is(found, Flags::UNKNOWN) {
            return true;
        }
    }
    // Otherwise only if nothing of the rest was found whole.
    let rest: Vec<&Found> = group.iter().filter(|found| !is_introduction(scene, found)).collect();
    introduced
        && !rest.is_empty()
        && rest.len() < group.len()
        && rest.iter().all(|found| !scene.is_whole(found))
}

/// Whether the words are too few and too common to tell a license.
fn is_false_positive(scene: Scene<'_>, text: &str, group: &[Found]) -> bool {
    let says_copyright = |found: &Found| {
        let matched = text[scene.query.bytes(found.text.start(), found.text.last())].to_lowercase();
        matched.contains("copyright") || matched.contains("(c)")
    };
    let relevance = |found: &Found| scene.rule(found).relevance;
    if group.iter().all(says_copyright) || group.iter().all(|found| relevance(found) == 100) {
        return false;
    }
    let low = group.iter().all(|found| relevance(found) < 60);
    let first_line = group.iter().map(|found| scene.lines(found).0).min().unwrap_or(0);
    let single_words = group.iter().all(|found| scene.length(found) == 1);
    let bare = |found: &Found| {
        ["gpl_bare", "freeware_bare", "public-domain_bare"]
            .iter()
            .any(|name| scene.rule(found).name.contains(name))
    };
    let gpl = |found: &Found| scene.rule(found).name.contains("gpl");
    (group.len() == 1 && group.iter().all(bare) && low)
        || (group.iter().all(gpl) && single_words)
        || (low && first_line > 1000 && group.iter().any(|found| scene.length(found) <= 3))
        || (group.iter().all(|found| scene.is(found, Flags::TAG)) && single_words)
}
