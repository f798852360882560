//! Where everything stands in a set: the layout of Project CodeNet, and Parquet beside it.

use std::path::{Path, PathBuf};

use crate::submission::Submission;

/// The folder of a set.
#[derive(Clone, Debug)]
pub struct Layout {
    pub root: PathBuf,
}

impl Layout {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The text of a submission.
    pub fn text(&self, submission: &Submission) -> PathBuf {
        let Submission { submission_id, problem_id, language, filename_ext, .. } = submission;
        let mut path = self.root.join("data");
        path.extend([problem_id, language]);
        path.push(format!("{submission_id}.{filename_ext}"));
        path
    }

    /// What is known of the submissions of a problem, as CSV.
    pub fn problem_table(&self, problem: &str) -> PathBuf {
        self.root.join("metadata").join(format!("{problem}.csv"))
    }

    pub fn problem_list(&self) -> PathBuf {
        self.root.join("metadata/problem_list.csv")
    }

    /// What is known of all submissions, as Parquet.
    pub fn submissions(&self) -> PathBuf {
        self.root.join("metadata/submissions.parquet")
    }

    /// What is known of all problems, as Parquet.
    pub fn problems(&self) -> PathBuf {
        self.root.join("metadata/problems.parquet")
    }

    /// Which id of the imported data each user has.
    pub fn users(&self) -> PathBuf {
        self.root.join("metadata/users.csv")
    }

    /// What was left out, as JSON lines.
    pub fn skipped(&self) -> PathBuf {
        self.root.join("metadata/skipped.jsonl")
    }

    /// The statement of a problem.
    pub fn description(&self, problem: &str) -> PathBuf {
        self.root.join("problem_descriptions").join(format!("{problem}.html"))
    }

    /// The folder with sample input and output of a problem.
    pub fn samples(&self, problem: &str) -> PathBuf {
        self.root.join("derived/input_output/data").join(problem)
    }

    /// Says what the set holds, and that it is whole.
    pub fn summary(&self) -> PathBuf {
        self.root.join("set.json")
    }

    /// What an import that has not ended keeps.
    pub fn work(&self) -> PathBuf {
        self.root.join(".import")
    }

    /// Whether the folder is a data set in this layout, ours or CodeNet's own.
    pub fn is_set(path: &Path) -> bool {
        path.join("data").is_dir() && path.join("metadata").is_dir()
    }
}
