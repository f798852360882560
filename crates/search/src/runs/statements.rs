//! Runs brought to whole statements of one idea ([`crate::extent`]), as large as a clone must be.

use std::io;

use familiar_index::Collection;
use familiar_source::Span;
use rayon::prelude::*;

use super::consistent::Cutter;
use super::copies;
use super::cuts::{Cuts, all_common};
use super::groups::{Member, RunGroup, RunPair, Runs, first, is_pair, order};
use super::lists::Lists;
use super::short_runs::ShortRuns;
use super::text::Form;
use crate::evidence::{self, Commonness, Judge};
use crate::extent::Extents;
use crate::information::{Limit, bits_and_forms};
use crate::{Edges, Place};

/// The parts of `runs` that are whole statements and that `limit` allows. With a judge, the parts of renamed runs are
/// judged again: a part may say less than its run. Periodic runs stay as they are.
pub fn whole_statements(
    collection: &Collection,
    runs: Runs,
    judge: Option<Judge<'_>>,
    commonness: Option<&Commonness>,
    limit: Limit,
) -> io::Result<Runs> {
    let worker = || Worker {
        collection,
        judge,
        commonness,
        limit,
        extents: Extents::new(collection),
        tokens: Vec::new(),
        other: Vec::new(),
        starts: Vec::new(),
        short_runs: ShortRuns::new(collection, commonness, limit.evidence()),
        cutter: Cutter::new(collection, BLIND, limit.run_tokens() as usize),
    };
    let of_groups = runs.groups.into_par_iter().map_init(worker, Worker::group);
    let mut groups: Vec<RunGroup> =
        of_groups.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect();
    let of_pairs = runs.pairs.into_par_iter().map_init(worker, |worker, pair| worker.pair(&pair));
    let mut pairs = Vec::new();
    for (parts, merged) in of_pairs.collect::<io::Result<Vec<_>>>()? {
        groups.extend(parts);
        pairs.extend(merged);
    }
    order(&mut groups);
    groups.dedup_by(|b, a| first(a) == first(b) && a.members == b.members);
    pairs.sort_unstable_by(|a, b| (a.left, a.right, &a.pieces).cmp(&(b.left, b.right, &b.pieces)));
    pairs.dedup();
    Ok(Runs { groups, pairs, samples: runs.samples })
}

/// What a stretch lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Nothing,
    Data,
    Functions,
}

/// Names and literals count by their kind alone.
const BLIND: Form = Form { blind: true, barriers: false };

/// Members of a small renamed run that are cut into what is renamed throughout; each is compared with each.
const MOST_CUT: usize = 64;
/// Comparisons of places in one group, after which what is left is left out.
const MOST_TRIED: usize = 1 << 12;

struct Worker<'a> {
    collection: &'a Collection,
    judge: Option<Judge<'a>>,
    commonness: Option<&'a Commonness>,
    limit: Limit,
    extents: Extents<'a>,
    tokens: Vec<u32>,
    other: Vec<u32>,
    starts: Vec<u32>,
    short_runs: ShortRuns<'a>,
    cutter: Cutter<'a>,
}

