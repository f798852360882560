//! Whether a problem of one set is what another one calls so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::DataError;
use crate::duplicates::DuplicatesError;
use crate::layout::Layout;
use crate::set::Set;

/// Fails where two sets give one id to problems that had different ids before the import.
pub(crate) fn check(data: &[PathBuf]) -> Result<(), DuplicatesError> {
    let sets: Vec<&PathBuf> = data.iter().filter(|path| Layout::is_set(path)).collect();
    if sets.len() < 2 {
        return Ok(());
    }
    let mut known: BTreeMap<String, (String, &Path)> = BTreeMap::new();
    for path in sets {
        let ids = Set::open(path).and_then(|set| set.source_ids()).map_err(DataError::from)?;
        for (problem, source) in ids {
            match known.get(&problem) {
                None => drop(known.insert(problem, (source, path))),
                Some((other, _)) if *other == source => {}
                Some((other, first)) => {
                    return Err(DuplicatesError::Problems {
                        problem,
                        first: (*first).to_owned(),
                        one: other.clone(),
                        second: path.clone(),
                        two: source,
                    });
                }
            }
        }
    }
    Ok(())
}
