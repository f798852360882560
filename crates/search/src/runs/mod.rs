//! Maximal repeated runs of tokens that respect no fragment boundary, as jscpd, PMD CPD and arid report them.
//!
//! Every file is sampled by winnowing ([`familiar_index::Sampler`]); samples with the same hash form a bucket. In each
//! bucket the places are split by what follows and by what precedes the sample (a walk over a sparse suffix tree, as in
//! Gusfield's algorithm for maximal repeats), which yields every set of places that share a maximal run. A run has many
//! samples; only the bucket of the sample that the run's first window chooses reports it.
//!
//! **Periodic code.** A stretch in which a short piece repeats itself (`0, 0, 0, …`, a literal table, the cases of a
//! switch) agrees with itself and with every other such stretch at any number of offsets. All maximal stretches of the
//! same repeated piece form one group of whole stretches ([`RunGroup::period`]); a stretch without another like it is
//! reported as its two halves.
//!
//! # Files
//!
//! `buckets` brings equal samples together, `refine` cuts a bucket into maximal runs, `periodic`
//! groups the stretches that the sampler of `familiar_index` found periodic, `consistent` checks
//! renaming, `copies` tells copies from idioms, `lists` says which runs only list something, `own`
//! which short runs say nothing of their own, `merge` joins runs over gaps, `whole` brings them to
//! whole statements.

mod buckets;
mod consistent;
mod copies;
mod lists;
mod merge;
mod own;
pub(crate) mod periodic;
mod refine;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod whole;

use crate::evidence::Judge;
use crate::{Edges, Place};
use familiar_index::{Collection, Periodic, Sampler, Samples, Sampling, Side};
use familiar_source::Span;
use familiar_syntax::normal::Renaming;
use periodic::Stretches;
use rayon::prelude::*;
use refine::Found;
use std::io;
use std::ops::RangeInclusive;
use text::Form;

pub use whole::whole;

/// What counts as a run, and how much memory the search may take.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// A run has at least this many tokens.
    pub min_tokens: u32,
    /// Compare normal forms (`renaming` says which) instead of raw symbols.
    pub type_2: bool,
    pub renaming: Renaming,
    /// Neighbouring runs with at most this many tokens between them, on both sides, are merged; 0 merges none.
    pub max_gap_tokens: u32,
    /// Compare files of different families.
    pub cross_families: bool,
    /// No run holds an import token.
    pub import_barriers: bool,
    /// Bytes that the tables of the search may take besides the tokens and the result.
    pub memory: usize,
}

impl RunSettings {
    fn form(&self) -> Form {
        Form { blind: self.type_2, barriers: self.import_barriers }
    }

    fn sampling(&self) -> Sampling {
        Sampling::for_runs(self.min_tokens)
    }
}

impl Member {
    /// What stands next to the place.
    pub fn edges(&self) -> Edges {
        Edges { before: self.edges.0, after: self.edges.1 }
    }
}

/// One place of a [`RunGroup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    pub place: Place,
    /// What stands before and after the place: where two members have the same before, or the same after, their pair
    /// is part of a longer run that another group holds.
    edges: (u32, u32),
}

/// Places that share a run: every two of them form a clone pair, unless they overlap or their sides do not pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunGroup {
    /// Ordered, at least two; the first is the representative.
    pub members: Vec<Member>,
    /// 0 where all places are equal. Otherwise each place is a maximal stretch that repeats the same piece of `period`
    /// tokens; the places are equal up to the number of repetitions and where in the piece they begin.
    pub period: u32,
}

impl RunGroup {
    /// The clone pairs of this group that are no part of a longer run: first and second place in order.
    pub fn pairs<'a>(&'a self, collection: &'a Collection) -> impl Iterator<Item = (Place, Place)> + 'a {
        self.members.iter().enumerate().flat_map(move |(at, a)| {
            let others = self.members[at + 1..].iter().filter(move |b| is_pair(collection, a, b));
            others.map(|b| (a.place, b.place))
        })
    }

