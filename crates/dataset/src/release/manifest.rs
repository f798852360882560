//! Each file of a release with its digest, and what the release was made by.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use familiar_source::words::hexadecimal;
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::content::Release;
use super::files::write_file;
use crate::error::DatasetError;
use crate::settings::Settings;

#[derive(Serialize)]
struct Manifest<'m> {
    schema: &'static str,
    name: &'m str,
    version: &'m str,
    made_by: String,
    seed: u64,
    settings: &'m Settings,
    pairs: usize,
    seeds: usize,
    /// SHA-256 by path.
    files: BTreeMap<String, String>,
}

/// Writes the manifest, and says how many files there are.
pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<u64, DatasetError> {
    let mut paths = Vec::new();
    below(folder, &mut paths)?;
    let files: BTreeMap<String, String> = paths
        .par_iter()
        .map(|path| {
            let bytes = fs::read(path).map_err(|source| DatasetError::Read { path: path.clone(), source })?;
            let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
            Ok((name, hexadecimal(&Sha256::digest(&bytes))))
        })
        .collect::<Result<_, DatasetError>>()?;
    let count = files.len() as u64;
    let manifest = Manifest {
        schema: "familiar.benchmark-release/1",
        name: &release.project.settings.name,
        version: &release.options.version,
        made_by: format!("familiar {}", env!("CARGO_PKG_VERSION")),
        seed: release.options.seed,
        settings: &release.project.settings,
        pairs: release.pairs.len(),
        seeds: release.seeds.len(),
        files,
    };
    let path = folder.join("manifest.json");
    let text = serde_json::to_string_pretty(&manifest)
        .map_err(|error| DatasetError::Write { path: path.clone(), source: error.into() })?;
    write_file(&path, &format!("{text}\n"))?;
    Ok(count)
}

fn below(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), DatasetError> {
    let failed = |source| DatasetError::Read { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            below(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
