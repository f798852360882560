//! Forks: projects whose histories share a root commit, directly or by way of others, are one family.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use familiar_index::kin::Root;
use rustc_hash::FxHashMap;

/// The families of several projects.
#[derive(Debug, Default)]
pub(super) struct Families {
    /// The family of each project that has forks.
    of: FxHashMap<String, usize>,
    names: Vec<String>,
}

impl Families {
    /// The families of these projects. Each is called like the one that is the oldest, of equally old ones the one with the most
    /// commits.
    pub(super) fn new(projects: &[Root]) -> Self {
        let mut parents: Vec<usize> = (0..projects.len()).collect();
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, project) in projects.iter().enumerate() {
            for root in &project.roots {
                let other = *first.entry(root).or_insert(number);
                let (left, right) = (top(&mut parents, other), top(&mut parents, number));
                parents[left.max(right)] = left.min(right);
            }
        }
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for number in 0..projects.len() {
            members.entry(top(&mut parents, number)).or_default().push(number);
        }
        let mut families = Self::default();
        for members in members.into_values() {
            let age = |&&number: &&usize| {
                let Root { project, commits, first_commit, .. } = &projects[number];
                (first_commit.is_none(), *first_commit, Reverse(*commits), project)
            };
            let oldest = members.iter().min_by_key(age).expect("a family has members");
            let name = &projects[*oldest].project;
            if members.iter().any(|&number| projects[number].project != *name) {
                let family = families.names.len();
                families.names.push(name.clone());
                families.of.extend(members.iter().map(|&number| (projects[number].project.clone(), family)));
            }
        }
        families
    }

    /// The name of a project's family; none for a project that has no forks.
    pub(super) fn of(&self, project: &str) -> Option<&str> {
        self.of.get(project).map(|&family| self.names[family].as_str())
    }
}

/// The number that stands for all that a number is joined with.
fn top(parents: &mut [usize], mut number: usize) -> usize {
    while parents[number] != number {
        parents[number] = parents[parents[number]];
        number = parents[number];
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_with_a_root_in_common_are_a_family_of_the_oldest() {
        let root = |project: &str, roots: &[&str], commits, first_commit| Root {
            project: project.to_owned(),
            roots: roots.iter().map(ToString::to_string).collect(),
            commits,
            first_commit,
        };
        let families = Families::new(&[
            root("fork", &["1"], 5, Some(100)),
            root("alone", &["9"], 5, Some(100)),
            root("main", &["1"], 7, Some(100)),
            root("joined", &["3", "2"], 1, None),
            root("far", &["2", "1"], 1, Some(200)),
            root("alone", &["9"], 6, Some(100)),
        ]);
        for (project, family) in [
            ("fork", Some("main")),
            ("main", Some("main")),
            ("far", Some("main")),
            ("joined", Some("main")),
            ("alone", None),
            ("unknown", None),
        ] {
            assert_eq!(families.of(project), family, "{project}");
        }
    }
}
