//! What contains what is reported once: a pair within the two sides of a reported pair is none of its own.

use familiar_source::FragmentKind;

use crate::{Item, Matches, Relation};

/// Knows, for every item, the items of its kind that enclose it, and which relations the user asked for.
#[derive(Debug)]
pub struct Containment<'m> {
    matches: &'m Matches,
    /// The innermost enclosing item of the same kind.
    parents: Vec<Option<u32>>,
}

impl<'m> Containment<'m> {
    pub fn new(matches: &'m Matches) -> Self {
        let mut parents = vec![None; matches.items().len()];
        for kind in FragmentKind::ALL {
            find_parents(matches.items(), kind, &mut parents);
        }
        Self { matches, parents }
    }

    /// Whether the pair lies within the two sides of another pair for which `reported` holds.
    ///
    /// Both sides widen independently: `(a, b)` lies within `(A, b)`, `(a, B)` and `(A, B)`.
    pub fn is_contained(&self, left: u32, right: u32, reported: impl Fn(u32, u32, Relation) -> bool) -> bool {
        for (wide_left, outer_left) in self.with_enclosing(left) {
            for (wide_right, outer_right) in self.with_enclosing(right) {
                let same_item = wide_left == wide_right;
                if !(outer_left || outer_right) || same_item {
                    continue;
                }
                if let Some(relation) = self.matches.relation(wide_left, wide_right)
                    && reported(wide_left, wide_right, relation)
                {
                    return true;
                }
            }
        }
        false
    }

    /// The item itself, then what encloses it, from the inside out, each with whether it is an enclosing one.
    fn with_enclosing(&self, item: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        std::iter::successors(Some(item), |&at| self.parents[at as usize]).map(move |at| (at, at != item))
    }
}

/// Sets the parents of the items of `kind`; items are ordered by file and start.
fn find_parents(items: &[Item], kind: FragmentKind, parents: &mut [Option<u32>]) {
    let mut open: Vec<u32> = Vec::new();
    for (number, item) in items.iter().enumerate().filter(|(_, item)| item.kind == kind) {
        while let Some(&top) = open.last() {
            let outer = items[top as usize].place;
            if outer.file == item.place.file && outer.tokens.contains(item.place.tokens) {
                break;
            }
            open.pop();
        }
        parents[number] = open.last().copied();
        open.push(number as u32);
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Span;

    use super::*;
    use crate::Place;

    #[test]
    fn nested_pairs_are_contained_and_links_to_elsewhere_are_not() {
        let item = |file, start, end| Item {
            kind: FragmentKind::Function,
            place: Place { file, tokens: Span::new(start, end) },
            ordinal: None,
        };
        // Two equal functions with an equal function inside each, and a third copy of the inner one by itself.
        let items = vec![item(0, 0, 200), item(0, 10, 80), item(1, 0, 200), item(1, 10, 80), item(2, 0, 70)];
        let matches = Matches::new(items, vec![0, 1, 0, 1, 1], vec![0, 1], &[]);
        let containment = Containment::new(&matches);
        let contained = |a, b| containment.is_contained(a, b, |_, _, _| true);
        assert!(contained(1, 3));
        assert!(!contained(1, 4) && !contained(3, 4) && !contained(0, 2));
    }
}
