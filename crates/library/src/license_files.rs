//! The files of one project that speak for the license of others: which of them do for a file, and when.

use std::collections::BTreeMap;

use familiar_source::{BlobId, Occurrence};
use rustc_hash::FxHashMap;

/// Most files that are read for one state; those farther from the file are left out first.
const MOST_FILES: usize = 1024;

/// Folders whose files speak for the folder that these stand in.
const CARRIERS: [&str; 5] = [".reuse", "debian", "LICENSES", "META-INF", "EGG-INFO"];

/// All license files of a project, whenever they stood there.
#[derive(Debug, Default)]
pub(crate) struct LicenseFiles {
    files: Vec<(BlobId, Occurrence)>,
    /// Numbers of files, by the folder that they speak for.
    by_home: FxHashMap<String, Vec<usize>>,
    /// Those that speak for one file, by its path.
    sidecars: FxHashMap<String, Vec<usize>>,
    /// Maven's, by the folder above the one that they speak for: a parent may stand beside its modules.
    poms: FxHashMap<String, Vec<usize>>,
}

/// By what the file counts that stands at a path: whether it came with the code, since when, its blob and its number.
type Newest = (bool, Option<i64>, BlobId, usize);

/// What is asked of a project's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// When the file came.
    Start,
    /// When it was last there.
    End,
}

impl LicenseFiles {
    pub(crate) fn new(files: Vec<(BlobId, Occurrence)>) -> Self {
        let mut declared = Self::default();
        for (number, (_, occurrence)) in files.iter().enumerate() {
            let path = &occurrence.path;
            if let Some(of) = path.strip_suffix(".license") {
                declared.sidecars.entry(of.to_owned()).or_default().push(number);
                continue;
            }
            let home = home(path);
            if name_of(path) == "pom.xml"
                && let Some(above) = above(home)
            {
                declared.poms.entry(above.to_owned()).or_default().push(number);
            }
            declared.by_home.entry(home.to_owned()).or_default().push(number);
        }
        declared.files = files;
        declared
    }

