//! Sets of token positions, as stretches.

/// A set of positions: stretches with their ends excluded, in order, apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Span(Vec<(u32, u32)>);

impl Span {
    pub(super) fn of(start: u32, end: u32) -> Self {
        Self(if start < end { vec![(start, end)] } else { Vec::new() })
    }

    /// The first position. Spans of matches are never empty.
    pub(super) fn start(&self) -> u32 {
        self.0.first().map_or(0, |part| part.0)
    }

    /// The last position.
    pub(super) fn last(&self) -> u32 {
        self.0.last().map_or(0, |part| part.1.saturating_sub(1))
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|part| part.1 - part.0).sum()
    }

    /// Positions from the first to the last, with those between.
    pub(super) fn magnitude(&self) -> u32 {
        if self.0.is_empty() { 0 } else { self.last() - self.start() + 1 }
    }

    pub(super) fn parts(&self) -> &[(u32, u32)] {
        &self.0
    }

    pub(super) fn positions(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|part| part.0..part.1)
    }

    pub(super) fn holds(&self, position: u32) -> bool {
        let after = self.0.partition_point(|part| part.0 <= position);
        after > 0 && position < self.0[after - 1].1
    }

    /// Whether all positions of `other` are among these.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.0.iter().all(|&(start, end)| {
            let after = self.0.partition_point(|part| part.0 <= start);
            after > 0 && end <= self.0[after - 1].1
        })
    }

    /// Number of positions that both have.
    pub(super) fn overlap(&self, other: &Self) -> u32 {
        let after = |span: &Self, position: u32| span.0.partition_point(|part| part.1 <= position);
        let (mut a, mut b, mut common) = (after(self, other.start()), after(other, self.start()), 0);
        while let (Some(&left), Some(&right)) = (self.0.get(a), other.0.get(b)) {
            common += left.1.min(right.1).saturating_sub(left.0.max(right.0));
            if left.1 <= right.1 {
                a += 1;
            } else {
                b += 1;
            }
            if left.0 > other.last() {
                break;
            }
        }
        common
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        Self::of_all([self, other])
    }

    /// The positions that any of these has.
    pub(super) fn of_all<'s>(spans: impl IntoIterator<Item = &'s Self>) -> Self {
        let mut all: Vec<(u32, u32)> = spans.into_iter().flat_map(|span| &span.0).copied().collect();
        all.sort_unstable();
        let mut union: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for part in all {
            match union.last_mut().filter(|last| part.0 <= last.1) {
                Some(last) => last.1 = last.1.max(part.1),
                None => union.push(part),
            }
        }
        Self(union)
    }

    /// How far one lies from the other: 0 where they overlap, 1 where they touch.
    pub(super) fn distance(&self, other: &Self) -> i64 {
        if self.overlap(other) > 0 {
            return 0;
        }
        let between = |left: &Self, right: &Self| i64::from(right.start()) - i64::from(left.last());
        if self.last() < other.start() { between(self, other) } else { between(other, self) }
    }

    pub(super) fn is_after(&self, other: &Self) -> bool {
        self.start() > other.last()
    }

    /// Whether `other` lies between its first and last position.
    pub(super) fn surrounds(&self, other: &Self) -> bool {
        self.start() <= other.start() && other.last() <= self.last()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(positions: &std::collections::BTreeSet<u32>) -> Span {
        positions.iter().fold(Span::default(), |span, &at| span.union(&Span::of(at, at + 1)))
    }

    proptest! {
        #[test]
        fn spans_are_sets(a in proptest::collection::btree_set(0u32..30, 1..20), b in proptest::collection::btree_set(0u32..30, 1..20)) {
            let (left, right) = (of(&a), of(&b));
            prop_assert_eq!(left.positions().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(left.len() as usize, a.len());
            prop_assert_eq!(left.overlap(&right) as usize, a.intersection(&b).count());
            prop_assert_eq!(left.contains(&right), b.is_subset(&a));
            prop_assert_eq!(left.union(&right), of(&a.union(&b).copied().collect()));
            prop_assert!((0..30).all(|at| left.holds(at) == a.contains(&at)));
        }
    }
}