    /// The longest place's number of tokens.
    fn len(&self) -> u32 {
        // Equal places are equally long.
        let members = if self.period == 0 { &self.members[..1] } else { &self.members };
        members.iter().map(|member| member.place.tokens.len()).max().unwrap_or(0)
    }
}

fn is_pair(collection: &Collection, a: &Member, b: &Member) -> bool {
    let apart = a.place.file != b.place.file || a.place.tokens.end <= b.place.tokens.start;
    let side = |member: &Member| collection.files[member.place.file as usize].side;
    a.edges().are_maximal_with(b.edges()) && apart && side(a).pairs_with(side(b))
}

/// Two places that agree but for small gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPair {
    pub left: Place,
    pub right: Place,
    /// Tokens that agree, over the tokens of the longer side.
    pub similarity: f64,
    /// What agrees: start on the left, start on the right, number of tokens; at least two, in order.
    pub pieces: Vec<(u32, u32, u32)>,
}

impl RunPair {
    /// The places of what agrees, in order.
    fn places(&self) -> Vec<(Place, Place)> {
        let place = |side: Place, start, tokens| Place { tokens: Span::new(start, start + tokens), ..side };
        let of_piece = |&(left, right, tokens): &(u32, u32, u32)| {
            (place(self.left, left, tokens), place(self.right, right, tokens))
        };
        self.pieces.iter().map(of_piece).collect()
    }
}

/// The result of [`find`]. Groups are ordered by their first place, longer ones first; pairs by left, then right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    pub groups: Vec<RunGroup>,
    pub pairs: Vec<RunPair>,
    /// Number of sampled k-grams.
    pub samples: u64,
}

/// What [`find`] needs to know of one file, computed while its tokens are at hand.
#[derive(Clone, Debug, Default)]
pub struct FileFingerprints {
    kgrams: Box<[(u32, u32)]>,
    periodic: Box<[Periodic]>,
}

impl FileFingerprints {
    /// Memory that the fingerprints take.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.kgrams) + size_of_val(&*self.periodic)
    }

    fn new(samples: &Samples) -> Self {
        Self { kgrams: samples.kgrams.as_slice().into(), periodic: samples.periodic.as_slice().into() }
    }
}

/// Computes the fingerprints of files; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Fingerprinter {
    form: Form,
    sampler: Sampler,
    normal: Vec<u32>,
    samples: Samples,
}

impl Fingerprinter {
    pub fn new(settings: &RunSettings) -> Self {
        Self {
            form: settings.form(),
            sampler: Sampler::new(settings.sampling()),
            normal: Vec::new(),
            samples: Samples::default(),
        }
    }

    /// The fingerprints of a file's symbols.
    pub fn file(&mut self, symbols: &[u32]) -> FileFingerprints {
        FileFingerprints::new(self.sample(symbols))
    }

    fn sample(&mut self, symbols: &[u32]) -> &mut Samples {
        self.samples.kgrams.clear();
        self.samples.periodic.clear();
        let form = self.form;
        let normal = if form.blind {
            self.normal.clear();
            self.normal.extend(symbols.iter().map(|&symbol| form.value(symbol)));
            &self.normal
        } else {
            symbols
        };
        let mut start = 0;
        for segment in normal.split(|&symbol| form.is_barrier(symbol)) {
            self.sampler.sample(segment, start, &mut self.samples);
            start += segment.len() as u32 + 1;
        }
        &mut self.samples
    }
}

/// All maximal repeated runs of a collection.
///
/// Computes the fingerprints itself; where they would take more than `settings.memory`, several times over, each time for
/// a part of the hashes. With a judge, renamed runs are split into those that are copies of one another. Fails where tokens
/// cannot be read, and with [`io::ErrorKind::OutOfMemory`] where the runs take more than twice `settings.memory`.
pub fn find(collection: &Collection, settings: &RunSettings, judge: Option<Judge<'_>>) -> io::Result<Runs> {
    let mut found = Found::default();
    let mut periodic = Vec::new();
    let mut samples = 0;
    for hashes in passes(collection, settings) {
        let files = fingerprints(collection, settings, &hashes)?;
        found.append(buckets::search(collection, settings, judge, &files, &hashes)?);
        samples += count(&files);
        periodic =
            files.into_iter().map(|file| FileFingerprints { kgrams: Box::default(), ..file }).collect();
    }
    finish(collection, settings, judge, &periodic, found, samples)
}

