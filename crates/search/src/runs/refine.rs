//! One bucket of equal samples to the sets of places that share a maximal run.
//!
//! The members of a bucket are split by the tokens that follow the sample, level by level as in a suffix tree: at each
//! node all members agree on the next `after` tokens and differ in the one behind. The members of a node are split the
//! same way by what precedes the sample. A pair of nodes is a maximal repeat. It is reported if the run's first window
//! chooses this very sample (see [`Refiner::is_first`]); that bounds how far back members need to be compared.
//!
//! A stretch with a period too long to be cut out by sampling puts a chain of members into the bucket, one each period.
//! Members inside a long chain are compared only so far that a run in no such stretch is still told apart
//! (`chains`); what two such stretches share is reported as a periodic group. So a chain costs time linear in
//! its length.

use super::copies;
use super::fingerprints::FileFingerprints;
use super::groups::{Member, RunGroup};
use super::settings::RunSearch;
use super::text::{At, NOTHING, Reader};
use crate::Place;
use crate::evidence::Judge;
use familiar_index::{Collection, Periodic, Sampler, Sampling, Side};
use familiar_source::Span;
use std::io;

/// The groups of a bucket, and the periodic stretches (by file) met on the way.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub groups: Vec<RunGroup>,
    pub regions: Vec<(u32, Periodic)>,
}

impl Found {
    pub(super) fn bytes(&self) -> usize {
        let of_group = |group: &RunGroup| size_of::<RunGroup>() + group.members.len() * size_of::<Member>();
        self.groups.iter().map(of_group).sum()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.groups.extend(other.groups);
        self.regions.extend(other.regions);
    }
}

/// A sample in a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) at: At,
    /// The most tokens before the sample that matter.
    pub(super) back: u32,
    /// The most tokens from the sample on that matter.
    pub(super) reach: u32,
    pub(super) chain: Option<Periodic>,
    /// A stretch with a longer period around that one, or without one.
    pub(super) outer: Option<Periodic>,
    /// Whether a run may begin before what the sampling bound allows, because its first sample is cut short.
    pub(super) tail: bool,
    /// Members of one class agree on more than `back` tokens before the sample.
    class: u32,
    /// What follows at the node at hand.
    next: u64,
}

impl Entry {
    /// The run that begins `before` tokens before the sample.
    fn place(&self, before: u32, len: u32) -> Place {
        let start = self.at.offset - before;
        Place { file: self.at.file, tokens: Span::new(start, start + len) }
    }

    /// Whether that run lies in the long stretch that the sample is in, and repeats its piece.
    fn is_inside_chain(&self, before: u32, len: u32) -> bool {
        let span = self.place(before, len).tokens;
        [self.chain, self.outer]
            .into_iter()
            .flatten()
            .any(|chain| chain.start <= span.start && span.end <= chain.end && 2 * chain.period <= len)
    }
}

/// Searches buckets; keeps its memory from one to the next.
pub(super) struct Refiner<'a> {
    pub(super) reader: Reader<'a>,
    collection: &'a Collection,
    judge: Option<Judge<'a>>,
    files: &'a [FileFingerprints],
    pub(super) sampling: Sampling,
    sampler: Sampler,
    pub(super) min_tokens: u32,
    pub(super) entries: Vec<Entry>,
    pub(super) found: Found,
}

impl<'a> Refiner<'a> {
    pub(super) fn new(search: RunSearch<'a>, files: &'a [FileFingerprints]) -> Self {
        let RunSearch { collection, settings, judge } = search;
        let sampling = settings.sampling();
        Self {
            reader: Reader::new(collection, settings.form()),
            collection,
            judge,
            files,
            sampling,
            sampler: Sampler::new(sampling),
            min_tokens: sampling.tokens() as u32,
            entries: Vec::new(),
            found: Found::default(),
        }
    }

    /// What was found since the last call.
    pub(super) fn take(&mut self) -> Found {
        std::mem::take(&mut self.found)
    }

