//! What stands around the places of a run cuts it in different ways.

use familiar_source::Span;

/// Ways to cut a run that are told apart, by what stands around its places.
const MOST_CUTS: usize = 8;

/// Ways to cut a run, and the places of each.
#[derive(Debug, Default)]
pub(super) struct Cuts(pub(super) Vec<(Vec<Span>, Vec<usize>)>);

impl Cuts {
    /// Adds a place, which what stands around it cuts into `own` parts.
    pub(super) fn add(&mut self, place: usize, own: Vec<Span>) {
        let cuts = &mut self.0;
        let fits = |cut: &[Span]| cut.iter().all(|part| own.iter().any(|whole| whole.contains(*part)));
        if let Some(known) = cuts.iter().position(|(cut, _)| *cut == own) {
            cuts[known].1.push(place);
        } else if cuts.len() < MOST_CUTS {
            cuts.push((own, vec![place]));
        } else if let Some((_, places)) = cuts.iter_mut().find(|(cut, _)| !cut.is_empty() && fits(cut)) {
            // These parts are whole here, too.
            places.push(place);
        } else {
            let (cut, places) = &mut cuts[MOST_CUTS - 1];
            *cut = all_common(cut, &own);
            places.push(place);
        }
    }
}

/// What parts of two cuts have in common.
pub(super) fn all_common(one: &[Span], other: &[Span]) -> Vec<Span> {
    one.iter().flat_map(|a| other.iter().filter_map(|b| common(*a, *b))).collect()
}

/// What two stretches have in common.
fn common(a: Span, b: Span) -> Option<Span> {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    (start < end).then(|| Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However many ways there are, a place is never cut where something of its own goes on.
        #[test]
        fn parts_are_whole_at_each_place(
            owns in prop::collection::vec(prop::collection::vec((0u32..30, 1u32..30), 0..4), 1..40),
        ) {
            let owns: Vec<Vec<Span>> =
                owns.iter().map(|own| own.iter().map(|&(at, len)| Span::new(at, at + len)).collect()).collect();
            let mut cuts = Cuts::default();
            for (place, own) in owns.iter().enumerate() {
                cuts.add(place, own.clone());
            }
            let Cuts(cuts) = cuts;
            prop_assert!(cuts.len() <= MOST_CUTS);
            prop_assert_eq!(cuts.iter().map(|(_, places)| places.len()).sum::<usize>(), owns.len());
            for (cut, places) in &cuts {
                for part in cut {
                    for &place in places {
                        prop_assert!(owns[place].iter().any(|whole| whole.contains(*part)));
                    }
                }
            }
        }
    }
}
