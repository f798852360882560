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
//! `settings` says what counts as a run, `fingerprints` by what a file's runs are found, `groups` what comes of it.
//! `buckets` brings equal samples together, `refine` cuts a bucket into maximal runs, with `chains` for stretches
//! that repeat a piece, `periodic` groups the stretches that the sampler of `familiar_index` found periodic,
//! `consistent` checks renaming, `copies` tells copies from idioms, `lists` says which runs only list something,
//! `short_runs` which short runs say nothing of their own, `merge` joins runs over gaps, `statements` brings them
//! to whole statements, which `cuts` tells apart by what stands around a place. `shared` says what two files share around a
//! sample that both have.

mod buckets;
mod chains;
mod consistent;
mod copies;
mod cuts;
mod fingerprints;
mod groups;
mod lists;
mod merge;
pub(crate) mod periodic;
mod refine;
mod settings;
mod shared;
mod short_runs;
mod statements;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use crate::SearchError;
use crate::evidence::Judge;
use familiar_index::Collection;
use familiar_syntax::normal::Renaming;
use groups::{drop_repeated, order};
use periodic::Stretches;
use rayon::prelude::*;
use refine::Found;
use std::io;
use std::ops::RangeInclusive;

pub use fingerprints::{FileFingerprints, Fingerprinter};
pub use groups::{Member, RunGroup, RunPair, Runs};
use settings::RunSearch;
pub use settings::RunSettings;
pub use shared::{Context, piece_of, shared};
pub use statements::whole_statements;

/// All maximal repeated runs of a collection.
///
/// Computes the fingerprints itself; where they would take more than `settings.memory`, several times over, each time for
/// a part of the hashes. With a judge, renamed runs are split into those that are copies of one another. Fails where tokens
/// cannot be read, and where the runs take more than twice `settings.memory`.
pub fn find(
    collection: &Collection,
    settings: &RunSettings,
    judge: Option<Judge<'_>>,
) -> Result<Runs, SearchError> {
    prepare(judge);
    let search = RunSearch { collection, settings, judge };
    let mut found = Found::default();
    let mut periodic = Vec::new();
    let mut samples = 0;
    for hashes in passes(collection, settings) {
        let files = fingerprints(collection, settings, &hashes)?;
        found.append(buckets::search(search, &files, &hashes)?);
        samples += count(&files);
        periodic =
            files.into_iter().map(|file| FileFingerprints { kgrams: Box::default(), ..file }).collect();
    }
    Ok(finish(search, &periodic, found, samples)?)
}

/// As [`find`], with the fingerprints of every file in order.
pub fn find_with(
    collection: &Collection,
    settings: &RunSettings,
    judge: Option<Judge<'_>>,
    files: &[FileFingerprints],
) -> Result<Runs, SearchError> {
    debug_assert_eq!(files.len(), collection.files.len());
    prepare(judge);
    let search = RunSearch { collection, settings, judge };
    let mut found = Found::default();
    for hashes in passes(collection, settings) {
        found.append(buckets::search(search, files, &hashes)?);
    }
    Ok(finish(search, files, found, count(files))?)
}

fn prepare(judge: Option<Judge<'_>>) {
    if let Some(commonness) = judge.and_then(|judge| judge.commonness) {
        commonness.prepare();
    }
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
fn finish(search: RunSearch<'_>, files: &[FileFingerprints], found: Found, samples: u64) -> io::Result<Runs> {
    let RunSearch { collection, settings, judge } = search;
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
    let pairs = merge::over_gaps(collection, settings, &mut groups)?;
    order(&mut groups);
    Ok(Runs { groups, pairs, samples })
}
