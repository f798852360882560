//! Data sets that are known by name, each with the settings that it is measured with by convention.
//!
//! The rows are no part of the program: a name stands for the file NAME.jsonl.zst, or NAME.jsonl, in a folder with data or in
//! its folder `clones`. docs/quality.md has the figures.

use std::path::{Path, PathBuf};

use familiar_source::Language;

use crate::pairs::{By, Negatives};

/// A data set, and what is measured on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dataset {
    /// The name of its file, too.
    pub name: &'static str,
    /// How pairs are measured on it, where they are.
    pub pairs: Option<Convention>,
    /// How retrieval is measured on it, where it is.
    pub retrieval: Option<Convention>,
}

/// Settings that stand where the user gives none.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// The encoder that judges; the default measure where none is named.
    pub encoder: Option<&'static str>,
    /// The file that holds the fragments of pairs, by its name.
    pub fragments: Option<&'static str>,
    /// Fields of rows and the values they must have.
    pub filters: &'static [(&'static str, &'static str)],
    pub languages: &'static [Language],
    /// One problem in so many.
    pub one_of: Option<u64>,
    pub cross_language: bool,
    /// How many pairs are drawn from solutions.
    pub draw: Option<usize>,
    pub negatives: Option<Negatives>,
    pub by: Option<By>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Pairs,
    Retrieval,
}

/// Why a name stands for no file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatasetError {
    #[error("{name} is neither a file nor a data set for {}; the data sets are {}", task.name(), names(*task))]
    Unknown { name: String, task: Task },
    #[error("{name} is the name of a data set: say where the data is, with --data DIR or FAMILIAR_DATA")]
    NoFolder { name: &'static str },
    #[error(
        "there is no {name}.jsonl.zst or {name}.jsonl in {} or in {}; name the right folder with --data",
        folder.display(),
        folder.join(CLONES).display()
    )]
    Missing { name: &'static str, folder: PathBuf },
}

/// Where data sets of clones stand in a folder that has others too.
const CLONES: &str = "clones";

/// The data sets, by name.
pub(crate) const DATASETS: [Dataset; 6] = [
    Dataset {
        name: "bcb_pairs",
        pairs: Some(Convention { fragments: Some("bcb_functions"), ..Convention::NONE }),
        retrieval: None,
    },
    Dataset {
        name: "clcdsa",
        pairs: Some(Convention {
            draw: DRAWN,
            cross_language: true,
            languages: &[Language::Java, Language::Python, Language::CSharp],
            ..ENCODER
        }),
        retrieval: None,
    },
    Dataset {
        name: "gptclonebench_cross",
        pairs: Some(Convention { negatives: Some(Negatives::Random), ..ENCODER }),
        retrieval: None,
    },
    Dataset {
        name: "leetcode_parallel",
        pairs: Some(Convention { draw: DRAWN, languages: &[Language::Java], ..LEETCODE }),
        retrieval: Some(LEETCODE),
    },
    Dataset {
        name: "poj104",
        pairs: Some(Convention { draw: DRAWN, languages: &[Language::Cpp], ..POJ }),
        retrieval: Some(POJ),
    },
    Dataset {
        name: "semanticclonebench_partial",
        pairs: Some(Convention {
            negatives: Some(Negatives::Random),
            by: Some(By::Lang),
            ..Convention::NONE
        }),
        retrieval: None,
    },
];

const DRAWN: Option<usize> = Some(10_000);

const ENCODER: Convention = Convention { encoder: Some("builtin"), ..Convention::NONE };

/// Problems 65 to 80, which nothing was trained on.
const POJ: Convention = Convention { filters: &[("split", "valid")], ..ENCODER };

/// The problems that were kept apart from training.
const LEETCODE: Convention =
    Convention { filters: &[("repo", "doocs/leetcode"), ("split", "dev")], one_of: Some(5), ..ENCODER };

