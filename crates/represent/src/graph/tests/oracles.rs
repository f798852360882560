//! Random flow graphs: each analysis gives what its definition says, found by trying all ways.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::control::control;
use super::super::dominance::{NONE, Successors, dominators};
use super::super::model::{ENTRY, EXIT, Flow, When};
use super::super::reaching::{Access, Does, Reach, Way, reaching};

/// Edges among at most nine nodes; nothing leads to the entry or out of the exit.
fn edges() -> impl Strategy<Value = (usize, Vec<(u32, u32)>)> {
    (3_u32..9).prop_flat_map(|count| {
        let edge = (0..count, 1..count).prop_filter("the exit is the end", |edge| edge.0 != EXIT);
        (Just(count as usize), prop::collection::btree_set(edge, 1..20))
            .prop_map(|(count, edges)| (count, edges.into_iter().collect()))
    })
}

/// All nodes that are reached from `from` without passing `without`.
fn reached(edges: &[(u32, u32)], from: u32, without: Option<u32>) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if Some(node) != without && seen.insert(node) {
            open.extend(edges.iter().filter(|it| it.0 == node).map(|it| it.1));
        }
    }
    seen
}

fn flow(edges: &[(u32, u32)]) -> Vec<Flow> {
    edges.iter().map(|&(from, to)| Flow { from, to, when: When::Always, early: false }).collect()
}

proptest! {
    #[test]
    fn dominators_are_on_all_ways((count, edges) in edges()) {
        let forth = Successors::new(count, edges.iter().copied());
        let back = Successors::new(count, edges.iter().map(|&(from, to)| (to, from)));
        let found = dominators(&forth, &back, ENTRY);
        let all = reached(&edges, ENTRY, None);
        for node in 0..count as u32 {
            if node == ENTRY || !all.contains(&node) {
                prop_assert_eq!(found[node as usize], NONE);
                continue;
            }
            let above: Vec<u32> = all
                .iter()
                .copied()
                .filter(|it| *it != node && !reached(&edges, ENTRY, Some(*it)).contains(&node))
                .collect();
            // The nearest one is the one that all others dominate.
            let nearest = above.iter().copied().find(|it| {
                above.iter().all(|other| {
                    other == it || !reached(&edges, ENTRY, Some(*other)).contains(it)
                })
            });
            prop_assert_eq!(Some(found[node as usize]), nearest);
        }
    }

    #[test]
    fn control_dependence_is_by_definition((count, edges) in edges()) {
        let live = reached(&edges, ENTRY, None);
        let own: Vec<(u32, u32)> = edges.iter().copied().filter(|it| live.contains(&it.0)).collect();
        let mut with_start = own.clone();
        with_start.push((ENTRY, EXIT));
        // Loops without an end have ways out that are no part of the definition.
        prop_assume!(live.iter().all(|it| reached(&with_start, *it, None).contains(&EXIT)));
        let after = |late: u32, early: u32| late == early || !reached(&with_start, early, Some(late)).contains(&EXIT);
        let mut expected = BTreeSet::new();
        for &(from, to) in &own {
            for node in live.iter().copied().filter(|it| *it != EXIT) {
                let strictly = node != from && after(node, from);
                if after(node, to) && !strictly {
                    expected.insert((from, node));
                }
            }
        }
        // A node with one way only decides nothing, but for the entry.
        expected.retain(|it| it.0 == ENTRY || own.iter().filter(|edge| edge.0 == it.0).count() > 1);
        let found = control(count, &flow(&edges));
        prop_assert!(found.is_whole);
        let found: BTreeSet<_> = found.dependences.iter().map(|it| (it.on, it.node)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn reaching_definitions_have_a_way(
        (count, edges) in edges(),
        early in prop::collection::vec(any::<bool>(), 20),
        accesses in prop::collection::vec((0_u32..9, 0_u32..3, 0_u8..3), 0..25),
    ) {
        let ways: Vec<Way> = edges
            .iter()
            .zip(early)
            .map(|(&(from, to), early)| Way { from, to, before_writing: early && from != ENTRY })
            .collect();
        let does = |it: u8| [Does::Use, Does::Define, Does::Change][usize::from(it)];
        let mut accesses: Vec<Access> = accesses
            .into_iter()
            .filter(|it| (it.0 as usize) < count)
            .map(|(instruction, variable, it)| Access { instruction, variable, does: does(it) })
            .collect();
        accesses.sort_by_key(|it| it.instruction);
        let found = reaching(count, &ways, &accesses);
        prop_assert!(found.1);
        prop_assert_eq!(found.0, by_walking(&edges, &ways, &accesses));
    }
}

/// Each definition is followed along all ways, until another one takes its place.
fn by_walking(edges: &[(u32, u32)], ways: &[Way], accesses: &[Access]) -> Vec<Reach> {
    let live = reached(edges, ENTRY, None);
    let of = |node: u32, variable: u32| {
        accesses.iter().filter(move |it| it.instruction == node && it.variable == variable)
    };
    let mut found = BTreeSet::new();
    for definition in accesses.iter().filter(|it| it.does != Does::Use && live.contains(&it.instruction)) {
        let variable = definition.variable;
        let mut seen = BTreeSet::new();
        let mut open: Vec<u32> = ways
            .iter()
            .filter(|it| it.from == definition.instruction)
            .filter(|it| !it.before_writing || definition.does == Does::Change)
            .map(|it| it.to)
            .collect();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            let reads = of(node, variable).take_while(|it| it.does != Does::Define);
            if reads.into_iter().any(|it| it.does == Does::Use) {
                found.insert(Reach { from: definition.instruction, to: node, variable });
            }
            let kills = of(node, variable).any(|it| it.does == Does::Define);
            open.extend(
                ways.iter().filter(|it| it.from == node && (!kills || it.before_writing)).map(|it| it.to),
            );
        }
    }
    found.into_iter().collect()
}
