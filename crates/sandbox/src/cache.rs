//! Outcomes that are known already, by everything that they depend on.

use crate::layers::Layers;
use crate::limits::Limits;
use crate::program::{End, Outcome, Program, Test};
use crate::toolchain::Found;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Changes when an outcome of the same program can be another one: with the frames around programs, and with the form of outcomes.
const FORM: &str = "familiar.outcome/2";

/// The hash of a program, its test, the toolchain, the limits and the layers.
pub(crate) type Key = [u8; 32];

/// Outcomes in memory and, where a folder was given, in files of it.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
    known: Mutex<HashMap<Key, Outcome>>,
}

impl Cache {
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self { folder: Some(folder), known: Mutex::default() }
    }

    pub(crate) fn key(program: &Program, test: &Test, found: &Found, limits: &Limits, layers: Layers) -> Key {
        let rest = serde_json::json!([test, found.executable, found.version, limits, layers]).to_string();
        let mut hash = Sha256::new();
        for part in [FORM, program.language.name(), &program.text, &rest] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }

    /// What is known. A file that is not as it was written is as if it were not there.
    pub(crate) fn get(&self, key: &Key) -> Option<Outcome> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = known.get(key) {
            return Some(outcome.clone());
        }
        let text = fs::read(file_of(self.folder.as_ref()?, key)).ok()?;
        let outcome: Outcome = serde_json::from_slice(&text).ok()?;
        known.insert(*key, outcome.clone());
        Some(outcome)
    }

    /// Keeps an outcome. One that depends on how busy the machine was is not kept.
    pub(crate) fn put(&self, key: Key, outcome: &Outcome) {
        if matches!(outcome.end, End::TimedOut | End::Killed(libc::SIGKILL)) {
            return;
        }
        if let Some(folder) = &self.folder {
            // A cache that cannot be written to costs time and nothing else.
            let _ = write(folder, &key, outcome);
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, outcome.clone());
    }
}

fn write(folder: &Path, key: &Key, outcome: &Outcome) -> std::io::Result<()> {
    let file = file_of(folder, key);
    let above = file.parent().unwrap_or(folder);
    fs::create_dir_all(above)?;
    let mut new = tempfile::NamedTempFile::new_in(above)?;
    new.write_all(&serde_json::to_vec(outcome)?)?;
    new.persist(file)?;
    Ok(())
}

fn file_of(folder: &Path, key: &Key) -> PathBuf {
    use std::fmt::Write;
    let name = key.iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    });
    folder.join(&name[..2]).join(format!("{name}.json"))
}
