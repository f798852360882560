//! What is shown of the files that are not open, where the whole workspace is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::findings::Finding;

/// What is to be asked about next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The whole tree.
    All,
    /// One file; `changed` where those that it has something in common with are to follow.
    One { file: PathBuf, changed: bool },
}

/// The files that show findings, and those that are to be asked about. Does nothing before [`Closed::begin`] says that it is wanted.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    is_wanted: bool,
    /// Whether the whole tree is to be asked about.
    all: bool,
    /// Single files, and whether each of them changed.
    files: BTreeMap<PathBuf, bool>,
    /// The files that show findings, with those that they have something in common with.
    shown: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Closed {
    /// Begins with a tree that was read. Gives the files that show nothing from now on, which is all of them where nothing is wanted.
    pub(crate) fn begin(&mut self, is_wanted: bool) -> Vec<PathBuf> {
        (self.is_wanted, self.all) = (is_wanted, is_wanted);
        self.files.clear();
        if is_wanted { Vec::new() } else { std::mem::take(&mut self.shown).into_keys().collect() }
    }

    pub(crate) fn is_done(&self) -> bool {
        !self.all && self.files.is_empty()
    }

    /// The whole tree is to be asked about.
    pub(crate) fn all(&mut self) {
        self.all = self.is_wanted;
    }

    /// A file is not open any more; it had something in common with others.
    pub(crate) fn closed(&mut self, file: PathBuf, others: BTreeSet<PathBuf>) {
        if self.is_wanted {
            self.shown.insert(file.clone(), others);
            self.changed(file);
        }
    }

    /// A file changed.
    pub(crate) fn changed(&mut self, file: PathBuf) {
        if self.is_wanted {
            self.files.insert(file, true);
        }
    }

    /// A file has something in common with one that changed.
    pub(crate) fn again(&mut self, file: PathBuf) {
        if self.is_wanted {
            self.files.entry(file).or_default();
        }
    }

    /// The files that show something in common with one. Of a large class each file names some others only, so both directions count.
    pub(crate) fn sharing_with(&self, file: &Path) -> Vec<PathBuf> {
        self.shown
            .iter()
            .filter(|(_, others)| others.contains(file))
            .map(|(other, _)| other.clone())
            .collect()
    }

    /// Everything that is shown is asked about once more.
    pub(crate) fn shown_again(&mut self) {
        for file in self.shown.keys() {
            self.files.entry(file.clone()).or_default();
        }
    }

    /// A file is open now; what it had something in common with.
    pub(crate) fn opened(&mut self, file: &Path) -> Option<BTreeSet<PathBuf>> {
        self.files.remove(file);
        self.shown.remove(file)
    }

    /// What is to be asked about next.
    pub(crate) fn next(&mut self) -> Option<Due> {
        if std::mem::take(&mut self.all) {
            self.files.clear();
            return Some(Due::All);
        }
        self.files.pop_first().map(|(file, changed)| Due::One { file, changed })
    }

    /// Takes what was found: what is to be told, and the files that are to be asked about, too.
    pub(crate) fn take(
        &mut self,
        due: &Due,
        found: Vec<(PathBuf, Vec<Finding>)>,
    ) -> (Vec<(PathBuf, Vec<Finding>)>, BTreeSet<PathBuf>) {
        let (mut told, mut related) = (Vec::new(), BTreeSet::new());
        let mut before = match due {
            Due::All => std::mem::take(&mut self.shown),
            Due::One { file, .. } => self.shown.remove_entry(file).into_iter().collect(),
        };
        for (file, findings) in found {
            let places = findings.iter().flat_map(|finding| &finding.places);
            let others: BTreeSet<PathBuf> = places.map(|place| place.file.clone()).collect();
            let earlier = before.remove(&file);
            if matches!(due, Due::One { changed: true, .. }) {
                let named = earlier.iter().flatten().chain(&others).cloned();
                related.extend(named.chain(self.sharing_with(&file)).filter(|other| *other != file));
            }
            if !findings.is_empty() {
                self.shown.insert(file.clone(), others);
            }
            if !findings.is_empty() || earlier.is_some() {
                told.push((file, findings));
            }
        }
        told.extend(before.into_keys().map(|file| (file, Vec::new())));
        (told, related)
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Lines;

    use super::*;
    use crate::findings::Place;

    fn finding(other: &str) -> Finding {
        let lines = Lines::new(1, 9);
        let place =
            Place { file: other.into(), path: other.to_owned(), lines, clone_type: 1, similarity: 1.0 };
        let (fingerprints, places) = (Vec::new(), vec![place]);
        Finding { lines, bytes: 0..9, clone_type: 1, places, more: 0, fingerprints }
    }

    fn told(closed: &mut Closed, found: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let due = closed.next().expect("something is due");
        let found = found.iter().map(|(file, other)| {
            let findings = if other.is_empty() { Vec::new() } else { vec![finding(other)] };
            (PathBuf::from(file), findings)
        });
        let (told, related) = closed.take(&due, found.collect());
        let told = told.iter().map(|(file, findings)| format!("{} {}", file.display(), findings.len()));
        (told.collect(), related.iter().map(|file| file.display().to_string()).collect())
    }

    #[test]
    fn files_that_have_something_in_common_with_a_changed_one_follow() {
        let mut closed = Closed::default();
        closed.changed("a".into());
        assert!(closed.is_done(), "nobody wants the whole workspace");
        assert!(closed.begin(true).is_empty());
        let all = told(&mut closed, &[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")]);
        assert_eq!(all, (["a 1", "b 1", "c 1", "d 1"].map(str::to_owned).to_vec(), Vec::new()));
        // It has nothing in common with `b` any more, and something with `c`.
        closed.changed("a".into());
        assert_eq!(
            told(&mut closed, &[("a", "c")]),
            (vec!["a 1".to_owned()], vec!["b".to_owned(), "c".to_owned()])
        );
        closed.again("b".into());
        assert_eq!(told(&mut closed, &[("b", "")]), (vec!["b 0".to_owned()], Vec::new()));
        // What never showed anything is not told.
        closed.again("e".into());
        assert_eq!(told(&mut closed, &[("e", "")]), (Vec::new(), Vec::new()));
        assert_eq!(closed.opened(Path::new("d")), Some([PathBuf::from("c")].into()));
        closed.all();
        let all = told(&mut closed, &[("c", "d")]);
        assert_eq!(all, (["c 1", "a 0"].map(str::to_owned).to_vec(), Vec::new()));
        assert_eq!(closed.begin(false), [PathBuf::from("c")]);
        closed.shown_again();
        assert!(closed.is_done());
        // `b` names `a` as one of many, and `a` does not name `b`.
        closed.begin(true);
        told(&mut closed, &[("a", "c"), ("b", "a"), ("c", "a")]);
        closed.changed("a".into());
        assert_eq!(told(&mut closed, &[("a", "")]).1, ["b", "c"]);
    }
}
