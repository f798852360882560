//! Blind groups cut to runs whose identifiers are renamed one to one.
//!
//! Places with the same numbering of identifiers by first appearance are equal under consistent renaming, so a blind
//! group falls into classes. Two classes still share shorter runs: the maximal stretches on which the identifiers
//! that occur in them map one to one, found by one pass with two ends (any part of such a stretch is one too).

use super::groups::{Member, RunGroup};
use super::settings::RunSettings;
use super::text::{At, Form, NOTHING, Reader};
use crate::Place;
use familiar_index::Collection;
use familiar_source::Span;
use familiar_syntax::normal::{Renamer, Renaming, Symbol};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::io;

/// Cuts every group; those of periodic stretches are first cut to the length of the shortest.
pub(super) fn cut(
    collection: &Collection,
    settings: &RunSettings,
    groups: Vec<RunGroup>,
) -> io::Result<Vec<RunGroup>> {
    let min_tokens = settings.sampling().tokens();
    let cutter = || Cutter::new(collection, settings.form(), min_tokens);
    let parts: Vec<Vec<RunGroup>> =
        groups.into_par_iter().map_init(cutter, Cutter::cut).collect::<io::Result<_>>()?;
    Ok(parts.into_iter().flatten().collect())
}

/// Cuts one group after another; keeps its memory.
pub(super) struct Cutter<'c> {
    collection: &'c Collection,
    reader: Reader<'c>,
    renamer: Renamer,
    min_tokens: usize,
}

impl<'c> Cutter<'c> {
    pub(super) fn new(collection: &'c Collection, form: Form, min_tokens: usize) -> Self {
        Self { collection, reader: Reader::new(collection, form), renamer: Renamer::default(), min_tokens }
    }

    /// The maximal stretches of at least `min_tokens` tokens on which members are renamed one to one.
    pub(super) fn cut(&mut self, group: RunGroup) -> io::Result<Vec<RunGroup>> {
        let classes = classes(&mut self.reader, &mut self.renamer, group)?;
        Ok(runs(self.collection, &classes, self.min_tokens))
    }
}

/// Members that are equal under consistent renaming, and the raw symbols of the first.
struct Class {
    members: Vec<Member>,
    symbols: Vec<Symbol>,
}

fn classes(reader: &mut Reader<'_>, renamer: &mut Renamer, group: RunGroup) -> io::Result<Vec<Class>> {
    let members = if group.period > 0 { level(reader, group)? } else { group.members };
    let mut classes: BTreeMap<Vec<u32>, Class> = BTreeMap::new();
    for member in members {
        let Place { file, tokens } = member.place;
        let raw = reader.raw(At { file, offset: tokens.start }, tokens.len())?;
        let mut normal = Vec::new();
        renamer.rename(raw, Renaming::Consistent, &mut normal);
        let symbols: Vec<Symbol> = raw.iter().map(|&symbol| Symbol(symbol)).collect();
        let class = classes.entry(normal).or_insert_with(|| Class { members: Vec::new(), symbols });
        class.members.push(member);
    }
    Ok(classes.into_values().collect())
}

/// Cuts periodic stretches to equal ones: the same phase, the same length.
fn level(reader: &mut Reader<'_>, group: RunGroup) -> io::Result<Vec<Member>> {
    let first = group.members[0].place;
    let len =
        group.members.iter().map(|member| member.place.tokens.len()).min().unwrap_or(0) - group.period + 1;
    let mut members = Vec::with_capacity(group.members.len());
    for member in group.members {
        let Place { file, tokens } = member.place;
        let start = At { file: first.file, offset: first.tokens.start };
        let mut phase = 0;
        while phase + 1 < group.period {
            let here = At { file, offset: tokens.start + phase };
            if reader.after(start, here, group.period)? == group.period {
                break;
            }
            phase += 1;
        }
        let tokens = Span::new(tokens.start + phase, tokens.start + phase + len);
        members.push(Member { place: Place { file, tokens }, edges: (NOTHING, NOTHING) });
    }
    Ok(members)
}

