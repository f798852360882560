//! Reads the files of cases, and makes sure that each case can be what it says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use familiar_source::Language;
use serde::Deserialize;

use crate::Engine;

/// One file of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    Type1,
    Type2,
    Type3,
    Type4,
    /// Pairs that are no clones.
    None,
}

impl Suite {
    pub const ALL: [Self; 5] = [Self::Type1, Self::Type2, Self::Type3, Self::Type4, Self::None];

    /// The cases of this file, in its order.
    pub fn load(self) -> Result<Vec<Case>, LoadError> {
        let path = self.path();
        let text =
            fs::read_to_string(&path).map_err(|source| LoadError::Read { path: path.clone(), source })?;
        let file: File = toml::from_str(&text).map_err(|source| LoadError::Parse { path, source })?;
        let mut names = BTreeSet::new();
        for case in &file.case {
            let wrong = |reason| LoadError::Case { name: case.name.clone(), reason };
            if !names.insert(&case.name) {
                return Err(wrong("another case has this name"));
            }
            case.validate(self.clone_type()).map_err(wrong)?;
        }
        Ok(file.case)
    }

    /// The type that all cases of this file have.
    fn clone_type(self) -> Option<u8> {
        match self {
            Self::Type1 => Some(1),
            Self::Type2 => Some(2),
            Self::Type3 => Some(3),
            Self::Type4 => Some(4),
            Self::None => None,
        }
    }

    fn path(self) -> PathBuf {
        let name = self.clone_type().map_or("none.toml".to_owned(), |number| format!("type{number}.toml"));
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/clones").join(name)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// Two snippets, and what an engine must say of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Says what was done: language, task, change.
    pub name: String,
    language: String,
    /// Where the right side is in another language.
    right_language: Option<String>,
    /// The smallest type that holds; nothing where the two are no clones.
    #[serde(rename = "type")]
    pub clone_type: Option<u8>,
    /// The stretches that correspond: first and last line on the left, first and last line on the
    /// right, from 1.
    #[serde(default)]
    pub lines: Vec<[u32; 4]>,
    pub left: String,
    pub right: String,
    /// Engines that answer this case wrongly so far, with the reason.
    #[serde(default)]
    pub known: BTreeMap<Engine, String>,
}

impl Case {
    /// The languages of the left and the right side.
    pub fn languages(&self) -> [&str; 2] {
        [&self.language, self.right_language.as_ref().unwrap_or(&self.language)]
    }

    /// File names for both sides, with the suffixes of their languages.
    pub fn file_names(&self) -> [String; 2] {
        let [left, right] = self.languages().map(suffix);
        [format!("left.{left}"), format!("right.{right}")]
    }

    /// Writes the left side to a file of its own below `tree`; gives the path there.
    pub fn write_left(&self, tree: &Path) -> io::Result<String> {
        let [left, _] = self.file_names();
        fs::create_dir_all(tree.join(&self.name))?;
        fs::write(tree.join(&self.name).join(&left), &self.left)?;
        Ok(format!("{}/{left}", self.name))
    }

    /// Lines that one side has and the other lacks, between stretches that correspond: on the left,
    /// and on the right.
    pub fn inserted(&self) -> [Vec<u32>; 2] {
        let mut inserted = [Vec::new(), Vec::new()];
        for pair in self.lines.windows(2) {
            let [[_, b, _, d], [next, _, right_next, _]] = [pair[0], pair[1]];
            let gaps = [b + 1..next, d + 1..right_next];
            if gaps.iter().any(std::ops::Range::is_empty) {
                inserted.iter_mut().zip(gaps).for_each(|(lines, gap)| lines.extend(gap));
            }
        }
        inserted
    }

