//! The collection to matches: equal fragments, similar fragments, runs outside what those cover.

use std::io;
use std::sync::Arc;

use familiar_index::Collection;
use familiar_search::equal::{self, Equal, EqualSettings};
use familiar_search::evidence::{self, Commonness};
use familiar_search::information::Limit;
use familiar_search::runs::{self, FileFingerprints};
use familiar_search::similar::SimilarSettings;
use familiar_search::{Item, Link, Matches, Place};
use familiar_source::{FragmentKind, Span};
use familiar_syntax::normal;
use rayon::prelude::*;

use crate::CloneOptions;
use crate::behavior::Behavior;
use crate::copies::Judge;
use crate::error::DetectError;
use crate::memory::Memory;
use crate::outside_functions::{RunClass, outside_functions, run_classes};
use crate::searches::run_searches;
use crate::whole::Whole;
use familiar_source::Progress;

/// Items with the numbers of their nodes, the nodes' twin groups, and links between nodes.
#[derive(Debug, Default)]
pub(crate) struct Detected {
    pub(crate) items: Vec<Item>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) twins: Vec<u32>,
    pub(crate) links: Vec<Link>,
}

impl Detected {
    /// Brings the items into the order of results: by place, the outer before the inner.
    pub(crate) fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.par_sort_by_key(|&at| {
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

    /// The items that are marked.
    pub(crate) fn keeping(self, marks: &[bool]) -> Self {
        fn kept<T>(list: Vec<T>, marks: &[bool]) -> Vec<T> {
            list.into_iter().zip(marks).filter(|(_, keeps)| **keeps).map(|(one, _)| one).collect()
        }
        Self { items: kept(self.items, marks), nodes: kept(self.nodes, marks), ..self }
    }

    pub(crate) fn of(matches: Matches) -> Self {
        let (items, nodes, twins, links) = matches.into_parts();
        Self { items, nodes, twins, links }
    }

    pub(crate) fn into_matches(self) -> Matches {
        Matches::new(self.items, self.nodes, self.twins, self.links)
    }
}

/// Everything that the options ask for, and how often tokens and statements stand, where that was counted.
pub(crate) fn detect(
    collection: &Collection,
    samples: &[Option<Vec<FileFingerprints>>],
    options: &CloneOptions,
    memory: Memory,
    behavior: Option<&Behavior<'_>>,
    whole: Option<&Whole>,
    progress: &dyn Progress,
) -> Result<(Detected, Option<Arc<Commonness>>), DetectError> {
    let counted = || Commonness::of(collection).map(Arc::new);
    let counts = match whole {
        Some(whole) => whole.commonness.clone(),
        None => options.judges_anything().then(counted).transpose()?,
    };
    let limit = options.limit_among(whole.map_or(collection.tokens.total(), |whole| whole.tokens));
    let search = FragmentsAndRuns { collection, options, memory, limit, counts: counts.as_deref() };
    let mut detected = Detected::default();
    for &kind in options.granularity.iter().filter(|&&kind| kind != FragmentKind::Run) {
        search.add_fragments(kind, behavior, progress, &mut detected)?;
    }
    let mut detected = detected.sorted();
    if options.wants(FragmentKind::Run) {
        progress.stage("looking for runs", 0);
        detected = search.with_runs(samples, detected)?;
    }
    Ok((detected, counts))
}

/// What fragments of one kind have in common.
struct Alike {
    equal: Equal,
    links: Vec<Link>,
    /// The twin groups and the links before they were judged, where Type-4 is asked for: what is no copy does not come
    /// back as code that does the same.
    before: Option<(Vec<u32>, Vec<Link>)>,
}

/// Looks for what the options ask for.
struct FragmentsAndRuns<'s> {
    collection: &'s Collection,
    options: &'s CloneOptions,
    memory: Memory,
    limit: Limit,
    counts: Option<&'s Commonness>,
}

impl FragmentsAndRuns<'_> {
    /// Adds the fragments of one kind that are copies of others or do the same.
    fn add_fragments(
        &self,
        kind: FragmentKind,
        behavior: Option<&Behavior<'_>>,
        progress: &dyn Progress,
        detected: &mut Detected,
    ) -> Result<(), DetectError> {
        progress.stage("comparing fragments", 0);
        let Alike { mut equal, mut links, before } = self.alike(kind)?;
        if let Some(behavior) = behavior {
            progress.stage("comparing behavior", 0);
            if let Some(least) = self.options.validate {
                links = behavior.validated(self.collection, &equal, links, least)?;
            }
            if let Some((mut twins, alike)) = before {
                std::mem::swap(&mut equal.twins, &mut twins);
                links.extend(behavior.links(self.collection, &equal, &alike)?);
                equal.twins = twins;
            }
        }
        add_fragments(self.collection, &equal, links, kind, detected);
        Ok(())
    }

