//! Clone pairs and classes: which pairs count, in which order, and that no item is lost.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use familiar_index::{FileEntry, Side};
use familiar_search::classes::{Accepted, Pair, Pairs};
use familiar_search::{Item, Link, Matches, Place};
use familiar_source::{FragmentKind, Span};
use proptest::prelude::*;

const FILES: usize = 5;

#[derive(Debug)]
struct Given {
    matches: Matches,
    files: Vec<FileEntry>,
}

/// A number for each different key, in the order of their first appearance.
fn dense<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    keys.map(|key| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    })
    .collect()
}

/// Items at some places, of which those of one form are equal, those of one form and another variant twins, and some
/// others similar; `nested` ones may lie within one another.
fn given(nested: bool) -> impl Strategy<Value = Given> {
    let start = 0u32..if nested { 8 } else { 1 };
    let place = (0..FILES as u32, start, 1u32..6, any::<bool>());
    let items = prop::collection::btree_map(place, (0u8..3, 0u8..2), 0..14);
    let links = prop::collection::vec(
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 3u8..5, 0u8..9),
        0..10,
    );
    let sides =
        prop::collection::vec(prop::sample::select(vec![Side::Both, Side::Query, Side::Against]), FILES);
    (items, links, sides, any::<bool>()).prop_map(move |(items, links, sides, one_side)| {
        let mut all: Vec<(Item, (u32, u8, u8))> = Vec::new();
        for ((file, start, len, is_block), (form, variant)) in items {
            // What is nested in nothing stands behind what comes before it.
            let start = if nested { start * 10 } else { all.last().map_or(0, |it| it.0.place.tokens.end) };
            let kind = if is_block { FragmentKind::Block } else { FragmentKind::Function };
            let tokens = Span::new(start, start + len * 10);
            all.push((Item::fragment(kind, Place { file, tokens }, 0), (len, form, variant)));
        }
        all.sort_by_key(|(item, _)| {
            (item.place.file, item.place.tokens.start, Reverse(item.place.tokens.end))
        });
        let nodes = dense(all.iter().map(|it| it.1));
        let mut forms = vec![(0, 0); nodes.iter().max().map_or(0, |&most| most as usize + 1)];
        for (&node, (_, (len, form, _))) in nodes.iter().zip(&all) {
            forms[node as usize] = (*len, *form);
        }
        let twins = dense(forms.iter());
        let count = forms.len();
        let link = |(left, right, clone_type, tenths): (prop::sample::Index, prop::sample::Index, u8, u8)| {
            let (left, right) = (left.index(count) as u32, right.index(count) as u32);
            let link = Link { clone_type, ..Link::edited(left, right, f64::from(tenths) / 10.0) };
            (twins[left as usize] != twins[right as usize]).then_some(link)
        };
        let links = if count == 0 { Vec::new() } else { links.into_iter().filter_map(link).collect() };
        let side = |file: usize| if one_side { Side::Both } else { sides[file] };
        let file =
            |at| FileEntry { family: at as u8 % 2, side: side(at), tests_from: u32::MAX, is_markup: false };
        let items = all.into_iter().map(|it| it.0).collect();
        Given { matches: Matches::new(items, nodes, twins, links), files: (0..FILES).map(file).collect() }
    })
}

/// The clone pairs, by asking of any two items.
fn brute_force(given: &Given, pairs: &Pairs<'_>) -> Vec<Pair> {
    let items = given.matches.items().len() as u32;
    let all = (0..items).flat_map(|left| (left + 1..items).map(move |right| (left, right)));
    let related = all.filter_map(|(left, right)| {
        given.matches.relation(left, right).map(|relation| Pair { left, right, relation })
    });
    related.filter(|pair| pairs.accepts(pair.left, pair.right, pair.relation)).collect()
}

fn listed(pairs: &Pairs<'_>) -> Vec<Pair> {
    let mut all = Vec::new();
    let push = |pair| {
        all.push(pair);
        Ok::<(), ()>(())
    };
    pairs.for_each(push).expect("pushing does not fail");
    all
}

fn numbers(pairs: &[Pair]) -> BTreeSet<(u32, u32)> {
    pairs.iter().map(|pair| (pair.left, pair.right)).collect()
}

