//! The order in which pairs are drawn.

use std::collections::BTreeMap;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What one pair is drawn of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Of each class, so that large classes do not count more.
    Class,
    /// Each pair is drawn with the same probability.
    Pair,
}

/// A pair that may be drawn.
pub(super) struct Candidate {
    pub(super) id: String,
    /// Its number in the result.
    pub(super) pair: usize,
    /// The numbers of its places.
    pub(super) sides: [u32; 2],
    pub(super) stratum: String,
}

/// The numbers of the pairs of each stratum in the order in which they are drawn, with how many pairs there are. Per class, each class
/// has one pair, which is drawn among those of the class. Pairs belong to one class if a way of pairs leads from the one to the other.
/// The order depends on the names of the pairs and on the seed alone.
pub(super) fn order(candidates: &[Candidate], per: Per, seed: u64) -> BTreeMap<String, (u64, Vec<usize>)> {
    let classes = classes(candidates);
    // The first name of a class, whatever pair is drawn of it: else large classes would come first.
    let mut named: BTreeMap<u32, &str> = BTreeMap::new();
    for (candidate, class) in candidates.iter().zip(&classes) {
        let name = named.entry(*class).or_insert(&candidate.id);
        *name = (*name).min(&candidate.id);
    }
    let chance = |id: &str, seed: u64| xxh3_64_with_seed(id.as_bytes(), seed);
    let mut strata: BTreeMap<&str, (u64, BTreeMap<&str, &Candidate>)> = BTreeMap::new();
    for (candidate, class) in candidates.iter().zip(&classes) {
        let (pairs, units) = strata.entry(&candidate.stratum).or_default();
        *pairs += 1;
        let unit = if per == Per::Class { named[class] } else { &candidate.id };
        let drawn = units.entry(unit).or_insert(candidate);
        let key = |it: &Candidate| (chance(&it.id, seed ^ 1), it.id.clone());
        if key(candidate) < key(drawn) {
            *drawn = candidate;
        }
    }
    let sorted = |units: BTreeMap<&str, &Candidate>| {
        let mut units: Vec<(&str, usize)> = units.into_iter().map(|(unit, it)| (unit, it.pair)).collect();
        units.sort_unstable_by_key(|(unit, _)| (chance(unit, seed), *unit));
        units.into_iter().map(|(_, pair)| pair).collect()
    };
    strata.into_iter().map(|(name, (pairs, units))| (name.to_owned(), (pairs, sorted(units)))).collect()
}

/// The class of each pair.
fn classes(candidates: &[Candidate]) -> Vec<u32> {
    let places = candidates.iter().flat_map(|it| it.sides).max().map_or(0, |most| most as usize + 1);
    let mut parents: Vec<u32> = (0..places as u32).collect();
    for candidate in candidates {
        let [left, right] = candidate.sides.map(|side| root(&mut parents, side));
        parents[left as usize] = right;
    }
    candidates.iter().map(|it| root(&mut parents, it.sides[0])).collect()
}

fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        parents[of as usize] = parents[parents[of as usize] as usize];
        of = parents[of as usize];
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class of so many copies of each size, all pairs of it.
    fn candidates(sizes: &[u32]) -> Vec<Candidate> {
        let (mut found, mut first) = (Vec::new(), 0);
        for size in sizes {
            for left in first..first + size {
                for right in left + 1..first + size {
                    found.push(Candidate {
                        id: format!("{left}-{right}"),
                        pair: found.len(),
                        sides: [left, right],
                        stratum: "all".to_owned(),
                    });
                }
            }
            first += size;
        }
        found
    }

    #[test]
    fn each_class_has_one_pair_and_large_ones_do_not_come_first() {
        let mut sizes = [2; 200];
        sizes[0] = 40;
        let found = candidates(&sizes);
        let mut places = Vec::new();
        for seed in 0..40 {
            let order = order(&found, Per::Class, seed);
            let (pairs, drawn) = &order["all"];
            assert_eq!((*pairs, drawn.len()), (780 + 199, 200));
            places.extend(drawn.iter().position(|&pair| pair < 780));
        }
        let mean = places.iter().sum::<usize>() / 40;
        assert!((50..150).contains(&mean), "the large class comes at {mean} of 200");
        assert_eq!(order(&found, Per::Pair, 0)["all"].1.len(), 979);
    }

    #[test]
    fn the_order_of_the_result_does_not_matter() {
        let ids = |found: &[Candidate]| -> Vec<String> {
            let order = order(found, Per::Class, 7);
            order["all"]
                .1
                .iter()
                .map(|&pair| found.iter().find(|it| it.pair == pair).expect("one").id.clone())
                .collect()
        };
        let mut found = candidates(&[5, 3, 2, 9]);
        let before = ids(&found);
        found.reverse();
        assert_eq!(ids(&found), before);
        assert_ne!(order(&found, Per::Class, 7), order(&found, Per::Class, 8));
    }
}
