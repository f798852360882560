//! Versions of one file are one result.

use std::collections::BTreeSet;

use familiar_index::kin::FileKey;
use familiar_index::segment::SegmentError;
use familiar_report::find::{BlobRow, FoundBlob};
use rustc_hash::FxHashMap;

use super::witnesses::{Witness, Witnesses};

/// Puts the versions of one file under the best of them: what stands at the same path of the same project or of its forks, also
/// where the file was renamed between two of them. What is handed in is in the order of its worth.
pub(super) fn by_file(
    found: Vec<(FoundBlob, Vec<Witness>)>,
    witnesses: &Witnesses,
) -> Result<Vec<BlobRow>, SegmentError> {
    let mut files = Files::default();
    let mut own: Vec<Vec<usize>> = Vec::with_capacity(found.len());
    for (_, places) in &found {
        own.push(
            places.iter().map(|place| Ok(files.of(&witnesses.files(place)?))).collect::<Result<_, _>>()?,
        );
    }
    let mut rows: Vec<BlobRow> = Vec::new();
    let mut row_of: FxHashMap<usize, usize> = FxHashMap::default();
    for ((mut blob, places), own) in found.into_iter().zip(own) {
        blob.occurrences = places.iter().map(Witness::row).collect();
        blob.projects = places.iter().map(Witness::owner).collect::<BTreeSet<_>>().len();
        let known = own.iter().find_map(|&file| row_of.get(&files.top(file)).copied());
        let number = known.unwrap_or(rows.len());
        for file in own {
            row_of.entry(files.top(file)).or_insert(number);
        }
        match known {
            Some(number) => rows[number].versions.push(blob),
            None => rows.push(BlobRow { found: blob, versions: Vec::new() }),
        }
    }
    Ok(rows)
}

/// Files, of which those with several names are one.
#[derive(Default)]
struct Files {
    numbers: FxHashMap<FileKey, usize>,
    /// Another name of each file, or its own.
    parents: Vec<usize>,
}

impl Files {
    /// The file that has all these names.
    fn of(&mut self, names: &[FileKey]) -> usize {
        let mut all = None;
        for name in names {
            let next = self.parents.len();
            let number = *self.numbers.entry(*name).or_insert(next);
            if number == next {
                self.parents.push(next);
            }
            let top = self.top(number);
            let joined = all.map_or(top, |all| self.top(all));
            self.parents[top.max(joined)] = top.min(joined);
            all = Some(top.min(joined));
        }
        all.expect("a file has a name")
    }

    /// The number that stands for a file under all its names.
    fn top(&mut self, mut file: usize) -> usize {
        while self.parents[file] != file {
            self.parents[file] = self.parents[self.parents[file]];
            file = self.parents[file];
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_under_all_its_names() {
        let key = |path: &str| FileKey::new("p", path, 1);
        let mut files = Files::default();
        let [a, b, c] = [files.of(&[key("a")]), files.of(&[key("b")]), files.of(&[key("c")])];
        files.of(&[key("d"), key("c"), key("a")]);
        assert_eq!(files.top(a), files.top(c));
        assert_ne!(files.top(a), files.top(b));
    }
}
