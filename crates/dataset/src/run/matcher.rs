//! Which pairs are covered by what was reported.
//!
//! A pair is found if a reported pair covers both of its sides: at least 70 % of the lines of each, as BigCloneEval's coverage matcher has it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use familiar_detectors::{Region, Reported};

use super::result::{Found, RunResult};
use crate::error::DatasetError;
use crate::inject::Place;
use crate::lines;

/// So much of a side has to be covered.
const COVERED: f64 = 0.7;

/// Which pairs are covered by what was reported.
pub(super) struct Matcher {
    /// Both sides of each pair.
    pairs: BTreeMap<String, [Place; 2]>,
    /// The sides in each file.
    by_file: BTreeMap<String, Vec<(u32, u32, String, u8)>>,
    /// Where the folder is, as detectors may write it before the paths.
    roots: Vec<String>,
    folder: PathBuf,
    /// Whether paths are those of the folder, letter by letter, as our own search has them.
    is_exact: bool,
    /// The file that is meant by what a detector writes, where it has sides.
    meant: HashMap<String, Option<String>>,
    found: BTreeSet<String>,
    reported: u64,
    ours: u64,
}

impl Matcher {
    /// Reads where the pairs stand in `folder`; none where the file does not say.
    pub(super) fn open(places: &Path, folder: &Path) -> Result<Option<Self>, DatasetError> {
        let places: Vec<Place> = lines::all(places, "inject")?;
        if places.is_empty() {
            return Ok(None);
        }
        let mut by_file: BTreeMap<String, Vec<(u32, u32, String, u8)>> = BTreeMap::new();
        let mut pairs: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for place in places {
            let side = (place.start_line, place.end_line, place.id.clone(), place.side);
            by_file.entry(place.path.clone()).or_default().push(side);
            pairs.entry(place.id.clone()).or_default().push(place);
        }
        let both = |(id, sides): (String, Vec<Place>)| Some((id, <[Place; 2]>::try_from(sides).ok()?));
        let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let roots = [whole.as_path(), folder].map(|path| path.to_string_lossy().into_owned()).to_vec();
        Ok(Some(Self {
            pairs: pairs.into_iter().filter_map(both).collect(),
            by_file,
            roots,
            folder: folder.to_owned(),
            is_exact: false,
            meant: HashMap::new(),
            found: BTreeSet::new(),
            reported: 0,
            ours: 0,
        }))
    }

    /// Takes paths as they are.
    pub(super) fn exactly(self) -> Self {
        Self { is_exact: true, ..self }
    }

    pub(super) fn add(&mut self, pair: &Reported) {
        self.reported += 1;
        let left = self.covered(&pair.left);
        if left.is_empty() {
            return;
        }
        let right = self.covered(&pair.right);
        let both: Vec<String> = left
            .iter()
            .filter(|(id, side)| right.contains(&(id.clone(), 3 - side)))
            .map(|(id, _)| id.clone())
            .collect();
        self.ours += u64::from(!both.is_empty());
        self.found.extend(both);
    }

    /// The sides that a region covers.
    fn covered(&mut self, region: &Region) -> Vec<(String, u8)> {
        if !self.meant.contains_key(&region.path) {
            let file = self.file(&region.path).map(str::to_owned);
            self.meant.insert(region.path.clone(), file);
        }
        let file = self.meant.get(&region.path).and_then(Option::as_ref);
        let Some(sides) = file.and_then(|file| self.by_file.get(file)) else { return Vec::new() };
        let mut covered = Vec::new();
        for (start, end, id, side) in sides {
            let (first, last) = ((*start).max(region.start), (*end).min(region.end));
            let common = (last + 1).saturating_sub(first);
            if f64::from(common) >= COVERED * f64::from(end + 1 - start) {
                covered.push((id.clone(), *side));
            }
        }
        covered
    }

