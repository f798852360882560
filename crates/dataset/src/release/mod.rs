//! A release of the benchmark, which others can use.
//!
//! | what | for whom |
//! |---|---|
//! | `standalone/` | GPTCloneBench's folders: a file for each pair, true and false semantic clones, by type and language |
//! | `cross_language/` | a file for each seed, with its translations |
//! | `bigcloneeval/` | sources, and the tables of BigCloneEval |
//! | `pairs.parquet` | everything in one table |
//! | `DATASHEET.md` | where it comes from, and what is known of it |
//! | `NOTICE` | the origin and the license of each function |
//! | `manifest.json` | each file with its SHA-256 |
//!
//! No test leaves a pair out: the column `tested` of the table has the verdict. What is true follows from the bands alone until people judge the pairs, and the datasheet says how many were judged. Pairs on which
//! judges contradict each other are left out. A release that is there is never changed.

mod asked;
mod bigcloneeval;
mod content;
mod datasheet;
mod files;
mod folders;
mod manifest;
mod notice;
mod table;
mod unfinished;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::DatasetError;
use crate::judge::released::Judged;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};
use crate::seed::Seed;
use crate::split::splits;
use crate::tested::Verdicts;
use content::Release;

pub use content::ReleaseOptions;
pub(crate) use unfinished::{is_any, unfinished};

/// The folder with the sources of a release, and the file that says where the pairs stand in it.
pub(crate) fn sources(project: &Project, version: &str) -> [PathBuf; 2] {
    bigcloneeval::sources(&project.path(file::RELEASES).join(version))
}

/// What was released.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReleaseResult {
    pub folder: PathBuf,
    pub pairs: u64,
    pub seeds: u64,
    pub files: u64,
}

/// Writes all files of a release into a folder, and tells how many there are.
fn write(release: &Release<'_>, folder: &Path) -> Result<u64, DatasetError> {
    folders::write(release, folder)?;
    bigcloneeval::write(release, folder)?;
    table::write(release, folder)?;
    datasheet::write(release, folder)?;
    notice::write(release, folder)?;
    manifest::write(release, folder)
}

/// Writes a release, whole or not at all.
pub fn run(project: &Project, options: &ReleaseOptions) -> Result<ReleaseResult, DatasetError> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if options.version.is_empty() || options.version.starts_with('.') || !options.version.chars().all(is_name)
    {
        return Err(DatasetError::Version(options.version.clone()));
    }
    let _lock = project.lock()?;
    let releases = project.path(file::RELEASES);
    let folder = releases.join(&options.version);
    if folder.exists() {
        return Err(DatasetError::Released(folder));
    }
    let mut pairs: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
    if pairs.is_empty() {
        return Err(DatasetError::Missing { what: "pairs", step: "filter" });
    }
    let judged = Judged::load(project, &pairs)?;
    // Doubtful pairs are left out behind the split, so that it is that of `inject`.
    let mut parts = splits(&pairs, options.seed);
    let mut kept = pairs.iter().map(|pair| !judged.is_doubtful(&pair.id));
    parts.retain(|_| kept.next().unwrap_or(false));
    pairs.retain(|pair| !judged.is_doubtful(&pair.id));
    if pairs.is_empty() {
        return Err(DatasetError::NothingLeft(project.folder().to_owned()));
    }
    let verdicts = Verdicts::of(project)?;
    let tested = pairs.iter().map(|pair| verdicts.verdict(pair).map(str::to_owned)).collect();
    let mut seeds = BTreeMap::new();
    let used: std::collections::BTreeSet<&str> = pairs.iter().map(|pair| pair.seed_id.as_str()).collect();
    lines::read(&project.path(file::SEEDS), "seeds", &mut |seed: Seed| {
        if used.contains(seed.seed_id.as_str()) {
            seeds.insert(seed.seed_id.clone(), seed);
        }
        Ok(())
    })?;
    let release = Release { project, options, splits: parts, pairs, seeds, judged, tested };
    let unfinished = unfinished::folder(&releases, &options.version);
    let failed = |source| DatasetError::Write { path: folder.clone(), source };
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(failed)?;
    }
    fs::create_dir_all(&unfinished).map_err(failed)?;
    let written = write(&release, &unfinished);
    let written = written.and_then(|files| fs::rename(&unfinished, &folder).map_err(failed).map(|()| files));
    if written.is_err() {
        // What cannot be removed now goes when the release is made again.
        let _ = fs::remove_dir_all(&unfinished);
    }
    let files = written?;
    Ok(ReleaseResult { folder, pairs: release.pairs.len() as u64, seeds: release.seeds.len() as u64, files })
}