/// As [`find`], with the fingerprints of every file in order.
pub fn find_with(
    collection: &Collection,
    settings: &RunSettings,
    judge: Option<Judge<'_>>,
    files: &[FileFingerprints],
) -> io::Result<Runs> {
    debug_assert_eq!(files.len(), collection.files.len());
    let mut found = Found::default();
    for hashes in passes(collection, settings) {
        found.append(buckets::search(collection, settings, judge, files, &hashes)?);
    }
    finish(collection, settings, judge, files, found, count(files))
}

/// Ranges of hashes whose tables fit into the memory allowed.
fn passes(collection: &Collection, settings: &RunSettings) -> Vec<RangeInclusive<u32>> {
    let window = settings.sampling().window as u64;
    // A fingerprint in its file's table and one in the search's; a window of w has 2 / (w + 1) samples a token.
    let bytes = collection.tokens.total() * 2 / (window + 1) * 16;
    let passes = bytes.div_ceil((settings.memory as u64).max(1)).clamp(1, 64);
    let bound = |pass: u64| (pass << 32) / passes;
    (0..passes).map(|pass| bound(pass) as u32..=(bound(pass + 1) - 1) as u32).collect()
}

/// The fingerprints of all files whose hashes lie in `hashes`.
fn fingerprints(
    collection: &Collection,
    settings: &RunSettings,
    hashes: &RangeInclusive<u32>,
) -> io::Result<Vec<FileFingerprints>> {
    (0..collection.files.len() as u32)
        .into_par_iter()
        .map_init(
            || (Fingerprinter::new(settings), Vec::new()),
            |(fingerprinter, buffer), file| {
                let samples = fingerprinter.sample(collection.tokens.file(file, buffer)?);
                samples.kgrams.retain(|(hash, _)| hashes.contains(hash));
                Ok(FileFingerprints::new(samples))
            },
        )
        .collect()
}

fn count(files: &[FileFingerprints]) -> u64 {
    files.iter().map(|file| file.kgrams.len() as u64).sum()
}

/// Completes the groups that the buckets hold.
fn finish(
    collection: &Collection,
    settings: &RunSettings,
    judge: Option<Judge<'_>>,
    files: &[FileFingerprints],
    found: Found,
    samples: u64,
) -> io::Result<Runs> {
    let mut groups = found.groups;
    let stretches = Stretches::new(collection, settings, files, found.regions)?;
    groups.retain(|group| !stretches.hold(group));
    order(&mut groups);
    drop_repeated(&mut groups);
    for group in stretches.groups(collection, settings)? {
        match judge {
            Some(judge) => groups.extend(copies::stars(collection, judge, group)?),
            None => groups.push(group),
        }
    }
    if settings.type_2 && settings.renaming == Renaming::Consistent {
        groups = consistent::cut(collection, settings, groups)?;
    }
    order(&mut groups);
    groups.dedup();
    let pairs = merge::over_gaps(collection, settings, &mut groups);
    Ok(Runs { groups, pairs, samples })
}

/// Orders groups by their first place, longer and larger ones first.
fn order(groups: &mut [RunGroup]) {
    groups.sort_unstable_by(|a, b| {
        let sizes = (b.len(), b.members.len()).cmp(&(a.len(), a.members.len()));
        first(a).cmp(&first(b)).then(sizes).then_with(|| a.members.cmp(&b.members))
    });
}

/// Drops ordered groups that were found by several buckets: the same run has the same places.
fn drop_repeated(groups: &mut Vec<RunGroup>) {
    groups.dedup_by(|b, a| first(a) == first(b) && a.len() == b.len());
}

/// Where the first place of a group begins.
fn first(group: &RunGroup) -> (u32, u32) {
    let place = group.members[0].place;
    (place.file, place.tokens.start)
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
