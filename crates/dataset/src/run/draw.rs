//! Draws some of the pairs that a detector reported, for people to judge.

use std::collections::BTreeMap;

use familiar_detectors::Reported;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Those of the pairs that come first in an order by chance. Each pair is equally likely, however often it was reported and in whatever
/// order.
pub(super) struct Draw<T> {
    most: usize,
    seed: u64,
    kept: BTreeMap<(u64, String), T>,
}

impl<T> Draw<T> {
    pub(super) fn new(most: usize, seed: u64) -> Self {
        Self { most, seed, kept: BTreeMap::new() }
    }

    /// Takes part in the draw; `row` is what is kept of the pair.
    pub(super) fn add(&mut self, pair: &Reported, row: impl FnOnce() -> T) {
        if self.most == 0 {
            return;
        }
        let Reported { left, right } = pair;
        let (first, second) = if left <= right { (left, right) } else { (right, left) };
        let [first, second] = [first, second].map(|it| format!("{}:{}-{}", it.path, it.start, it.end));
        let name = format!("{first} {second}");
        let key = (xxh3_64_with_seed(name.as_bytes(), self.seed), name);
        let is_full = self.kept.len() == self.most;
        if is_full && self.kept.last_key_value().is_some_and(|(last, _)| *last <= key) {
            return;
        }
        self.kept.entry(key).or_insert_with(row);
        if self.kept.len() > self.most {
            self.kept.pop_last();
        }
    }

    /// The pairs in the order in which they were drawn.
    pub(super) fn drawn(self) -> Vec<T> {
        self.kept.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use familiar_detectors::Region;

    use super::*;

    #[test]
    fn each_pair_is_drawn_as_often_as_the_others() {
        let region = |at: usize| Region { path: format!("{at}.java"), start: 1, end: 9 };
        let mut times = [0u32; 20];
        for seed in 0..2_000 {
            let mut draw = Draw::new(5, seed);
            // The first pair is reported three times, once with its sides swapped.
            for at in [0, 0].into_iter().chain(0..20) {
                draw.add(&Reported { left: region(at), right: region(100 + at) }, || at);
            }
            draw.add(&Reported { left: region(100), right: region(0) }, || 0);
            let drawn = draw.drawn();
            assert_eq!(drawn.len(), 5);
            for at in drawn {
                times[at] += 1;
            }
        }
        assert!(times.iter().all(|times| (400..600).contains(times)), "{times:?}");
    }
}
