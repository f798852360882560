//! The collection to matches: equal fragments, similar fragments, runs outside what those cover.

use std::io;

use familiar_index::Collection;
use familiar_search::classes::Pairs;
use familiar_search::cover::Cover;
use familiar_search::equal::{self, EqualSettings};
use familiar_search::runs::{self, RunSettings};
use familiar_search::similar::{SimilarSettings, Similarity};
use familiar_search::{Item, Link, Matches, Place};
use familiar_source::{FragmentKind, Span};
use familiar_syntax::normal;

use crate::{CloneOptions, Measure, Progress};

/// Items with the numbers of their nodes, the nodes' twin groups, and links between nodes.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) items: Vec<Item>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) twins: Vec<u32>,
    pub(crate) links: Vec<Link>,
}

impl Found {
    /// Brings the items into the order of results: by place, the outer before the inner.
    pub(crate) fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|&at| {
            let item = &self.items[at];
            let tokens = item.place.tokens;
            (item.place.file, tokens.start, std::cmp::Reverse(tokens.end), item.kind)
        });
        Self {
            items: order.iter().map(|&at| self.items[at]).collect(),
            nodes: order.iter().map(|&at| self.nodes[at]).collect(),
            ..self
        }
    }

    pub(crate) fn into_matches(self) -> Matches {
        Matches::new(self.items, self.nodes, self.twins, &self.links)
    }
}

/// Everything that the options ask for.
pub(crate) fn detect(
    collection: &Collection,
    options: &CloneOptions,
    progress: &dyn Progress,
) -> io::Result<Found> {
    let mut found = Found::default();
    for &kind in options.granularity.iter().filter(|&&kind| kind != FragmentKind::Run) {
        progress.stage("comparing fragments", 0);
        fragments(collection, options, kind, &mut found)?;
    }
    let mut found = found.sorted();
    if options.wants(FragmentKind::Run) {
        progress.stage("looking for runs", 0);
        let runs = runs::find(collection, &run_settings(options))?;
        let uncovered = if options.wants(FragmentKind::Function) {
            outside_functions(collection, options, &found, runs)
        } else {
            runs
        };
        add_runs(collection, &uncovered, &mut found)?;
        found = found.sorted();
    }
    Ok(found)
}

pub(crate) fn run_settings(options: &CloneOptions) -> RunSettings {
    RunSettings {
        min_tokens: options.min_tokens,
        type_2: options.wants_type(2) || options.wants_type(3),
        renaming: options.renaming,
        max_gap_tokens: if options.wants_type(3) { options.max_gap_tokens } else { 0 },
        cross_families: options.cross_language,
        memory: options.memory / 4,
    }
}

/// Groups and links the fragments of one kind.
fn fragments(
    collection: &Collection,
    options: &CloneOptions,
    kind: FragmentKind,
    found: &mut Found,
) -> io::Result<()> {
    let numbers = 0..collection.fragments.len() as u32;
    let selected: Vec<u32> =
        numbers.filter(|&n| collection.fragments[n as usize].kind == kind as u8).collect();
    let settings = EqualSettings {
        type_2: options.wants_type(2) || options.wants_type(3),
        renaming: options.renaming,
        cross_families: options.cross_language,
    };
    let equal = equal::group(collection, &selected, settings)?;
    let links = if options.wants_type(3) {
        let settings = SimilarSettings {
            similarity: options.threshold(),
            cross_families: options.cross_language,
            memory: options.memory / 4,
        };
        similarity(options.measure).links(collection, &equal, &settings)?
    } else {
        Vec::new()
    };
    add_fragments(collection, &equal, links, kind, found);
    Ok(())
}

/// The measure by its name.
pub(crate) fn similarity(measure: Measure) -> &'static dyn Similarity {
    match measure {
        Measure::Aligned => &familiar_search::aligned::Aligned,
        Measure::TokenOverlap => &familiar_search::overlap::TokenOverlap,
        Measure::Lines => &familiar_search::lines::Lines,
    }
}

