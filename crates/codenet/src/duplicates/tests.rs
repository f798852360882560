//! Every pair is found, and no other.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::bags::Bags;
use super::join::{Thresholds, pairs};

/// The pairs by comparing all with all, on maps.
fn brute_force(samples: &[Vec<u32>], thresholds: Thresholds) -> Vec<[u32; 2]> {
    let counts = |sample: &[u32]| {
        let mut counts = BTreeMap::<u32, u32>::new();
        for &token in sample {
            *counts.entry(token).or_default() += 1;
        }
        counts
    };
    let counts: Vec<_> = samples.iter().map(|it| counts(it)).collect();
    let share = |part: usize, whole: usize| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    let mut found = Vec::new();
    for (one, left) in (0..).zip(&counts) {
        for (two, right) in (0..).zip(&counts).skip(one as usize + 1) {
            let both = left.keys().filter(|token| right.contains_key(token)).count();
            let all = left.len() + right.len() - both;
            let smaller: u32 = left.iter().filter_map(|(token, n)| right.get(token).map(|m| m.min(n))).sum();
            let larger = left.values().sum::<u32>() + right.values().sum::<u32>() - smaller;
            let (set, multiset) = (share(both, all), share(smaller as usize, larger as usize));
            if set >= thresholds.set && multiset >= thresholds.multiset && left != right {
                found.push([one, two]);
            }
        }
    }
    found
}

fn joined(samples: &[Vec<u32>], thresholds: Thresholds) -> Vec<[u32; 2]> {
    let mut bags = Bags::default();
    let mut bag_of = Vec::new();
    for sample in samples {
        let mut counts = BTreeMap::<u32, u32>::new();
        for &token in sample {
            *counts.entry(token).or_default() += 1;
        }
        bag_of.push(bags.number(&counts.into_iter().collect::<Vec<_>>()));
    }
    bags.order_by_rarity(TOKENS as usize);
    let found = pairs(&bags, thresholds, usize::MAX).expect("there is no limit");
    // Back to samples.
    let mut pairs = Vec::new();
    for (one, &left) in (0..).zip(&bag_of) {
        for (two, &right) in (0..).zip(&bag_of).skip(one as usize + 1) {
            if found.contains(&[left.min(right), left.max(right)]) {
                pairs.push([one, two]);
            }
        }
    }
    pairs
}

const TOKENS: u32 = 40;

/// A sample, and copies of it with few edits, so that there are pairs around the thresholds.
fn families() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let edit = (any::<prop::sample::Index>(), 0..TOKENS);
    let family = (
        prop::collection::vec(0..TOKENS, 0..60),
        prop::collection::vec(prop::collection::vec(edit, 0..5), 1..5),
    );
    prop::collection::vec(family, 1..6).prop_map(|families| {
        let mut samples = Vec::new();
        for (base, copies) in families {
            for edits in copies {
                let mut copy = base.clone();
                for (place, token) in edits {
                    if copy.is_empty() {
                        copy.push(token);
                    } else {
                        let at = place.index(copy.len());
                        copy[at] = token;
                    }
                }
                samples.push(copy);
            }
        }
        samples
    })
}

proptest! {
    #[test]
    fn the_join_finds_what_brute_force_finds(
        samples in families(),
        set in prop::sample::select(vec![0.1, 0.5, 0.8, 0.9, 0.95, 1.0]),
        multiset in prop::sample::select(vec![0.0, 0.5, 0.8, 1.0]),
    ) {
        let thresholds = Thresholds { set, multiset };
        prop_assert_eq!(joined(&samples, thresholds), brute_force(&samples, thresholds));
    }
}

#[test]
fn counts_over_a_byte_count() {
    let mut bags = Bags::default();
    let one = bags.number(&[(0, 70_000), (1, 3)]);
    assert_eq!(bags.number(&[(0, 70_000), (1, 3)]), one);
    let two = bags.number(&[(0, 35_000), (1, 3)]);
    bags.order_by_rarity(2);
    let overlap = bags.bag(one as usize).overlap(&bags.bag(two as usize));
    assert_eq!(overlap.set, 1.0);
    assert_eq!(overlap.multiset, 35_003.0 / 70_003.0);
}
