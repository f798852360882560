//! Forks: projects that have most of their history in common, directly or by way of others, are one family.
//!
//! They have where more than half of the roots of each are the other's too. A branch of its own that begins with nothing, such as
//! `gh-pages`, makes no other project: where all roots of one are among those of the other, both began at the same time and the one has at
//! least half as many commits, they are forks as well. A history that several projects merged (`git subtree`) is the smaller part of each, and
//! makes them no forks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use familiar_index::project_history::ProjectHistory;
use rustc_hash::FxHashMap;

use crate::disjoint_sets::DisjointSets;

/// The families of several projects.
#[derive(Debug, Default)]
pub(crate) struct Families {
    /// The family of each project that has forks, by its source.
    of: FxHashMap<(usize, String), usize>,
    names: Vec<String>,
    /// Whether the projects of a family have several names.
    differ: Vec<bool>,
}

impl Families {
    /// The families of these projects, each with the number of its source. Each family is called like the one that is the oldest, of equally old ones the one with the most
    /// commits.
    pub(crate) fn new(sourced: &[(usize, ProjectHistory)]) -> Self {
        let projects: Vec<&ProjectHistory> = sourced.iter().map(|(_, project)| project).collect();
        let mut sets = forks(&projects);
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for number in 0..projects.len() {
            members.entry(sets.of(number)).or_default().push(number);
        }
        let mut families = Self::default();
        for members in members.into_values() {
            let oldest = members.iter().min_by_key(|&&number| age(projects[number]));
            let name = &projects[*oldest.expect("a family has members")].project;
            if members.len() > 1 {
                let family = families.names.len();
                families.names.push(name.clone());
                families.differ.push(members.iter().any(|&number| projects[number].project != *name));
                let of = |&number: &usize| ((sourced[number].0, projects[number].project.clone()), family);
                families.of.extend(members.iter().map(of));
            }
        }
        families
    }

    /// The number of the family of a source's project; none for one that has no forks and stands in one source alone.
    pub(crate) fn number(&self, source: usize, project: &str) -> Option<usize> {
        self.of.get(&(source, project.to_owned())).copied()
    }

    /// The name of a family whose projects have several.
    pub(crate) fn name(&self, family: usize) -> Option<&str> {
        Some(self.names[family].as_str()).filter(|_| self.differ[family])
    }
}

/// By what projects are ordered: the one that a family is called after comes first.
fn age(project: &ProjectHistory) -> impl Ord {
    let ProjectHistory { project, commits, first_commit, .. } = project;
    (first_commit.is_none(), *first_commit, Reverse(*commits), project)
}

/// The projects, by number, each together with its forks.
fn forks(projects: &[&ProjectHistory]) -> DisjointSets {
    let mut sets = DisjointSets::new(projects.len());
    // Of projects that have all their roots in common one speaks for the others.
    let mut histories: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
    for (number, project) in projects.iter().enumerate() {
        let roots: BTreeSet<&str> = project.roots.iter().map(String::as_str).collect();
        let oldest = histories.entry(roots).or_insert(number);
        sets.join(*oldest, number);
        if age(project) < age(projects[*oldest]) {
            *oldest = number;
        }
    }
    let histories: Vec<(BTreeSet<&str>, usize)> = histories.into_iter().collect();
    let history = |at: usize| {
        let (roots, number) = &histories[at];
        (roots.len(), projects[*number])
    };
    let mut with: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, (roots, number)) in histories.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for root in roots {
            let with = with.entry(root).or_default();
            for &other in with.iter() {
                *shared.entry(other).or_default() += 1;
            }
            with.push(at);
        }
        for (other, shared) in shared {
            if are_forks(history(at), history(other), shared) {
                sets.join(*number, histories[other].1);
            }
        }
    }
    sets
}

/// Whether two projects, each with the number of its roots, have most of their history in common if they share so many roots.
fn are_forks(left: (usize, &ProjectHistory), right: (usize, &ProjectHistory), shared: usize) -> bool {
    let ((fewer, part), (more, whole)) = if left.0 <= right.0 { (left, right) } else { (right, left) };
    let began_together = part.first_commit.is_some() && part.first_commit == whole.first_commit;
    let is_most = part.commits >= whole.commits.div_ceil(2);
    shared > more / 2 || (shared == fewer && began_together && is_most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(project: &str, roots: &[&str], commits: u64, first_commit: Option<i64>) -> ProjectHistory {
        let roots = roots.iter().map(ToString::to_string).collect();
        ProjectHistory { project: project.to_owned(), roots, commits, first_commit }
    }

    fn check(projects: &[ProjectHistory], expected: &[(&str, Option<&str>)]) {
        let sourced: Vec<(usize, ProjectHistory)> = projects.iter().cloned().map(|it| (0, it)).collect();
        let families = Families::new(&sourced);
        for &(project, family) in expected {
            let found = families.number(0, project).and_then(|family| families.name(family));
            assert_eq!(found, family, "{project}");
        }
    }

    #[test]
    fn projects_with_most_roots_in_common_are_a_family_of_the_oldest() {
        let projects = [
            root("fork", &["1"], 5, Some(100)),
            root("alone", &["9"], 5, Some(100)),
            root("main", &["1"], 17, Some(100)),
            root("pages", &["2", "1"], 9, Some(100)),
            root("far", &["2", "1", "3"], 1, None),
            root("alone", &["9"], 6, Some(100)),
        ];
        let main = Some("main");
        let families = [("fork", main), ("main", main), ("pages", main), ("far", main)];
        check(&projects, &families);
        check(&projects, &[("alone", None), ("unknown", None)]);
    }

    #[test]
    fn a_history_that_was_merged_into_others_makes_no_family() {
        check(
            &[
                root("left", &["1", "library"], 900, Some(50)),
                root("right", &["2", "library"], 700, Some(50)),
                root("library", &["library"], 40, Some(50)),
                root("older", &["3", "library"], 60, Some(20)),
            ],
            &[("left", None), ("right", None), ("library", None), ("older", None)],
        );
    }

    #[test]
    fn the_oldest_of_those_with_the_same_roots_speaks_for_them() {
        // Only `main` began with `pages`, and it is not the first of the list.
        let projects = [
            root("fork", &["1"], 20, Some(100)),
            root("main", &["1"], 30, Some(50)),
            root("pages", &["1", "2"], 20, Some(50)),
        ];
        check(&projects, &[("fork", Some("main")), ("main", Some("main")), ("pages", Some("main"))]);
    }
}
