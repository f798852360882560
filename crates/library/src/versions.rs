//! Versions of one file are one result.
//!
//! A file is what stands at one path of a project or of its forks, and at the paths that it was renamed from or to. Names come again,
//! though: another file may take the place of one that was renamed. So blobs that stand in one project at the same time, at different
//! paths, are no versions of one file, whatever they are called.

use std::collections::{BTreeMap, BTreeSet};

use familiar_index::project_history::FileKey;
use familiar_index::segment::SegmentError;
use familiar_report::find::{BlobRow, FoundBlob, OccurrenceRow};
use rustc_hash::FxHashMap;

use crate::disjoint_sets::DisjointSets;
use crate::witnesses::{Witness, Witnesses};

/// Puts the versions of one file under the best of them. What is handed in is in the order of its worth.
pub(crate) fn by_file(
    found: Vec<(FoundBlob, Vec<Witness>)>,
    witnesses: &Witnesses,
) -> Result<Vec<BlobRow>, SegmentError> {
    let (blobs, places): (Vec<FoundBlob>, Vec<Vec<Witness>>) = found.into_iter().unzip();
    let mut files = Files::default();
    let mut files_of_blob: Vec<Vec<usize>> = Vec::with_capacity(blobs.len());
    for places in &places {
        files_of_blob.push(
            places.iter().map(|place| Ok(files.of(&witnesses.files(place)?))).collect::<Result<_, _>>()?,
        );
    }
    let shared = shared_names(&places);
    let mut rows: Vec<BlobRow> = Vec::new();
    let mut stays: Vec<Stays> = Vec::new();
    let mut rows_of: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
    for ((mut blob, places), files_of_blob) in blobs.into_iter().zip(&places).zip(files_of_blob) {
        blob.occurrences = places.iter().map(|place| row(place, &shared, witnesses)).collect();
        blob.projects = places.iter().map(|place| &place.identity).collect::<BTreeSet<_>>().len();
        let files_of_blob: BTreeSet<usize> =
            files_of_blob.into_iter().map(|file| files.sets.of(file)).collect();
        let known: BTreeSet<usize> =
            files_of_blob.iter().filter_map(|file| rows_of.get(file)).flatten().copied().collect();
        let number = known.into_iter().find(|&row| !stays[row].are_beside(places)).unwrap_or(rows.len());
        if let Some(row) = rows.get_mut(number) {
            row.versions.push(blob);
        } else {
            rows.push(BlobRow { found: blob, versions: Vec::new() });
            stays.push(Stays::default());
        }
        stays[number].add(places);
        for file in files_of_blob {
            rows_of.entry(file).or_default().insert(number);
        }
    }
    Ok(rows)
}

/// The names that several projects have which are not the same, nor forks.
fn shared_names(places: &[Vec<Witness>]) -> BTreeSet<&str> {
    let mut identities: BTreeMap<&str, &str> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for place in places.iter().flatten() {
        let project = place.occurrence.project.as_str();
        if *identities.entry(project).or_insert(&place.identity) != place.identity {
            shared.insert(project);
        }
    }
    shared
}

/// A place, with its source where the project's name is not enough.
fn row(place: &Witness, shared: &BTreeSet<&str>, witnesses: &Witnesses) -> OccurrenceRow {
    let source =
        shared.contains(place.occurrence.project.as_str()).then(|| witnesses.name_of(place).to_owned());
    OccurrenceRow { source, ..place.row() }
}

/// Files, of which those with several names are one.
#[derive(Default)]
struct Files {
    numbers: FxHashMap<FileKey, usize>,
    sets: DisjointSets,
}

impl Files {
    /// The file that has all these names.
    fn of(&mut self, names: &[FileKey]) -> usize {
        let Self { numbers, sets } = self;
        let numbers = names.iter().map(|name| *numbers.entry(*name).or_insert_with(|| sets.add()));
        let numbers: Vec<usize> = numbers.collect();
        numbers.into_iter().reduce(|all, number| sets.join(all, number)).expect("a file has a name")
    }
}

/// Where the blobs of a result stand, and how long: by project.
#[derive(Default)]
struct Stays<'w>(BTreeMap<&'w str, Vec<&'w Witness>>);

impl<'w> Stays<'w> {
    fn add(&mut self, places: &'w [Witness]) {
        for place in places {
            self.0.entry(&place.occurrence.project).or_default().push(place);
        }
    }

    /// Whether some of them stand beside what stands at these places.
    fn are_beside(&self, places: &[Witness]) -> bool {
        places.iter().any(|place| {
            let known = self.0.get(place.occurrence.project.as_str());
            known.is_some_and(|known| known.iter().any(|known| known.is_beside(place)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_several_projects_have_is_told_with_the_source() {
        let place = |project: &str, identity: &str| {
            let project = project.to_owned();
            let occurrence = familiar_source::Occurrence { project, ..Default::default() };
            Witness { occurrence, identity: identity.to_owned(), ..Witness::default() }
        };
        let places = [vec![place("src", "1"), place("a", "3")], vec![place("src", "2"), place("a", "3")]];
        assert_eq!(shared_names(&places), ["src"].into());
    }

    #[test]
    fn a_file_is_one_under_all_its_names() {
        let key = |path: &str| FileKey::new("p", path, 1);
        let mut files = Files::default();
        let [a, b, c] = [files.of(&[key("a")]), files.of(&[key("b")]), files.of(&[key("c")])];
        files.of(&[key("d"), key("c"), key("a")]);
        assert_eq!(files.sets.of(a), files.sets.of(c));
        assert_ne!(files.sets.of(a), files.sets.of(b));
    }
}
