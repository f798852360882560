//! What was read of licenses, kept for the next who asks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use familiar_license::Layer;
use familiar_license::infer::Declarations;
use familiar_source::BlobId;
use familiar_store::TextFile;
use rustc_hash::FxHashMap;

use crate::license_files::LicenseFiles;

/// What was read of licenses, for the next who asks.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// By source and project.
    pub(crate) projects: Mutex<Bounded<(usize, String), LicenseFiles>>,
    /// By source and the hash of the files' paths and blobs.
    pub(crate) states: Mutex<Bounded<(usize, u128), Declarations>>,
    /// What blobs say themselves.
    pub(crate) of_blobs: Mutex<Bounded<BlobId, Vec<Layer>>>,
    /// By part.
    pub(crate) texts: Mutex<BTreeMap<u64, Option<Arc<TextFile>>>>,
}

/// A map that starts anew when what it holds weighs too much.
#[derive(Debug)]
pub(crate) struct Bounded<K, V> {
    known: FxHashMap<K, Arc<V>>,
    weight: usize,
}

impl<K, V> Default for Bounded<K, V> {
    fn default() -> Self {
        Self { known: FxHashMap::default(), weight: 0 }
    }
}

/// What is known under a key, or what `read` gives with its weight, of which at most about `most` is kept.
pub(crate) fn cached<K: std::hash::Hash + Eq, V, E>(
    cache: &Mutex<Bounded<K, V>>,
    key: K,
    most: usize,
    read: impl FnOnce() -> Result<(V, usize), E>,
) -> Result<Arc<V>, E> {
    if let Some(known) = lock(cache).known.get(&key) {
        return Ok(Arc::clone(known));
    }
    let (value, weight) = read()?;
    let mut cache = lock(cache);
    if cache.weight + weight > most {
        *cache = Bounded::default();
    }
    cache.weight += weight;
    Ok(Arc::clone(cache.known.entry(key).or_insert_with(|| Arc::new(value))))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
