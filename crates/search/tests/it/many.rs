//! Many items that count alike: classes and pairs are those of the plain definition, which asks of any two items.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use familiar_index::{FileEntry, Side};
use familiar_search::classes::{Accepted, Class, Pair, Pairs};
use familiar_search::{Edges, Item, Link, Matches, Place};
use familiar_source::{FragmentKind, Span};
use proptest::prelude::*;

/// An item of a file: start, length, form, variant, kind, edges.
type Part = (u32, u32, u8, u8, u8, (u32, u32));

#[derive(Debug)]
struct Given {
    matches: Matches,
    files: Vec<FileEntry>,
    trees: Vec<u32>,
    marked: Vec<bool>,
}

fn part() -> impl Strategy<Value = Part> {
    let edge = prop::sample::select(vec![Edges::NOTHING, Edges::NOTHING, 1, 2]);
    (0u32..6, 1u32..5, 0u8..3, 0u8..2, 0u8..3, (edge.clone(), edge))
}

/// Files of a few sorts, each of which stands there many times, with links between some nodes.
fn given() -> impl Strategy<Value = Given> {
    let sort = (prop::collection::vec(part(), 1..5), 1usize..14, 0u8..3, 0u8..2);
    let links = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4);
    let marked = prop::collection::vec(prop::bool::weighted(0.8), 200);
    (prop::collection::vec(sort, 1..4), links, marked, any::<bool>()).prop_map(
        |(sorts, links, marked, sided)| {
            let (mut files, mut all) = (Vec::new(), BTreeMap::new());
            for (parts, times, side, family) in sorts {
                for _ in 0..times {
                    let file = files.len() as u32;
                    let side = match side {
                        1 if sided => Side::Query,
                        2 if sided => Side::Against,
                        _ => Side::Both,
                    };
                    files.push(FileEntry { family, side, tests_from: u32::MAX, is_markup: false });
                    for &(start, len, form, variant, kind, (before, after)) in &parts {
                        let kind =
                            [FragmentKind::Function, FragmentKind::Block, FragmentKind::Run][kind as usize];
                        let tokens = Span::new(start * 10, (start + len) * 10);
                        let mut item = Item::run(kind, Place { file, tokens });
                        if kind == FragmentKind::Run {
                            item.edges = Edges { before, after };
                        }
                        let key = (file, tokens.start, Reverse(tokens.end), kind);
                        all.insert(key, (item, (kind, len, form), variant));
                    }
                }
            }
            let mut nodes = BTreeMap::new();
            let mut twins = BTreeMap::new();
            let mut twin_of = Vec::new();
            let mut node_of = Vec::new();
            for &(_, form, variant) in all.values() {
                let next = nodes.len() as u32;
                let node = *nodes.entry((form, variant)).or_insert(next);
                if node == next {
                    let next = twins.len() as u32;
                    twin_of.push(*twins.entry(form).or_insert(next));
                }
                node_of.push(node);
            }
            let link = |(left, right): (prop::sample::Index, prop::sample::Index)| {
                let (left, right) = (left.index(twin_of.len()), right.index(twin_of.len()));
                (twin_of[left] != twin_of[right]).then(|| Link::edited(left as u32, right as u32, 0.8))
            };
            let links = links.into_iter().filter_map(link).collect();
            let items: Vec<Item> = all.into_values().map(|(item, ..)| item).collect();
            let trees = (0..files.len() as u32).map(|file| file % 3).collect();
            let marked = items.iter().enumerate().map(|(at, _)| marked[at % marked.len()]).collect();
            Given { matches: Matches::new(items, node_of, twin_of, links), files, trees, marked }
        },
    )
}

/// The clone pairs, by asking of any two items.
fn plain_pairs(matches: &Matches, pairs: &Pairs<'_>) -> BTreeMap<(u32, u32), Pair> {
    let items = matches.items().len() as u32;
    let all = (0..items).flat_map(|left| (left + 1..items).map(move |right| (left, right)));
    all.filter_map(|(left, right)| {
        let relation = matches.relation(left, right)?;
        pairs.accepts(left, right, relation).then_some(((left, right), Pair { left, right, relation }))
    })
    .collect()
}

fn of(all: &BTreeMap<(u32, u32), Pair>, a: u32, b: u32) -> Option<&Pair> {
    all.get(&(a.min(b), a.max(b)))
}