    /// The fragments of one kind that are equal, and those that are edited copies.
    fn alike(&self, kind: FragmentKind) -> Result<Alike, DetectError> {
        let &Self { collection, options, limit, counts, .. } = self;
        let selected = selected(collection, kind, limit)?;
        let settings = EqualSettings {
            // Renamed copies are never edited ones, nor written otherwise.
            type_2: (2..=4).any(|clone_type| options.wants_type(clone_type)),
            renaming: options.renaming(),
            cross_families: options.cross_language,
        };
        let mut equal = equal::group(collection, &selected, settings)?;
        let mut links = if options.wants_type(3) {
            let settings = SimilarSettings {
                similarity: options.threshold(),
                cross_families: options.cross_language,
                memory: self.memory.search(),
                evidence: counts.and_then(Commonness::if_large_enough).filter(|_| options.judges_fragments()),
            };
            options.measure.similarity().links(collection, &equal, &settings)?
        } else {
            Vec::new()
        };
        let before = options.wants_type(4).then(|| (equal.twins.clone(), links.clone()));
        if let Some(commonness) = counts {
            let judge = Judge { collection, commonness, limit };
            judge.split_equal(&mut equal)?;
            links = judge.copies_among(&equal, links)?;
        }
        Ok(Alike { equal, links, before })
    }

    /// Adds the runs that lie outside of the functions that were found.
    fn with_runs(
        &self,
        samples: &[Option<Vec<FileFingerprints>>],
        mut detected: Detected,
    ) -> Result<Detected, DetectError> {
        let &Self { collection, options, limit, memory, .. } = self;
        let mut runs = self.runs(samples)?;
        if options.wants(FragmentKind::Function) {
            let matches = detected.into_matches();
            runs = outside_functions(collection, options, limit, &matches, runs)?;
            detected = Detected::of(matches);
        }
        let places: usize = runs.iter().map(|run| run.items.len()).sum();
        memory.check_found(detected.items.len() + places, detected.links.len())?;
        add_runs(collection, runs, &mut detected)?;
        Ok(detected.sorted())
    }

    /// All runs, whatever else covers them.
    fn runs(&self, samples: &[Option<Vec<FileFingerprints>>]) -> Result<Vec<RunClass>, DetectError> {
        let &Self { collection, options, limit, memory, counts } = self;
        let commonness = counts.and_then(Commonness::if_large_enough);
        let (mut all, mut places) = (Vec::new(), 0);
        for (settings, samples) in run_searches(options, memory.search()).iter().zip(samples) {
            let judges = options.judges_runs() && settings.type_2;
            let judge = judges.then_some(evidence::Judge { commonness });
            let part = match samples {
                Some(samples) => runs::find_with(collection, settings, judge, samples)?,
                None => runs::find(collection, settings, judge)?,
            };
            places +=
                part.groups.iter().map(|group| group.members.len()).sum::<usize>() + 2 * part.pairs.len();
            memory.check_runs(places)?;
            let counts = counts.filter(|_| options.judges_runs());
            all.extend(run_classes(runs::whole_statements(collection, part, judge, counts, limit)?));
        }
        Ok(all)
    }
}