    fn validate(&self, clone_type: Option<u8>) -> Result<(), &'static str> {
        if self.clone_type != clone_type {
            return Err("its type is not that of its file");
        }
        if self.languages().iter().any(|name| Language::from_name(name).is_none() || suffix(name).is_empty())
        {
            return Err("its language is not known");
        }
        if self.lines.is_empty() != clone_type.is_none() {
            return Err("clones, and only clones, have lines that correspond");
        }
        let count = |text: &str| text.lines().count() as u32;
        let ends = [count(&self.left), count(&self.right)];
        let mut last = [0, 0];
        for &[a, b, c, d] in &self.lines {
            let is_in_order = last[0] < a && a <= b && last[1] < c && c <= d;
            if !is_in_order || b > ends[0] || d > ends[1] {
                return Err("its lines are out of order, or outside of the snippets");
            }
            last = [b, d];
        }
        Ok(())
    }
}

/// The suffix of files in a language; empty where no case is written in it.
fn suffix(language: &str) -> &'static str {
    match language {
        "c" => "c",
        "cpp" => "cpp",
        "csharp" => "cs",
        "go" => "go",
        "java" => "java",
        "javascript" => "js",
        "kotlin" => "kt",
        "php" => "php",
        "python" => "py",
        "ruby" => "rb",
        "rust" => "rs",
        "typescript" => "ts",
        _ => "",
    }
}

/// Why the cases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no file of cases: {source}", path.display())]
    Parse { path: PathBuf, source: toml::de::Error },
    #[error("the case {name} is wrong: {reason}")]
    Case { name: String, reason: &'static str },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_hundred_cases_in_twelve_languages() {
        let mut names = BTreeSet::new();
        for suite in Suite::ALL {
            let cases = suite.load().expect("the cases are valid");
            let languages: BTreeSet<&str> = cases.iter().flat_map(Case::languages).collect();
            assert!(cases.len() >= 100 && languages.len() >= 12, "{suite:?}: {} {languages:?}", cases.len());
            for case in cases {
                assert!(names.insert(case.name.clone()), "{} is the name of two cases", case.name);
            }
        }
    }

    #[test]
    fn at_most_one_case_in_twenty_is_a_known_fault() {
        for suite in Suite::ALL {
            let cases = suite.load().expect("the cases are valid");
            for engine in Engine::ALL {
                let known = cases.iter().filter(|case| case.known.contains_key(&engine)).count();
                assert!(known * 20 <= cases.len(), "{suite:?}: {engine:?} has {known} known faults");
            }
        }
    }

    fn case(lines: Vec<[u32; 4]>) -> Case {
        Case {
            name: "a".to_owned(),
            language: "python".to_owned(),
            right_language: None,
            clone_type: Some(1),
            lines,
            left: "a = 1\nb = 2\n".to_owned(),
            right: "a = 1\nb = 2\n".to_owned(),
            known: BTreeMap::new(),
        }
    }

    #[test]
    fn what_is_inserted_stands_on_one_side_alone() {
        let replaced = case(vec![[1, 2, 1, 2], [4, 5, 4, 5]]);
        assert_eq!(replaced.inserted(), [Vec::<u32>::new(), Vec::new()]);
        let more = case(vec![[1, 2, 1, 2], [3, 4, 5, 6], [8, 9, 7, 8]]);
        assert_eq!(more.inserted(), [vec![5, 6, 7], vec![3, 4]]);
    }

    #[test]
    fn a_case_that_cannot_be_is_refused() {
        assert_eq!(case(vec![[1, 2, 1, 2]]).validate(Some(1)), Ok(()));
        assert!(case(vec![[1, 3, 1, 2]]).validate(Some(1)).is_err(), "there is no third line");
        assert!(case(vec![[2, 2, 2, 2], [1, 1, 1, 1]]).validate(Some(1)).is_err(), "the order is wrong");
        assert!(case(Vec::new()).validate(Some(1)).is_err(), "a clone has lines");
        assert!(case(vec![[1, 2, 1, 2]]).validate(Some(2)).is_err(), "another type");
    }
}