proptest! {
    #[test]
    fn all_pairs_are_those_of_any_two_items_in_order(
        given in given(true),
        types in prop::collection::vec(1u8..=4, 0..4),
        cross_families in any::<bool>(),
    ) {
        let pairs = Pairs::new(&given.matches, &given.files, &types, cross_families);
        let all = listed(&pairs);
        prop_assert_eq!(&all, &brute_force(&given, &pairs));
        for pair in &all {
            let [a, b] = [pair.left, pair.right].map(|item| given.matches.items()[item as usize]);
            let [x, y] = [a, b].map(|item| given.files[item.place.file as usize]);
            prop_assert!(a.place.file != b.place.file || a.place.tokens.end <= b.place.tokens.start);
            prop_assert!(a.kind == b.kind && types.contains(&pair.relation.clone_type));
            prop_assert!(x.side.pairs_with(y.side) && (cross_families || x.family == y.family));
            prop_assert_eq!(given.matches.relation(pair.right, pair.left), Some(pair.relation));
        }
    }

    #[test]
    fn classes_are_stars_of_pairs_and_no_item_is_lost(given in given(true)) {
        let pairs = Pairs::new(&given.matches, &given.files, &[1, 2, 3], false);
        let (all, classes) = (listed(&pairs), pairs.classes());
        let of_size = |item: u32| {
            let place = given.matches.items()[item as usize].place;
            (Reverse(place.tokens.len()), given.files[place.file as usize].side != Side::Both, item)
        };
        let mut taken = BTreeSet::new();
        for class in &classes {
            let (first, rays) = (class.members[0], &class.members[1..]);
            prop_assert!(!rays.is_empty() && rays.is_sorted_by(|a, b| a < b));
            prop_assert!(class.members.iter().all(|&member| taken.insert(member)), "an item is in two classes");
            prop_assert!(rays.iter().all(|&ray| of_size(first) < of_size(ray)));
            let of = |&ray: &u32| all.iter().find(|pair| (pair.left, pair.right) == (first.min(ray), first.max(ray)));
            let types: Option<Vec<u8>> = rays.iter().map(|ray| of(ray).map(|pair| pair.relation.clone_type)).collect();
            prop_assert_eq!(types.and_then(|types| types.into_iter().max()), Some(class.clone_type));
        }
        prop_assert!(classes.is_sorted_by_key(|class| of_size(class.members[0])));
        let shown = pairs.rays_and_links(&classes);
        prop_assert!(shown.is_sorted_by_key(|pair| (pair.left, pair.right)));
        prop_assert!(shown.iter().all(|pair| all.contains(pair)));
        let items = |pairs: &[Pair]| pairs.iter().flat_map(|pair| [pair.left, pair.right]).collect::<BTreeSet<u32>>();
        prop_assert_eq!(items(&shown), items(&all));
        let nodes = |pairs: &[Pair]| -> BTreeSet<(u32, u32)> {
            let edited = pairs.iter().filter(|pair| pair.relation.clone_type == 3);
            let nodes = edited.map(|pair| (given.matches.node(pair.left), given.matches.node(pair.right)));
            nodes.map(|(a, b)| (a.min(b), a.max(b))).collect()
        };
        prop_assert_eq!(nodes(&shown), nodes(&all), "two linked nodes have a pair that shows it");
        let have_any = pairs.have_any();
        let has_any = (0..given.matches.items().len() as u32).filter(|&item| have_any[item as usize]);
        prop_assert_eq!(has_any.collect::<BTreeSet<u32>>(), items(&all));
    }

    /// Where nothing lies within another, each option leaves out exactly what it says.
    #[test]
    fn options_leave_out_what_they_say(
        given in given(false),
        trees in prop::collection::vec(0u32..3, FILES),
        marked in prop::collection::vec(any::<bool>(), 14),
        files in prop::collection::vec(prop::bool::weighted(0.2), FILES),
    ) {
        let new = || Pairs::new(&given.matches, &given.files, &[1, 2, 3, 4], true);
        let all = listed(&new());
        let items = given.matches.items();
        let file = |item: u32| items[item as usize].place.file as usize;
        let kept = |keep: &dyn Fn(&Pair) -> bool| numbers(&all.iter().copied().filter(|pair| keep(pair)).collect::<Vec<_>>());
        let between = listed(&new().between(Some(&trees)));
        prop_assert_eq!(numbers(&between), kept(&|pair| trees[file(pair.left)] != trees[file(pair.right)]));
        let marked = marked[..items.len()].to_vec();
        let is_marked = |item: u32| marked[item as usize];
        let touching = listed(&new().touching(Some(marked.clone())));
        prop_assert_eq!(numbers(&touching), kept(&|pair| is_marked(pair.left) || is_marked(pair.right)));
        let accepted = Accepted { items: marked.clone(), ..Accepted::default() };
        let without = listed(&new().without(Some(accepted)));
        prop_assert_eq!(numbers(&without), kept(&|pair| !(is_marked(pair.left) && is_marked(pair.right))));
        let related = |item: u32| {
            (0..items.len() as u32).any(|other| {
                files[file(other)] && (other == item || given.matches.relation(item, other).is_some())
            })
        };
        let left = listed(&new().leaving_out(Some(&files)));
        prop_assert_eq!(numbers(&left), kept(&|pair| !related(pair.left) && !related(pair.right)));
    }
}