/// Adds the nodes that are part of any pair.
fn add_fragments(
    collection: &Collection,
    equal: &equal::Equal,
    links: Vec<Link>,
    kind: FragmentKind,
    found: &mut Found,
) {
    let mut nodes_of_twin = vec![0u32; equal.nodes.len()];
    for &twin in &equal.twins {
        nodes_of_twin[twin as usize] += 1;
    }
    let mut linked = vec![false; equal.nodes.len()];
    for link in &links {
        linked[link.left as usize] = true;
        linked[link.right as usize] = true;
    }
    let twins_before = found.twins.iter().max().map_or(0, |most| most + 1);
    let mut number_of = vec![u32::MAX; equal.nodes.len()];
    for (node, members) in equal.nodes.iter().enumerate() {
        if members.len() < 2 && nodes_of_twin[equal.twins[node] as usize] < 2 && !linked[node] {
            continue;
        }
        let number = found.twins.len() as u32;
        number_of[node] = number;
        found.twins.push(twins_before + equal.twins[node]);
        for &member in members {
            let f = &collection.fragments[member as usize];
            let place = Place { file: f.file, tokens: Span::new(f.first, f.first + f.tokens) };
            found.items.push(Item { kind, place, ordinal: Some(f.ordinal) });
            found.nodes.push(number);
        }
    }
    found.links.extend(links.into_iter().map(|link| Link {
        left: number_of[link.left as usize],
        right: number_of[link.right as usize],
        similarity: link.similarity,
    }));
}

/// Cuts the runs down to what no pair of functions covers.
fn outside_functions(
    collection: &Collection,
    options: &CloneOptions,
    found: &Found,
    runs: runs::Runs,
) -> runs::Runs {
    let matches = Matches::new(found.items.clone(), found.nodes.clone(), found.twins.clone(), &found.links);
    let pairs = Pairs::new(&matches, &collection.files, &options.types, options.cross_language);
    let cover = Cover::new(&matches, &pairs, collection.files.len());
    let mut rest = runs::Runs::default();
    for group in runs.groups {
        cut_group(&cover, options.min_tokens, group, &mut rest.groups);
    }
    for pair in runs.pairs {
        let whole = pair.left.tokens;
        if !cover.touches(pair.left) || cover.uncovered(pair.left, pair.right, options.min_tokens) == [whole]
        {
            rest.pairs.push(pair);
            continue;
        }
        // The pieces that are equal are cut by themselves; the gaps between them end the run.
        for &(left, right, tokens) in &pair.pieces {
            let place = |file, start| Place { file, tokens: Span::new(start, start + tokens) };
            let places = vec![place(pair.left.file, left), place(pair.right.file, right)];
            cut_group(&cover, options.min_tokens, runs::RunGroup { places }, &mut rest.groups);
        }
    }
    rest
}

/// Adds what is left of a group of equal runs, as one group for each part that is left.
fn cut_group(cover: &Cover<'_>, min_tokens: u32, group: runs::RunGroup, out: &mut Vec<runs::RunGroup>) {
    let Some((&first, others)) = group.places.split_first() else { return };
    if first.tokens.len() < min_tokens {
        return;
    }
    if group.places.iter().all(|&place| !cover.touches(place)) {
        out.push(group);
        return;
    }
    let mut parts: Vec<(Span, Vec<Place>)> = Vec::new();
    for &other in others {
        for part in cover.uncovered(first, other, min_tokens) {
            let start = other.tokens.start + (part.start - first.tokens.start);
            let place = Place { file: other.file, tokens: Span::new(start, start + part.len()) };
            match parts.iter_mut().find(|(known, _)| *known == part) {
                Some((_, places)) => places.push(place),
                None => parts.push((part, vec![Place { file: first.file, tokens: part }, place])),
            }
        }
    }
    out.extend(parts.into_iter().map(|(_, places)| runs::RunGroup { places }));
}

/// Adds runs as items: equal ones as nodes and twins, merged ones as links.
fn add_runs(collection: &Collection, runs: &runs::Runs, found: &mut Found) -> io::Result<()> {
    let mut twin = found.twins.iter().max().map_or(0, |most| most + 1);
    let mut buffer = Vec::new();
    for group in &runs.groups {
        let mut by_text: Vec<(u64, Place)> = Vec::new();
        for &place in &group.places {
            by_text.push((hash_of(collection, place, &mut buffer)?, place));
        }
        by_text.sort_unstable();
        for node in by_text.chunk_by(|a, b| a.0 == b.0) {
            let number = found.twins.len() as u32;
            found.twins.push(twin);
            for &(_, place) in node {
                found.items.push(Item { kind: FragmentKind::Run, place, ordinal: None });
                found.nodes.push(number);
            }
        }
        twin += 1;
    }
    for pair in &runs.pairs {
        let first = found.twins.len() as u32;
        for (place, node) in [(pair.left, first), (pair.right, first + 1)] {
            found.twins.push(twin);
            twin += 1;
            found.items.push(Item { kind: FragmentKind::Run, place, ordinal: None });
            found.nodes.push(node);
        }
        found.links.push(Link { left: first, right: first + 1, similarity: pair.similarity });
    }
    Ok(())
}

fn hash_of(collection: &Collection, place: Place, buffer: &mut Vec<u32>) -> io::Result<u64> {
    let tokens = collection.tokens.get(place.file, place.tokens.start..place.tokens.end, buffer)?;
    Ok(normal::hash(tokens))
}