/// The stars, largest representative first.
fn plain_classes(matches: &Matches, files: &[FileEntry], all: &BTreeMap<(u32, u32), Pair>) -> Vec<Class> {
    let items = matches.items().len() as u32;
    let mut order: Vec<u32> = (0..items).collect();
    order.sort_by_key(|&item| {
        let place = matches.items()[item as usize].place;
        (Reverse(place.tokens.len()), files[place.file as usize].side != Side::Both, item)
    });
    let mut taken = vec![false; items as usize];
    let mut classes = Vec::new();
    for first in order {
        let is_ray = |&other: &u32| !taken[other as usize] && of(all, first, other).is_some();
        let rays: Vec<u32> = (0..items).filter(is_ray).collect();
        if taken[first as usize] || rays.is_empty() {
            continue;
        }
        let clone_type =
            rays.iter().filter_map(|&ray| of(all, first, ray)).map(|pair| pair.relation.clone_type);
        let clone_type = clone_type.max().unwrap_or(0);
        let members: Vec<u32> = [vec![first], rays].concat();
        for &member in &members {
            taken[member as usize] = true;
        }
        classes.push(Class { members, clone_type });
    }
    classes
}

/// The pairs that a report lists.
fn plain_rows(matches: &Matches, all: &BTreeMap<(u32, u32), Pair>, classes: &[Class]) -> Vec<Pair> {
    let items = matches.items().len() as u32;
    let mut rows = Vec::new();
    let mut rayed = Vec::new();
    for class in classes {
        for &member in &class.members[1..] {
            rows.extend(of(all, class.members[0], member).copied());
            let (a, b) = (matches.node(class.members[0]), matches.node(member));
            rayed.push((a.min(b), a.max(b)));
        }
    }
    let of_node = |node: u32| (0..items).filter(move |&item| matches.node(item) == node);
    for link in matches.links().filter(|link| !rayed.contains(&(link.left, link.right))) {
        let mut both = of_node(link.left).flat_map(|a| of_node(link.right).map(move |b| (a, b)));
        rows.extend(both.find_map(|(a, b)| of(all, a, b)).copied());
    }
    let by_node = |&item: &u32| (matches.node(item), item);
    let class_of = |item: u32| classes.iter().position(|class| class.members.contains(&item));
    for group in 0..matches.twin_groups() {
        let mut twins: Vec<u32> = (0..items).filter(|&item| matches.twin_group(item) == group).collect();
        twins.sort_by_key(by_node);
        let mut firsts: Vec<u32> = Vec::new();
        for item in twins {
            let class = class_of(item);
            if class.is_some() && firsts.iter().any(|&first| class_of(first) == class) {
                continue;
            }
            rows.extend(firsts.iter().find_map(|&first| of(all, first, item)).copied());
            if firsts.len() < 16 {
                firsts.push(item);
            }
        }
    }
    let mut known: Vec<bool> =
        (0..items).map(|item| rows.iter().any(|row| row.left == item || row.right == item)).collect();
    for item in 0..items {
        let group = matches.twin_group(item);
        let mut others: Vec<u32> = (0..items).filter(|&other| other != item).collect();
        others.sort_by_key(|other| (matches.twin_group(*other) != group, by_node(other)));
        if !known[item as usize]
            && let Some(other) = others.into_iter().find(|&other| of(all, item, other).is_some())
        {
            known[other as usize] = true;
            rows.extend(of(all, item, other).copied());
        }
    }
    rows.sort_by_key(|row| (row.left, row.right));
    rows
}

proptest! {
    #[test]
    fn what_counts_alike_is_what_each_of_it_counts(
        given in given(),
        types in prop::sample::select(vec![vec![1, 2, 3], vec![1], vec![2], vec![1, 3], vec![3]]),
        cross_families in any::<bool>(),
        option in 0..5,
    ) {
        let Given { matches, files, trees, marked } = &given;
        let pairs = Pairs::new(matches, files, &types, cross_families);
        let pairs = match option {
            0 => pairs.between(Some(trees)),
            1 => pairs.touching(Some(marked.clone())),
            2 => pairs.without(Some(Accepted { items: marked.clone(), ..Accepted::default() })),
            3 => pairs.leaving_out(Some(&trees.iter().map(|&tree| tree == 2).collect::<Vec<_>>())),
            _ => pairs,
        };
        let all = plain_pairs(matches, &pairs);
        let mut listed = Vec::new();
        let push = |pair| {
            listed.push(pair);
            Ok::<(), ()>(())
        };
        pairs.for_each(push).expect("pushing does not fail");
        prop_assert_eq!(&listed, &all.values().copied().collect::<Vec<_>>());
        let any = |item| all.keys().any(|&(left, right)| left == item || right == item);
        let items = 0..matches.items().len() as u32;
        prop_assert_eq!(pairs.have_any(), items.map(any).collect::<Vec<bool>>());
        let classes = pairs.classes();
        prop_assert_eq!(&classes, &plain_classes(matches, files, &all));
        prop_assert_eq!(pairs.rays_and_links(&classes), plain_rows(matches, &all, &classes));
    }
}