    /// The file with sides that a detector calls so. A file of the system without sides is that file, and none whose path is the end of
    /// its path.
    fn file<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        let has_sides = |name: &&str| self.by_file.contains_key(*name);
        if self.is_exact {
            return Some(path).filter(has_sides);
        }
        // A path from the root, or one that leads out of the folder, names no file below it by itself: the detector may have read a copy
        // of the system, or written the path from another folder.
        let is_below = |name: &str| {
            Path::new(name).components().all(|it| matches!(it, Component::Normal(_) | Component::CurDir))
        };
        let is_file = |name: &str| is_below(name) && self.folder.join(name).is_file();
        let meant = self.names(path).find(|name| has_sides(name) || is_file(name));
        meant.or_else(|| if is_below(path) { self.ending_with(path) } else { None }).filter(has_sides)
    }

    /// The one file with sides whose path ends with this one: BigCloneEval's rows have the last folder and the name of a file.
    fn ending_with(&self, path: &str) -> Option<&str> {
        let ends = |name: &&String| {
            name.strip_suffix(path.trim_start_matches("./")).is_some_and(|above| above.ends_with('/'))
        };
        let mut all = self.by_file.keys().filter(ends);
        all.next().filter(|_| all.next().is_none()).map(String::as_str)
    }

    /// What a file may be called below the folder that a detector calls so: its path behind that of the folder, or its path.
    pub(super) fn names<'p>(&'p self, path: &'p str) -> impl Iterator<Item = &'p str> {
        let behind = self.roots.iter().filter_map(move |root| path.strip_prefix(root.as_str()));
        let behind = behind.filter(|rest| rest.starts_with('/'));
        let names = behind.map(|rest| rest.trim_start_matches('/')).chain([path.trim_start_matches("./")]);
        // The folder's name, or a folder above it, may stand before the path.
        names.chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]))
    }

    /// Counts the pairs that were found.
    pub(super) fn count(self, result: &mut RunResult) {
        for (id, [one, other]) in &self.pairs {
            result.add(&Found {
                kind: one.kind,
                lang1: &one.lang,
                lang2: &other.lang,
                prompt: &one.prompt,
                is_found: self.found.contains(id),
            });
        }
        result.reported = Some([self.reported, self.ours]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::Kind;
    use crate::split::Split;

    #[test]
    fn a_pair_is_found_where_both_sides_are_covered() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |id: &str, side, path: &str, start_line, end_line| Place {
            id: id.to_owned(),
            side,
            kind: Kind::Type3,
            lang: "java".to_owned(),
            prompt: "p".to_owned(),
            split: Split::Train,
            path: path.to_owned(),
            start_line,
            end_line,
        };
        let places = [
            place("a", 1, "x/A.java", 11, 20),
            place("a", 2, "x/B.java", 31, 40),
            place("b", 1, "x/A.java", 51, 60),
            place("b", 2, "y/C.java", 1, 10),
        ];
        let manifest = folder.path().join("places.jsonl");
        lines::write(&manifest, &places).expect("it is written");
        let found = |left: (&str, u32, u32), right: (&str, u32, u32)| {
            let matcher = Matcher::open(&manifest, folder.path()).expect("it is read");
            let mut matcher = matcher.expect("it has places");
            let [left, right] =
                [left, right].map(|(path, start, end)| Region { path: path.to_owned(), start, end });
            matcher.add(&Reported { left, right });
            matcher.found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(found(("x/A.java", 11, 20), ("x/B.java", 34, 40)), ["a"]);
        assert_eq!(found(("x/B.java", 1, 99), ("./x/A.java", 14, 99)), ["a"]);
        assert_eq!(found(("x/A.java", 11, 20), ("x/B.java", 35, 40)), Vec::<String>::new());
        assert_eq!(found(("x/A.java", 11, 20), ("x/A.java", 51, 60)), Vec::<String>::new());
        let whole = folder.path().join("y/C.java");
        assert_eq!(found(("system/x/A.java", 51, 60), (&whole.to_string_lossy(), 1, 10)), ["b"]);
        let above = format!("../{}/", folder.path().file_name().expect("a name").to_string_lossy());
        std::fs::create_dir_all(folder.path().join("x")).expect("a folder");
        std::fs::write(folder.path().join("x/A.java"), "").expect("a file");
        assert_eq!(found((&format!("{above}x/A.java"), 51, 60), (&format!("{above}y/C.java"), 1, 10)), ["b"]);
        // BigCloneEval writes one folder above a file.
        let deep = [place("c", 1, "1/p/D.java", 1, 9), place("c", 2, "1/p/E.java", 1, 9)];
        let twice = [place("d", 1, "1/q/F.java", 1, 9), place("d", 2, "2/q/F.java", 1, 9)];
        lines::write(&manifest, places.iter().chain(&deep).chain(&twice)).expect("it is written");
        assert_eq!(found(("p/D.java", 1, 9), ("E.java", 1, 9)), ["c"]);
        assert_eq!(found(("q/F.java", 1, 9), ("1/q/F.java", 1, 9)), Vec::<String>::new());
        // A file of the system is itself, though the end of its path is the path of another one.
        std::fs::create_dir_all(folder.path().join("old/x")).expect("a folder");
        std::fs::write(folder.path().join("old/x/A.java"), "").expect("a file");
        assert_eq!(found(("old/x/A.java", 51, 60), ("y/C.java", 1, 10)), Vec::<String>::new());
    }
}
