//! What a transformation may choose, decided by a seed.

use rustc_hash::FxHashSet;

use crate::program::Program;

/// Names for what a transformation adds. A program that uses one of them gets another one.
const NAMES: &[&str] = &[
    "amount", "anchor", "basis", "batch", "bound", "branch", "bucket", "cell", "chunk", "claim", "cluster",
    "column", "corner", "cursor", "depth", "detail", "digest", "draft", "edge", "entry", "extent", "facet",
    "field", "figure", "flow", "folder", "frame", "gauge", "grade", "group", "handle", "height", "holder",
    "image", "ladder", "layer", "ledger", "level", "margin", "marker", "measure", "member", "moment",
    "motion", "needle", "notch", "offset", "origin", "outline", "packet", "panel", "parcel", "patch",
    "phase", "piece", "pivot", "pocket", "portion", "probe", "pulse", "quota", "radius", "range_", "reading",
    "record", "region", "relay", "remnant", "ribbon", "rung", "sample", "scale", "scope", "sector",
    "segment", "signal", "slice_", "slot", "span", "stage", "station", "strand", "stride", "surface",
    "tally", "target", "thread", "token", "trace", "track", "trail", "unit", "vector", "vessel", "volume",
    "weight", "width", "window", "yield_", "zone",
];

/// A source of choices that are the same for the same seed, and of names that the program does not have.
#[derive(Clone, Debug)]
pub struct Choices {
    state: u64,
    taken: FxHashSet<String>,
}

impl Choices {
    /// Choices for `program`, by `seed`.
    pub fn new(program: &Program, seed: u64) -> Self {
        Self { state: seed, taken: program.words().clone() }
    }

    /// A number below `bound`, or 0 where that is 0. Each is about as likely as the others (SplitMix64; Steele and others 2014).
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }

    /// A name that stands nowhere in the program and that was not given before.
    pub fn name(&mut self) -> String {
        let word = NAMES[self.below(NAMES.len())].trim_end_matches('_');
        let mut number = 0;
        loop {
            let name = match number {
                0 => format!("{word}_{}", NAMES[self.below(NAMES.len())].trim_end_matches('_')),
                _ => format!("{word}_{number}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }

    /// The first of `wanted` that stands nowhere in the program and that was not given before.
    pub fn first_free(&mut self, wanted: impl IntoIterator<Item = String>) -> Option<String> {
        wanted.into_iter().find(|name| self.taken.insert(name.clone()))
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    #[test]
    fn names_are_new_and_follow_from_the_seed() {
        let program = Program::parse(Language::Python, b"amount_cell = 'edge_token'\n", usize::MAX)
            .expect("a test's own code");
        let names = |seed| {
            let mut choices = Choices::new(&program, seed);
            (0..3_000).map(|_| choices.name()).collect::<Vec<_>>()
        };
        let first = names(1);
        assert_eq!(first, names(1));
        assert_ne!(first, names(2));
        let different: FxHashSet<_> = first.iter().collect();
        assert_eq!(different.len(), first.len());
        assert!(
            !different.contains(&"amount_cell".to_owned()) && !different.contains(&"edge_token".to_owned())
        );
    }

    #[test]
    fn all_numbers_below_a_bound_are_chosen() {
        let program = Program::parse(Language::Python, b"x = 1\n", usize::MAX).expect("a test's own code");
        let mut choices = Choices::new(&program, 3);
        let mut counts = [0; 5];
        (0..5_000).for_each(|_| counts[choices.below(5)] += 1);
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
        assert_eq!(choices.below(0), 0);
    }
}
