//! Groups of equal fragments are those that comparing all of them gives.

use familiar_search::equal::{Equal, EqualSettings, group};
use familiar_syntax::normal::{Renamer, Renaming};
use proptest::prelude::*;

use crate::common::{Given, collection, functions, in_order, shuffled};

fn renamed(symbols: &[u32], renaming: Renaming) -> Vec<u32> {
    let mut out = Vec::new();
    Renamer::default().rename(symbols, renaming, &mut out);
    out
}

/// Node and twin group of each fragment of a collection.
fn groups_of(equal: &Equal, fragments: usize) -> Vec<(u32, u32)> {
    let mut groups = vec![(u32::MAX, u32::MAX); fragments];
    for (node, fragments) in (0u32..).zip(&equal.nodes) {
        for &fragment in fragments {
            groups[fragment as usize] = (node, equal.twins[node as usize]);
        }
    }
    groups
}

fn grouped(files: &[Given], settings: EqualSettings, selected: &[u32], same_hashes: bool) -> Equal {
    let mut collection = collection(files, settings.renaming);
    if same_hashes {
        for fragment in &mut collection.fragments {
            (fragment.exact, fragment.renamed) = (1, 2);
        }
    }
    group(&collection, selected, settings).expect("tokens are in memory")
}

proptest! {
    #[test]
    fn groups_agree_with_comparing_all_fragments(
        (files, order) in shuffled(functions()),
        type_2 in any::<bool>(),
        consistent in any::<bool>(),
        cross_families in any::<bool>(),
        same_hashes in any::<bool>(),
    ) {
        let renaming = if consistent { Renaming::Consistent } else { Renaming::Blind };
        let settings = EqualSettings { type_2, renaming, cross_families };
        let all: Vec<u32> = (0..files.len() as u32).collect();
        let equal = grouped(&files, settings, &all, same_hashes);
        let groups = groups_of(&equal, files.len());
        for (left, a) in files.iter().enumerate() {
            for (right, b) in files.iter().enumerate() {
                let family = cross_families || a.family == b.family;
                let exact = family && a.symbols == b.symbols;
                let twins = family && renamed(&a.symbols, renaming) == renamed(&b.symbols, renaming);
                prop_assert_eq!(groups[left].0 == groups[right].0, exact);
                prop_assert_eq!(groups[left].1 == groups[right].1, if type_2 { twins } else { exact });
            }
        }
        prop_assert!(equal.nodes.iter().all(|node| node.is_sorted_by(|a, b| a < b)));
        prop_assert!(equal.nodes.is_sorted_by_key(|node| node[0]));
        prop_assert_eq!(equal.twin_groups().concat().len(), equal.nodes.len());
        // Neither the order in which fragments are named nor where their files stand matters.
        let selected: Vec<u32> = order.iter().map(|&at| at as u32).collect();
        let other = grouped(&files, settings, &selected, same_hashes);
        prop_assert_eq!((&other.nodes, &other.twins), (&equal.nodes, &equal.twins));
        let moved = groups_of(&grouped(&in_order(&files, &order), settings, &all, same_hashes), files.len());
        for left in 0..files.len() {
            for right in 0..left {
                let (a, b) = (groups[order[left]], groups[order[right]]);
                let same = (moved[left].0 == moved[right].0, moved[left].1 == moved[right].1);
                prop_assert_eq!(same, (a.0 == b.0, a.1 == b.1));
            }
        }
    }

    #[test]
    fn only_what_is_selected_is_grouped(files in functions(), chosen in any::<u32>()) {
        let settings = EqualSettings { type_2: true, renaming: Renaming::Blind, cross_families: false };
        let selected: Vec<u32> = (0..files.len() as u32).filter(|at| chosen >> (at % 32) & 1 == 1).collect();
        let equal = grouped(&files, settings, &selected, false);
        let mut grouped = equal.nodes.concat();
        grouped.sort_unstable();
        prop_assert_eq!(grouped, selected);
    }
}