impl Task {
    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Retrieval => "retrieval",
        }
    }

    fn of(self, dataset: &Dataset) -> Option<Convention> {
        match self {
            Self::Pairs => dataset.pairs,
            Self::Retrieval => dataset.retrieval,
        }
    }
}

impl Convention {
    /// Of a file that is no data set of ours.
    pub const NONE: Self = Self {
        encoder: None,
        fragments: None,
        filters: &[],
        languages: &[],
        one_of: None,
        cross_language: false,
        draw: None,
        negatives: None,
        by: None,
    };

    /// The file of fragments, beside that of the pairs.
    pub fn fragments(&self, folder: &Path) -> Result<Option<PathBuf>, DatasetError> {
        self.fragments.map(|name| file(name, folder)).transpose()
    }
}

/// The file that `name` stands for in `folder`, and how it is measured.
pub fn named(name: &str, task: Task, folder: Option<&Path>) -> Result<(PathBuf, Convention), DatasetError> {
    let known = DATASETS.iter().find(|dataset| dataset.name == name);
    let known = known.and_then(|dataset| Some((dataset.name, task.of(dataset)?)));
    let (name, convention) = known.ok_or_else(|| DatasetError::Unknown { name: name.to_owned(), task })?;
    let folder = folder.ok_or(DatasetError::NoFolder { name })?;
    Ok((file(name, folder)?, convention))
}

/// The names of what a task is measured on.
pub fn names(task: Task) -> String {
    let known = DATASETS.iter().filter(|dataset| task.of(dataset).is_some());
    known.map(|dataset| dataset.name).collect::<Vec<_>>().join(", ")
}

fn file(name: &'static str, folder: &Path) -> Result<PathBuf, DatasetError> {
    let folders = [folder.to_owned(), folder.join(CLONES)];
    let ends = [".jsonl.zst", ".jsonl"];
    let mut files = folders.iter().flat_map(|folder| ends.map(|end| folder.join(format!("{name}{end}"))));
    files.find(|file| file.is_file()).ok_or_else(|| DatasetError::Missing { name, folder: folder.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_a_file_and_its_settings() {
        let data = tempfile::tempdir().expect("the temporary folder can be written");
        let named = |name, task| named(name, task, Some(data.path()));
        std::fs::create_dir(data.path().join("clones")).expect("just made");
        std::fs::write(data.path().join("clones/poj104.jsonl"), "").expect("just made");
        let (file, convention) = named("poj104", Task::Retrieval).expect("it is there");
        assert_eq!(file, data.path().join("clones/poj104.jsonl"));
        assert_eq!((convention.filters, convention.draw), (&[("split", "valid")][..], None));
        std::fs::write(data.path().join("poj104.jsonl.zst"), "").expect("just made");
        let (file, convention) = named("poj104", Task::Pairs).expect("it is there");
        assert_eq!(file, data.path().join("poj104.jsonl.zst"));
        assert_eq!((convention.languages, convention.draw), (&[Language::Cpp][..], Some(10_000)));
    }

    #[test]
    fn what_is_not_there_is_told_with_what_would_be() {
        let told = |name, task, folder: Option<&str>| {
            named(name, task, folder.map(Path::new)).expect_err("nothing is there").to_string()
        };
        assert_eq!(
            told("bcb_pairs", Task::Retrieval, None),
            "bcb_pairs is neither a file nor a data set for retrieval; the data sets are leetcode_parallel, poj104"
        );
        assert!(told("poj104", Task::Pairs, None).contains("FAMILIAR_DATA"));
        let missing = told("clcdsa", Task::Pairs, Some("data"));
        assert!(
            missing.starts_with("there is no clcdsa.jsonl.zst or clcdsa.jsonl in data or in data"),
            "{missing}"
        );
    }

    #[test]
    fn names_are_in_order() {
        assert!(DATASETS.is_sorted_by_key(|dataset| dataset.name));
    }
}
