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
        let mut path = self.texts(problem_id);
        path.extend([name(language), name(&format!("{submission_id}.{filename_ext}"))]);
        path
    }

    /// The folder with the texts of a problem.
    pub fn texts(&self, problem: &str) -> PathBuf {
        self.root.join("data").join(name(problem))
    }

    /// What is known of the submissions of a problem, as CSV.
    pub fn problem_table(&self, problem: &str) -> PathBuf {
        self.root.join("metadata").join(name(&format!("{problem}.csv")))
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
        self.root.join("problem_descriptions").join(name(&format!("{problem}.html")))
    }

    /// The folder with sample input and output of a problem.
    pub fn samples(&self, problem: &str) -> PathBuf {
        self.root.join("derived/input_output/data").join(name(problem))
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

/// What metadata say, as the name of one file or folder: it never leads out of the set.
fn name(said: &str) -> String {
    let name = said.replace(['/', '\\', '\0'], "_");
    if name.trim_matches('.').is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_set() {
        let layout = Layout::new("set");
        let submission = Submission {
            submission_id: "../../etc/passwd".to_owned(),
            problem_id: "..".to_owned(),
            language: "/tmp".to_owned(),
            filename_ext: "c".to_owned(),
            ..Submission::default()
        };
        assert_eq!(layout.text(&submission), Path::new("set/data/_/_tmp/.._.._etc_passwd.c"));
        assert_eq!(layout.samples(".."), Path::new("set/derived/input_output/data/_"));
        assert_eq!(layout.description("../x"), Path::new("set/problem_descriptions/.._x.html"));
    }
}
