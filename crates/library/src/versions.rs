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

/// Which blobs of a search are listed, so that no file takes the place of others: so many files, and so many versions of each.
///
/// What stands in one project at the same time counts as one file here, and is told apart only when it is put [`by_file`].
#[derive(Default)]
pub(crate) struct Chosen {
    files: Files,
    /// By the number of a file.
    row_of: FxHashMap<usize, usize>,
    /// How many blobs are chosen of each.
    rows: Vec<usize>,
}

impl Chosen {
    /// Whether there are so many files.
    pub(crate) fn is_full(&self, limit: usize) -> bool {
        self.rows.len() >= limit
    }

    /// Takes a blob that stands at some places, if neither its file nor the files are beyond the limit.
    pub(crate) fn takes(
        &mut self,
        places: &[Witness],
        witnesses: &Witnesses,
        limit: usize,
    ) -> Result<bool, SegmentError> {
        let names = places.iter().map(|place| witnesses.files(place)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.takes_file(&names, limit))
    }

    /// The same with the names of the file at each place.
    fn takes_file(&mut self, places: &[Vec<FileKey>], limit: usize) -> bool {
        let mut files = BTreeSet::new();
        let mut known: Option<usize> = None;
        for names in places {
            // Names of one file may have been taken for several until now.
            let before = self.files.numbers(names);
            let rows = before.iter().filter_map(|&name| self.row_of.get(&self.files.sets.of(name)).copied());
            known = rows.chain(known).min();
            files.insert(self.files.joined(&before));
        }
        let row = known.unwrap_or(self.rows.len());
        if row == self.rows.len() {
            if self.is_full(limit) {
                return false;
            }
            self.rows.push(0);
        }
        for file in files {
            self.row_of.entry(file).or_insert(row);
        }
        let is_taken = self.rows[row] < limit;
        self.rows[row] += usize::from(is_taken);
        is_taken
    }
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
        let numbers = self.numbers(names);
        self.joined(&numbers)
    }

    /// The number of each name.
    fn numbers(&mut self, names: &[FileKey]) -> Vec<usize> {
        let Self { numbers, sets } = self;
        names.iter().map(|name| *numbers.entry(*name).or_insert_with(|| sets.add())).collect()
    }

    /// The file that has all names of these numbers.
    fn joined(&mut self, numbers: &[usize]) -> usize {
        let joined = numbers.iter().copied().reduce(|all, number| self.sets.join(all, number));
        joined.expect("a file has a name")
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

    #[test]
    fn versions_of_one_file_leave_room_for_others() {
        let key = |path: &str| FileKey::new("p", path, 1);
        let mut chosen = Chosen::default();
        let mut takes =
            |paths: &[&str]| chosen.takes_file(&[paths.iter().map(|path| key(path)).collect::<Vec<_>>()], 2);
        assert!(takes(&["a"]) && takes(&["a"]) && !takes(&["a"]), "two versions of one file");
        assert!(takes(&["b"]) && !takes(&["c"]), "two files");
        assert!(!takes(&["d", "a"]) && takes(&["b", "e"]), "a file is one under all its names");
        assert!(!takes(&["e"]) && chosen.is_full(2));
        assert!(!Chosen::default().takes_file(&[vec![key("a")]], 0));
    }
}
