//! Submissions and problems, with the columns of Project CodeNet (Puri et al. 2021, Table 6 and Section 4).

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

/// What is known of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Submission {
    /// `s` and nine digits.
    pub submission_id: String,
    /// `p` and five digits.
    pub problem_id: String,
    /// `u` and nine digits; empty where it is not known.
    pub user_id: String,
    /// Seconds since 1970, UTC.
    pub date: Option<i64>,
    /// The language without its version, such as `C++`.
    pub language: String,
    /// The language as the judge calls it, such as `C++14 (GCC 5.4.1)`.
    pub original_language: String,
    /// Without the dot.
    pub filename_ext: String,
    /// One of [`crate::status::STATUSES`]; empty where it is not known.
    pub status: String,
    /// Milliseconds.
    pub cpu_time: Option<i64>,
    /// Kilobytes.
    pub memory: Option<i64>,
    /// Bytes.
    pub code_size: Option<i64>,
    /// Tests passed and tests in all: `4/4`.
    pub accuracy: String,
    /// The id in the data that were imported.
    pub source_id: String,
    /// The text before it was cleaned, as `swh:1:cnt:` and the SHA-1 that git gives it.
    pub original_blob: String,
}

impl Submission {
    /// The columns of `metadata/pNNNNN.csv`, in their order.
    pub const COLUMNS: [&str; 12] = [
        "submission_id",
        "problem_id",
        "user_id",
        "date",
        "language",
        "original_language",
        "filename_ext",
        "status",
        "cpu_time",
        "memory",
        "code_size",
        "accuracy",
    ];

    /// Writes those columns as a row of CSV.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(self.record())?;
        csv.flush()
    }

    /// The fields of those columns.
    pub fn record(&self) -> [String; 12] {
        let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        [
            self.submission_id.clone(),
            self.problem_id.clone(),
            self.user_id.clone(),
            number(self.date),
            self.language.clone(),
            self.original_language.clone(),
            self.filename_ext.clone(),
            self.status.clone(),
            number(self.cpu_time),
            number(self.memory),
            number(self.code_size),
            self.accuracy.clone(),
        ]
    }
}

/// What is known of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Problem {
    /// `p` and five digits.
    pub id: String,
    pub name: String,
    /// The judge, such as `AIZU` or `AtCoder`.
    pub dataset: String,
    /// Milliseconds.
    pub time_limit: String,
    /// Kilobytes.
    pub memory_limit: String,
    pub rating: String,
    /// Separated by `|`.
    pub tags: String,
    pub complexity: String,
    /// The id in the data that were imported.
    pub source_id: String,
}

impl Problem {
    /// The columns of `metadata/problem_list.csv`, in their order.
    pub const COLUMNS: [&str; 8] =
        ["id", "name", "dataset", "time_limit", "memory_limit", "rating", "tags", "complexity"];

    /// The fields of those columns.
    pub fn record(&self) -> [&str; 8] {
        [
            &self.id,
            &self.name,
            &self.dataset,
            &self.time_limit,
            &self.memory_limit,
            &self.rating,
            &self.tags,
            &self.complexity,
        ]
    }
}