impl Worker<'_> {
    /// The tokens of a place, and where in them statements begin.
    fn read(&mut self, Place { file, tokens }: Place) -> io::Result<(&[u32], &[u32])> {
        self.collection.line_starts_in(file, tokens.start..tokens.end, &mut self.starts)?;
        let symbols = self.collection.tokens.get(file, tokens.start..tokens.end, &mut self.tokens)?;
        Ok((symbols, &self.starts))
    }

    /// Whether a stretch is large enough for a small copy.
    fn allows(&mut self, file: u32, tokens: Span) -> io::Result<bool> {
        let limit = if self.is_markup(file) { self.limit.in_markup() } else { self.limit.of_small() };
        let least = self.limit.evidence().forms;
        let (symbols, starts) = self.read(Place { file, tokens })?;
        Ok(limit.allows(symbols, starts) && (least == 0 || bits_and_forms(symbols, starts).1 >= least))
    }

    /// Whether a stretch is so small that nothing but names that are renamed throughout may differ.
    fn is_small(&mut self, place: Place) -> io::Result<bool> {
        let limit = self.limit;
        let (symbols, starts) = self.read(place)?;
        Ok(!limit.allows(symbols, starts))
    }

    /// What a stretch lists.
    fn listed(&mut self, place: Place) -> io::Result<Listed> {
        let mut buffer = Vec::new();
        let all = self.collection.scopes.file(place.file, &mut buffer)?;
        let inside = all.chunks_exact(2).map(|scope| Span::new(scope[0], scope[1]));
        let inside = inside.filter(|&scope| place.tokens.contains(scope));
        let first = place.tokens.start;
        let scopes: Vec<(u32, u32)> = inside.map(|scope| (scope.start - first, scope.end - first)).collect();
        let lists = Lists::new();
        let (symbols, starts) = self.read(place)?;
        Ok(if lists.is_data(symbols, starts) {
            Listed::Data
        } else if lists.is_of_short_functions(symbols, starts, &scopes) {
            Listed::Functions
        } else {
            Listed::Nothing
        })
    }

    fn is_markup(&self, file: u32) -> bool {
        self.collection.files[file as usize].is_markup
    }

    fn group(&mut self, group: RunGroup) -> io::Result<Vec<RunGroup>> {
        if group.period > 0 {
            let RunGroup { mut members, period } = group;
            let mut allowed = Vec::with_capacity(members.len());
            for member in &members {
                allowed.push(self.allows(member.place.file, member.place.tokens)?);
            }
            let mut allowed = allowed.into_iter();
            members.retain(|_| allowed.next() == Some(true));
            return self.specific(RunGroup { members, period });
        }
        let whole = Span::new(0, group.members[0].place.tokens.len());
        let mut parts = Vec::new();
        for (part, members) in self.parts(&group)? {
            let Place { file, tokens } = members[0].place;
            let of_first = Span::new(tokens.start + part.start, tokens.start + part.end);
            if !self.allows(file, of_first)? {
                continue;
            }
            if part == whole {
                let group = RunGroup { members, period: 0 };
                parts.extend(self.specific(group.clone())?);
                self.add_renamed_parts(&group, &mut parts)?;
            } else {
                let members = members.iter().map(|member| member.part(tokens, of_first)).collect();
                self.add(RunGroup { members, period: 0 }, &mut parts)?;
            }
        }
        Ok(parts)
    }

    /// What of a run stands for something by itself, counted from the run's start, and the places where it does so. What stands around
    /// the places differs, so a part may be one at some of them alone. Two places share what lies within a part of each.
    fn parts(&mut self, group: &RunGroup) -> io::Result<Vec<(Span, Vec<Member>)>> {
        let mut cuts = Cuts::default();
        for (at, member) in group.members.iter().enumerate() {
            let start = member.place.tokens.start;
            let own = self.extents.of(member.place)?;
            cuts.add(at, own.iter().map(|part| Span::new(part.start - start, part.end - start)).collect());
        }
        let Cuts(cuts) = cuts;
        let mut all: Vec<Span> = cuts.iter().flat_map(|(cut, _)| cut.iter().copied()).collect();
        for (at, (one, _)) in cuts.iter().enumerate() {
            for (other, _) in &cuts[at + 1..] {
                all.extend(all_common(one, other));
            }
        }
        all.sort_unstable_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
        all.dedup();
        let mut found: Vec<(Span, Vec<Member>)> = Vec::new();
        for part in all {
            let within = |cut: &Vec<Span>| cut.iter().any(|whole| whole.contains(part));
            let mut places: Vec<usize> =
                cuts.iter().filter(|(cut, _)| within(cut)).flat_map(|(_, places)| places.clone()).collect();
            places.sort_unstable();
            let members: Vec<Member> = places.into_iter().map(|at| group.members[at]).collect();
            let is_held = |(whole, others): &(Span, Vec<Member>)| whole.contains(part) && *others == members;
            if members.len() > 1 && !found.iter().any(is_held) {
                found.push((part, members));
            }
        }
        Ok(found)
    }

    /// Adds what of a small renamed run is a copy although the run is none: the stretches on which its members are renamed
    /// throughout.
    fn add_renamed_parts(&mut self, group: &RunGroup, out: &mut Vec<RunGroup>) -> io::Result<()> {
        let first = group.members[0];
        if self.judge.is_none() || !self.is_small(first.place)? {
            return Ok(());
        }
        let mut members = vec![first];
        for member in &group.members[1..] {
            if !self.are_renamed_throughout(first.place, member.place)? {
                members.push(*member);
            }
        }
        if !(2..=MOST_CUT).contains(&members.len()) {
            return Ok(());
        }
        for cut in self.cutter.cut(RunGroup { members, period: 0 })? {
            let place = cut.members[0].place;
            for part in self.extents.of(place)? {
                if self.allows(place.file, part)? {
                    let members = cut.members.iter().map(|member| member.part(place.tokens, part)).collect();
                    self.add_copies(RunGroup { members, period: 0 }, out)?;
                }
            }
        }
        Ok(())
    }

    /// Adds what of a part is still a copy.
    fn add(&mut self, part: RunGroup, out: &mut Vec<RunGroup>) -> io::Result<()> {
        self.add_renamed_parts(&part, out)?;
        self.add_copies(part, out)
    }

    /// Adds the members of a part that are still copies.
    fn add_copies(&mut self, part: RunGroup, out: &mut Vec<RunGroup>) -> io::Result<()> {
        let stars = match self.judge {
            Some(judge) => copies::stars(self.collection, judge, part)?,
            None => vec![part],
        };
        for star in stars {
            out.extend(self.specific(star)?);
        }
        out.retain(|group| group.members.len() > 64 || group.pairs(self.collection).next().is_some());
        Ok(())
    }

    /// The members whose words in common with the first are specific, and so on with those that are left.
    fn specific(&mut self, group: RunGroup) -> io::Result<Vec<RunGroup>> {
        let Some(commonness) = self.commonness else {
            return Ok(if group.members.len() > 1 { vec![group] } else { Vec::new() });
        };
        let (copies, period) = (group.members.len(), group.period);
        let mut rest = group.members;
        let (mut stars, mut tried) = (Vec::new(), 0);
        while rest.len() > 1 && tried < MOST_TRIED {
            tried += rest.len();
            let star = self.star(commonness, &rest, copies, period)?;
            // They are in the order in which they stand in `rest`, and the first of both is one.
            let mut taken = star.iter().peekable();
            rest.retain(|member| taken.next_if(|one| *one == member).is_none());
            if star.len() > 1 {
                stars.push(RunGroup { members: star, period });
            }
        }
        Ok(stars)
    }

    /// The first of the members, and those that have enough in common with it, of a group of so many copies.
    fn star(
        &mut self,
        commonness: &Commonness,
        members: &[Member],
        copies: usize,
        period: u32,
    ) -> io::Result<Vec<Member>> {
        let first = members[0].place;
        let is_small = period == 0 && self.is_small(first)?;
        let mut star = vec![members[0]];
        for member in &members[1..] {
            let place = member.place;
            if is_small && !self.are_renamed_throughout(first, place)? {
                continue;
            }
            let in_tests = self.are_tests(first, place);
            let shared = self.shared(first, place)?;
            if commonness.is_specific(shared, copies, in_tests)
                && (period > 0 || self.short_runs.is_enough(&[(first, place)], copies)?)
            {
                star.push(*member);
            }
        }
        if star.len() > 1 { self.without_rows(star) } else { Ok(star) }
    }

    /// The members without those that are alike because both they and the first list something: rows of one table, and
    /// lists that are not equal as written.
    fn without_rows(&mut self, members: Vec<Member>) -> io::Result<Vec<Member>> {
        let first = members[0].place;
        let listed = self.listed(first)?;
        if listed == Listed::Nothing {
            return Ok(members);
        }
        let mut kept = vec![members[0]];
        for member in &members[1..] {
            let is_row = listed == Listed::Data && first.file == member.place.file;
            if !is_row && self.are_equal(first, member.place)? {
                kept.push(*member);
            }
        }
        Ok(kept)
    }

    fn are_tests(&self, left: Place, right: Place) -> bool {
        let is_test = |place: &Place| self.collection.files[place.file as usize].is_test(place.tokens.start);
        [left, right].iter().all(is_test)
    }

    fn are_equal(&mut self, left: Place, right: Place) -> io::Result<bool> {
        let Self { collection, tokens, other, .. } = self;
        let left = collection.tokens.get(left.file, left.tokens.start..left.tokens.end, tokens)?;
        let right = collection.tokens.get(right.file, right.tokens.start..right.tokens.end, other)?;
        Ok(left == right)
    }

    fn are_renamed_throughout(&mut self, left: Place, right: Place) -> io::Result<bool> {
        let Self { collection, tokens, other, .. } = self;
        let left = collection.tokens.get(left.file, left.tokens.start..left.tokens.end, tokens)?;
        let right = collection.tokens.get(right.file, right.tokens.start..right.tokens.end, other)?;
        let pairs: Vec<(u32, u32)> = left.iter().copied().zip(right.iter().copied()).collect();
        Ok(evidence::are_renamed_throughout(&pairs))
    }

    /// The tokens that stand at the same offsets of two places.
    fn shared(&mut self, left: Place, right: Place) -> io::Result<impl Iterator<Item = u32>> {
        let Self { collection, tokens, other, .. } = self;
        let left = collection.tokens.get(left.file, left.tokens.start..left.tokens.end, tokens)?;
        let right = collection.tokens.get(right.file, right.tokens.start..right.tokens.end, other)?;
        Ok(left.iter().zip(right).filter(|(a, b)| a == b).map(|(&a, _)| a))
    }

    /// Whether what the pieces of a merged run share is specific.
    fn pieces_are_specific(&mut self, pair: &RunPair) -> io::Result<bool> {
        let Some(commonness) = self.commonness else { return Ok(true) };
        let mut all = Vec::new();
        let is_small = self.is_small(pair.left)? || self.is_small(pair.right)?;
        let pieces = pair.places();
        for &(left, right) in &pieces {
            if is_small && !self.are_renamed_throughout(left, right)? {
                return Ok(false);
            }
            all.extend(self.shared(left, right)?);
        }
        let in_tests = self.are_tests(pair.left, pair.right);
        Ok(commonness.is_specific(all.into_iter(), 2, in_tests)
            && self.listed(pair.left)? == Listed::Nothing
            && self.short_runs.is_enough(&pieces, 2)?)
    }

    /// A merged run's parts: those that hold a gap, and those that are equal. What agrees in a part that says too little as
    /// a whole is looked at by itself.
    fn pair(&mut self, pair: &RunPair) -> io::Result<(Vec<RunGroup>, Vec<RunPair>)> {
        let (mut groups, mut merged) = (Vec::new(), Vec::new());
        for part in self.extents.of(pair.left)? {
            if !self.allows(pair.left.file, part)? {
                continue;
            }
            let is_whole = part == pair.left.tokens;
            let pieces: Vec<_> = pair.pieces.iter().filter_map(|&piece| inside(piece, part)).collect();
            if pieces.len() > 1 {
                let part = if is_whole { pair.clone() } else { of_pieces(pair, pieces.clone()) };
                if self.pieces_are_specific(&part)? {
                    merged.push(part);
                    continue;
                }
            }
            for piece in pieces {
                self.piece(pair, piece, &mut groups)?;
            }
        }
        Ok((groups, merged))
    }

    /// Adds what of a piece of a merged run is a copy by itself.
    fn piece(
        &mut self,
        pair: &RunPair,
        (left, right, tokens): (u32, u32, u32),
        out: &mut Vec<RunGroup>,
    ) -> io::Result<()> {
        let member = |file, start| Member {
            place: Place { file, tokens: Span::new(start, start + tokens) },
            edges: (Edges::NOTHING, Edges::NOTHING),
        };
        let members = [member(pair.left.file, left), member(pair.right.file, right)];
        if !is_pair(self.collection, &members[0], &members[1]) {
            return Ok(());
        }
        let place = members[0].place;
        for part in self.extents.of(place)? {
            if self.allows(place.file, part)? {
                let members = members.iter().map(|member| member.part(place.tokens, part)).collect();
                self.add(RunGroup { members, period: 0 }, out)?;
            }
        }
        Ok(())
    }
}