/// The maximal consistent runs within and between classes.
fn runs(collection: &Collection, classes: &[Class], min_tokens: usize) -> Vec<RunGroup> {
    let mut groups = Vec::new();
    // Pairs of classes that an earlier group with the same stretch holds.
    let mut held = FxHashSet::default();
    for (at, class) in classes.iter().enumerate() {
        if class.symbols.len() >= min_tokens {
            groups.push(RunGroup { members: class.members.clone(), period: 0 });
        }
        let mut shared: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (other, rival) in classes.iter().enumerate().skip(at + 1) {
            for stretch in stretches(&class.symbols, &rival.symbols, min_tokens) {
                if !held.contains(&(at, other, stretch)) {
                    shared.entry(stretch).or_default().push(other);
                }
            }
        }
        for (stretch, others) in shared {
            for (index, &other) in others.iter().enumerate() {
                held.extend(others[index + 1..].iter().map(|&third| (other, third, stretch)));
            }
            groups.push(between(classes, std::iter::once(at).chain(others), stretch));
        }
    }
    groups.retain(|group| group.members.len() > 64 || group.pairs(collection).next().is_some());
    groups
}

/// The group of a stretch that classes share; pairs inside one class are part of a longer run.
fn between(classes: &[Class], sharing: impl Iterator<Item = usize>, (start, end): (u32, u32)) -> RunGroup {
    let cut = |member: &Member, class: usize| {
        let Place { file, tokens } = member.place;
        let tokens = Span::new(tokens.start + start, tokens.start + end);
        Member { place: Place { file, tokens }, edges: (class as u32, class as u32) }
    };
    let mut members: Vec<_> = sharing
        .flat_map(|class| classes[class].members.iter().map(move |member| cut(member, class)))
        .collect();
    members.sort_unstable();
    RunGroup { members, period: 0 }
}

/// The maximal stretches of two blind-equal sequences whose identifiers map one to one.
fn stretches(a: &[Symbol], b: &[Symbol], min_tokens: usize) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut forth = Mapping::default();
    let mut back = Mapping::default();
    let mut start = 0;
    for (end, (&x, &y)) in a.iter().zip(b).enumerate() {
        let conflict = match (is_name(x), is_name(y)) {
            (true, true) => forth.conflict(x, y).max(back.conflict(y, x)),
            (false, false) => None,
            // An identifier against a built-in type is equal blindly, but not renamed one to one.
            _ => Some(end),
        };
        if let Some(at) = conflict.filter(|&at| at >= start) {
            if end - start >= min_tokens {
                found.push((start as u32, end as u32));
            }
            start = at + 1;
        }
        if is_name(x) && is_name(y) {
            forth.set(x, y, end);
            back.set(y, x, end);
        }
    }
    if a.len() - start >= min_tokens {
        found.push((start as u32, a.len() as u32));
    }
    found
}

fn is_name(symbol: Symbol) -> bool {
    symbol.class() == familiar_source::TokenClass::Identifier
}

/// For each identifier its latest partner, and where an earlier partner was last seen.
#[derive(Default)]
struct Mapping {
    partners: FxHashMap<Symbol, (Symbol, usize)>,
}

impl Mapping {
    /// The last position at which `from` stood against another identifier than `to`, if that was its latest partner.
    fn conflict(&self, from: Symbol, to: Symbol) -> Option<usize> {
        self.partners.get(&from).filter(|&&(partner, _)| partner != to).map(|&(_, at)| at)
    }

    fn set(&mut self, from: Symbol, to: Symbol, at: usize) {
        self.partners.insert(from, (to, at));
    }
}

/// Blind equality with a one-to-one renaming, for tests.
#[cfg(test)]
pub(super) fn is_consistent(form: Form, a: &[u32], b: &[u32]) -> bool {
    let equal = a.iter().zip(b).all(|(&x, &y)| form.value(x) == form.value(y));
    let [a, b] = [a, b].map(|side| {
        let mut renamed = Vec::new();
        Renamer::default().rename(side, Renaming::Consistent, &mut renamed);
        renamed
    });
    equal && a == b
}
