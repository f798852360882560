//! Which group gets which pair.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::rules::Rules;

/// How a pair was dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// The group that judges it first, by its index.
    pub group: usize,
    /// The place in the order of judging.
    pub order: u32,
    /// Whether its judges do not see what the others say.
    pub blind: bool,
}

/// Deals the pairs: each group gets a section of them, and no two sections differ by more than one pair. The same names, rules and seed
/// give the same sections, in whatever order the pairs come.
pub fn deal(ids: &[&str], rules: &Rules) -> Vec<Dealt> {
    let mut order: Vec<usize> = (0..ids.len()).collect();
    let key = |at: usize| (xxh3_64_with_seed(ids[at].as_bytes(), rules.seed), ids[at]);
    order.sort_unstable_by(|&one, &other| key(one).cmp(&key(other)));
    let groups = rules.groups.len().max(1);
    let mut dealt = vec![Dealt { group: 0, order: 0, blind: false }; ids.len()];
    for (rank, at) in order.into_iter().enumerate() {
        // Within a section, too, the share is exact to one pair.
        let place = (rank / groups) as f64;
        let blind = ((place + 1.0) * rules.share_twice).floor() > (place * rules.share_twice).floor();
        dealt[at] = Dealt { group: rank % groups, order: rank as u32, blind };
    }
    dealt
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sections_are_even_and_do_not_depend_on_the_order(
            count in 0usize..200, groups in 1usize..5, share in 0.0f64..=1.0, seed: u64
        ) {
            let ids: Vec<String> = (0..count).map(|at| format!("pair-{at}")).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let rules = Rules {
                groups: (0..groups).map(|at| vec![format!("j{at}")]).collect(),
                share_twice: share,
                seed,
                ..Rules::default()
            };
            let dealt = deal(&ids, &rules);
            for group in 0..groups {
                let section: Vec<&Dealt> = dealt.iter().filter(|it| it.group == group).collect();
                prop_assert!(section.len() == count / groups || section.len() == count / groups + 1);
                let blind = section.iter().filter(|it| it.blind).count() as f64;
                prop_assert!((blind - share * section.len() as f64).abs() <= 1.0);
            }
            let reversed: Vec<&str> = ids.iter().rev().copied().collect();
            let mut again = deal(&reversed, &rules);
            again.reverse();
            prop_assert_eq!(dealt, again);
        }
    }
}
