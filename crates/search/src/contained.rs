//! What contains what is reported once: a pair within the two sides of a reported pair is none of its own.
//!
//! That holds within a granularity; of runs also within functions, which win.

use familiar_source::FragmentKind;

use crate::{Item, Matches, Relation};

/// Most enclosing items that are looked at for one item; the outermost count first.
const MOST_ENCLOSING: usize = 16;

/// Knows, for every item, the items of its kind that enclose it, and for runs the functions, too.
#[derive(Debug)]
pub(crate) struct Containment<'m> {
    matches: &'m Matches,
    enclosing: Vec<Box<[u32]>>,
}

impl<'m> Containment<'m> {
    pub(crate) fn new(matches: &'m Matches) -> Self {
        let mut enclosing = vec![Box::default(); matches.items().len()];
        for kind in FragmentKind::ALL {
            find_enclosing(matches.items(), kind, &mut enclosing);
        }
        Self { matches, enclosing }
    }

    /// The items that enclose an item, those with lower numbers first.
    pub(crate) fn enclosing(&self, item: u32) -> &[u32] {
        &self.enclosing[item as usize]
    }

    /// Whether the pair lies within the two sides of another pair for which `reported` holds.
    ///
    /// Both sides widen independently: `(a, b)` lies within `(A, b)`, `(a, B)` and `(A, B)`.
    pub(crate) fn is_contained(
        &self,
        left: u32,
        right: u32,
        reported: impl Fn(u32, u32, Relation) -> bool,
    ) -> bool {
        if self.enclosing[left as usize].is_empty() && self.enclosing[right as usize].is_empty() {
            return false;
        }
        let widened = |item: u32| self.enclosing[item as usize].iter().copied().chain([item]);
        widened(left).any(|wide_left| {
            widened(right).any(|wide_right| {
                wide_left != wide_right
                    && (wide_left, wide_right) != (left, right)
                    && self
                        .matches
                        .relation(wide_left, wide_right)
                        .is_some_and(|relation| reported(wide_left, wide_right, relation))
            })
        })
    }
}

/// Sets the enclosing items of the items of `kind`; items are ordered by file and start, the outer before the inner.
fn find_enclosing(items: &[Item], kind: FragmentKind, enclosing: &mut [Box<[u32]>]) {
    let mut open: Vec<u32> = Vec::new();
    let encloses =
        |item: &Item| item.kind == kind || kind == FragmentKind::Run && item.kind == FragmentKind::Function;
    for (number, item) in items.iter().enumerate().filter(|(_, item)| encloses(item)) {
        let place = item.place;
        open.retain(|&outer| {
            let outer = items[outer as usize].place;
            outer.file == place.file && outer.tokens.end > place.tokens.start
        });
        let around = |&&outer: &&u32| {
            // One place may stand in several groups of runs: the first item there encloses the others.
            items[outer as usize].place.tokens.contains(place.tokens)
        };
        if item.kind == kind {
            enclosing[number] = open.iter().filter(around).take(MOST_ENCLOSING).copied().collect();
        }
        if open.len() < 4 * MOST_ENCLOSING {
            open.push(number as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Span;

    use super::*;
    use crate::Place;

    #[test]
    fn nested_pairs_are_contained_and_links_to_elsewhere_are_not() {
        let item = |file, start, end| {
            Item::fragment(FragmentKind::Function, Place { file, tokens: Span::new(start, end) }, 0)
        };
        // Two equal functions with an equal function inside each, and a third copy of the inner one by itself.
        let items = vec![item(0, 0, 200), item(0, 10, 80), item(1, 0, 200), item(1, 10, 80), item(2, 0, 70)];
        let matches = Matches::new(items, vec![0, 1, 0, 1, 1], vec![0, 1], Vec::new());
        let containment = Containment::new(&matches);
        let contained = |a, b| containment.is_contained(a, b, |_, _, _| true);
        assert!(contained(1, 3));
        assert!(!contained(1, 4) && !contained(3, 4) && !contained(0, 2));
    }

    #[test]
    fn one_pair_of_places_in_two_groups_is_reported_once() {
        let item = |file| Item::run(FragmentKind::Run, Place { file, tokens: Span::new(0, 60) });
        let matches =
            Matches::new(vec![item(0), item(0), item(1), item(1)], vec![0, 1, 0, 1], vec![0, 1], Vec::new());
        let containment = Containment::new(&matches);
        let contained = |a, b| containment.is_contained(a, b, |_, _, _| true);
        assert!(!contained(0, 2) && contained(1, 3));
    }
}
