//! Where the sides of a pair stand.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A row of `sample.jsonl`: a pair that was drawn from a result, with the code that people judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledPair {
    /// Of the places of both sides alone, so that it is the same in each sample.
    pub id: String,
    /// The part of the result that the pair was drawn for, such as `lines=1-10`.
    pub stratum: String,
    #[serde(flatten)]
    pub claim: Claim,
    pub left: Side,
    pub right: Side,
}

/// What the result says of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub clone_type: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// What an audit says of the licenses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
}

/// A side of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    #[serde(flatten)]
    pub place: Place,
    pub code: String,
}

/// Some lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// A tree as it was given, or a project of a corpus.
    pub project: String,
    pub path: String,
    pub language: String,
    /// That of the function, if it has one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub start_line: u32,
    pub end_line: u32,
}

impl Place {
    /// How many lines it has.
    pub(crate) fn lines(&self) -> u32 {
        (self.end_line.saturating_sub(self.start_line)).saturating_add(1)
    }

    /// The file as a user would name it.
    pub(crate) fn file(&self) -> String {
        match self.project.trim_end_matches('/') {
            "" | "." => self.path.clone(),
            // A tree of one file.
            project if project.rsplit('/').next() == Some(&*self.path) => project.to_owned(),
            project => format!("{project}/{}", self.path),
        }
    }

    fn key(&self) -> String {
        let Self { project, path, start_line, end_line, .. } = self;
        format!("{project}\0{path}\0{start_line}\0{end_line}\0")
    }
}

/// The name of the pair of two places.
pub(super) fn id(left: &Place, right: &Place) -> String {
    format!("{:032x}", xxh3_128(format!("{}{}", left.key(), right.key()).as_bytes()))[..16].to_owned()
}
