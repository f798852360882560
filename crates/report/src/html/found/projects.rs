//! In how many projects code stands, and how much of what was asked for each of them has.

use std::collections::HashMap;

/// Most projects that the page counts by; those with most of the files.
const MOST: usize = 1_000;

/// Projects, those that are forks of each other as one.
#[derive(Default)]
pub(super) struct Projects {
    numbers: HashMap<String, u32>,
    rows: Vec<Project>,
}

struct Project {
    name: String,
    /// Queries of which it has something, or all; and the last of each that was counted.
    some: u32,
    whole: u32,
    last_some: Option<u32>,
    last_whole: Option<u32>,
}

impl Projects {
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.rows.len() as u32;
        let name = name.to_owned();
        self.numbers.insert(name.clone(), number);
        self.rows.push(Project { name, some: 0, whole: 0, last_some: None, last_whole: None });
        number
    }

    /// Counts a query once, however many blobs of the project have it. Queries come one after another.
    pub(super) fn count(&mut self, name: &str, query: u32, is_whole: bool) {
        let number = self.number(name);
        let row = &mut self.rows[number as usize];
        if row.last_some.replace(query) != Some(query) {
            row.some += 1;
        }
        if is_whole && row.last_whole.replace(query) != Some(query) {
            row.whole += 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.name.as_str())
    }

    /// Number, queries of which it has something, and of those whole ones; those that have most first.
    pub(super) fn counts(&self) -> Vec<[u32; 3]> {
        let mut rows: Vec<[u32; 3]> =
            (0u32..).zip(&self.rows).map(|(number, row)| [number, row.some, row.whole]).collect();
        rows.sort_by_key(|&[number, some, whole]| {
            (std::cmp::Reverse((some, whole)), &self.rows[number as usize].name)
        });
        rows.truncate(MOST);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_counts_once_for_a_project() {
        let mut projects = Projects::default();
        for (name, query, whole) in [("b", 0, false), ("a", 0, true), ("a", 0, true), ("a", 1, false)] {
            projects.count(name, query, whole);
        }
        assert_eq!(projects.counts(), [[1, 2, 1], [0, 1, 0]]);
    }
}