    /// Searches the samples at `places`, which have the same hash and are in order.
    pub(super) fn bucket(&mut self, places: impl Iterator<Item = At>) -> io::Result<()> {
        self.entries.clear();
        for at in places {
            let back = self.back(at);
            let (chain, outer) = (None, None);
            self.entries.push(Entry {
                at,
                back,
                reach: u32::MAX,
                chain,
                outer,
                tail: false,
                class: 0,
                next: 0,
            });
        }
        if !any_pair(self.entries.iter().map(|entry| self.collection.files[entry.at.file as usize].side))
            || self.is_covered()?
        {
            return Ok(());
        }
        if self.entries.len() > 2 {
            self.find_chains()?;
            self.find_outer_chains()?;
        }
        self.classify()?;
        self.walk_after()
    }

    /// The most tokens before a sample that a run can have whose first window chooses it.
    fn back(&self, at: At) -> u32 {
        let window = self.sampling.window as u32;
        let regions = &self.files[at.file as usize].periodic;
        // The window before the first that can choose the sample was skipped if it is periodic.
        let skipped = |region: &Periodic| {
            region.start + window <= at.offset && at.offset - window + self.min_tokens <= region.end
        };
        let after = regions.partition_point(|region| region.start <= at.offset);
        if regions[..after].iter().rev().take(4).any(skipped) { u32::MAX } else { window }
    }