impl Member {
    /// The same part of this member that `part` is of the first, `whole`.
    fn part(&self, whole: Span, part: Span) -> Self {
        let at = |offset: u32| self.place.tokens.start + (offset - whole.start);
        let tokens = Span::new(at(part.start), at(part.end));
        let edges = (
            if part.start == whole.start { self.edges.0 } else { Edges::NOTHING },
            if part.end == whole.end { self.edges.1 } else { Edges::NOTHING },
        );
        Self { place: Place { tokens, ..self.place }, edges }
    }
}

/// What of an equal piece lies in `part` of the left side.
fn inside((left, right, tokens): (u32, u32, u32), part: Span) -> Option<(u32, u32, u32)> {
    let (start, end) = (left.max(part.start), (left + tokens).min(part.end));
    (start < end).then(|| (start, right + (start - left), end - start))
}

fn of_pieces(pair: &RunPair, pieces: Vec<(u32, u32, u32)>) -> RunPair {
    let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
    let side = |place: Place, start, end| Place { tokens: Span::new(start, end), ..place };
    let left = side(pair.left, first.0, last.0 + last.2);
    let right = side(pair.right, first.1, last.1 + last.2);
    let matched: u32 = pieces.iter().map(|piece| piece.2).sum();
    let longer = left.tokens.len().max(right.tokens.len());
    RunPair { left, right, similarity: f64::from(matched) / f64::from(longer), pieces }
}
