//! Our own result: `familiar clones --format json`, or `ndjson`.
//!
//! The JSON document holds the rays of each class and the links between classes; `ndjson` has every pair.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::Path;

use serde::Deserialize;

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported};

#[derive(Deserialize)]
struct Document {
    fragments: Vec<Fragment>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Fragment {
    #[serde(default)]
    id: u64,
    path: String,
    start_line: u32,
    end_line: u32,
}

#[derive(Deserialize)]
struct Pair {
    left: u64,
    right: u64,
}

#[derive(Deserialize)]
struct Row {
    left: Fragment,
    right: Fragment,
}

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut file = input::open(path)?;
    let start = file.fill_buf().map_err(|source| DetectorError::Read { path: path.to_owned(), source })?;
    let first_line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has_lines = path.extension().is_some_and(|it| it == "ndjson" || it == "jsonl");
    if start.is_empty() && has_lines {
        // A result without pairs.
        return Ok(());
    }
    if serde_json::from_slice::<Row>(first_line).is_ok() {
        return input::lines(path, &mut |number, line| {
            let row: Row = serde_json::from_str(line)
                .map_err(|error| DetectorError::line(path, number, error.to_string()))?;
            each(Reported { left: row.left.into(), right: row.right.into() });
            Ok(())
        });
    }
    let document: Document =
        serde_json::from_reader(file).map_err(|error| DetectorError::format(path, error.to_string()))?;
    let regions: HashMap<u64, Region> =
        document.fragments.into_iter().map(|fragment| (fragment.id, fragment.into())).collect();
    for Pair { left, right } in document.pairs {
        let region = |id| {
            let known = regions.get(&id).cloned();
            known.ok_or_else(|| DetectorError::format(path, format!("there is no fragment {id}")))
        };
        each(Reported { left: region(left)?, right: region(right)? });
    }
    Ok(())
}

impl From<Fragment> for Region {
    fn from(fragment: Fragment) -> Self {
        Self { path: fragment.path, start: fragment.start_line, end: fragment.end_line }
    }
}