/// The fragments of one kind that may be copies of anything.
fn selected(collection: &Collection, kind: FragmentKind, limit: Limit) -> io::Result<Vec<u32>> {
    let numbers = (0..collection.fragments.len() as u32).into_par_iter();
    let of_kind = numbers.filter(|&number| collection.fragments[number as usize].kind == kind as u8);
    let may_be_copied = |(tokens, starts): &mut (Vec<u32>, Vec<u32>), number: u32| {
        let fragment = &collection.fragments[number as usize];
        collection.line_starts_of(fragment, starts)?;
        let range = fragment.first..fragment.first + fragment.tokens;
        let symbols = collection.tokens.get(fragment.file, range, tokens)?;
        Ok(limit.may_be_copied(symbols, starts).then_some(number))
    };
    let selected = of_kind.map_init(Default::default, may_be_copied);
    Ok(selected.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Adds the nodes that are part of any pair.
fn add_fragments(
    collection: &Collection,
    equal: &Equal,
    links: Vec<Link>,
    kind: FragmentKind,
    detected: &mut Detected,
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
    let twins_before = detected.twins.iter().max().map_or(0, |most| most + 1);
    let mut number_of = vec![u32::MAX; equal.nodes.len()];
    for (node, members) in equal.nodes.iter().enumerate() {
        if members.len() < 2 && nodes_of_twin[equal.twins[node] as usize] < 2 && !linked[node] {
            continue;
        }
        let number = detected.twins.len() as u32;
        number_of[node] = number;
        detected.twins.push(twins_before + equal.twins[node]);
        for &member in members {
            let f = &collection.fragments[member as usize];
            let place = Place { file: f.file, tokens: Span::new(f.first, f.first + f.tokens) };
            detected.items.push(Item::fragment(kind, place, f.ordinal));
            detected.nodes.push(number);
        }
    }
    detected.links.extend(links.into_iter().map(|link| Link {
        left: number_of[link.left as usize],
        right: number_of[link.right as usize],
        ..link
    }));
}

/// A run that is made part of what was found: its items by the hash of their text, which stand in for nodes.
enum Added {
    Equal(Vec<(u64, Item)>),
    Merged(RunClass),
}

/// Adds runs as items: equal ones as nodes and twins, merged ones as links.
fn add_runs(collection: &Collection, runs: Vec<RunClass>, detected: &mut Detected) -> io::Result<()> {
    let mut twin = detected.twins.iter().max().map_or(0, |most| most + 1);
    let by_text = |run: RunClass| -> io::Result<Added> {
        if run.pieces.is_some() {
            return Ok(Added::Merged(run));
        }
        let mut buffer = Vec::new();
        let hashed = run.items.iter().map(|item| Ok((hash_of(collection, item, &mut buffer)?, *item)));
        let mut by_text: Vec<(u64, Item)> = hashed.collect::<io::Result<_>>()?;
        by_text.sort_by_key(|(hash, item)| (*hash, item.place));
        Ok(Added::Equal(by_text))
    };
    let runs: Vec<Added> = runs.into_par_iter().map(by_text).collect::<io::Result<_>>()?;
    for run in runs {
        let first = detected.twins.len() as u32;
        match run {
            Added::Merged(run) => {
                for &item in &run.items {
                    detected.nodes.push(detected.twins.len() as u32);
                    detected.twins.push(twin);
                    detected.items.push(item);
                    twin += 1;
                }
                detected.links.push(Link::edited(first, first + 1, run.similarity));
            }
            Added::Equal(by_text) => {
                for node in by_text.chunk_by(|a, b| a.0 == b.0) {
                    let number = detected.twins.len() as u32;
                    detected.twins.push(twin);
                    for &(_, item) in node {
                        detected.items.push(item);
                        detected.nodes.push(number);
                    }
                }
                twin += 1;
            }
        }
    }
    Ok(())
}

/// Hash of a run's text; of one that repeats its first period as written, of that period alone, wherever in the period the run starts.
/// A run that is periodic up to names is no such run.
fn hash_of(collection: &Collection, item: &Item, buffer: &mut Vec<u32>) -> io::Result<u64> {
    let tokens =
        collection.tokens.get(item.place.file, item.place.tokens.start..item.place.tokens.end, buffer)?;
    let period = (item.period as usize).min(tokens.len());
    if period == 0 || tokens[period..] != tokens[..tokens.len() - period] {
        return Ok(normal::hash(tokens));
    }
    let period = &tokens[..period];
    let rotated = |by: usize| period[by..].iter().chain(&period[..by]);
    let least = (0..period.len()).min_by(|&a, &b| rotated(a).cmp(rotated(b))).unwrap_or(0);
    let canonical: Vec<u32> = rotated(least).copied().collect();
    Ok(normal::hash(&canonical))
}