    /// Whether every two members also agree on so much before the sample that another bucket reports their run.
    fn is_covered(&mut self) -> io::Result<bool> {
        let (first, others) = self.entries.split_first().expect("a bucket has two members");
        for other in others {
            let back = first.back.min(other.back);
            if back == u32::MAX || self.reader.before(first.at, other.at, back)? < back {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Numbers the members so that those of one class have no run to report among themselves.
    fn classify(&mut self) -> io::Result<()> {
        let mut classes = 0;
        let all: Vec<u32> = (0..self.entries.len() as u32).collect();
        let mut open = vec![(all, 0)];
        while let Some((members, from)) = open.pop() {
            let common = self.common_before(&members, from)?;
            for (node, saturated) in self.split_before(members, common)? {
                if saturated || node.len() == 1 {
                    classes += 1;
                    for at in node {
                        self.entries[at as usize].class = classes;
                    }
                } else {
                    open.push((node, common + 1));
                }
            }
        }
        Ok(())
    }

    /// Visits the nodes of the tree of what follows.
    fn walk_after(&mut self) -> io::Result<()> {
        let all: Vec<u32> = (0..self.entries.len() as u32).collect();
        let mut open = vec![(all, 0)];
        while let Some((mut members, from)) = open.pop() {
            let common = self.common_after(&members, from)?;
            for &at in &members {
                let Entry { at: place, reach, .. } = self.entries[at as usize];
                let behind = At { offset: place.offset + common, ..place };
                let value = if reach == common { NOTHING } else { self.reader.value(behind)? };
                self.entries[at as usize].next = label(value, at);
            }
            self.walk_before(&members, common)?;
            let entries = &self.entries;
            members.sort_unstable_by_key(|&at| (entries[at as usize].next, at));
            let children = members.chunk_by(|&a, &b| entries[a as usize].next == entries[b as usize].next);
            let worth = children.filter(|child| self.is_worth_a_visit(child));
            open.extend(worth.map(|child| (child.to_vec(), common + 1)));
        }
        Ok(())
    }

    fn is_worth_a_visit(&self, members: &[u32]) -> bool {
        let class = |at: u32| self.entries[at as usize].class;
        members.iter().any(|&at| class(at) != class(members[0])) && any_pair(self.sides(members))
    }

    fn sides(&self, members: &[u32]) -> impl Iterator<Item = familiar_index::Side> {
        members.iter().map(|&at| self.collection.files[self.entries[at as usize].at.file as usize].side)
    }

    /// Visits the nodes of the tree of what precedes, for members that agree on `after` tokens.
    fn walk_before(&mut self, members: &[u32], after: u32) -> io::Result<()> {
        if !self.is_worth_a_visit(members) {
            return Ok(());
        }
        // Members of one class stay together as far back as matters: one stands for all.
        let class = |entries: &[Entry], at: u32| entries[at as usize].class;
        let mut by_class = members.to_vec();
        by_class.sort_unstable_by_key(|&at| (class(&self.entries, at), at));
        let mut one_each = by_class.clone();
        one_each.dedup_by_key(|&mut at| class(&self.entries, at));
        let mut open = vec![(one_each, 0)];
        while let Some((node, from)) = open.pop() {
            let common = self.common_before(&node, from)?;
            let saturated = node.iter().any(|&at| self.entries[at as usize].back == common);
            if !saturated && common + after >= self.min_tokens {
                let all = self.with_their_classes(&node, &by_class);
                self.report(&all, common, after)?;
            }
            for (child, saturated) in self.split_before(node, common)? {
                if !saturated && child.len() > 1 {
                    open.push((child, common + 1));
                }
            }
        }
        Ok(())
    }

    /// The members, ordered by class, of the classes that those of `node` stand for.
    fn with_their_classes(&self, node: &[u32], by_class: &[u32]) -> Vec<u32> {
        let class = |at: u32| self.entries[at as usize].class;
        let mut all = Vec::with_capacity(by_class.len());
        for &at in node {
            let from = by_class.partition_point(|&other| class(other) < class(at));
            all.extend(by_class[from..].iter().take_while(|&&other| class(other) == class(at)));
        }
        all
    }

    /// How many tokens after the sample all members agree on, knowing that they do on `from`.
    fn common_after(&mut self, members: &[u32], from: u32) -> io::Result<u32> {
        let first = self.entries[members[0] as usize];
        let mut common = first.reach;
        for &at in &members[1..] {
            let other = self.entries[at as usize];
            let limit = common.min(other.reach) - from;
            let [a, b] = [first.at, other.at].map(|at| At { offset: at.offset + from, ..at });
            common = from + self.reader.after(a, b, limit)?;
        }
        Ok(common)
    }

    /// How many tokens before the sample all members agree on, knowing that they do on `from`.
    fn common_before(&mut self, members: &[u32], from: u32) -> io::Result<u32> {
        let first = self.entries[members[0] as usize];
        let mut common = first.back;
        for &at in &members[1..] {
            let other = self.entries[at as usize];
            let limit = common.min(other.back) - from;
            let [a, b] = [first.at, other.at].map(|at| At { offset: at.offset - from, ..at });
            common = from + self.reader.before(a, b, limit)?;
        }
        // A lone member has nothing to agree with; what it reaches back to is bounded by its file.
        Ok(common.min(first.at.offset))
    }

    /// Splits members that agree on `common` tokens before the sample by the token before those; those that matter no
    /// farther back form one node, marked `true`.
    fn split_before(&mut self, members: Vec<u32>, common: u32) -> io::Result<Vec<(Vec<u32>, bool)>> {
        let mut labelled = Vec::with_capacity(members.len());
        for at in members {
            let entry = self.entries[at as usize];
            let saturated = entry.back == common;
            let before = At { offset: entry.at.offset - common, ..entry.at };
            let value = if saturated { 0 } else { label(self.reader.value_before(before)?, at) };
            labelled.push((saturated, value, at));
        }
        labelled.sort_unstable();
        let nodes = labelled.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        Ok(nodes.map(|node| (node.iter().map(|&(_, _, at)| at).collect(), node[0].0)).collect())
    }

    /// Reports the run of `before + after` tokens that all members share, if it is maximal and not another bucket's.
    fn report(&mut self, members: &[u32], before: u32, after: u32) -> io::Result<()> {
        let entry = |at: u32| &self.entries[at as usize];
        let len = before + after;
        if members.iter().all(|&at| entry(at).next == entry(members[0]).next)
            || members.iter().all(|&at| entry(at).is_inside_chain(before, len))
        {
            return Ok(());
        }
        let tail = members.iter().any(|&at| entry(at).tail);
        if !tail && !self.is_first(entry(members[0]).place(before, len), before)? {
            return Ok(());
        }
        let mut group = Vec::with_capacity(members.len());
        for &at in members {
            let entry = self.entries[at as usize];
            let place = entry.place(before, len);
            let start = At { file: place.file, offset: place.tokens.start };
            let edges = (self.reader.value_before(start)?, unlabel(entry.next));
            group.push(Member { place, edges });
        }
        group.sort_unstable();
        self.add(RunGroup { members: group, period: 0 })
    }

    /// Whether the first window of the run at `place` that is not periodic chooses the sample `before` tokens in.
    fn is_first(&mut self, place: Place, before: u32) -> io::Result<bool> {
        let regions = &self.files[place.file as usize].periodic;
        let mut start = place.tokens.start;
        let held =
            |region: &&Periodic, start: u32| region.start <= start && start + self.min_tokens <= region.end;
        loop {
            let near = regions.partition_point(|region| region.start <= start);
            let Some(region) = regions[..near].iter().rev().take(4).find(|region| held(region, start)) else {
                break;
            };
            if place.tokens.end <= region.end {
                return Ok(false);
            }
            start = region.end - self.min_tokens + 1;
        }
        let window = self.reader.normal(At { file: place.file, offset: start }, self.min_tokens)?;
        Ok(start + self.sampler.first_choice(&window) as u32 == place.tokens.start + before)
    }

    /// Adds a group that implies a pair, and the stretches in which its run overlaps its own copy.
    fn add(&mut self, group: RunGroup) -> io::Result<()> {
        let stretch = |pair: &[Member]| Some((pair[0].place.file, overlapping(&pair[0], &pair[1])?));
        self.found.regions.extend(group.members.windows(2).filter_map(stretch));
        let groups = match self.judge {
            Some(judge) => copies::stars(self.collection, judge, group)?,
            None => vec![group],
        };
        for group in groups {
            if self.implies_a_pair(&group) {
                self.found.groups.push(group);
            }
        }
        Ok(())
    }

    /// Whether the group has a pair; not looked into where that takes many comparisons.
    fn implies_a_pair(&self, group: &RunGroup) -> bool {
        group.members.len() > 64 || group.pairs(self.collection).next().is_some()
    }
}

/// The periodic stretch that two overlapping members of a group are, if their pair is maximal.
fn overlapping(a: &Member, b: &Member) -> Option<Periodic> {
    let maximal =
        (a.edges.0 != b.edges.0 || a.edges.0 == NOTHING) && (a.edges.1 != b.edges.1 || a.edges.1 == NOTHING);
    let overlap = a.place.file == b.place.file && b.place.tokens.start < a.place.tokens.end;
    (maximal && overlap).then(|| Periodic {
        start: a.place.tokens.start,
        end: b.place.tokens.end,
        period: b.place.tokens.start - a.place.tokens.start,
    })
}

/// A member's label by a neighbouring token: equal for equal tokens, its own where there is none.
fn label(value: u32, member: u32) -> u64 {
    if value == NOTHING { 1 << 32 | u64::from(member) } else { u64::from(value) }
}

fn unlabel(label: u64) -> u32 {
    if label >> 32 == 0 { label as u32 } else { NOTHING }
}

/// Whether files on these sides hold a pair that is asked for.
fn any_pair(sides: impl Iterator<Item = Side>) -> bool {
    let (mut both, mut query, mut against) = (0, 0, 0);
    for side in sides {
        match side {
            Side::Both => both += 1,
            Side::Query => query += 1,
            Side::Against => against += 1,
        }
        if both > 1 || (both > 0 && query + against > 0) || (query > 0 && against > 0) {
            return true;
        }
    }
    false
}