    /// Number of files.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// The files that may speak for the file of an occurrence at a moment: one for each path, in the order of paths.
    pub(crate) fn state(&self, of: &Occurrence, moment: Moment) -> Vec<(&str, BlobId)> {
        let speaking = self.speaking(of, moment).into_iter();
        let mut files: Vec<(&str, BlobId)> =
            speaking.map(|(blob, file)| (file.path.as_str(), *blob)).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The same with where they stand, those nearest to the file first.
    pub(crate) fn speaking(&self, of: &Occurrence, moment: Moment) -> Vec<&(BlobId, Occurrence)> {
        let mut latest: BTreeMap<(usize, &str), Newest> = BTreeMap::new();
        let mut take = |numbers: Option<&Vec<usize>>, distance: usize| {
            let mut any_pom = false;
            for &number in numbers.into_iter().flatten() {
                let (blob, file) = &self.files[number];
                if !stands(file, of, moment) {
                    continue;
                }
                any_pom |= name_of(&file.path) == "pom.xml";
                // Commits of one second are told apart where one of them brought both.
                let with = moment == Moment::Start && file.introduced_by == of.introduced_by;
                let found = (with, file.first_seen, *blob, number);
                let known = latest.entry((distance, file.path.as_str())).or_insert(found);
                *known = (*known).max(found);
            }
            any_pom
        };
        take(self.sidecars.get(&of.path), 0);
        let mut folder = above(&of.path);
        let mut distance = 1;
        while let Some(here) = folder {
            let has_pom = take(self.by_home.get(here), distance);
            folder = above(here);
            if has_pom {
                take(self.poms.get(here), distance);
                take(folder.and_then(|folder| self.poms.get(folder)), distance);
            }
            distance += 1;
        }
        latest.into_values().take(MOST_FILES).map(|(.., number)| &self.files[number]).collect()
    }
}

/// Whether a license file stands in the same release, or at the same moment of the same history, as what an occurrence says.
fn stands(file: &Occurrence, of: &Occurrence, moment: Moment) -> bool {
    if file.purl.is_some() || of.purl.is_some() {
        return file.purl == of.purl;
    }
    let (Some(came), Some(revision)) = (&file.introduced_by, &of.introduced_by) else { return true };
    let ends = |end: fn(i64, i64) -> bool, time: Option<i64>| {
        file.removed_by.is_some() && file.last_seen.zip(time).is_some_and(|(gone, time)| end(gone, time))
    };
    match moment {
        Moment::Start => {
            let is_gone =
                file.removed_by.as_ref() == Some(revision) || ends(|gone, time| gone <= time, of.first_seen);
            let is_earlier = file.first_seen.zip(of.first_seen).is_some_and(|(came, then)| came <= then);
            came == revision || is_earlier && !is_gone
        }
        Moment::End => {
            let is_late = of.last_seen.zip(file.first_seen).is_some_and(|(last, came)| came > last);
            let is_after = of.removed_by.as_ref() == Some(came);
            !is_late && !is_after && !ends(|gone, time| gone < time, of.last_seen)
        }
    }
}

/// The folder that a license file speaks for; empty for the root.
fn home(path: &str) -> &str {
    let folder = above(path).unwrap_or("");
    let is_carrier =
        |part: &str| CARRIERS.contains(&part) || part.ends_with(".dist-info") || part.ends_with(".egg-info");
    let mut start = 0;
    for part in folder.split('/') {
        if is_carrier(part) {
            return folder[..start].trim_end_matches('/');
        }
        start += part.len() + 1;
    }
    folder
}

/// The folder of a file or folder; none for the root, which is empty.
fn above(path: &str) -> Option<&str> {
    (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Occurrence {
        Occurrence { path: path.to_owned(), ..Occurrence::default() }
    }

    /// In a history, from the commit and time `came` until `gone`.
    fn in_history(path: &str, came: i64, gone: Option<i64>) -> Occurrence {
        Occurrence {
            introduced_by: Some(came.to_string()),
            first_seen: Some(came),
            removed_by: gone.map(|gone| gone.to_string()),
            last_seen: gone.or(Some(100)),
            ..file(path)
        }
    }

    /// The last path's state, as `path=number of the file`.
    #[track_caller]
    fn check(files: Vec<Occurrence>, of: &Occurrence, moment: Moment, expected: &[&str]) {
        let files = (1..).zip(files).map(|(number, file)| (BlobId([number; 20]), file)).collect();
        let declared = LicenseFiles::new(files);
        let state = declared.state(of, moment);
        let shown: Vec<String> = state.iter().map(|(path, blob)| format!("{path}={}", blob.0[0])).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn files_above_speak_and_those_beside_do_not() {
        let paths = ["LICENSE", "lib/COPYING", "other/LICENSE", "lib/x/a.py.license", "lib/x/b.py.license"];
        let expected = ["LICENSE=1", "lib/COPYING=2", "lib/x/a.py.license=4"];
        check(paths.map(file).to_vec(), &file("lib/x/a.py"), Moment::Start, &expected);
    }

    #[test]
    fn what_stands_in_a_folder_of_metadata_speaks_for_the_folder_above() {
        let paths =
            ["a-1.dist-info/METADATA", "b/META-INF/maven/g/b/pom.xml", ".reuse/dep5", "c/debian/copyright"];
        let expected = [".reuse/dep5=3", "a-1.dist-info/METADATA=1"];
        check(paths.map(file).to_vec(), &file("a/x.py"), Moment::Start, &expected);
        let expected = [".reuse/dep5=3", "a-1.dist-info/METADATA=1", "c/debian/copyright=4"];
        check(paths.map(file).to_vec(), &file("c/src/x.c"), Moment::Start, &expected);
    }

    #[test]
    fn a_parent_pom_may_stand_beside_its_modules() {
        let paths = ["module/pom.xml", "parent/pom.xml", "parent/LICENSE", "far/away/pom.xml"];
        let expected = ["module/pom.xml=1", "parent/pom.xml=2"];
        check(paths.map(file).to_vec(), &file("module/src/A.java"), Moment::Start, &expected);
    }

    #[test]
    fn the_time_of_an_occurrence_decides() {
        let license = |came, gone| in_history("LICENSE", came, gone);
        let files = || vec![license(10, Some(20)), license(20, Some(30)), license(30, None)];
        for (came, gone, start, end) in [
            (10, None, "LICENSE=1", "LICENSE=3"),
            (19, Some(20), "LICENSE=1", "LICENSE=1"),
            (20, Some(25), "LICENSE=2", "LICENSE=2"),
            (35, None, "LICENSE=3", "LICENSE=3"),
        ] {
            let of = in_history("a.py", came, gone);
            check(files(), &of, Moment::Start, &[start]);
            check(files(), &of, Moment::End, &[end]);
        }
        check(files(), &in_history("a.py", 5, Some(8)), Moment::Start, &[]);
        check(files(), &in_history("a.py", 5, Some(12)), Moment::End, &["LICENSE=1"]);
    }

    #[test]
    fn only_files_of_the_same_release_speak() {
        let of = |version: &str, path: &str| Occurrence {
            purl: Some(format!("pkg:pypi/a@{version}")),
            introduced_by: Some(version.to_owned()),
            ..file(path)
        };
        let files = vec![of("1", "LICENSE"), of("2", "LICENSE")];
        check(files, &of("2", "a.py"), Moment::Start, &["LICENSE=2"]);
    }
}
