//! PATHs that hold each other: a file that several of them hold is one file, and no copy of itself.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use familiar_files::dir::Listing;
use familiar_files::{Document, Skip};

/// What is listed below some roots, each file once.
#[derive(Debug, Default)]
pub struct Once {
    /// A file that several roots hold stands below the innermost of them, and below the first of equal ones.
    pub listing: Listing,
    /// The files that were listed both below one of the first `queries` roots and below another one, by [`Document::file`].
    pub on_both_sides: HashSet<PathBuf>,
}

/// A listing of `roots`, the first `queries` of which are one side of a search, with each file once.
pub fn once(listing: Listing, roots: &[PathBuf], queries: usize) -> Once {
    let real: Vec<Option<PathBuf>> = roots.iter().map(|root| root.canonicalize().ok()).collect();
    let holds_another = |(number, root): (usize, &Option<PathBuf>)| {
        let others = real.iter().enumerate().filter(|&(other, _)| other != number);
        let Some(root) = root else { return false };
        others.flat_map(|(_, other)| other).any(|other| other.starts_with(root) || root.starts_with(other))
    };
    let overlaps: Vec<bool> = real.iter().enumerate().map(holds_another).collect();
    if !overlaps.contains(&true) {
        return Once { listing, on_both_sides: HashSet::new() };
    }
    let innermost = |root: u32| {
        let depth = real[root as usize].as_ref().map_or(0, |root| root.components().count());
        (Reverse(depth), root)
    };
    let place = |root: u32, below: &Path| -> Option<PathBuf> {
        let real = real[root as usize].as_ref().filter(|_| overlaps[root as usize])?;
        Some(if below.as_os_str().is_empty() { real.clone() } else { real.join(below) })
    };
    let of_document = |document: &Document| {
        place(document.root, document.file.strip_prefix(&roots[document.root as usize]).ok()?)
    };
    let of_skip = |skip: &Skip| place(skip.root, Path::new(skip.path.as_str()));
    let Listing { mut documents, mut skips } = listing;
    let kept = kept(documents.iter().map(|one| (one.root, of_document(one))), innermost);
    let is_query = |root: u32| (root as usize) < queries;
    let mut sides: HashMap<PathBuf, (bool, bool)> = HashMap::new();
    for document in &documents {
        let Some(place) = of_document(document) else { continue };
        let sides = sides.entry(place).or_default();
        sides.0 |= is_query(document.root);
        sides.1 |= !is_query(document.root);
    }
    let stands = |root: u32, place: Option<PathBuf>, kept: &HashMap<PathBuf, u32>| {
        place.is_none_or(|place| kept.get(&place) == Some(&root))
    };
    documents.retain(|one| stands(one.root, of_document(one), &kept));
    let is_on_both = |one: &&Document| of_document(one).is_some_and(|place| sides[&place] == (true, true));
    let on_both_sides = documents.iter().filter(is_on_both).map(|one| one.file.clone()).collect();
    let kept = self::kept(skips.iter().map(|one| (one.root, of_skip(one))), innermost);
    skips.retain(|one| stands(one.root, of_skip(one), &kept));
    Once { listing: Listing { documents, skips }, on_both_sides }
}

/// For each place the root that it is kept below, out of all that list it.
fn kept(
    listed: impl Iterator<Item = (u32, Option<PathBuf>)>,
    order: impl Fn(u32) -> (Reverse<usize>, u32),
) -> HashMap<PathBuf, u32> {
    let mut kept = HashMap::new();
    for (root, place) in listed {
        let Some(place) = place else { continue };
        let first = kept.entry(place).or_insert(root);
        if order(root) < order(*first) {
            *first = root;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use familiar_files::dir::{self, WalkOptions};

    use super::*;

    #[test]
    fn a_file_below_several_roots_stands_below_the_innermost() {
        let folder = tempfile::tempdir().expect("room");
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("one/sub")).expect("room");
        std::fs::create_dir(at("two")).expect("room");
        for path in ["one/a.py", "one/sub/b.py", "two/c.py"] {
            std::fs::write(at(path), "x").expect("room");
        }
        let listed = |roots: &[&str], queries: usize| {
            let roots: Vec<PathBuf> = roots.iter().map(|root| at(root)).collect();
            let all = dir::walk(&roots, &WalkOptions::default()).expect("they are there");
            let Once { listing, on_both_sides } = once(all, &roots, queries);
            let named = |one: &Document| {
                let both = if on_both_sides.contains(&one.file) { " both" } else { "" };
                format!("{} {}{both}", one.root, one.path.as_str())
            };
            listing.documents.iter().map(named).collect::<Vec<_>>()
        };
        assert_eq!(listed(&["one", "two"], 0), ["0 a.py", "0 sub/b.py", "1 c.py"]);
        assert_eq!(listed(&["one", "one/sub"], 0), ["0 a.py", "1 b.py"]);
        assert_eq!(listed(&["one/sub/b.py", "one", "one/../one"], 0), ["0 b.py", "1 a.py"]);
        assert_eq!(listed(&["one/sub", "one"], 1), ["0 b.py both", "1 a.py"]);
        assert_eq!(listed(&["one", "one"], 1), ["0 a.py both", "0 sub/b.py both"]);
    }
}
