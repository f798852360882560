//! One region, one class: what shows lines that a class before it shows is nested in that class.
//!
//! Maximal repeats overlap: two copies of a declaration, three of its first half and two of its second are three
//! classes. A reader who has seen the first has seen the region. So classes are taken in the order of their size, and
//! one that mostly shows lines that were shown already is nested in the class that shows most of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use familiar_report::ClassRow;
use familiar_source::Lines;

/// A member is shown already where at least this share of its lines is. The two or three lines by which overlapping repeats
/// differ are no new finding. `docs/precision.md` (*What that costs*) says how often a line is shown with it; other
/// values were not measured.
const SHOWN: f64 = 0.7;

/// Nests classes, the larger ones first; `place` tells the document and the lines of a fragment. Where `project` tells the project of a
/// document, a class is not nested if it names one that the class around it does not name.
pub(crate) fn nest(
    ranked: Vec<ClassRow>,
    place: impl Fn(u32) -> (u32, Lines),
    project: Option<&dyn Fn(u32) -> u32>,
) -> Vec<ClassRow> {
    let projects = |class: &ClassRow| -> BTreeSet<u32> {
        let of = |project: &dyn Fn(u32) -> u32| {
            class.members.iter().map(|&member| project(place(member).0)).collect()
        };
        project.map(of).unwrap_or_default()
    };
    // Those of each class at the top.
    let mut named: Vec<BTreeSet<u32>> = Vec::new();
    let mut region = Region::default();
    let mut top: Vec<ClassRow> = Vec::new();
    for class in ranked {
        let own = projects(&class);
        if let Some(holder) = region.holder(class.members.iter().map(|&member| place(member))) {
            let holder = holder as usize;
            if own.is_subset(&named[holder]) {
                top[holder].nested.push(class);
                continue;
            }
        }
        for &member in &class.members {
            let (document, lines) = place(member);
            region.add(document, lines, top.len() as u32);
        }
        top.push(class);
        named.push(own);
    }
    top
}

/// Numbers ranked classes, and then those that are nested in them.
pub(crate) fn number(ranked: &mut [ClassRow]) {
    let mut rank = 0;
    let mut number = |class: &mut ClassRow| {
        rank += 1;
        class.rank = rank;
    };
    ranked.iter_mut().for_each(&mut number);
    ranked.iter_mut().flat_map(|class| &mut class.nested).for_each(&mut number);
}

/// Lines that classes show.
#[derive(Debug, Default)]
struct Region {
    /// For each document the stretches shown, by their first line: the last line and the class. They do not overlap.
    shown: BTreeMap<u32, BTreeMap<u32, (u32, u32)>>,
}

impl Region {
    /// The class that shows most of the members, where at least half of them are shown.
    fn holder(&self, members: impl Iterator<Item = (u32, Lines)>) -> Option<u32> {
        let (mut all, mut shown) = (0u32, 0u32);
        let mut by_class: BTreeMap<u32, u32> = BTreeMap::new();
        for (document, lines) in members {
            all += 1;
            let mut covered = 0;
            for (overlap, class) in self.overlaps(document, lines) {
                covered += overlap;
                *by_class.entry(class).or_default() += overlap;
            }
            shown += u32::from(f64::from(covered) >= SHOWN * f64::from(lines.count()));
        }
        let most = by_class.into_iter().max_by_key(|&(class, lines)| (lines, std::cmp::Reverse(class)));
        most.filter(|_| 2 * shown >= all).map(|(class, _)| class)
    }

    /// How many of `lines` are shown by which classes.
    fn overlaps(&self, document: u32, lines: Lines) -> impl Iterator<Item = (u32, u32)> {
        let shown = self.shown.get(&document).into_iter();
        shown.flat_map(move |shown| {
            let before = shown.range(..lines.start).next_back();
            let within = shown.range(lines.start..=lines.end);
            before.into_iter().chain(within).filter_map(move |(&start, &(end, class))| {
                let overlap = (end.min(lines.end) + 1).saturating_sub(start.max(lines.start));
                (overlap > 0).then_some((overlap, class))
            })
        })
    }

    /// Adds what of `lines` is not shown yet.
    fn add(&mut self, document: u32, lines: Lines, class: u32) {
        let shown = self.shown.entry(document).or_default();
        let mut from = lines.start;
        let before = shown.range(..=lines.start).next_back().map(|(_, &(end, _))| end);
        if let Some(end) = before {
            from = from.max(end + 1);
        }
        let later = shown.range((Bound::Excluded(lines.start), Bound::Included(lines.end)));
        let later: Vec<(u32, u32)> = later.map(|(&start, &(end, _))| (start, end)).collect();
        for (start, end) in later {
            if from < start {
                shown.insert(from, (start - 1, class));
            }
            from = from.max(end + 1);
        }
        if from <= lines.end {
            shown.insert(from, (lines.end, class));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn class(members: &[u32]) -> ClassRow {
        ClassRow { members: members.to_vec(), ..ClassRow::default() }
    }

    #[test]
    fn what_was_shown_is_nested_where_it_was_shown() {
        let lines = [(1, 20), (101, 120), (5, 18), (40, 55), (201, 230), (15, 30)];
        let place = |member: u32| {
            let (start, end) = lines[member as usize];
            (0, Lines::new(start, end))
        };
        // Fragment 2 lies within 0; 5 overlaps it by six of sixteen lines.
        let all = vec![class(&[0, 1]), class(&[2, 3]), class(&[4, 5])];
        let mut nested = nest(all, place, None);
        number(&mut nested);
        let members: Vec<_> = nested.iter().map(|class| (class.rank, class.members.clone())).collect();
        assert_eq!(members, [(1, vec![0, 1]), (2, vec![4, 5])]);
        assert_eq!(nested[0].nested[0].members, [2, 3]);
        assert_eq!(nested[0].nested[0].rank, 3);
    }

    #[test]
    fn a_class_that_names_another_project_is_not_nested() {
        // Three projects have what stands within the copies of two of them.
        let places = [(0, (1, 20)), (1, (1, 20)), (0, (5, 18)), (1, (5, 18)), (2, (5, 18))];
        let place = |member: u32| {
            let (document, (start, end)) = places[member as usize];
            (document, Lines::new(start, end))
        };
        let all = || vec![class(&[0, 1]), class(&[2, 3, 4])];
        assert_eq!(nest(all(), place, None).len(), 1);
        assert_eq!(nest(all(), place, Some(&|document| document)).len(), 2);
        assert_eq!(nest(vec![class(&[0, 1]), class(&[2, 3])], place, Some(&|document| document)).len(), 1);
    }

    proptest! {
        #[test]
        fn every_line_is_kept_by_the_first_class_that_shows_it(
            lines in prop::collection::vec((1u32..60, 0u32..20), 1..20),
        ) {
            let mut region = Region::default();
            let mut oracle = BTreeMap::new();
            for (class, &(start, more)) in (0u32..).zip(&lines) {
                region.add(0, Lines::new(start, start + more), class);
                (start..=start + more).for_each(|line| {
                    oracle.entry(line).or_insert(class);
                });
            }
            for line in 1..90 {
                let found: Vec<_> = region.overlaps(0, Lines::new(line, line)).collect();
                let expected: Vec<_> = oracle.get(&line).map(|&class| (1, class)).into_iter().collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
